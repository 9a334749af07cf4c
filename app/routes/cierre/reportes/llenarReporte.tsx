import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import { db } from '~db/shared.server';
import { dialogosIn } from '~/routes/ventas/ordenes/record';
import { OrdenesScreen } from '~/routes/ventas/ordenes/OrdenesScreen';
import { ABRE } from '~/routes/compras/facturas/textos';
import { COLUMNS, tonoFila } from './columns';
import { FiltroProveedor } from './FiltroProveedor';
import { openWithRows } from '~/http/mesDebido.server';
import { readMesConVentas } from '~/domain/cierre/reportes/mesConVentas.server';
import { ordenActions } from '~/routes/ventas/ordenes/actions';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Llenar reporte' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, dialogos, proveedores] = await Promise.all([
    openList(db(), llenarReporteList, request, usuario),
    dialogosIn(request, usuario),
    listProveedorOptions(db()),
  ]);
  await openWithRows(request, 'rango', () => readMesConVentas(db()));
  return { lista, ...dialogos, proveedores };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

/** The screen of the profit of each sale of a range. */
export default function LlenarReporte() {
  const { lista, abierta, deProveedor, proveedores } = useLoaderData<typeof loader>();
  return (
    <OrdenesScreen
      titulo="Llenar reporte"
      label="Utilidad por venta"
      nota="La utilidad es lo que queda de lo pagado. Con ≈ se estima: falta la factura del proveedor o lo que cobra el mercado."
      lista={lista}
      rango={{
        ...lista.filtro,
        boton: 'Generar Reporte',
        without: ['proveedor'],
        children: <FiltroProveedor valor={lista.filtro.proveedor} proveedores={proveedores} />,
      }}
      columns={COLUMNS}
      rowKey={(orden) => orden.id}
      tone={tonoFila}
      placeholder="Orden, comprador o título"
      vacia={{ nada: 'Todavía no hay ventas. Llegan solas en cuanto se vende algo.', fuentes: true }}
      excel="Bajar Excel"
      resumen
      opens={ABRE}
      abierta={abierta}
      deProveedor={deProveedor}
    />
  );
}
