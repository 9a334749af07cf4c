/** The pieces that the five wholesalers sell: the same ones under different keys, prices and currencies. Everything follows from the number of a piece. */

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

/** FNV-1a: the same everywhere and always. */
export function hash(...parts: (string | number)[]): number {
  let value = 0x811c9dc5;
  for (const char of parts.join('|')) value = Math.imul(value ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return value;
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

/** What it costs there, in cents of a peso without VAT: within a tenth of one price for all. */
export const centavos = (n: number, proveedor: string) =>
  Math.round(((4_900 + (hash('precio', n) % 400_000)) * (90 + (hash('precio', n, proveedor) % 21))) / 100);

/** '22.10' dollars. */
export const dolares = (centavosMxn: number, porDolar = 18.41) => (centavosMxn / 100 / porDolar).toFixed(2);

/** Pieces there, one warehouse in three empty. */
export const existencia = (n: number, proveedor: string, almacen: string) => {
  const some = hash('existencia', n, proveedor, almacen);
  return some % 3 === 0 ? 0 : some % 40;
};

/** Two of three pieces are sold by each. */
export const vende = (n: number, proveedor: string) => n % 10 < 2 || hash('vende', n, proveedor) % 3 > 0;
