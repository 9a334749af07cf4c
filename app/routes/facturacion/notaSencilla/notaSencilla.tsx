import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useSearchParams } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { articuloVacio } from '~/domain/facturacion/cfdi/articulos';
import { requireCodigos } from '~/domain/facturacion/emision/codigosSku.server';
import { judgedAnew } from '~/core/errors';
import type { Usuario } from '~/core/usuario';
import { createNota } from '~/domain/facturacion/notaSencilla/createNota.server';
import {
  isSoloBuscada,
  keepFechaNota,
  lookUpCpOfNota,
  openNotaDraft,
  readNotaDraft,
  requireNotaDraft,
  requireNotaVista,
  saveDatosNota,
  saveNotaDraft,
  unfinishedNota,
} from '~/domain/facturacion/notaSencilla/notaDraft.server';
import {
  ArticulosNotaForm,
  DatosNotaVistos,
  EscritoNota,
  FechaEscrita,
  RevisionNotaForm,
  type VistoNota,
} from '~/domain/facturacion/notaSencilla/forms';
import { NOTA, PASO_NOTA_TITULO, type PasoNota } from '~/domain/facturacion/notaSencilla/notaSencilla';
import { defineActions, outcome, type At } from '~/http/actions.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import { Guardado } from '~/ui/Guardado';
import { Steps, type Step } from '~/ui/Steps';
import { Titular } from '~/ui/Titular';
import { Asked } from '~/ui/useAnswer';
import { useDicho } from '~/ui/useDicho';
import type { Db } from '~db/client.server';
import { db } from '~db/shared.server';
import { Articulos, FORM_ARTICULOS } from '~/routes/facturacion/articulos/Articulos';
import { Datos, FORM_DATOS } from './Datos';
import { hechosOf, Revision } from './Revision';

export const meta: MetaFunction = () => [{ title: NOTA }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const borrador = searchParams.get('borrador');
  if (!borrador) return { vista: null, pendiente: (await unfinishedNota(db(), usuario.id)) ?? null };
  const vista = await readNotaDraft(db(), borrador, usuario, searchParams.get('paso'));
  // A step opens when the steps before it are saved; an address ahead of them leads to the furthest open step.
  if (searchParams.get('paso') !== vista.paso) throw redirect(`?borrador=${borrador}&paso=${vista.paso}`);
  return { vista, pendiente: null };
}

/** The draft of the address; there is none before the first step is saved. */
function borradorOf({ request }: ActionFunctionArgs): string {
  return new URL(request.url).searchParams.get('borrador') ?? '';
}
const paso = (n: string, borrador: string) => `?borrador=${borrador}&paso=${n}`;

/** Reads the note as the screen of the form showed it. */
const notaOf = async (db: Db, visto: VistoNota, usuario: Usuario, { opened }: At<string>) =>
  requireNotaVista(await requireNotaDraft(db, opened, usuario), visto);

export const action = defineActions(borradorOf, {
  articulos: {
    schema: ArticulosNotaForm,
    run: async (db, { articulos, version = 0, mostrado }, usuario, at) => {
      const { opened } = at;
      await requireCodigos(db, 'Error de llenado.', articulos);
      if (!opened) return outcome({ to: paso('2', await openNotaDraft(db, articulos, usuario.id)) });
      await saveNotaDraft(db, await notaOf(db, { version, mostrado }, usuario, at), { articulos });
      return outcome({ to: paso(at.ir ?? '2', opened) });
    },
  },
  buscarCp: {
    schema: EscritoNota,
    run: async (db, { version, mostrado, ...escrito }, usuario, at) =>
      lookUpCpOfNota(db, await notaOf(db, { version, mostrado }, usuario, at), escrito),
    to: (_, { opened }) => paso('2', opened),
  },
  datos: {
    schema: DatosNotaVistos,
    run: (db, { version, mostrado, ...datos }, usuario, at) =>
      judgedAnew(async () => {
        const draft = await requireNotaDraft(db, at.opened, usuario);
        if (!isSoloBuscada(draft, datos.cp)) requireNotaVista(draft, { version, mostrado });
        await saveDatosNota(db, draft, datos);
      }),
    to: (_, { opened, ir }) => paso(ir ?? '3', opened),
  },
  anotar: {
    schema: FechaEscrita,
    run: async (db, { version, mostrado, fecha }, usuario, at) =>
      keepFechaNota(db, await notaOf(db, { version, mostrado }, usuario, at), fecha),
    to: (_, { opened, ir }) => paso(ir ?? '3', opened),
  },
  crear: {
    schema: RevisionNotaForm,
    alIr: 'anotar',
    confirm: { titulo: NOTA, texto: '¿Estas seguro de generar la nota sencilla?' },
    hechos: async (db, _, usuario, { opened }) => hechosOf(await readNotaDraft(db, opened, usuario, '3')),
    commit: (trx, { fecha, ...visto }, usuario, { opened, now }) =>
      createNota(trx, opened, { fecha, visto, usuario, now }),
    to: (_, { opened }) => paso('lista', opened),
  },
});

const FIRST: Step[] = Object.values(PASO_NOTA_TITULO).map((titulo, at) => ({ titulo, actual: at === 0, hecho: false }));

const FORMULARIOS: Partial<Record<PasoNota, string>> = { '1': FORM_ARTICULOS, '2': FORM_DATOS, '3': 'crear' };

export default function NotaSencilla() {
  const { vista, pendiente } = useLoaderData<typeof loader>();
  const asked = useDicho()?.confirmar !== undefined;
  const [params] = useSearchParams();
  const area = useArea();
  const href = (paso: string) => `?borrador=${params.get('borrador')}&paso=${paso}`;
  return (
    <>
      <PageHeader
        titulo={NOTA}
        nota={
          <>
            Una venta fuera de los marketplaces, en papel: no es un CFDI.
            {vista && vista.paso !== 'lista' && <Guardado en={vista.guardadoEn} />}
          </>
        }
      >
        <Link className="boton" to={`${area}/notasSencillas`}>
          Notas emitidas
        </Link>
      </PageHeader>
      <Steps
        pasos={
          vista ? vista.pasos.map((paso) => ({ ...paso, href: paso.abierto ? href(paso.paso) : undefined })) : FIRST
        }
        formulario={vista ? FORMULARIOS[vista.paso] : undefined}
        sinEnter={vista?.paso === '3'}
      />
      {!vista && (
        <>
          {pendiente && (
            <Panel tono="aviso" titulo="Tienes una nota sin terminar">
              La dejaste el <Fecha valor={pendiente.actualizadoEn} />.{' '}
              <Link to={`?borrador=${pendiente.id}`}>Continuarla</Link>
            </Panel>
          )}
          <Articulos key="nueva" articulos={[articuloVacio()]} />
        </>
      )}
      {vista && <Asked cancelar={href(vista.paso)} />}
      {vista?.paso === '1' && <Articulos key={vista.version} articulos={vista.articulos} visto={vista.visto} />}
      {vista?.paso === '2' && <Datos key={vista.version} datos={vista.datos} visto={vista.visto} />}
      {vista?.paso === '3' && !asked && <Revision key={vista.version} vista={vista} />}
      {vista?.nota && (
        <section className="hoja media resultado" data-tono="ok" role="status">
          <Titular>Nota Creada Correctamente</Titular>
          <p>
            La nota con folio: <strong>{vista.nota.folio}</strong> se ha creado correctamente. Se enviara la informacion
            al correo de contacto.
          </p>
          <div className="botones">
            <a className="boton" href={`${area}/descargas/nota/${vista.nota.id}`}>
              Descargar PDF
            </a>
            <Link className="boton" to={`${area}/notasSencillas`}>
              Notas emitidas
            </Link>
            <Link className="boton" data-tono="acento" data-principal to={`${area}/notaSencilla`}>
              Crear otra nota
            </Link>
          </div>
        </section>
      )}
    </>
  );
}
