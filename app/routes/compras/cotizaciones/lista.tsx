import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { withParams } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { cotizacionesList } from '~/domain/compras/pagos/cotizaciones.server';
import { ORDEN_AUSENTE } from '~/routes/compras/facturas/textos';
import { definePanel } from '~/ui/ficha/panel';
import { ListScreen } from '~/ui/ListScreen';
import { type Column } from '~/ui/DataTable';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { cotizacionOf } from './record';
import { cotizacionActions } from './actions';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { DOBLES, nombreOfOrden, tonoOrden, type Fila, proveedorFacturasDobles } from '~/routes/ventas/ordenes/columns';
import { accionesDePago, DE_LA_VENTA, ElegirPago, nadaPorPagar, PAGO } from './porPagar';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('CotizacionFicha', {
  load: async () => (await import('./CotizacionFicha')).CotizacionFicha,
  que: 'Orden',
  ausente: ORDEN_AUSENTE,
});

export const meta: MetaFunction = () => [{ title: 'Cotizaciones' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta] = await Promise.all([
    openList(db(), cotizacionesList, request, usuario),
    openRecord(request, usuario, cotizacionOf),
  ]);
  return {
    lista,
    abierta,
    puedeOperar: can(usuario, 'pagos.operar'),
    acciones: accionesOfList(cotizacionesList.lista, usuario),
  };
}

export const action = defineActions(cotizacionActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const COLUMNS: Column<Fila, Lista['totales']>[] = [
  ...DE_LA_VENTA,
  {
    header: 'Cotización',
    width: 130,
    hideUnder: 'md',
    copia: ({ cotizacion }) => [cotizacion],
    cell: ({ cotizacion }) => cotizacion ?? '—',
  },
  DOBLES.titulo,
  { ...proveedorFacturasDobles, hideUnder: 'md', total: (totales) => <Pesos valor={totales.facturado} /> },
  PAGO,
];

/** The screen of sales whose suppliers are to be paid or were paid, with the files that prove each payment. */
export default function Cotizaciones() {
  const { lista, abierta, puedeOperar, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const pagos = usePantalla('pagosProveedores');
  return (
    <ListScreen
      titulo="Cotizaciones"
      botones={
        pagos && (
          <Link className="boton" to={pagos}>
            Pagos a proveedores
          </Link>
        )
      }
      nota="Lo que se paga a los proveedores por cada venta, con su comprobante."
      lista={lista}
      plegados
      rango={{ ...lista.filtro, without: ['pago', 'canceladas', 'editar'], children: <ElegirPago {...lista.filtro} /> }}
      columns={COLUMNS}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      tone={tonoOrden}
      lines={2}
      placeholder="Orden, comprador, cotización o folio"
      vacia={{ nada: nadaPorPagar(lista.filtro) }}
      enFila={{ ancho: 132, tarjeta: 'menu', de: accionesDePago(search, puedeOperar) }}
      acciones={acciones}
      panel={PANEL}
      abierta={abierta}
      cancelar={withParams(search, { editar: null })}
    />
  );
}
