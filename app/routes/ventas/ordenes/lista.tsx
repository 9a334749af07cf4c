import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { withParamOf } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { ordenActions } from './actions';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { usePantalla } from '~/ui/Pantallas';
import { db } from '~db/shared.server';
import { viewCotizacion, viewFacturas, invoice, sendCorreo, sendLink } from './acciones';
import { columnsOfOrdenes, nombreOfOrden, tonoOrden } from './columns';
import { dialogosIn } from './record';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { CERRADOS, DescargarFactura } from './DescargarFactura';
import { OrdenesScreen } from './OrdenesScreen';

export { OrdenError as ErrorBoundary } from './OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, dialogos, directorio] = await Promise.all([
    openList(db(), ordenesList, request, usuario),
    dialogosIn(request, usuario),
    readDirectorio(db()),
  ]);
  return {
    lista,
    ...dialogos,
    directorio,
    puedeOperar: can(usuario, 'ordenes.operar'),
    acciones: accionesOfList(ordenesList.lista, usuario),
  };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

export default function Ordenes() {
  const { lista, abierta, deProveedor, directorio, puedeOperar, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const [cotizaciones, agentes] = [usePantalla('cotizaciones'), usePantalla('agentesVentas')];
  const con = withParamOf(search, CERRADOS);
  return (
    <OrdenesScreen
      titulo="Ordenes"
      lista={lista}
      rango={lista.filtro}
      columns={columnsOfOrdenes<Lista['totales']>((facturaId) => con('descargar', facturaId))}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      tone={tonoOrden}
      lines={2}
      placeholder="Orden, comprador, título, RFC o folio"
      vacia={{ nada: 'Todavía no hay ventas. Llegan solas en cuanto se vende algo.', fuentes: true }}
      enFila={{
        ancho: 120,
        de: (orden) => [
          viewFacturas(orden, con),
          ...viewCotizacion(orden, cotizaciones),
          ...(puedeOperar
            ? [...invoice(orden, area), ...sendCorreo(orden, directorio, agentes), ...sendLink(orden)]
            : []),
        ],
      }}
      acciones={acciones}
      abierta={abierta}
      deProveedor={deProveedor}
    >
      <DescargarFactura />
    </OrdenesScreen>
  );
}
