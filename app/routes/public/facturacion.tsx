import {
  data,
  redirect,
  type ActionFunctionArgs,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { judgedAnew } from '~/core/errors';
import { Nada } from '~/core/fields';
import { findDraftOfEnlace, reopenDraft } from '~/domain/facturacion/emision/draft.server';
import { Visto } from '~/domain/facturacion/emision/draft';
import { findEnlace, type Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { readPublico } from '~/domain/facturacion/publico/publico.server';
import {
  choosePublico,
  createFacturaPublica,
  editPublico,
  keepUso,
  lookUpPublico,
  savePublico,
} from '~/domain/facturacion/publico/publicoDraft.server';
import { beginCorreccion, leaveCorreccion } from '~/domain/facturacion/publico/publicoCorreccion.server';
import { readConstanciaOf } from '~/domain/facturacion/publico/publicoConstancia.server';
import {
  BuscarRfc,
  CONFIRMAR,
  Corregir,
  DatosForm,
  ElegirRazon,
  LeerConstancia,
  UsoEscrito,
  UsoForm,
} from '~/domain/facturacion/publico/forms';
import { definePublicActions, outcome } from '~/http/actions.server';
import { Steps } from '~/ui/Steps';
import { Asked, Refusal } from '~/ui/useAnswer';
import { useDicho } from '~/ui/useDicho';
import { db } from '~db/shared.server';
import { Aviso } from './facturacion/Aviso';
import { DatosFiscales, formDatos } from './facturacion/DatosFiscales';
import { hechosOf, Revision } from './facturacion/Revision';
import { Corrigiendo } from './facturacion/Correccion';
import { Resultado } from './facturacion/Resultado';
import { Resumen } from './Resumen';

/** One text for an unknown link, an ended link, a withdrawn link, and a link for another purpose. */
const SIN_ENLACE =
  'Este enlace no es válido o ya venció. Pide uno nuevo por los mensajes de tu compra, o factura con tu número de orden en la página de inicio.';
const PASOS = { '1': 'Datos de Facturación', '2': 'Revisar Datos' } as const;

export const meta: MetaFunction = () => [{ title: 'Factura tu compra' }, { name: 'robots', content: 'noindex' }];

/** Answers Retry-After where the person has to wait. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const enlace = await findEnlace(db(), params.token ?? '');
  if (!enlace) return data({ pagina: null }, { status: 404 });
  return { pagina: await readPublico(db(), enlace, new URL(request.url).searchParams.get('paso')) };
}

/** Returns the enlace of a form. An enlace that ended meanwhile says so on its page. */
async function enlaceOf({ request, params }: ActionFunctionArgs): Promise<Enlace> {
  const enlace = await findEnlace(db(), params.token ?? '');
  if (!enlace) throw redirect(new URL(request.url).pathname.replace(/\.data$/, ''));
  return enlace;
}

const paso1 = (_: unknown, { path, ir = '1' }: { path: string; ir: string | undefined }) => `${path}?paso=${ir}`;

export const action = definePublicActions(enlaceOf, {
  guardar: {
    schema: DatosForm,
    run: (db, datos, enlace, { ip }) => judgedAnew(() => savePublico(db, enlace, datos, ip)),
    to: paso1,
  },
  buscarRfc: {
    schema: BuscarRfc,
    run: (db, buscado, enlace, { ip }) => lookUpPublico(db, enlace, buscado, ip),
    to: paso1,
  },
  leerConstancia: {
    schema: LeerConstancia,
    run: async (db, subida, enlace, { ip }) => outcome(await readConstanciaOf(db, enlace, subida, ip)),
  },
  elegir: { schema: ElegirRazon, run: (db, elegida, enlace) => choosePublico(db, enlace, elegida), to: paso1 },
  editar: { schema: Visto, run: (db, visto, enlace) => editPublico(db, enlace, 'editar', visto), to: paso1 },
  otro: { schema: Visto, run: (db, visto, enlace) => editPublico(db, enlace, 'otro', visto), to: paso1 },
  siguiente: { schema: Nada, run: () => Promise.resolve(), to: (_, { path }) => `${path}?paso=2` },
  corregir: {
    schema: Corregir,
    run: async (db, _, enlace) => {
      const draft = await findDraftOfEnlace(db, enlace.id);
      if (draft) await reopenDraft(db, draft);
    },
    to: ({ paso }, { path }) => `${path}?paso=${paso}`,
  },
  corregirFactura: {
    schema: Visto,
    run: (db, visto, enlace, { now }) => beginCorreccion(db, enlace, visto, now),
    to: (_, { path }) => `${path}?paso=1`,
  },
  dejarCorreccion: {
    schema: Visto,
    run: (db, visto, enlace) => leaveCorreccion(db, enlace, visto),
    to: (_, { path }) => path,
  },
  anotar: {
    schema: UsoEscrito,
    run: (db, escrito, enlace) => keepUso(db, enlace, escrito),
    to: (_, { path, ir = '2' }) => `${path}?paso=${ir}`,
  },
  crear: {
    schema: UsoForm,
    alIr: 'anotar',
    confirm: CONFIRMAR,
    hechos: async (db, _, enlace) => {
      const { numOrden, vista } = await readPublico(db, enlace, '2');
      return vista.tipo === 'paso' && vista.revision
        ? hechosOf(numOrden, vista.cliente, vista.revision.totales, vista.sustituye)
        : undefined;
    },
    run: (db, pedida, enlace, { now }) => createFacturaPublica(db, enlace, pedida, now),
    to: (_, { path }) => path,
  },
});

export default function Facturacion() {
  const { pagina } = useLoaderData<typeof loader>();
  const asked = useDicho()?.confirmar !== undefined;
  if (!pagina) return <Aviso titulo="Error de verificación." texto={SIN_ENLACE} />;
  const { numOrden, vista } = pagina;
  return (
    <div className="columna">
      <h1>Factura tu compra</h1>
      <Resumen numOrden={numOrden} {...(vista.tipo === 'paso' && { total: vista.total })} />
      {['corregir', 'corregirFactura', 'dejarCorreccion'].map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
      {vista.tipo === 'aviso' && <Aviso texto={vista.texto} />}
      {vista.tipo === 'ajena' && <Resultado ajena={vista} />}
      {vista.tipo === 'resultado' && <Resultado estado={vista.estado} />}
      {vista.tipo === 'paso' && (
        <>
          <Steps
            pasos={(['1', '2'] as const).map((paso) => ({
              titulo: PASOS[paso],
              href: paso === '1' || vista.siguiente ? `?paso=${paso}` : undefined,
              actual: paso === vista.paso,
              hecho: paso < vista.paso,
            }))}
            formulario={vista.paso === '2' ? 'crear' : vista.guardando ? undefined : formDatos(vista.cliente)}
            sinEnter={vista.paso === '2'}
          />
          {vista.sustituye && <Corrigiendo folio={vista.sustituye} visto={vista.visto} />}
          <Asked cancelar="?paso=2" />
          {vista.paso === '1' && <DatosFiscales vista={vista} />}
          {vista.paso === '2' && vista.revision && !asked && (
            <Revision
              {...vista.revision}
              numOrden={numOrden}
              cliente={vista.cliente}
              visto={vista.visto}
              sustituye={vista.sustituye}
            />
          )}
        </>
      )}
    </div>
  );
}
