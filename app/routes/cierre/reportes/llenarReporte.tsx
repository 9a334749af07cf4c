import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable } from '~/ui/DataTable';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { ordenActions } from '~/routes/ventas/ordenes/actions';
import { dialogosIn } from '~/routes/ventas/ordenes/dialogos';
import { useFichaOfOrden } from '~/routes/ventas/ordenes/FichaDeOrden';
import { OrdenesAround } from '~/routes/ventas/ordenes/Screen';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { ABRE } from '~/routes/compras/facturas/textos';
import { COLUMNS, tonoFila } from './columns';
import { FiltroProveedor } from './FiltroProveedor';

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
  return { lista, ...dialogos, proveedores };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

/** What each sale of a range earned. */
export default function LlenarReporte() {
  const { lista, abierta, deProveedor, proveedores } = useLoaderData<typeof loader>();
  const area = useArea();
  const ficha = useFichaOfOrden(lista, abierta);
  return (
    <OrdenesAround deProveedor={deProveedor}>
      <PageHeader titulo="Llenar reporte" nota="La utilidad se calcula cuando la venta tiene factura de proveedor." />
      <DataTable
        lista={lista}
        columns={COLUMNS}
        rowKey={(orden) => orden.id}
        tone={tonoFila}
        vacia={{ nada: 'Todavía no hay ventas. Llegan solas en cuanto se vende algo.', fuentes: true }}
        label="Utilidad por venta"
        placeholder="No. de orden o título"
        area={area}
        excel="Bajar Excel"
        resumen
        opens={ABRE}
        ficha={ficha}
      >
        <RangoFechas {...lista.filtro} boton="Generar Reporte" without={['proveedor']}>
          <FiltroProveedor valor={lista.filtro.proveedor} proveedores={proveedores} />
        </RangoFechas>
      </DataTable>
    </OrdenesAround>
  );
}
