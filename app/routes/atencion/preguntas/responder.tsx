import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import type { Wire } from '~/core/list';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import type { ConCuenta } from '~/domain/atencion/preguntas/listPreguntas.server';
import { responderList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { listPlantillas } from '~/domain/atencion/preguntas/plantillas.server';
import { openList } from '~/platform/lists/list.server';
import { defineActions } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { DosLineas, type Column } from '~/ui/DataTable';
import { deferredPart } from '~/ui/deferredPart';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { preguntasOfPublicacion } from './record';
import { preguntaActions } from './actions';
import { preguntaPanel } from './panel';
import { COLUMNAS, type FilaPregunta } from './columnas';
import { EsperaDe } from './EsperaDe';

const Plantillas = deferredPart('Plantillas', () => import('./Plantillas').then(({ Plantillas }) => Plantillas), {
  ahead: false,
});

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

/** One row is a publicación with all its preguntas. */
const PANEL = { ...preguntaPanel, que: 'Publicación' };

export const meta: MetaFunction = () => [{ title: 'Responder preguntas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const editar = can(usuario, 'plantillas.editar');
  const abrir = editar && new URL(request.url).searchParams.get('plantillas') === '1';
  const [lista, abierta, plantillas] = await Promise.all([
    openList(db(), responderList, request, usuario),
    openRecord(request, usuario, preguntasOfPublicacion),
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
type Fila = Wire<ConCuenta> & Pick<FilaPregunta, 'alLado'>;

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
    cell: ({ titulo, publicacionId, texto, alLado }) => (
      <ConRetrato lado={alLado}>
        <DosLineas debajo={texto}>
          <span title={titulo ?? undefined}>{nombreCorto(titulo ?? publicacionId)}</span>
        </DosLineas>
      </ConRetrato>
    ),
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

/** The screen of preguntas that wait for an answer, by listing. */
export default function ResponderPreguntas() {
  const { lista, abierta, plantillas, editar, acciones, ahora } = useLoaderData<typeof loader>();
  return (
    <ListScreen
      titulo="Responder preguntas"
      nota="Mercado Libre cuenta como a tiempo lo que se responde en una hora."
      botones={
        editar && (
          <Link className="boton" to="?plantillas=1" preventScrollReset>
            Plantillas
          </Link>
        )
      }
      lista={lista}
      rango={lista.filtro}
      columns={columnsAt(ahora)}
      rowKey={(fila) => fila.id}
      nombra={({ publicacionId }) => `la publicación ${publicacionId}`}
      junto={({ market, publicacionId }) => `${market} ${publicacionId}`}
      lines={2}
      placeholder="Pregunta, título o SKU"
      vacia={{ nada: 'Ninguna pregunta espera respuesta.', fuentes: true }}
      acciones={acciones}
      panel={PANEL}
      abierta={abierta}
    >
      {plantillas && <Plantillas plantillas={plantillas} />}
    </ListScreen>
  );
}
