import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import type { Wire } from '~/core/list';
import type { ConCuenta } from '~/domain/atencion/preguntas/listPreguntas.server';
import { responderList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { listPlantillas } from '~/domain/atencion/preguntas/plantillas.server';
import { openList } from '~/platform/lists/list.server';
import { defineActions } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, DosLineas, type Column } from '~/ui/DataTable';
import { diferida } from '~/ui/diferida';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { abiertaIn } from '~/routes/area/abierta';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { preguntasOfPublicacion } from './abierta';
import { preguntaActions } from './actions';
import { COLUMNAS } from './columnas';
import { EsperaDe } from './EsperaDe';
import { useFichaOfPregunta } from './FichaDePregunta';
import { PreguntasAround } from './Screen';

const Plantillas = diferida('Plantillas', () => import('./Plantillas').then(({ Plantillas }) => Plantillas), {
  ahead: false,
});

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Responder preguntas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const editar = can(usuario, 'plantillas.editar');
  const abrir = editar && new URL(request.url).searchParams.get('plantillas') === '1';
  const [lista, abierta, plantillas] = await Promise.all([
    openList(db(), responderList, request, usuario),
    abiertaIn(request, usuario, preguntasOfPublicacion),
    abrir ? listPlantillas(db()) : null,
  ]);
  return {
    lista,
    abierta,
    plantillas,
    editar,
    acciones: accionesOfList(responderList.lista, usuario),
    ahora: new Date().toISOString(),
  };
}

export const action = defineActions(preguntaActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Fila = Wire<ConCuenta>;

const columnsAt = (ahora: string): Column<Fila, Lista['totales']>[] => [
  {
    header: 'Espera',
    tarjeta: 'monto',
    sort: 'fecha',
    width: 128,
    cell: (fila) => <EsperaDe pregunta={fila} ahora={ahora} />,
  },
  {
    header: 'Titulo',
    tarjeta: 'titulo',
    sort: 'titulo',
    opens: true,
    cell: ({ titulo, publicacionId, texto }) => <DosLineas debajo={texto}>{titulo ?? publicacionId}</DosLineas>,
  },
  {
    header: 'Marca y modelo',
    width: 190,
    hideUnder: 'md',
    cell: ({ marca, modelo }) => <DosLineas debajo={modelo ?? ''}>{marca ?? '—'}</DosLineas>,
  },
  {
    header: 'Preguntas',
    tarjeta: 'numero',
    align: 'right',
    width: 92,
    cell: ({ esperan }) => (
      <>
        {esperan}
        <span className="en-tarjeta">{esperan === 1 ? ' pregunta' : ' preguntas'}</span>
      </>
    ),
    total: ({ esperan }) => esperan,
  },
  COLUMNAS.link,
];

/** What waits for an answer, by listing. */
export default function ResponderPreguntas() {
  const { lista, abierta, plantillas, editar, acciones, ahora } = useLoaderData<typeof loader>();
  const area = useArea();
  const ficha = useFichaOfPregunta(lista, abierta, 'Publicación');
  return (
    <PreguntasAround>
      <PageHeader
        titulo="Responder preguntas"
        nota="Mercado Libre cuenta como a tiempo lo que se responde en una hora."
      >
        {editar && (
          <Link className="boton" to="?plantillas=1" preventScrollReset>
            Plantillas
          </Link>
        )}
      </PageHeader>
      <DataTable
        lista={lista}
        columns={columnsAt(ahora)}
        rowKey={(fila) => fila.id}
        lines={2}
        vacia={{ nada: 'Ninguna pregunta espera respuesta.', fuentes: true }}
        label="Responder preguntas"
        placeholder="Pregunta, título o SKU"
        area={area}
        opens
        ficha={ficha}
        nombra={({ publicacionId }) => `la publicación ${publicacionId}`}
        acciones={acciones}
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
      {plantillas && <Plantillas plantillas={plantillas} />}
    </PreguntasAround>
  );
}
