import { randomUUID } from 'node:crypto';
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { can, requireRight } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { FALLO, NotAllowed } from '~/core/errors';
import { flash } from '~/core/flash.server';
import { toWire, withParams } from '~/core/list';
import type { Usuario } from '~/domain/cuentas/usuario';
import { waitForEffect } from '~/domain/effects/effects.server';
import { MOTIVO_KEYS } from '~/domain/facturas/cancelacion';
import { pedirCancelacion } from '~/domain/facturas/cancelar.server';
import { readCorrecciones } from '~/domain/facturas/correccionesView.server';
import { followCancelacion } from '~/domain/facturas/followCancelaciones.server';
import { facturasList } from '~/domain/facturas/listFacturas.server';
import { resendFacturaMail } from '~/domain/facturas/mailFactura.server';
import { readFactura } from '~/domain/facturas/readFactura.server';
import { abrirSustitucion } from '~/domain/facturas/sustituir.server';
import { openList } from '~/domain/lists/list.server';
import { ventaUrl } from '~/domain/ordenes/orden';
import { PageHeader } from '~/ui/Blocks';
import { ConfirmStep } from '~/ui/Confirm';
import { DataTable, type Column } from '~/ui/DataTable';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { CANCELAR, SUSTITUIR } from './facturas/Correcciones';
import { FacturaDialog, REENVIAR } from './facturas/FacturaDialog';

export const meta: MetaFunction = () => [{ title: 'Facturas de clientes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const ver = new URL(request.url).searchParams.get('ver');
  const [lista, abierta, correcciones] = await Promise.all([
    openList(db(), facturasList, request, usuario), ver ? readFactura(db(), ver) : undefined, ver ? readCorrecciones(db(), ver) : undefined,
  ]);
  return {
    lista, ver, abierta: abierta && toWire(abierta), correcciones: correcciones && toWire(correcciones),
    puedeReenviar: can(usuario, 'facturas.reenviar'), puedeCorregir: can(usuario, 'facturas.cancelar'),
  };
}

/** How long the page waits for the letter to leave before it says that it is on its way. */
const WAIT_MS = 4_000;

const FacturaId = z.uuid().catch('00000000-0000-0000-0000-000000000000');

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.formData();
  const facturaId = FacturaId.parse(form.get('factura'));
  const { search } = new URL(request.url);
  switch (form.get('accion')) {
    case 'cancelar': return cancelar(usuario, form, facturaId, search);
    case 'sustituir': return sustituir(usuario, form, facturaId);
    case 'seguir': return seguir(usuario, facturaId, search);
    default: return reenviar(usuario, form, facturaId, search);
  }
}

async function reenviar(usuario: Usuario, form: FormData, facturaId: string, search: string) {
  requireRight(usuario, 'facturas.reenviar');
  if (!isConfirmed(form)) return { ...askFirst(form, REENVIAR), error: null };
  return answering('Error al enviar el correo.', async () => {
    const { id } = await db().transaction().execute((trx) => resendFacturaMail(trx, facturaId, usuario.id));
    const carta = await waitForEffect(db(), id, WAIT_MS);
    if (carta?.state === 'refused') throw new NotAllowed('Error al enviar el correo.', carta.reason ?? FALLO.texto);
    return noticed(withParams(search, { ver: null }), carta?.state === 'done' ? 'Se envio el correo.' : 'El correo está en camino.');
  });
}

async function cancelar(usuario: Usuario, form: FormData, facturaId: string, search: string) {
  requireRight(usuario, 'facturas.cancelar');
  if (!isConfirmed(form)) return { ...askFirst(form, CANCELAR), error: null };
  return answering('Error al cancelar.', async () => {
    const motivo = z.enum(MOTIVO_KEYS).safeParse(form.get('motivo'));
    if (!motivo.success) throw new NotAllowed('Error al cancelar.', 'Elige el motivo de cancelación.');
    const id = await pedirCancelacion(db(), { facturaId, motivo: motivo.data, usuarioId: usuario.id, now: new Date() });
    const effect = await waitForEffect(db(), id, WAIT_MS);
    if (effect?.state === 'refused') throw new NotAllowed('Error al cancelar.', effect.reason ?? FALLO.texto);
    const { cancelacion } = (await readCorrecciones(db(), facturaId))!;
    if (cancelacion?.estado === 'cancelada') return noticed(search, 'La factura se canceló.');
    return noticed(search, effect?.state === 'done' ? 'El SAT recibió la solicitud; el estado se actualiza solo.' : 'La solicitud de cancelación está en camino.');
  });
}

async function sustituir(usuario: Usuario, form: FormData, facturaId: string) {
  requireRight(usuario, 'facturas.cancelar');
  if (!isConfirmed(form)) return { ...askFirst(form, SUSTITUIR), error: null };
  return answering('Sustituir factura', async () => {
    const borrador = await abrirSustitucion(db(), facturaId, usuario.id, new Date());
    return redirect(`/${usuario.rol}/facturacion?borrador=${borrador}&paso=1`);
  });
}

async function seguir(usuario: Usuario, facturaId: string, search: string) {
  requireRight(usuario, 'facturas.cancelar');
  return answering('Error al consultar.', async () =>
    noticed(search, (await followCancelacion(db(), facturaId)) ? 'El SAT ya contestó.' : 'La cancelación sigue en proceso.'));
}

async function noticed(to: string, aviso: string) {
  return redirect(to === '' ? '?' : to, { headers: { 'Set-Cookie': await flash(aviso) } });
}

/** What the business refuses is a dialog over the page, with its own title. */
async function answering(titulo: string, verb: () => Promise<Response>) {
  try {
    return await verb();
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return data({ confirmar: null, error: { id: randomUUID(), titulo, texto: error.message } }, { status: 422 });
  }
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const CANCELADA: Record<string, { tono: Tono; texto: string }> = { cancelada: { tono: 'mal', texto: 'Sí' }, cancelando: { tono: 'aviso', texto: 'En proceso' } };

const columnsIn = (area: string): Column<Row, Lista['totales']>[] => [
  { header: 'Fecha', sort: 'fecha', width: 140, cell: (factura) => <Fecha valor={factura.fechaTimbrado} /> },
  { header: 'Folio', sort: 'folio', width: 80, opens: true, cell: (factura) => factura.folio },
  {
    header: 'No. Orden', sort: 'orden', width: 150,
    cell: ({ market, numOrden }) => numOrden && <a href={ventaUrl(market === 'amz' ? 'amz' : 'ml', numOrden)} target="_blank" rel="noopener noreferrer">{numOrden}</a>,
  },
  { header: 'RFC', sort: 'rfc', width: 136, cell: (factura) => factura.rfc },
  { header: 'Razón social', sort: 'razonSocial', cell: (factura) => factura.razonSocial },
  {
    header: 'Cancelada', sort: 'cancelada', width: 88,
    cell: ({ estatus }) => <Estatus tono={CANCELADA[estatus]?.tono ?? 'ok'}>{CANCELADA[estatus]?.texto ?? 'No'}</Estatus>,
  },
  { header: 'Total', sort: 'total', width: 146, align: 'right', cell: (factura) => <Pesos valor={factura.total} />, total: ({ total }) => <Pesos valor={total} /> },
  {
    header: 'Descargar', width: 114,
    cell: ({ id, folio }) => (
      <>
        <a className="boton" href={`${area}/descargas/factura/${id}/pdf`} download aria-label={`PDF de ${folio}`}>PDF</a>
        <a className="boton" href={`${area}/descargas/factura/${id}/xml`} download aria-label={`XML de ${folio}`}>XML</a>
      </>
    ),
  },
];

export default function FacturasClientes() {
  const { lista, ver, abierta, correcciones, puedeReenviar, puedeCorregir } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const area = useArea();
  const cerrar = withParams(search, { ver: null });

  return (
    <>
      <PageHeader titulo="Facturas de clientes" />
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar={search} />}
      <DataTable
        lista={lista}
        columns={columnsIn(area)}
        rowKey={(factura) => factura.id}
        tone={(factura) => (factura.estatus === 'cancelada' ? 'mal' : undefined)}
        label="Facturas de clientes"
        placeholder="Folio, orden, RFC o razón social"
        area={area}
        opens
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
      {ver && !answer?.confirmar && <FacturaDialog key={ver} factura={abierta} correcciones={correcciones} cerrar={cerrar} search={search} area={area} puedeReenviar={puedeReenviar} puedeCorregir={puedeCorregir} />}
      {answer?.error && <ErrorDialog key={answer.error.id} titulo={answer.error.titulo} texto={answer.error.texto} />}
    </>
  );
}
