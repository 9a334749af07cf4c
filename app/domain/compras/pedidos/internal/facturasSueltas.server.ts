import { env } from '~/core/env.server';
import { addDays, civilDay } from '~/core/time';
import { findCredential } from '~/platform/connections/credentials.server';
import type { FacturaListada, Miradas } from '~/integrations/proveedores/cara';
import type { Db } from '~db/client.server';

type Lado = Pick<Miradas, 'facturasDesde' | 'lineasDeFactura'>;
type LineasFacturadas = NonNullable<Awaited<ReturnType<Lado['lineasDeFactura']>>>;
type FacturaVista = FacturaListada & { lineas: LineasFacturadas };
type Conocido = (pedido: string | null) => boolean;

/**
 * Returns a supplier's invoices since a day that bill exactly these pieces and belong to no order of ours that is known: one of them may be an order
 * whose answer was lost. For suppliers that cannot be asked by our reference.
 */
export async function facturasSueltas(
  db: Db,
  { proveedor, lineas, dia }: { proveedor: string; lineas: Readonly<LineasFacturadas>; dia: string },
  lado: Partial<Lado>,
): Promise<FacturaVista[]> {
  const nuestras = await db
    .selectFrom('pedido')
    .select('folioProveedor')
    .where('proveedor', '=', proveedor)
    .where('folioProveedor', 'is not', null)
    .execute();
  const conocidas = nuestras.map(({ folioProveedor }) => folioProveedor!);
  // The supplier's list may cut a folio at its end.
  const known: Conocido = (pedido) =>
    pedido !== null && pedido !== '' && conocidas.some((folio) => folio.startsWith(pedido));
  const vistas = await leerFacturas(db, { proveedor, dia, known }, lado as Lado);
  return vistas.filter(
    ({ fecha, pedido, lineas: suyas }) =>
      fecha.slice(0, 10) >= dia && !known(pedido) && piezas(suyas) === piezas(lineas),
  );
}

/** How long a reading of invoices serves every look that comes. Orders that land together are looked for together. */
const VALE_MS = 60_000;
/** Days that a reading goes back: looks come for two days, whatever order they are for. */
const DIAS = 4;
/** Invoices whose goods one reading learns, the newest first. Each is a call. */
const POR_LECTURA = 20;

/** `en` is the moment of its end: it serves whoever comes before, and for a minute after. */
type Lectura = { desde: string; en: number; lista: Promise<FacturaVista[]>; lineas: Map<string, LineasFacturadas> };

/** The newest reading of each account, in this process, by its database. */
const lecturasDe = new WeakMap<Db, Map<string, Lectura>>();

/** Returns the invoices since a day that belong to no known order, with their goods, out of one reading for all who ask within a minute. */
async function leerFacturas(
  db: Db,
  { proveedor, dia, known }: { proveedor: string; dia: string; known: Conocido },
  lado: Lado,
): Promise<FacturaVista[]> {
  const cuenta = `${proveedor} ${(await findCredential(db, proveedor))?.account ?? ''}`;
  const lecturas = lecturasDe.get(db) ?? new Map<string, Lectura>();
  lecturasDe.set(db, lecturas);
  const hay = lecturas.get(cuenta);
  if (hay && hay.desde <= dia && performance.now() - hay.en < VALE_MS * env().EFFECT_PACE) return hay.lista;
  const recientes = addDays(civilDay(new Date()), -DIAS);
  const desde = dia < recientes ? dia : recientes;
  const lineas = hay?.lineas ?? new Map<string, LineasFacturadas>();
  const lectura: Lectura = { desde, en: Infinity, lineas, lista: leer(lado, { desde, known, lineas }) };
  lecturas.set(cuenta, lectura);
  lectura.lista.then(
    () => (lectura.en = performance.now()),
    // What was learnt before it failed is kept, and the next look goes on from there.
    () => (lectura.en = -Infinity),
  );
  return lectura.lista;
}

/** Reads the list, and the goods of those in it that belong to no known order. Goods never change, so `lineas` keeps what was read before. */
async function leer(
  lado: Lado,
  { desde, known, lineas }: { desde: string; known: Conocido; lineas: Lectura['lineas'] },
): Promise<FacturaVista[]> {
  const sueltas = (await lado.facturasDesde(desde)).filter(({ pedido }) => !known(pedido));
  for (const { folio } of sueltas.filter(({ folio }) => !lineas.has(folio)).slice(-POR_LECTURA)) {
    const leidas = await lado.lineasDeFactura(folio);
    if (leidas) lineas.set(folio, leidas);
  }
  const quedan = new Set(sueltas.map(({ folio }) => folio));
  for (const folio of lineas.keys()) if (!quedan.has(folio)) lineas.delete(folio);
  return sueltas.flatMap((factura) => {
    const suyas = lineas.get(factura.folio);
    return suyas ? [{ ...factura, lineas: suyas }] : [];
  });
}

const piezas = (lineas: Readonly<LineasFacturadas>) =>
  lineas
    .map(({ idProveedor, cantidad }) => `${idProveedor}:${cantidad}`)
    .toSorted()
    .join(' ');
