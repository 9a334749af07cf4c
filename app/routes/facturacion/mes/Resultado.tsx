import { Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import { withParams, type ListFilter, type ListPage, type Wire } from '~/core/list';
import { tableOf } from '~/core/table';
import { ESTADO_DE_PARTIDA, motivoOf } from '~/domain/facturacion/mes/lote';
import type { motivosOfLote, readBatchOfMes } from '~/domain/facturacion/mes/mesView.server';
import { Panel } from '~/ui/Blocks';
import { DataTable, DosLineas, type Column } from '~/ui/DataTable';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import type { loteList } from '~/domain/facturacion/mes/mesLists.server';

type Row = Wire<Awaited<ReturnType<(typeof loteList)['window']>>[number]>;
type Totales = { registros: number; total: string };

const TONO: Record<string, Tono> = tableOf({
  done: 'ok',
  refused: 'mal',
  cancelled: 'mal',
  manual: 'mal',
  unknown: 'aviso',
});

const columns: Column<Row, Totales>[] = [
  {
    header: 'Referencia',
    sort: 'referencia',
    width: 232,
    cell: ({ ref, state }) => (
      <DosLineas
        debajo={
          <span className="solo-angosta">
            <Estado state={state} />
          </span>
        }
      >
        {ref}
      </DosLineas>
    ),
  },
  { header: 'Estado', sort: 'estado', width: 150, hideUnder: 'sm', cell: ({ state }) => <Estado state={state} /> },
  {
    header: 'Motivo',
    cell: (partida) => (
      <span className="dos-lineas" title={motivoOf(partida) ?? undefined}>
        {motivoOf(partida)}
      </span>
    ),
  },
  {
    header: 'Folio',
    sort: 'folio',
    width: 90,
    cell: ({ facturaId, serie, folio }) => facturaId && <Folio facturaId={facturaId} serie={serie} folio={folio} />,
  },
  {
    header: 'Total',
    sort: 'total',
    width: 140,
    align: 'right',
    cell: ({ total }) => total && <Pesos valor={total} />,
    total: ({ total }) => <Pesos valor={total} />,
  },
  {
    header: 'Descargar',
    width: 122,
    cell: ({ facturaId }) => facturaId && <Descargas facturaId={facturaId} />,
  },
];

function Estado({ state }: Pick<Row, 'state'>) {
  return <Estatus tono={TONO[state] ?? 'neutro'}>{ESTADO_DE_PARTIDA[state]}</Estatus>;
}

/** The folio, linked to the factura's panel, where the factura can be cancelled. */
function Folio({ facturaId, serie, folio }: Pick<Row, 'serie' | 'folio'> & { facturaId: string }) {
  return (
    <a href={`${useArea()}/facturasClientes?ver=${facturaId}`}>
      {serie}-{folio}
    </a>
  );
}

function Descargas({ facturaId }: { facturaId: string }) {
  const base = `${useArea()}/descargas/factura/${facturaId}`;
  return (
    <>
      <a className="boton" href={`${base}/pdf`} download>
        PDF
      </a>
      <a className="boton" href={`${base}/xml`} download>
        XML
      </a>
    </>
  );
}

type LoteWire = Wire<NonNullable<Awaited<ReturnType<typeof readBatchOfMes>>>['lote']>;

/** The way back from the result of a batch to the sales of the month. */
export function Volver({ lote }: { lote: LoteWire }) {
  const { search } = useLocation();
  return (
    <p className="mes-volver">
      <Link
        className="boton"
        to={withParams(search, { lote: null, q: null, orden: null, pagina: null })}
        preventScrollReset
      >
        ← Ordenes del mes
      </Link>{' '}
      <strong>Resultado: {lote.label}</strong>
    </p>
  );
}

/** The reasons of the items that were not stamped, each with some of them. */
export function Motivos({ lote, motivos }: { lote: LoteWire; motivos: Awaited<ReturnType<typeof motivosOfLote>> }) {
  if (motivos.length === 0) return null;
  return (
    <Panel
      tono="mal"
      titulo={`Por qué ${lote.failed + lote.unclear === 1 ? 'una no se timbró' : 'no se timbraron todas'}`}
    >
      <ul className="mes-motivos">
        {motivos.map(({ motivo, partidas, ejemplos }) => (
          <li key={motivo}>
            {motivo}{' '}
            <span className="nota">
              {ejemplos.join(', ')}
              {partidas > ejemplos.length && ` y ${writeCount(partidas - ejemplos.length)} más`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The result of each item of a batch. */
export function Resultado({
  lista,
  lote,
  area,
  children,
}: {
  lista: ListPage<ListFilter, Row, Totales>;
  lote: LoteWire;
  area: string;
  children: ReactNode;
}) {
  return (
    <DataTable
      lines={2}
      lista={lista}
      columns={columns}
      rowKey={({ id }) => id}
      label={`Resultado: ${lote.label}`}
      placeholder="Referencia o motivo"
      area={area}
      tone={({ state }) => (state === 'refused' || state === 'cancelled' ? 'mal' : undefined)}
    >
      {children}
    </DataTable>
  );
}
