import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { withParamOf } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { canceladasList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { ordenActions } from './actions';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { DosLineas, type Column } from '~/ui/DataTable';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { viewCotizacion } from './acciones';
import { columnsOfOrdenes, nombreOfOrden, type Fila, pagado, tonoOrden } from './columns';
import { CERRADOS, DescargarFactura } from './DescargarFactura';
import { dialogosIn } from './record';
import { OrdenesScreen } from './OrdenesScreen';

export { OrdenError as ErrorBoundary } from './OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes canceladas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, dialogos] = await Promise.all([
    openList(db(), canceladasList, request, usuario),
    dialogosIn(request, usuario),
  ]);
  return { lista, ...dialogos, acciones: accionesOfList(canceladasList.lista, usuario) };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

/** The screen of sales that were cancelled, or paid and never fulfilled. */
export default function OrdenesCanceladas() {
  const { lista, abierta, deProveedor, acciones } = useLoaderData<typeof loader>();
  const con = withParamOf(useLocation().search, CERRADOS);
  const cotizaciones = usePantalla('cotizaciones');
  const [fecha, numero, titulo, monto, estatus, ...resto] = columnsOfOrdenes<Lista['totales']>((facturaId) =>
    con('descargar', facturaId),
  );
  const cancelado: Column<Fila, Lista['totales']> = {
    ...pagado,
    header: 'Monto cancelado',
    width: 132,
    // Its folio stands under the title; rows of this list have no menu for the way there.
    cell: (orden) => (
      <DosLineas
        debajo={viewCotizacion(orden, cotizaciones).map(({ nombre, href }) => (
          <a key={href} href={href} aria-label={nombre}>
            Cotización
          </a>
        ))}
      >
        <Pesos valor={orden.pagadoAbs} />
      </DosLineas>
    ),
    total: (totales) => <Pesos valor={totales.cancelado} />,
  };
  return (
    <OrdenesScreen
      titulo="Ordenes canceladas"
      lista={lista}
      rango={lista.filtro}
      columns={[
        fecha!,
        numero!,
        titulo!,
        { ...monto!, sort: undefined, tarjeta: undefined },
        cancelado,
        { ...estatus!, width: 132 },
        ...resto,
      ]}
      tone={tonoOrden}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      lines={2}
      placeholder="Orden, comprador, título, RFC o folio"
      vacia={{ nada: 'Ninguna venta se canceló ni se devolvió.', fuentes: true }}
      acciones={acciones}
      abierta={abierta}
      deProveedor={deProveedor}
    >
      <DescargarFactura />
    </OrdenesScreen>
  );
}
