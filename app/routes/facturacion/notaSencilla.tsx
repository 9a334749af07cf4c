import { parseWithZod } from '@conform-to/zod/v4';
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import type { Answer } from '~/core/submission';
import { invalid, submit } from '~/http/submit.server';
import { articuloVacio } from '~/domain/cfdi/articulos';
import { createNota } from '~/domain/notaSencilla/createNota.server';
import {
  lookUpCpOfNota,
  openNotaDraft,
  readNotaDraft,
  requireNotaDraft,
  saveDatosNota,
  saveNotaDraft,
  unfinishedNota,
} from '~/domain/notaSencilla/notaDraft.server';
import { DatosNotaForm, NOTA, PASO_NOTA_TITULO } from '~/domain/notaSencilla/notaSencilla';
import { PageHeader, Panel } from '~/ui/Blocks';
import { ConfirmStep } from '~/ui/Confirm';
import { Fecha } from '~/ui/Fecha';
import { Steps, type Step } from '~/ui/Steps';
import { db } from '~db/shared.server';
import { Articulos, ArticulosForm } from '../parts/articulos/Articulos';
import { Datos } from './notaSencilla/Datos';
import { CONFIRMAR_NOTA, Revision, RevisionNotaForm } from './notaSencilla/Revision';

export const meta: MetaFunction = () => [{ title: NOTA }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const borrador = searchParams.get('borrador');
  if (!borrador) return { vista: null, pendiente: (await unfinishedNota(db(), usuario.id)) ?? null };
  const vista = await readNotaDraft(db(), borrador, usuario, searchParams.get('paso'));
  // A step opens when those before it are saved; an address that runs ahead leads to the furthest one.
  if (searchParams.get('paso') !== vista.paso) throw redirect(`?borrador=${borrador}&paso=${vista.paso}`);
  return { vista, pendiente: null };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.formData();
  const id = new URL(request.url).searchParams.get('borrador');
  const paso = (n: string, draft = id) => `?borrador=${draft}&paso=${n}`;
  const intent = String(form.get('intent') ?? 'articulos');
  if (intent === 'articulos') {
    const submission = parseWithZod(form, { schema: ArticulosForm });
    if (submission.status !== 'success') return invalid(submission);
    const { articulos } = submission.value;
    if (!id)
      return submit(
        submission,
        () => openNotaDraft(db(), articulos, usuario.id),
        (opened) => paso('2', opened),
      );
    return submit(
      submission,
      async () => saveNotaDraft(db(), await requireNotaDraft(db(), id, usuario), { articulos }),
      paso('2'),
    );
  }
  const draft = await requireNotaDraft(db(), id ?? '', usuario);
  switch (intent) {
    case 'buscarCp': {
      const submission = parseWithZod(form, { schema: DatosNotaForm.partial().loose() });
      const escrito = Object.fromEntries(
        Object.keys(DatosNotaForm.shape).map((name) => [name, String(form.get(name) ?? '').slice(0, 200)]),
      );
      return submit(submission, () => lookUpCpOfNota(db(), draft, escrito), paso('2'));
    }
    case 'datos': {
      const submission = parseWithZod(form, { schema: DatosNotaForm });
      if (submission.status !== 'success') return invalid(submission);
      return submit(submission, () => saveDatosNota(db(), draft, submission.value), paso('3'));
    }
    case 'crear': {
      const submission = parseWithZod(form, { schema: RevisionNotaForm });
      if (submission.status !== 'success') return invalid(submission);
      if (!isConfirmed(form)) return data<Answer>(askFirst(form, CONFIRMAR_NOTA));
      return submit(
        submission,
        () =>
          db()
            .transaction()
            .execute((trx) => createNota(trx, draft.id, { ...submission.value, usuario, now: new Date() })),
        paso('lista'),
      );
    }
    default:
      throw data({ titulo: 'Error.', texto: 'Esta pantalla no conoce esa acción.' }, { status: 400 });
  }
}

const FIRST: Step[] = Object.values(PASO_NOTA_TITULO).map((titulo, at) => ({ titulo, actual: at === 0, hecho: false }));

export default function NotaSencilla() {
  const { vista, pendiente } = useLoaderData<typeof loader>();
  const respuesta = useActionData<typeof action>() as Answer | undefined;
  const [params] = useSearchParams();
  const area = useArea();
  const answer = respuesta?.confirmar ? undefined : respuesta;
  const href = (paso: string) => `?borrador=${params.get('borrador')}&paso=${paso}`;
  return (
    <>
      <PageHeader titulo={NOTA} nota="Una venta fuera de los marketplaces, en papel: no es un CFDI.">
        <Link className="boton" to={`${area}/notasSencillas`}>
          Notas emitidas
        </Link>
      </PageHeader>
      <Steps
        pasos={
          vista ? vista.pasos.map((paso) => ({ ...paso, href: paso.abierto ? href(paso.paso) : undefined })) : FIRST
        }
      />
      {!vista && (
        <>
          {pendiente && (
            <Panel tono="aviso" titulo="Tienes una nota sin terminar">
              La dejaste el <Fecha valor={pendiente.actualizadoEn} />.{' '}
              <Link to={`?borrador=${pendiente.id}`}>Continuarla</Link>
            </Panel>
          )}
          <Articulos key="nueva" articulos={[articuloVacio()]} version={0} answer={answer} enfocar={false} />
        </>
      )}
      {vista && respuesta?.confirmar && <ConfirmStep pending={respuesta.confirmar} cancelar={href(vista.paso)} />}
      {vista?.paso === '1' && (
        <Articulos key={vista.version} articulos={vista.articulos} version={vista.version} answer={answer} enfocar />
      )}
      {vista?.paso === '2' && <Datos key={vista.version} datos={vista.datos} answer={answer} />}
      {vista?.paso === '3' && !respuesta?.confirmar && <Revision key={vista.version} vista={vista} answer={answer} />}
      {vista?.nota && (
        <section className="hoja media resultado" data-tono="ok" role="status">
          <h2>Nota Creada Correctamente</h2>
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
            <Link className="boton" data-tono="acento" to={`${area}/notaSencilla`}>
              Crear otra nota
            </Link>
          </div>
        </section>
      )}
    </>
  );
}
