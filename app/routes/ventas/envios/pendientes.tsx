import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { enviosPendientesList } from '~/domain/ventas/envios/listEnvios.server';
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

export const meta: MetaFunction = () => [{ title: 'Envios pendientes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierto] = await Promise.all([
    openList(db(), enviosPendientesList, request, usuario),
    envioIn(request),
  ]);
  return {
    lista,
    abierto,
    opera: can(usuario, 'ordenes.operar'),
    acciones: accionesOfList(enviosPendientesList.lista, usuario),
  };
}

export const action = defineActions({ paqueteria: propioActions.paqueteria });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

/** The columns of a shipment, whose tracking number is changed in its cell by people who may. */
const columnsFor = (opera: boolean): Column<FilaEnvio, Lista['totales']>[] => [
  COLUMNAS.fecha,
  COLUMNAS.estatus,
  { ...COLUMNAS.id, hideUnder: 'md' },
  COLUMNAS.paqueteria,
  opera ? { ...COLUMNAS.guia, edita: celdaOfGuia } : COLUMNAS.guia,
  COLUMNAS.costo,
  { ...COLUMNAS.localidad, header: 'Localidad', opens: true },
];

/** The screen of shipments that have neither arrived nor ended. */
export default function EnviosPendientes() {
  const { lista, abierto, opera, acciones } = useLoaderData<typeof loader>();
  return (
    <ListScreen
      titulo="Envios pendientes"
      lista={lista}
      rango={lista.filtro}
      columns={columnsFor(opera)}
      rowKey={(envio) => envio.id}
      nombra={nombreOfEnvio}
      lines={2}
      placeholder="ID, guía o receptor"
      vacia={{ nada: 'Ningún envío está pendiente.', fuentes: true }}
      acciones={acciones}
      panel={envioPanel}
      abierta={abierto}
    />
  );
}
