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
import { waitForEffect } from '~/domain/effects/effects.server';
import { facturasList } from '~/domain/facturas/listFacturas.server';
import { resendFacturaMail } from '~/domain/facturas/mailFactura.server';
import { readFactura } from '~/domain/facturas/readFactura.server';
import { openList } from '~/domain/lists/list.server';
import { ventaUrl } from '~/domain/ordenes/orden';
import { PageHeader } from '~/ui/Blocks';
import { ConfirmStep } from '~/ui/Confirm';
import { DataTable, type Column } from '~/ui/DataTable';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { FacturaDialog, REENVIAR } from './facturas/FacturaDialog';

export const meta: MetaFunction = () => [{ title: 'Facturas de clientes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const ver = new URL(request.url).searchParams.get('ver');
  const [lista, abierta] = await Promise.all([openList(db(), facturasList, request, usuario), ver ? readFactura(db(), ver) : undefined]);
  return { lista, ver, abierta: abierta && toWire(abierta), puedeReenviar: can(usuario, 'facturas.reenviar') };
}

/** How long the page waits for the letter to leave before it says that it is on its way. */
const WAIT_MS = 4_000;

const FacturaId = z.uuid().catch('00000000-0000-0000-0000-000000000000');

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  requireRight(usuario, 'facturas.reenviar');
  const form = await request.formData();
  if (!isConfirmed(form)) return { ...askFirst(form, REENVIAR), error: null };
  try {
    const { id } = await db().transaction().execute((trx) => resendFacturaMail(trx, FacturaId.parse(form.get('factura')), usuario.id));
    const carta = await waitForEffect(db(), id, WAIT_MS);
    if (carta?.state === 'refused') throw new NotAllowed('Error al enviar el correo.', carta.reason ?? FALLO.texto);
    const aviso = carta?.state === 'done' ? 'Se envio el correo.' : 'El correo está en camino.';
    return redirect(withParams(new URL(request.url).search, { ver: null }), { headers: { 'Set-Cookie': await flash(aviso) } });
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return data({ confirmar: null, error: { id: randomUUID(), titulo: 'Error al enviar el correo.', texto: error.message } }, { status: 422 });
  }
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

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
    cell: ({ estatus }) => (estatus === 'cancelada' ? <Estatus tono="mal">Sí</Estatus> : <Estatus tono="ok">No</Estatus>),
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
  const { lista, ver, abierta, puedeReenviar } = useLoaderData<typeof loader>();
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
      {ver && !answer?.confirmar && <FacturaDialog factura={abierta} cerrar={cerrar} area={area} puedeReenviar={puedeReenviar} />}
      {answer?.error && <ErrorDialog key={answer.error.id} titulo={answer.error.titulo} texto={answer.error.texto} />}
    </>
  );
}
