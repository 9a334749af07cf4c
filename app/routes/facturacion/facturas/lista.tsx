import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import type { Question } from '~/core/fieldRules';
import { toWire, withParams } from '~/core/list';
import { tableOf } from '~/core/table';
import { defineActions, outcome } from '~/http/actions.server';
import { isDoneSoon } from '~/platform/effects/effects.server';
import { nombreOf, motivoOfNota } from '~/domain/facturacion/cfdi/documento';
import { CancelarFactura, PedirOtraVez, UnaFactura } from '~/domain/facturacion/cancelacion/forms';
import { requestCancelacion, requestAgain } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { followCancelacion } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { facturasPorAtender } from '~/domain/facturacion/cancelacion/porAtender.server';
import { facturasList, notasCreditoList } from '~/domain/facturacion/emision/listFacturas.server';
import { resendFacturaMail, readFactura } from '~/domain/facturacion/cfdi/factura.server';
import { openSustitucion } from '~/domain/facturacion/emision/substituteFactura.server';
import { openList } from '~/platform/lists/list.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { type Column } from '~/ui/DataTable';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import type { Db } from '~db/client.server';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { facturaOf } from './record';
import { PorAtender } from './PorAtender';
import {
  askCancelFactura,
  askRequestCancelacionAgain,
  askResendFactura,
  askSubstituteFactura,
  type Documento,
} from './questions';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('FacturaFicha', {
  load: async () => (await import('./FacturaFicha')).FacturaFicha,
  que: 'Factura',
  ausente: { titulo: 'No encontre nada para ti', texto: 'El enlace nombra una factura que no está aquí.' },
});

export const meta: MetaFunction = () => [{ title: 'Facturas de clientes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const notas = new URL(request.url).searchParams.get('tipo') === 'notas';
  const [lista, abierta, porAtender] = await Promise.all([
    openList(db(), notas ? notasCreditoList : facturasList, request, usuario),
    openRecord(request, usuario, facturaOf),
    facturasPorAtender(db()),
  ]);
  return {
    lista,
    notas,
    porAtender: toWire(porAtender),
    abierta,
    puedeCorregir: can(usuario, 'facturas.cancelar'),
    acciones: accionesOfList((notas ? notasCreditoList : facturasList).lista, usuario),
  };
}

/** Builds a question about the factura of a form. The command refuses a missing factura. */
const sobre =
  (pregunta: (documento: Documento) => Question) =>
  async (db: Db, { factura }: { factura: string }) => {
    const documento = await readFactura(db, factura);
    return documento ? pregunta(documento) : null;
  };

export const action = defineActions({
  reenviar: {
    schema: UnaFactura,
    right: 'facturas.reenviar',
    confirm: sobre(askResendFactura),
    run: async (db, { factura }, usuario) => {
      const { id } = await db.transaction().execute((trx) => resendFacturaMail(trx, factura, usuario.id));
      const done = await isDoneSoon(db, id, 'Error al enviar el correo.');
      return outcome({ aviso: done ? 'Se envio el correo.' : 'El correo está en camino.' });
    },
  },
  cancelar: {
    schema: CancelarFactura,
    right: 'facturas.cancelar',
    confirm: sobre(askCancelFactura),
    run: async (db, { factura: facturaId, tipo, motivo, huella }, { id: usuarioId }, { now }) => {
      const effectId = await requestCancelacion(db, { facturaId, motivo, huella, usuarioId, now });
      const done = await isDoneSoon(db, effectId, 'Error al cancelar.');
      const correcciones = await readCorrecciones(db, facturaId);
      if (correcciones?.cancelacion?.estado === 'cancelada')
        return outcome({ aviso: `La ${nombreOf(tipo)} se canceló.` });
      return outcome({
        aviso: done
          ? 'El SAT recibió la solicitud; el estado se actualiza solo.'
          : 'La solicitud de cancelación está en camino.',
      });
    },
  },
  sustituir: {
    schema: UnaFactura,
    right: 'facturas.cancelar',
    confirm: sobre(askSubstituteFactura),
    run: async (db, { factura }, usuario, { now }) => {
      const borrador = await openSustitucion(db, factura, usuario.id, now);
      return outcome({ to: `/${usuario.rol}/facturacion?borrador=${borrador}&paso=1` });
    },
  },
  seguir: {
    schema: UnaFactura,
    right: 'facturas.seguir',
    run: async (db, { factura }) => {
      const answered = await followCancelacion(db, factura);
      return outcome({ aviso: answered ? 'El SAT ya contestó.' : 'La cancelación sigue en proceso.' });
    },
  },
  pedirOtraVez: {
    schema: PedirOtraVez,
    right: 'facturas.cancelar',
    confirm: sobre(askRequestCancelacionAgain),
    run: async (db, { factura: facturaId, tipo }, { id: usuarioId }, { now }) => {
      const pedida = await requestAgain(db, { facturaId, usuarioId, now });
      if ('impedimento' in pedida)
        return outcome({ aviso: `La ${nombreOf(tipo)} volvió a estar vigente. ${pedida.impedimento}` });
      await isDoneSoon(db, pedida.effectId, 'Error al cancelar.');
      return outcome({ aviso: 'Se pidió otra vez la cancelación.' });
    },
  },
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const CANCELADA: Record<string, { tono: Tono; texto: string }> = tableOf({
  cancelada: { tono: 'mal', texto: 'Sí' },
  cancelando: { tono: 'aviso', texto: 'En proceso' },
});

/** The columns that only a nota de crédito has: the factura it belongs to. */
const DE_NOTA: Column<Row, Lista['totales']>[] = [
  {
    header: 'Factura',
    width: 92,
    cell: ({ origenFolio, origenUuid, motivo }) =>
      origenFolio && <span title={`${motivoOfNota(motivo)}. UUID relacionado ${origenUuid ?? ''}`}>{origenFolio}</span>,
  },
];

const columnsIn = (area: string, notas: boolean): Column<Row, Lista['totales']>[] => [
  {
    header: 'Fecha',
    sort: 'fecha',
    width: 140,
    tarjeta: 'fecha',
    cell: (factura) => <Fecha valor={factura.fechaTimbrado} />,
  },
  {
    header: 'Folio',
    sort: 'folio',
    width: 92,
    opens: true,
    tarjeta: 'numero',
    copia: ({ folio }) => [folio],
    cell: (factura) => factura.folio,
  },
  {
    header: 'No. Orden',
    sort: 'orden',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) =>
      market &&
      numOrden && (
        <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
          {numOrden}
        </a>
      ),
  },
  ...(notas ? DE_NOTA : []),
  {
    header: 'RFC',
    sort: 'rfc',
    width: 138,
    tarjeta: 'factura',
    copia: ({ rfc }) => [rfc],
    cell: (factura) => factura.rfc,
  },
  {
    header: 'Razón social',
    tarjeta: 'titulo',
    sort: 'razonSocial',
    cell: (factura) => <span title={factura.razonSocial}>{factura.razonSocial}</span>,
  },
  {
    header: 'Cancelada',
    className: 'si-cancelada',
    tarjeta: 'estatus',
    sort: 'cancelada',
    width: 104,
    cell: ({ estatus, otraVigente }) =>
      otraVigente === null ? (
        <Estatus tono={CANCELADA[estatus]?.tono ?? 'ok'}>{CANCELADA[estatus]?.texto ?? 'No'}</Estatus>
      ) : (
        <span title={`Esta y la ${otraVigente} cobran la misma venta, y las dos están vigentes.`}>
          <Estatus tono="mal">Doble</Estatus>
        </span>
      ),
  },
  {
    header: 'Total',
    tarjeta: 'monto',
    sort: 'total',
    width: notas ? 124 : 146,
    align: 'right',
    cell: (factura) => <Pesos valor={factura.total} />,
    total: ({ total }) => <Pesos valor={total} />,
  },
  {
    header: 'Descargar',
    width: 108,
    cell: ({ id, folio }) => (
      <>
        <a className="boton" href={`${area}/descargas/factura/${id}/pdf`} download aria-label={`PDF de ${folio}`}>
          PDF
        </a>
        <a className="boton" href={`${area}/descargas/factura/${id}/xml`} download aria-label={`XML de ${folio}`}>
          XML
        </a>
      </>
    ),
  },
];

/** Under which title the two lists of the screen go. */
const VISTAS = [
  { tipo: null, titulo: 'Facturas' },
  { tipo: 'notas', titulo: 'Notas de crédito' },
] as const;

export default function FacturasClientes() {
  const { lista, notas, porAtender, abierta, puedeCorregir, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  return (
    <ListScreen
      titulo="Facturas de clientes"
      label={notas ? 'Notas de crédito' : 'Facturas de clientes'}
      botones={
        <nav className="vistas" aria-label="Comprobantes">
          {VISTAS.map(({ tipo, titulo }) => (
            <Link
              key={titulo}
              to={withParams(search, { tipo, ver: null, pagina: null, orden: null })}
              aria-current={(tipo === 'notas') === notas ? 'page' : undefined}
            >
              {titulo}
            </Link>
          ))}
        </nav>
      }
      encima={
        <PorAtender
          facturas={porAtender}
          area={area}
          puede={puedeCorregir}
          ver={(id) => withParams(search, { ver: id })}
        />
      }
      lista={lista}
      rango={lista.filtro}
      columns={columnsIn(area, notas)}
      rowKey={(factura) => factura.id}
      nombra={({ folio }) => `${notas ? 'la nota' : 'la factura'} ${folio}`}
      tone={(factura) => (factura.estatus === 'cancelada' ? 'mal' : undefined)}
      placeholder="Folio, orden, RFC o razón social"
      vacia={{
        nada: notas
          ? 'Todavía no hay notas de crédito.'
          : 'Todavía no hay facturas. Aparecen aquí en cuanto se timbran.',
      }}
      acciones={acciones}
      panel={PANEL}
      abierta={abierta}
      refusals={['reenviar', 'cancelar', 'sustituir', 'seguir', 'pedirOtraVez']}
    />
  );
}
