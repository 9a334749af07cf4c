import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { enviosList } from '~/domain/ventas/envios/listEnvios.server';
import { openList } from '~/platform/lists/list.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { COLUMNAS, nombreOfEnvio, type FilaEnvio } from './columns';
import { envioIn } from './dialogo';
import { useFichaOfEnvio } from './FichaDeEnvio';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Envios' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierto] = await Promise.all([openList(db(), enviosList, request, usuario), envioIn(request)]);
  return { lista, abierto, acciones: accionesOfList(enviosList.lista, usuario) };
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const columns: Column<FilaEnvio, Lista['totales']>[] = [
  COLUMNAS.fecha,
  COLUMNAS.actualizado,
  COLUMNAS.estatus,
  COLUMNAS.id,
  COLUMNAS.guia,
  COLUMNAS.costo,
  COLUMNAS.estado,
  COLUMNAS.localidad,
];

/** Every shipment of a range. */
export default function Envios() {
  const { lista, abierto, acciones } = useLoaderData<typeof loader>();
  const area = useArea();
  const ficha = useFichaOfEnvio(lista, abierto);
  return (
    <>
      <PageHeader titulo="Envios" />
      <DataTable
        lista={lista}
        columns={columns}
        rowKey={(envio) => envio.id}
        lines={2}
        vacia={{ nada: 'Todavía no hay envíos. Llegan con las ventas.', fuentes: true }}
        label="Envios"
        placeholder="ID, guía o receptor"
        area={area}
        opens
        ficha={ficha}
        nombra={nombreOfEnvio}
        acciones={acciones}
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
    </>
  );
}
