import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { openList } from '~/domain/lists/list.server';
import { canceladasList } from '~/domain/ordenes/listOrdenes.server';
import { CLASE_LABEL } from '~/domain/ordenes/orden';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { actOnOrden } from '../parts/ordenes/actOnOrden.server';
import { COLUMNAS, DOBLES, facturaColumn, pagado, type Fila } from '../parts/ordenes/columns';
import { openDialogs } from '../parts/ordenes/openOrden.server';
import { OrdenesAround } from '../parts/ordenes/Screen';

export { OrdenError as ErrorBoundary } from '../parts/ordenes/OrdenError';

export const meta: MetaFunction = () => [{ title: 'Ordenes canceladas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, dialogos] = await Promise.all([
    openList(db(), canceladasList, request, usuario),
    openDialogs(request, usuario),
  ]);
  return { lista, ...dialogos };
}

export function action({ request, context }: ActionFunctionArgs) {
  return actOnOrden(request, usuarioOf(context));
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const COLUMNS: Column<Fila, Lista['totales']>[] = [
  DOBLES.fecha,
  DOBLES.numero,
  DOBLES.titulo,
  { header: 'Clase', width: 104, cell: ({ clase }) => <Estatus tono="mal">{CLASE_LABEL[clase]}</Estatus> },
  { ...pagado, sort: undefined },
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

/** What was sold and came to nothing: cancelled, or paid and never fulfilled. */
export default function OrdenesCanceladas() {
  const { lista, abierta, deProveedor } = useLoaderData<typeof loader>();
  const area = useArea();
  return (
    <OrdenesAround abierta={abierta} deProveedor={deProveedor} area={area}>
      <PageHeader titulo="Ordenes canceladas" />
      <DataTable
        lista={lista}
        columns={COLUMNS}
        rowKey={(orden) => orden.id}
        label="Ordenes canceladas"
        placeholder="No. de orden, título, RFC o folio"
        area={area}
        lines={2}
        opens
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
    </OrdenesAround>
  );
}
