import { parseWithZod } from '@conform-to/zod/v4';
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { randomUUID } from 'node:crypto';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { NotAllowed } from '~/core/errors';
import type { Answer, PendingConfirmation } from '~/core/submission';
import { invalid, submit } from '~/http/submit.server';
import { catalogNotices } from '~/domain/catalogo/catalogos.server';
import { EFFECTS } from '~/domain/effectCatalog.server';
import { createFactura } from '~/domain/emision/createFactura.server';
import { discardDraft, requireDraft, reopenDraft, saveDraft, type FacturaDraft } from '~/domain/emision/draft.server';
import { clienteVacio } from '~/domain/emision/draft';
import { beginSaveCliente, chooseCliente, lookUpCliente } from '~/domain/emision/draftCliente.server';
import { readDraft } from '~/domain/emision/draftView.server';
import { searchVenta } from '~/domain/emision/searchVenta.server';
import { withdrawStamp } from '~/domain/emision/withdrawStamp.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { ConfirmStep } from '~/ui/Confirm';
import { EnEspera } from '~/ui/EnEspera';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Steps } from '~/ui/Steps';
import { db } from '~db/shared.server';
import { Articulos, ArticulosForm } from '../parts/articulos/Articulos';
import { Buscar, type RespuestaBuscar } from './facturacion/Buscar';
import { Cliente, ClienteForm } from './facturacion/Cliente';
import { CONFIRMAR, Revision, RevisionForm } from './facturacion/Revision';
import { Resultado } from './facturacion/Resultado';

export const meta: MetaFunction = () => [{ title: 'Facturación' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const url = new URL(request.url);
  const borrador = url.searchParams.get('borrador');
  const puedeResolver = can(usuario, 'pendientes.resolver');
  if (!borrador)
    return { vista: null, numOrden: url.searchParams.get('numOrden')?.trim() ?? '', puedeResolver, sinCargar: [] };
  const vista = await readDraft(db(), borrador, usuario, url.searchParams.get('paso'));
  // A step opens when those before it are saved; an address that runs ahead leads to the furthest one.
  if (url.searchParams.get('paso') !== vista.paso) throw redirect(`?borrador=${borrador}&paso=${vista.paso}`);
  const sinCargar = await catalogNotices(
    db(),
    vista.paso === '2' ? ['regimenes'] : vista.paso === '3' ? ['usos', 'formasPago'] : [],
  );
  return { vista, numOrden: vista.numOrden, puedeResolver, sinCargar };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.formData();
  const intent = form.get('elegir') ? 'elegir' : String(form.get('intent') ?? 'articulos');
  if (intent === 'buscar') return buscar(form, usuario.id);
  const id = new URL(request.url).searchParams.get('borrador') ?? '';
  if (intent === 'limpiar' && !id) return redirect('?');
  const draft = await requireDraft(db(), id, usuario);
  const paso = (n: string) => `?borrador=${id}&paso=${n}`;
  switch (intent) {
    case 'limpiar':
      await discardDraft(db(), draft);
      return redirect('?');
    case 'corregir':
      await reopenDraft(db(), draft);
      return redirect(paso(String(form.get('paso') ?? '3')));
    case 'retirar':
      return submit(
        parseWithZod(form, { schema: RevisionForm.partial().loose() }),
        () => withdrawStamp(db(), EFFECTS, draft, usuario.id),
        paso('3'),
      );
    case 'articulos': {
      const submission = parseWithZod(form, { schema: ArticulosForm });
      if (submission.status !== 'success') return invalid(submission);
      return submit(submission, () => saveDraft(db(), draft, { articulos: submission.value.articulos }), paso('2'));
    }
    case 'crear':
      return crear(form, draft, usuario.id, paso('lista'));
    default:
      return cliente(intent, form, draft, usuario.id, paso);
  }
}

async function buscar(form: FormData, usuarioId: string) {
  const numOrden = String(form.get('numOrden') ?? '').trim();
  try {
    return redirect(`?borrador=${await searchVenta(db(), numOrden, usuarioId)}&paso=1`);
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return data<RespuestaBuscar>(
      { buscar: { numOrden, titulo: error.titulo, texto: error.message, id: randomUUID() } },
      { status: 422 },
    );
  }
}

/** The intents of step 2. */
async function cliente(
  intent: string,
  form: FormData,
  draft: FacturaDraft,
  usuarioId: string,
  paso: (n: string) => string,
) {
  const actual = draft.cliente ?? clienteVacio();
  const libre = parseWithZod(form, { schema: ClienteForm.partial().loose() });
  const guarda = (cambio: typeof actual, siguiente = '2') =>
    submit(libre, () => saveDraft(db(), draft, { cliente: cambio }), paso(siguiente));
  switch (intent) {
    case 'buscarRfc':
      return submit(libre, () => lookUpCliente(db(), draft, String(form.get('rfc') ?? '')), paso('2'));
    case 'elegir':
      return submit(libre, () => chooseCliente(db(), draft, String(form.get('elegir'))), paso('2'));
    case 'editar':
      return guarda({ ...actual, modo: 'edicion', origen: null });
    case 'cancelarEdicion':
      return submit(libre, () => lookUpCliente(db(), draft, actual.rfc), paso('2'));
    case 'otro':
      return guarda(clienteVacio());
    case 'siguiente':
      return redirect(paso('3'));
    case 'guardar': {
      const submission = parseWithZod(form, { schema: ClienteForm });
      if (submission.status !== 'success') return invalid(submission);
      return submit(submission, () => beginSaveCliente(db(), draft, submission.value, usuarioId), paso('2'), {
        aviso: (guardado) => (guardado ? 'Éxito, la información fue guardada correctamente.' : ''),
      });
    }
    default:
      throw data({ titulo: 'Error.', texto: 'Esta pantalla no conoce esa acción.' }, { status: 400 });
  }
}

async function crear(form: FormData, draft: FacturaDraft, usuarioId: string, to: string) {
  const submission = parseWithZod(form, { schema: RevisionForm });
  if (submission.status !== 'success') return invalid(submission);
  if (!isConfirmed(form)) return askFirst(form, CONFIRMAR);
  const { diferencia, ...revision } = submission.value;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) =>
          createFactura(trx, draft, {
            revision,
            diferenciaAceptada: diferencia === 'aceptada',
            usuarioId,
            now: new Date(),
          }),
        ),
    to,
  );
}

export default function Facturacion() {
  const { vista, numOrden, puedeResolver, sinCargar } = useLoaderData<typeof loader>();
  const respuesta = useActionData<typeof action>() as
    Answer | RespuestaBuscar | { confirmar: PendingConfirmation } | undefined;
  const [params] = useSearchParams();
  const area = useArea();
  const answer = respuesta && 'status' in respuesta ? respuesta : undefined;
  const buscado = respuesta && 'buscar' in respuesta ? respuesta.buscar : undefined;
  const confirmar = respuesta && 'confirmar' in respuesta ? respuesta.confirmar : undefined;

  if (!vista) {
    return (
      <>
        <PageHeader titulo="Facturación" nota="Factura una venta por su número de orden." />
        <Buscar
          key={buscado?.id ?? numOrden}
          numOrden={numOrden}
          respuesta={buscado}
          enfocar
          alLlegar={numOrden !== '' && !buscado}
        />
      </>
    );
  }
  const href = (paso: string) => `?borrador=${params.get('borrador')}&paso=${paso}`;
  return (
    <>
      <PageHeader
        titulo="Facturación"
        nota={
          <>
            Orden{' '}
            <a href={vista.enlaceVenta} target="_blank" rel="noopener noreferrer">
              {vista.numOrden}
            </a>
          </>
        }
      >
        {vista.paso !== 'lista' && (
          <a className="boton" href={`${area}/enlaces?numOrden=${vista.numOrden}`}>
            Enlace de facturación
          </a>
        )}
      </PageHeader>
      <Steps pasos={vista.pasos.map((paso) => ({ ...paso, href: paso.abierto ? href(paso.paso) : undefined }))} />
      {vista.sustituye && vista.paso !== 'lista' && (
        <Panel tono="aviso" titulo={`Sustituye a la factura ${vista.sustituye}`}>
          Al timbrar esta, se pedirá al SAT cancelar la anterior con motivo 01.
        </Panel>
      )}
      {vista.excluidas.length > 0 && (
        <Panel tono="aviso" titulo="Parte de la orden no se factura">
          <ul>
            {vista.excluidas.map(({ marketId, motivo }) => (
              <li key={marketId}>
                {marketId}: {motivo}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {vista.avisos.map(({ titulo, texto }) => (
        <Panel key={texto} tono="aviso" titulo={titulo}>
          {texto}
        </Panel>
      ))}
      {sinCargar.map((texto) => (
        <Panel key={texto} tono="aviso">
          {texto} Se muestran los últimos datos conocidos.
        </Panel>
      ))}
      {confirmar && <ConfirmStep pending={confirmar} cancelar={href(vista.paso)} />}
      {vista.paso === '1' && (
        <>
          <Buscar key={buscado?.id ?? numOrden} numOrden={numOrden} respuesta={buscado} enfocar={false} />
          <Articulos key={vista.version} articulos={vista.articulos} version={vista.version} answer={answer} enfocar />
        </>
      )}
      {vista.paso === '2' && (
        <>
          {vista.guardando && (
            <EnEspera titulo="Guardando los datos del cliente">
              Se pidió a las {vista.guardandoDesde} y factura.com todavía no confirma. Esta página se actualiza sola.
            </EnEspera>
          )}
          {vista.errorCliente && <ErrorDialog key={vista.version} titulo="Error" texto={vista.errorCliente} />}
          {!vista.guardando && (
            <Cliente key={vista.version} cliente={vista.cliente} advertencias={vista.advertencias} answer={answer} />
          )}
        </>
      )}
      {vista.paso === '3' && vista.revision && !confirmar && (
        <Revision {...vista.revision} articulos={vista.articulos} cliente={vista.cliente} answer={answer} />
      )}
      {vista.paso === 'lista' && vista.estado && (
        <Resultado estado={vista.estado} area={area} puedeResolver={puedeResolver} />
      )}
    </>
  );
}
