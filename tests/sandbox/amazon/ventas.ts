import { skuOf } from '../world/catalogo';
import { DE_AMAZON } from '../world/tienda';
import { DAY, HOUR } from './constants';

/** A line of a sale. Amounts are centavos of the whole line, and `neto` is without IVA. */
export type Linea = {
  id: string;
  asin: string;
  sku: string | null;
  titulo: string;
  cantidad: number;
  enviadas: number;
  neto: number;
  iva: number;
  envio: number;
  envioIva: number;
  descuento: number;
  descuentoIva: number;
  envioDescuento: number;
  envioDescuentoIva: number;
  regalo: number;
  regaloIva: number;
  pideCancelar: boolean;
};
export type Paquete = {
  referencia: string;
  en: number;
  /** `PENDING` is a package whose label was bought and that no carrier has yet. */
  estado: 'PENDING' | 'SHIPPED' | 'IN_TRANSIT' | 'DELIVERED';
  paqueteria: string;
  guia: string;
  piezas: { id: string; cantidad: number }[];
};
export type Estado = 'PENDING' | 'UNSHIPPED' | 'PARTIALLY_SHIPPED' | 'SHIPPED' | 'CANCELLED' | 'UNFULFILLABLE';
export type Venta = {
  id: string;
  escenario: Escenario;
  creada: number;
  cambio: number;
  estado: Estado;
  canal: 'AMAZON' | 'MERCHANT';
  lineas: Linea[];
  comprador: { nombre: string; cp: string; ciudad: string; entidad: string };
  negocio: { rfc: string; razon: string; cp: string } | null;
  reemplazaA: string | null;
  enviadaEn: number | null;
  paquetes: Paquete[];
  /** A broken sale is told without its articles. */
  rota?: boolean;
  /** Money given back: the instant, and the share of each line. */
  devoluciones: { en: number; parte: number }[];
};

export const ESCENARIOS = [
  'simple',
  'amazon',
  'dosPiezas',
  'variosArticulos',
  'negocio',
  'promocion',
  'envioCobrado',
  'envioGratis',
  'regalo',
  'porEnviar',
  'parcial',
  'pendiente',
  'cancelada',
  'pideCancelar',
  'devuelta',
  'devueltaEnParte',
  'reemplazo',
  'otroSku',
  'sinSku',
] as const;
export type Escenario = (typeof ESCENARIOS)[number];
export const isEscenario = (name: unknown): name is Escenario => ESCENARIOS.includes(name as Escenario);

/** A page of Amazon's catalogue that the shop sells: ASIN, sku, title and price in centavos with IVA. */
export type Ofrecido = readonly [asin: string, sku: string, titulo: string, precio: number];
export const OFRECIDOS: readonly Ofrecido[] = DE_AMAZON.map((articulo, at) => [
  `B0EXAMPL${String(at + 1).padStart(2, '0')}`,
  skuOf(articulo),
  articulo.titulo,
  articulo.precio,
]);
const PERSONAS = [
  { nombre: 'Lucía Prado Ibarra', cp: '45050', ciudad: 'Zapopan', entidad: 'Jalisco' },
  { nombre: 'Óscar Núñez Peña', cp: '64000', ciudad: 'Monterrey', entidad: 'Nuevo León' },
  { nombre: 'Compras EKU', cp: '26015', ciudad: 'Piedras Negras', entidad: 'Coahuila' },
] as const;

/** A price with IVA as its two parts, whose sum is that price. */
function partes(bruto: number): [neto: number, iva: number] {
  const neto = Math.round(bruto / 1.16);
  return [neto, bruto - neto];
}

const ceros = {
  enviadas: 0,
  envio: 0,
  envioIva: 0,
  descuento: 0,
  descuentoIva: 0,
  envioDescuento: 0,
  envioDescuentoIva: 0,
  regalo: 0,
  regaloIva: 0,
  pideCancelar: false,
};

/** Facts of a new sale that a test may fix. */
export type Cambios = { precio?: number; cantidad?: number; sku?: string | null; rfc?: string; creada?: number };

/** Returns sale number `n`. The same number and scenario give the same sale. */
export function venta(n: number, escenario: Escenario, creada: number, cambios: Cambios = {}): Venta {
  const linea = (k: number, extra: Partial<Linea> = {}): Linea => {
    const [asin, sku, titulo, precio] = OFRECIDOS[(n + k) % OFRECIDOS.length]!;
    const cantidad = extra.cantidad ?? cambios.cantidad ?? 1;
    const [neto, iva] = partes((cambios.precio ?? precio) * cantidad);
    return {
      ...ceros,
      id: String(70_000_000_000_000 + n * 10 + k),
      asin,
      sku: cambios.sku === undefined ? sku : cambios.sku,
      titulo,
      cantidad,
      neto,
      iva,
      ...extra,
    };
  };
  const [envio, envioIva] = partes(9_900);
  const lineas: Linea[] = [];
  if (escenario === 'dosPiezas') lineas.push(linea(0, { cantidad: 3 }));
  else if (escenario === 'variosArticulos' || escenario === 'parcial')
    lineas.push(linea(0, { cantidad: 2, envio, envioIva }), linea(1));
  else if (escenario === 'promocion') {
    const [descuento, descuentoIva] = partes(3_290);
    lineas.push(linea(0, { descuento, descuentoIva }));
  } else if (escenario === 'envioCobrado' || escenario === 'negocio') lineas.push(linea(0, { envio, envioIva }));
  else if (escenario === 'envioGratis')
    lineas.push(linea(0, { envio, envioIva, envioDescuento: envio, envioDescuentoIva: envioIva }));
  else if (escenario === 'regalo') {
    const [regalo, regaloIva] = partes(4_500);
    lineas.push(linea(0, { regalo, regaloIva }));
  } else if (escenario === 'reemplazo') lineas.push(linea(0, { neto: 0, iva: 0 }));
  else if (escenario === 'otroSku') lineas.push(linea(0, { sku: 'OTRO-15' }));
  else if (escenario === 'sinSku') lineas.push(linea(0, { sku: null }));
  else if (escenario === 'pideCancelar') lineas.push(linea(0, { pideCancelar: true }));
  else lineas.push(linea(0));

  const negocio =
    escenario === 'negocio' || cambios.rfc
      ? { rfc: cambios.rfc ?? 'EKU9003173C9', razon: 'ESCUELA KEMPER URGATE', cp: '42501' }
      : null;
  const canal = escenario === 'amazon' || escenario === 'envioGratis' ? 'AMAZON' : 'MERCHANT';
  const made: Venta = {
    id: `701-${String(1_000_000 + n).padStart(7, '0')}-${String((n * 7_919 + 1_234_567) % 10_000_000).padStart(7, '0')}`,
    escenario,
    creada,
    cambio: creada + HOUR,
    estado: 'UNSHIPPED',
    canal,
    lineas,
    comprador: PERSONAS[n % PERSONAS.length]!,
    negocio,
    reemplazaA: escenario === 'reemplazo' ? '701-0000001-0000001' : null,
    enviadaEn: null,
    paquetes: [],
    devoluciones: [],
  };
  if (escenario === 'pendiente') return { ...made, estado: 'PENDING', cambio: creada };
  if (escenario === 'cancelada') return { ...made, estado: 'CANCELLED', cambio: creada + 2 * HOUR };
  if (escenario === 'porEnviar' || escenario === 'pideCancelar') return made;
  ship(made, creada + 20 * HOUR, escenario === 'parcial' ? [lineas[0]!] : lineas);
  if (escenario === 'devuelta') devuelve(made, creada + 5 * DAY, 1);
  if (escenario === 'devueltaEnParte') devuelve(made, creada + 5 * DAY, 0.5);
  return made;
}

/** Ships lines of a sale. A sale that Amazon ships has no packages. */
export function ship(sale: Venta, en: number, lineas: readonly Linea[] = sale.lineas) {
  if (sale.canal === 'MERCHANT')
    sale.paquetes.push({
      referencia: String(sale.paquetes.length + 1),
      en,
      estado: 'SHIPPED',
      paqueteria: 'Estafeta',
      guia: `ES${sale.id.replaceAll('-', '')}`,
      piezas: lineas.map(({ id, cantidad }) => ({ id, cantidad })),
    });
  for (const linea of lineas) linea.enviadas = linea.cantidad;
  settle(sale, en);
}

export function settle(sale: Venta, en: number) {
  sale.estado = sale.lineas.every(({ cantidad, enviadas }) => enviadas >= cantidad) ? 'SHIPPED' : 'PARTIALLY_SHIPPED';
  sale.enviadaEn ??= en;
  sale.cambio = en;
}

/** Gives a share of a sale's money back. Only Finances tells of it. */
export function devuelve(sale: Venta, en: number, parte: number) {
  sale.devoluciones.push({ en, parte });
}

/** The amount that the buyer paid, in centavos. */
export const pagado = (sale: Venta): number => sale.lineas.reduce((sum, linea) => sum + totalOfLinea(linea), 0);

export const productosOf = (l: Linea): number => l.neto + l.iva + l.regalo + l.regaloIva - l.descuento - l.descuentoIva;

export const totalOfLinea = (l: Linea): number =>
  productosOf(l) + l.envio + l.envioIva - l.envioDescuento - l.envioDescuentoIva;

/** Sales of articles that are not the shop's come only in the first rounds of scenarios: nearly all sales are of its own. */
const AJENAS: readonly Escenario[] = ['otroSku', 'sinSku'];
const RONDAS_CON_AJENAS = 2;

/** Returns so many sales, one of every scenario over and over, the newest first. */
export function seedVentas(cuantas: number, anchor: number): Venta[] {
  return Array.from({ length: cuantas }, (_, n) => {
    const turno = ESCENARIOS[n % ESCENARIOS.length]!;
    const late = n >= RONDAS_CON_AJENAS * ESCENARIOS.length;
    const escenario = late && AJENAS.includes(turno) ? 'simple' : turno;
    const fresh = ['pendiente', 'porEnviar', 'pideCancelar'].includes(escenario);
    const age = fresh ? 2 * HOUR + n * 7 * 60_000 : 8 * DAY + n * 5 * HOUR;
    return venta(n, escenario, anchor - age);
  });
}
