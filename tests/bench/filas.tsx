/** How the server writes the rows of one window of sales: by `htmlOf`, and by React's own renderers. No database and no page around it. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import {
  COLUMNAS,
  DOBLES,
  facturaColumn,
  pagado,
  proveedorFacturasDobles,
  type Fila,
} from '~/routes/ventas/ordenes/columns';
import { htmlOf } from '~/ui/htmlOf';
import { rounded, spread, type Figure } from './figures';

const ROWS = 50;
const COLUMNS = [
  ...Object.values(DOBLES),
  ...Object.values(COLUMNAS),
  pagado,
  facturaColumn(() => '?x=1'),
  proveedorFacturasDobles,
].slice(0, 10);

const filaOf = (n: number) =>
  ({
    id: `01a205ff-3645-7a52-90eb-${String(n).padStart(12, '0')}`,
    market: 'ml',
    numOrden: String(2_000_000_791_905_068 + n),
    packId: String(2_000_000_791_905_069 + n),
    fechaCreacion: '2026-11-01T05:59:19.036Z',
    titulo: `Cámara "domo" & montura de ${n} MP con un título de más de sesenta letras en total`,
    pagado: '14792.86',
    estatus: 'enPreparacion',
    envio: '800000100000',
    envioEstatus: 'ready_to_ship',
    envioSubestatus: null,
    facturaId: n % 2 ? '01a205ff-4dfa-7285-82f1-2debb9303d70' : null,
    folio: n % 2 ? 'A-57536' : null,
    rfc: 'NUAR7111129Z2',
    facturado: '9930.16',
    proveedorFacturas: [{ folio: `S6${n}`, linkFactura: null, reglaFactura: 'sufijo', sufijoFactura: null }],
  }) as Partial<Fila> as Fila;

const FILAS = Array.from({ length: ROWS }, (_, n) => filaOf(n));
const rows = () =>
  FILAS.map((fila, n) => (
    <tr key={fila.id} id={fila.id} data-i={n} aria-rowindex={n + 2}>
      {COLUMNS.map(({ header, cell }) => (
        <td key={header}>{cell(fila)}</td>
      ))}
    </tr>
  ));
const Tabla = ({ children }: { children: ReactNode }) => (
  <table>
    <tbody>{children}</tbody>
  </table>
);
/** As `Rows` does: the rows are one text within a page that React writes. */
const Escritas = () => (
  <table>
    <tbody dangerouslySetInnerHTML={{ __html: htmlOf(rows())! }} />
  </table>
);

const WAYS: Record<string, () => string> = {
  htmlOf: () => renderToString(<Escritas />),
  renderToString: () => renderToString(<Tabla>{rows()}</Tabla>),
  renderToStaticMarkup: () => renderToStaticMarkup(<Tabla>{rows()}</Tabla>),
};

/** Windows written in a row by one way: their garbage is collected within the block, and not at the cost of the next way. */
const BLOCK = 25;

/** Milliseconds of processor for one window. The ways take turns by blocks, so that another load on the machine falls on all of them. */
export function benchFilas(blocks: number): Figure[] {
  const times = Object.fromEntries(Object.keys(WAYS).map((way) => [way, [] as number[]]));
  for (let n = -2; n < blocks; n += 1)
    for (const [way, write] of Object.entries(WAYS)) {
      const before = process.cpuUsage();
      for (let at = 0; at < BLOCK; at += 1) write();
      const { user, system } = process.cpuUsage(before);
      if (n >= 0) times[way]!.push((user + system) / 1_000 / BLOCK);
    }
  return Object.entries(times).map(([way, taken]) => {
    const { value, best, p95 } = spread(taken);
    return { name: `${ROWS} rows of ${COLUMNS.length} cells by ${way}`, value: rounded(value), best, p95, unit: 'ms' };
  });
}
