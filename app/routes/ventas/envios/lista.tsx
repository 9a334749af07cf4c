import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { enviosList } from '~/domain/ventas/envios/listEnvios.server';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { ListScreen } from '~/ui/ListScreen';
import { type Column } from '~/ui/DataTable';
import { db } from '~db/shared.server';
import { propioActions } from './actions';
import { celdaOfGuia } from './celdas';
import { COLUMNAS, nombreOfEnvio, type FilaEnvio } from './columns';
import { envioIn } from './record';
import { envioPanel } from './panel';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Envios' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierto] = await Promise.all([openList(db(), enviosList, request, usuario), envioIn(request)]);
  return { lista, abierto, opera: can(usuario, 'ordenes.operar'), acciones: accionesOfList(enviosList.lista, usuario) };
}

export const action = defineActions({ paqueteria: propioActions.paqueteria });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

/** The columns of a shipment, whose tracking number is changed in its cell by people who may. */
const columnsFor = (opera: boolean): Column<FilaEnvio, Lista['totales']>[] => [
  COLUMNAS.fecha,
  COLUMNAS.actualizado,
  COLUMNAS.estatus,
  COLUMNAS.id,
  opera ? { ...COLUMNAS.guia, edita: celdaOfGuia } : COLUMNAS.guia,
  COLUMNAS.costo,
  COLUMNAS.localidad,
];

/** Every shipment of a range. */
export default function Envios() {
  const { lista, abierto, opera, acciones } = useLoaderData<typeof loader>();
  return (
    <ListScreen
      titulo="Envios"
      lista={lista}
      rango={lista.filtro}
      columns={columnsFor(opera)}
      rowKey={(envio) => envio.id}
      nombra={nombreOfEnvio}
      lines={2}
      placeholder="ID, guía o receptor"
      vacia={{ nada: 'Todavía no hay envíos. Llegan con las ventas.', fuentes: true }}
      acciones={acciones}
      panel={envioPanel}
      abierta={abierto}
    />
  );
}
