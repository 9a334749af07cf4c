/**
 * The catalogue of the five wholesalers: the same pieces under different keys, prices and currencies. Every fact follows from the number of a
 * piece.
 */

export const PRODUCTOS = 1_500;

export type Pieza = { n: number; marca: string; modelo: string; nombre: string; upc: string; sat: string };

const MARCAS = ['HIKVISION', 'DAHUA', 'EPCOM', 'UBIQUITI', 'ZKTECO', 'SAXXON', 'VIVOTEK', 'APC', 'TP-LINK', 'BOSCH'];
const COSAS: [nombre: string, sat: string][] = [
  ['Cámara bala 2 MP', '46171610'],
  ['Grabador de 8 canales', '46171621'],
  ['Fuente de 12 V', '39121004'],
  ['Switch PoE de 8 puertos', '43222612'],
  ['Soporte de pared', '46171600'],
  ['Control de acceso facial', '46171619'],
];

/** FNV-1a of the parts: the same number for the same parts, always. */
export function hash(...parts: (string | number)[]): number {
  const text = parts.join('|');
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

export function pieza(n: number): Pieza {
  const marca = MARCAS[n % MARCAS.length]!;
  const [cosa, sat] = COSAS[hash('cosa', n) % COSAS.length]!;
  return {
    n,
    marca,
    modelo: `${marca.slice(0, 3)}-${10_000 + n}`,
    nombre: `${cosa} ${marca} serie ${10_000 + n}`,
    upc: String(694_126_400_000 + n),
    sat,
  };
}

/** The change of the catalogue that a test asked for: one piece in `cada` costs `veces` pesos more and has `veces` units more. 0 changes none. */
const cambio = { cada: 0, veces: 0 };
/** Moves of single pieces, which stay until a reset. */
const movidas = new Map<number, number>();
/** Each change is to prices that nobody was told before: what was read during an earlier one is moved too. */
export function moveCatalogue(cada: number) {
  if (cada === 0) movidas.clear();
  return Object.assign(cambio, { cada, veces: cambio.veces + (cada > 0 ? 1 : 0) });
}
/** Makes one piece dearer, and its stock larger, at all wholesalers. */
export const movePieza = (n: number) => movidas.set(n, (movidas.get(n) ?? 0) + 1).get(n)!;
const cambioOf = (n: number) =>
  (movidas.get(n) ?? 0) + (cambio.cada > 0 && hash('cambia', n) % cambio.cada === 0 ? cambio.veces : 0);

/** The price of a piece at a wholesaler, in centavos without VAT: within a tenth of one price for all. */
export const centavos = (n: number, proveedor: string) =>
  Math.round(((4_900 + (hash('precio', n) % 400_000)) * (90 + (hash('precio', n, proveedor) % 21))) / 100) +
  100 * cambioOf(n);

/** Dollars as text, '22.10'. */
export const dolares = (centavosMxn: number, porDolar = 18.41) => (centavosMxn / 100 / porDolar).toFixed(2);

/** Units of a piece in a warehouse; one warehouse in three has none. */
export const existencia = (n: number, proveedor: string, almacen: string) => {
  const some = hash('existencia', n, proveedor, almacen);
  return some % 3 === 0 ? 0 : (some % 40) + cambioOf(n);
};

/** Whether a wholesaler sells a piece: each sells about two of three. */
export const sells = (proveedor: string, n: number) => n % 10 < 2 || hash('vende', n, proveedor) % 3 > 0;
