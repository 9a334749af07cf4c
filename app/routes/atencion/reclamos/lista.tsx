import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import type { Wire } from '~/core/list';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { reclamosList, type ReclamoRow } from '~/domain/atencion/reclamos/listReclamos.server';
import { ESTATUS_RECLAMO, etapaDe, recursoDe, reclamoUrl, tipoDe } from '~/domain/atencion/reclamos/reclamo';
import { openList } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { defineActions } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Fecha, formatHora } from '~/ui/Fecha';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { reclamoOf } from './record';
import { reclamoActions } from './actions';
import { Plazo } from './Plazo';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('ReclamoFicha', {
  load: async () => (await import('./ReclamoFicha')).ReclamoFicha,
  que: 'Reclamo',
  ausente: {
    titulo: 'El reclamo no existe',
    texto: 'El enlace nombra un reclamo que no está aquí. Puede que se haya copiado incompleto.',
  },
});

export const meta: MetaFunction = () => [{ title: 'Reclamos' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta] = await Promise.all([
    openList(db(), reclamosList, request, usuario),
    openRecord(request, usuario, reclamoOf),
  ]);
  return { lista, abierta, acciones: accionesOfList(reclamosList.lista, usuario), ahora: new Date().toISOString() };
}

export const action = defineActions(reclamoActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Fila = Wire<ReclamoRow> & { alLado?: { retrato: string | null } };

const columnsAt = (ahora: string): Column<Fila, Lista['totales']>[] => [
  {
    header: 'Vence',
    tarjeta: 'monto',
    sort: 'vence',
    width: 152,
    cell: (fila) => <Plazo reclamo={fila} ahora={ahora} />,
  },
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 96,
    cell: ({ fecha }) => (
      <DosLineas debajo={formatHora(fecha)}>
        <Fecha valor={fecha} hora={false} />
      </DosLineas>
    ),
  },
  {
    header: 'Número de reclamo',
    tarjeta: 'titulo',
    opens: true,
    copia: ({ marketId }) => [marketId],
    cell: ({ marketId, titulo, alLado }) => (
      <ConRetrato lado={alLado}>
        <DosLineas debajo={titulo && <span title={titulo}>{nombreCorto(titulo)}</span>}>{marketId}</DosLineas>
      </ConRetrato>
    ),
  },
  {
    header: 'Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden, ordenMarketId }) => [numOrden ?? ordenMarketId],
    cell: ({ numOrden, ordenMarketId, market }) => (
      <DosLineas debajo={MERCADOS[market].label}>{numOrden ?? ordenMarketId ?? '—'}</DosLineas>
    ),
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 96,
    hideUnder: 'sm',
    cell: ({ estatus }) => <Estatus tono={estatus === 'abierto' ? 'aviso' : 'ok'}>{ESTATUS_RECLAMO[estatus]}</Estatus>,
  },
  {
    header: 'Tipo',
    width: 150,
    hideUnder: 'md',
    cell: ({ tipo, etapa }) => <DosLineas debajo={etapaDe(etapa)}>{tipoDe(tipo)}</DosLineas>,
  },
  {
    header: 'Recurso',
    width: 130,
    hideUnder: 'md',
    cell: ({ recurso, market, marketId }) => (
      <a href={reclamoUrl({ market, marketId })} target="_blank" rel="noopener noreferrer">
        {recursoDe(recurso)}
      </a>
    ),
  },
];

/** The screen of claims, by the time left until our deadline. */
export default function Reclamos() {
  const { lista, abierta, acciones, ahora } = useLoaderData<typeof loader>();
  return (
    <ListScreen
      titulo="Reclamos"
      nota="Lo abierto se ve siempre, también fuera de las fechas."
      lista={lista}
      rango={lista.filtro}
      columns={columnsAt(ahora)}
      rowKey={(reclamo) => reclamo.id}
      nombra={({ marketId }) => `el reclamo ${marketId}`}
      lines={2}
      placeholder="Reclamo, orden o motivo"
      vacia={{ nada: 'No hay reclamos en estas fechas.', fuentes: true }}
      acciones={acciones}
      panel={PANEL}
      abierta={abierta}
    />
  );
}
