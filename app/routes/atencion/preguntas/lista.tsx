import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { preguntasList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { openList } from '~/platform/lists/list.server';
import { defineActions } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { abiertaIn } from '~/routes/area/abierta';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { questionOf } from './abierta';
import { preguntaActions } from './actions';
import { COLUMNAS, nombreOfPregunta, respuestaAt, type FilaPregunta } from './columnas';
import { useFichaOfPregunta } from './FichaDePregunta';
import { PreguntasAround } from './Screen';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Preguntas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta] = await Promise.all([
    openList(db(), preguntasList, request, usuario),
    abiertaIn(request, usuario, questionOf),
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

/** What buyers asked, with how long each answer took. */
export default function Preguntas() {
  const { lista, abierta, acciones, ahora } = useLoaderData<typeof loader>();
  const area = useArea();
  const ficha = useFichaOfPregunta(lista, abierta, 'Pregunta');
  return (
    <PreguntasAround>
      <PageHeader titulo="Preguntas" />
      <DataTable
        lista={lista}
        columns={columnsAt(ahora)}
        rowKey={(pregunta) => pregunta.id}
        lines={2}
        vacia={{ nada: 'Todavía no hay preguntas. Llegan solas en cuanto alguien pregunte.', fuentes: true }}
        label="Preguntas"
        placeholder="Pregunta, título, SKU o número"
        area={area}
        opens
        ficha={ficha}
        nombra={nombreOfPregunta}
        acciones={acciones}
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
    </PreguntasAround>
  );
}
