import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { canceladasList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';
import { ordenActions } from './actions';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { COLUMNAS, DOBLES, facturaColumn, nombreOfOrden, type Fila, pagado } from './columns';
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

const COLUMNS: Column<Fila, Lista['totales']>[] = [
  DOBLES.fecha,
  DOBLES.numero,
  DOBLES.titulo,
  { header: 'Clase', width: 104, cell: ({ clase }) => <Estatus tono="mal">{CLASE_LABEL[clase]}</Estatus> },
  { ...pagado, sort: undefined, tarjeta: undefined },
  {
    ...pagado,
    header: 'Monto cancelado',
    width: 142,
    cell: (orden) => <Pesos valor={orden.pagadoAbs} />,
    total: ({ cancelado }) => <Pesos valor={cancelado} />,
  },
  COLUMNAS.estatus,
  facturaColumn(),
];

/** The screen of sales that were cancelled, or paid and never fulfilled. */
export default function OrdenesCanceladas() {
  const { lista, abierta, deProveedor, acciones } = useLoaderData<typeof loader>();
  return (
    <OrdenesScreen
      titulo="Ordenes canceladas"
      lista={lista}
      rango={lista.filtro}
      columns={COLUMNS}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      lines={2}
      placeholder="No. de orden, título, RFC o folio"
      vacia={{ nada: 'Ninguna venta se canceló ni se devolvió.', fuentes: true }}
      acciones={acciones}
      abierta={abierta}
      deProveedor={deProveedor}
    />
  );
}
