import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { preguntasList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { openList } from '~/platform/lists/list.server';
import { defineActions } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { type Column } from '~/ui/DataTable';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { questionOf } from './record';
import { preguntaActions } from './actions';
import { COLUMNAS, nombreOfPregunta, type FilaPregunta, respuestaAt } from './columnas';
import { preguntaPanel } from './panel';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Preguntas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta] = await Promise.all([
    openList(db(), preguntasList, request, usuario),
    openRecord(request, usuario, questionOf),
  ]);
  return { lista, abierta, acciones: accionesOfList(preguntasList.lista, usuario), ahora: new Date().toISOString() };
}

export const action = defineActions(preguntaActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const columnsAt = (ahora: string): Column<FilaPregunta, Lista['totales']>[] => [
  COLUMNAS.fecha,
  COLUMNAS.pregunta,
  {
    ...respuestaAt<Lista['totales']>(ahora),
    total: ({ respondidas, enUnaHora }) => respondidas > 0 && `${Math.round((enUnaHora / respondidas) * 100)} % en 1 h`,
  },
  COLUMNAS.estatus,
  COLUMNAS.link,
];

/** The screen of preguntas, with the time each answer took. */
export default function Preguntas() {
  const { lista, abierta, acciones, ahora } = useLoaderData<typeof loader>();
  return (
    <ListScreen
      titulo="Preguntas"
      lista={lista}
      rango={lista.filtro}
      columns={columnsAt(ahora)}
      rowKey={(pregunta) => pregunta.id}
      nombra={nombreOfPregunta}
      lines={2}
      placeholder="Pregunta, título, SKU o número"
      vacia={{ nada: 'Todavía no hay preguntas. Llegan solas en cuanto alguien pregunte.', fuentes: true }}
      acciones={acciones}
      panel={preguntaPanel}
      abierta={abierta}
    />
  );
}
