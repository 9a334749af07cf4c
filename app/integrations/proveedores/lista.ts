import type { LeerLista, Moneda, RenglonLeido } from './cara';
import { importeOf, monedaOf, piezasOf } from './leer';

type Columna = 'idProveedor' | 'modelo' | 'nombre' | 'marca' | 'precio' | 'moneda' | 'existencia';

/** Headings of each column, without accents and signs. Of several that are present the first counts. */
export type Encabezados = Readonly<Record<Columna, readonly string[]>>;

/** Rows in which the headings are searched: some lists begin with an address and a date. */
const PRIMERAS = 30;

const llano = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** A heading that names its currency: 'Precio USD'. */
const CON_MONEDA = /_(usd|mxn|mn|dolares|pesos)$/;

/**
 * Makes the reader of a supplier's price lists, by the headings of its columns. Lines without a readable price or currency are reported and left out.
 */
export function createLeerLista(encabezados: Encabezados): LeerLista {
  return (filas, moneda) => {
    const en = filas.slice(0, PRIMERAS).findIndex((fila) => isEncabezado(columnasOf(fila, encabezados)));
    if (en < 0)
      return {
        motivo: `No se encontraron las columnas de la lista. Hace falta, en uno de los primeros ${PRIMERAS} renglones, una del precio (${nombresOf(encabezados.precio)}) y una del producto (${nombresOf([...encabezados.idProveedor, ...encabezados.modelo])}).`,
      };
    const columnas = columnasOf(filas[en]!, encabezados);
    const ancho = filas[en]!.split('\t').length;
    const renglones: RenglonLeido[] = [];
    const ilegibles: string[] = [];
    for (const [n, fila] of filas.entries()) {
      if (n <= en || fila.trim() === '') continue;
      const celdas = fila.split('\t');
      // A quote that was left open did not keep its commas together, so no cell is sure to stand in its column.
      const leido =
        celdas.length > ancho && celdas.some((celda) => celda.startsWith('"'))
          ? `Renglón ${n + 1}: abre comillas que no se cierran y tiene más columnas que el encabezado.`
          : readRenglon(celdas, n + 1, columnas, moneda);
      if (typeof leido === 'string') ilegibles.push(leido);
      else renglones.push(leido);
    }
    return { renglones, ilegibles };
  };
}

const nombresOf = (nombres: readonly string[]) => nombres.join(', ').replace(/, ([^,]+)$/, ' o $1');

type Columnas = Partial<Record<Columna, number>> & { deSuPrecio: Moneda | null };

function columnasOf(fila: string, encabezados: Encabezados): Columnas {
  const heads = fila.split('\t').map(llano);
  const sinMoneda = heads.map((head) => head.replace(CON_MONEDA, ''));
  const found = (Object.keys(encabezados) as Columna[]).flatMap((columna) => {
    const name = encabezados[columna].find((one) => heads.includes(one) || sinMoneda.includes(one));
    if (name === undefined) return [];
    const at = heads.indexOf(name);
    return [[columna, at >= 0 ? at : sinMoneda.indexOf(name)] as const];
  });
  const columnas: Partial<Record<Columna, number>> = Object.fromEntries(found);
  const said = CON_MONEDA.exec(heads[columnas.precio ?? -1] ?? '')?.[1];
  return { ...columnas, deSuPrecio: monedaOf(said) };
}

const isEncabezado = ({ precio, idProveedor, modelo }: Columnas) =>
  precio !== undefined && (idProveedor !== undefined || modelo !== undefined);

function readRenglon(
  celdas: readonly string[],
  linea: number,
  columnas: Columnas,
  delArchivo: Moneda | null,
): RenglonLeido | string {
  const celda = (columna: Columna) => celdas[columnas[columna] ?? -1]?.trim() || null;
  const [idProveedor, modelo] = [celda('idProveedor'), celda('modelo')];
  const quien = `Renglón ${linea}${idProveedor || modelo ? ` (${modelo ?? idProveedor})` : ''}`;
  if (!idProveedor && !modelo) return `${quien}: no dice de qué producto es.`;
  const escrito = celda('precio');
  if (escrito === null) return `${quien}: no tiene precio.`;
  const [importe, junto] = importeYMoneda(escrito);
  if (!importe) return `${quien}: el precio «${escrito.slice(0, 40)}» no se puede leer.`;
  if (importe.isZero()) return `${quien}: el precio es 0.`;
  const dicha = celda('moneda');
  const suya = dicha === null ? (junto ?? columnas.deSuPrecio ?? delArchivo) : monedaOf(dicha);
  if (!suya)
    return `${quien}: ${dicha === null ? 'no dice su moneda' : `no se conoce la moneda «${dicha.slice(0, 20)}»`}.`;
  if (junto && junto !== suya) return `${quien}: dice dos monedas.`;
  // '500+' means at least so many.
  const existencia = piezasOf(celda('existencia')?.replace(/\+$/, '').replaceAll(',', ''));
  return {
    linea,
    idProveedor,
    modelo,
    precio: { importe, moneda: suya },
    ...(existencia !== null && { existencia }),
    nombre: celda('nombre'),
    marca: celda('marca'),
  };
}

/** Reads '$1,234.50', 'USD 22.10' or '22.10 USD'. A comma marks thousands, never decimals. */
function importeYMoneda(text: string) {
  const numero = /\d[\d.,]*/.exec(text)?.[0];
  const word = numero === undefined ? '' : text.replace(numero, '').replace('$', '').trim();
  const moneda = word === '' ? null : monedaOf(word);
  return [word !== '' && !moneda ? null : importeOf(numero), moneda] as const;
}
