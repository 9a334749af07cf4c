/**
 * The catalogue of the five wholesalers: the same pieces under different keys, prices and currencies. Every fact follows from the number of a
 * piece.
 */

import { articuloOf, costoOf, type Articulo, type Categoria, type Mayorista } from './tienda';

export const PRODUCTOS = 1_500;

export type Pieza = {
  n: number;
  marca: string;
  modelo: string;
  nombre: string;
  upc: string;
  categoria: Categoria;
  sat: string;
  gramos: number;
};

const MARCAS = ['HIKVISION', 'DAHUA', 'EPCOM', 'UBIQUITI', 'ZKTECO', 'SAXXON', 'VIVOTEK', 'APC', 'TP-LINK', 'BOSCH'];

/** A family of pieces: its name, category, SAT key, weight in grams, price without VAT in centavos from and to, and the brands that make it. */
type Familia = {
  nombre: string;
  categoria: Categoria;
  sat: string;
  gramos: number;
  de: number;
  a: number;
  marcas: readonly string[];
};

const FAMILIAS: readonly Familia[] = [
  {
    nombre: 'Cámara bala 2 MP lente 2.8 mm IR 30 m',
    categoria: 'CAMARAS',
    sat: '46171610',
    gramos: 420,
    de: 38_000,
    a: 92_000,
    marcas: ['HIKVISION', 'DAHUA', 'EPCOM', 'SAXXON'],
  },
  {
    nombre: 'Cámara bala IP 4 MP lente 4 mm PoE',
    categoria: 'CAMARAS',
    sat: '46171610',
    gramos: 610,
    de: 110_000,
    a: 240_000,
    marcas: ['HIKVISION', 'DAHUA', 'VIVOTEK', 'BOSCH'],
  },
  {
    nombre: 'Cámara domo 5 MP lente varifocal 2.7 a 13.5 mm',
    categoria: 'CAMARAS',
    sat: '46171610',
    gramos: 560,
    de: 120_000,
    a: 310_000,
    marcas: ['HIKVISION', 'DAHUA', 'BOSCH'],
  },
  {
    nombre: 'Grabador de 8 canales 1080p',
    categoria: 'GRABADORES',
    sat: '46171621',
    gramos: 1_700,
    de: 130_000,
    a: 290_000,
    marcas: ['HIKVISION', 'DAHUA', 'EPCOM', 'SAXXON'],
  },
  {
    nombre: 'Fuente de 12 V 10 A para 9 cámaras',
    categoria: 'ENERGIA',
    sat: '39121004',
    gramos: 1_400,
    de: 42_000,
    a: 98_000,
    marcas: ['EPCOM', 'SAXXON'],
  },
  {
    nombre: 'No break de 850 VA con 8 contactos',
    categoria: 'ENERGIA',
    sat: '39121011',
    gramos: 5_800,
    de: 90_000,
    a: 180_000,
    marcas: ['APC', 'EPCOM'],
  },
  {
    nombre: 'Switch PoE de 8 puertos Gigabit',
    categoria: 'REDES',
    sat: '43222612',
    gramos: 900,
    de: 85_000,
    a: 260_000,
    marcas: ['TP-LINK', 'UBIQUITI', 'HIKVISION'],
  },
  {
    nombre: 'Punto de acceso Wi-Fi 6 de techo',
    categoria: 'REDES',
    sat: '43222640',
    gramos: 500,
    de: 140_000,
    a: 390_000,
    marcas: ['TP-LINK', 'UBIQUITI'],
  },
  {
    nombre: 'Patch cord Cat6 de 3 m',
    categoria: 'CABLES',
    sat: '26121609',
    gramos: 90,
    de: 4_900,
    a: 12_000,
    marcas: ['SAXXON', 'EPCOM'],
  },
  {
    nombre: 'Control de acceso facial con huella y tarjeta',
    categoria: 'ACCESO',
    sat: '46171619',
    gramos: 700,
    de: 190_000,
    a: 400_000,
    marcas: ['ZKTECO', 'HIKVISION', 'DAHUA'],
  },
];

/** FNV-1a of the parts: the same number for the same parts, always. */
export function hash(...parts: (string | number)[]): number {
  const text = parts.join('|');
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

const marcaOf = (n: number) => MARCAS[n % MARCAS.length]!;
function familiaOf(n: number): Familia {
  const suyas = FAMILIAS.filter(({ marcas }) => marcas.includes(marcaOf(n)));
  return suyas[hash('cosa', n) % suyas.length]!;
}

export function pieza(n: number): Pieza {
  const upc = upcOf(n);
  const articulo = articuloOf(n);
  if (articulo) {
    const { marca, modelo, titulo, categoria, sat, gramos } = articulo;
    return { n, marca, modelo, nombre: `${titulo} ${marca} ${modelo}`, upc, categoria, sat, gramos };
  }
  const { nombre, categoria, sat, gramos } = familiaOf(n);
  const marca = marcaOf(n);
  return {
    n,
    marca,
    modelo: `${marca.slice(0, 3)}-${10_000 + n}`,
    nombre: `${nombre} ${marca} serie ${10_000 + n}`,
    upc,
    categoria,
    sat,
    gramos,
  };
}

/** A UPC-A with its check digit. */
function upcOf(n: number): string {
  const digits = String(69_412_600_000 + n);
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The key of a piece at a wholesaler. */
export const claveOf = (proveedor: Mayorista, n: number): string => {
  switch (proveedor) {
    case 'syscom':
      return String(200_000 + n);
    case 'ct':
      return `CAM${pieza(n).marca.slice(0, 3).replace('-', 'X')}${10_000 + n}`;
    case 'tvc':
      return String(7_000 + n);
    case 'ts':
      return String(20_000 + n);
    case 'cva':
      return `CV-${1_000 + n}`;
  }
};

/** The sku of an article at the marketplaces: ours, and its supplier with key and model. */
export const skuOf = ({ n, proveedor, modelo }: Articulo): string =>
  ['AMS', claveOf(proveedor, n), proveedor, modelo].join('|');

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

/** The price of a piece at a wholesaler, in centavos without VAT: that of its article's supplier, and within a tenth of it elsewhere. */
export function centavos(n: number, proveedor: string): number {
  const articulo = articuloOf(n);
  const { de, a } = familiaOf(n);
  const base = articulo ? costoOf(articulo) : de + (hash('precio', n) % (a - de));
  const parte = articulo?.proveedor === proveedor ? 100 : 90 + (hash('precio', n, proveedor) % 21);
  return Math.round((base * parte) / 100) + 100 * cambioOf(n);
}

/** Dollars as text, '22.10'. */
export const dolares = (centavosMxn: number, porDolar = 18.41) => (centavosMxn / 100 / porDolar).toFixed(2);

/** Units of a piece in a warehouse; one warehouse in three has none. */
export const existencia = (n: number, proveedor: string, almacen: string) => {
  const some = hash('existencia', n, proveedor, almacen);
  return some % 3 === 0 ? 0 : (some % 40) + cambioOf(n);
};

/** Whether a wholesaler sells a piece: each sells about two of three, and an article's supplier sells it. */
export const sells = (proveedor: string, n: number) =>
  articuloOf(n)?.proveedor === proveedor || n % 10 < 2 || hash('vende', n, proveedor) % 3 > 0;
