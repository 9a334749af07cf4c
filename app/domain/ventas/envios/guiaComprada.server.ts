import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import type { Money } from '~/core/money';
import type { Cotizacion, Medidas, Remitente } from '~/domain/mercados/guias';
import { MERCADOS } from '~/domain/mercados/mercados';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';
import type { EstadoDeGuiaComprada } from '~db/columns';
import { hasSalido, PROPIO } from './envio';
import type { CotizarGuia } from './forms';
import { readPropio, requirePropio, requireViva, type OrdenPropia } from './propios.server';
import { readRemitente } from './remitente.server';

/** Title of every refusal of a purchase. */
export const TITULO = 'Error al comprar la guía.';
/** Patience of a page with the marketplace. */
const PACIENCIA_MS = 12_000;

/** A label that a marketplace sold us for a package that we send ourselves. */
export type GuiaComprada = {
  id: string;
  guiaId: string;
  marketId: string;
  estado: EstadoDeGuiaComprada;
  servicio: string;
  paqueteria: string;
  numero: string;
  costo: Money;
  entregaDesde: Date | null;
  entregaHasta: Date | null;
  compradaEn: Date;
  canceladaEn: Date | null;
  miradaEn: Date;
  /** The file is kept; false once it was deleted after its period. */
  conArchivo: boolean;
};

const compradas = (db: Db | Trx) =>
  db
    .selectFrom('guiaComprada as c')
    .innerJoin('guia as g', 'g.id', 'c.guiaId')
    .select([
      'c.id',
      'c.guiaId',
      'c.marketId',
      'c.estado',
      'c.servicio',
      'g.paqueteria',
      'g.numero',
      'c.costo',
      'c.entregaDesde',
      'c.entregaHasta',
      'c.compradaEn',
      'c.canceladaEn',
      'c.miradaEn',
      sql<boolean>`${sql.ref('g.archivoId')} is not null`.as('conArchivo'),
    ]);

/** Lists the labels that were bought for a shipment, the newest first. */
export const listCompradas = (db: Db | Trx, envioId: string): Promise<GuiaComprada[]> =>
  compradas(db).where('c.envioId', '=', envioId).orderBy('c.id', 'desc').execute();

/** Tells whether the marketplace sold the label with this number and the label stands: the marketplace then knows the number. */
export async function isVendida(db: Db | Trx, envioId: string, numero: string): Promise<boolean> {
  const viva = await db
    .selectFrom('guiaComprada')
    .innerJoin('guia', 'guia.id', 'guiaComprada.guiaId')
    .select('guiaComprada.id')
    .where('guiaComprada.envioId', '=', envioId)
    .where('guiaComprada.estado', '=', 'comprada')
    .where('guia.numero', '=', numero)
    .executeTakeFirst();
  return viva !== undefined;
}

/** Returns the articles of a shipment in one text, by which packages of the same measures are found. */
export async function contenidoOf(db: Db | Trx, envioId: string): Promise<string> {
  const rows = await db
    .selectFrom('orden')
    .innerJoin('articulo', 'articulo.ordenId', 'orden.id')
    .select(['articulo.sku', 'articulo.itemId', 'articulo.nombre', 'articulo.cantidad'])
    .where('orden.envioId', '=', envioId)
    .execute();
  return rows
    .map(({ sku, itemId, nombre, cantidad }) => `${sku ?? itemId ?? nombre} x${cantidad}`)
    .toSorted()
    .join(' + ');
}

/** Returns the measures of the last package with the same articles; undefined the first time. */
export async function medidasOf(db: Db | Trx, contenido: string): Promise<Medidas | undefined> {
  return db
    .selectFrom('guiaComprada')
    .select(['peso', 'largo', 'ancho', 'alto'])
    .where('contenido', '=', contenido)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A sale whose label may be bought. `otraVez`: a label of it was bought before and given back. */
export type Comprable = {
  envioId: string;
  /** The marketplace's number of the sale. */
  venta: string;
  orden: OrdenPropia;
  otraVez: boolean;
};

/** Returns why no label can be bought for a sale as it stands; null when one can. */
export function whyNotBuy(
  { market, envio }: Pick<OrdenPropia, 'market' | 'envio'>,
  compradas: readonly Pick<GuiaComprada, 'estado'>[],
): string | null {
  const { label, vendeGuias } = MERCADOS[market];
  if (!vendeGuias) return `${label} no vende guías.`;
  if (!envio || envio.marketId.startsWith(PROPIO)) return `${label} no conoce el envío de esta venta.`;
  if (compradas.some(({ estado }) => estado === 'comprada')) return 'El envío ya tiene una guía comprada.';
  // A label that was given back left its number and its state on the shipment.
  if (compradas.length > 0) return null;
  if (envio.guia) return `El envío ya va con la guía ${envio.guia}.`;
  return hasSalido(envio.estatus) ? 'El paquete ya salió.' : null;
}

/** Throws Stale for a form that was opened with another state of the shipment. */
export function requireVista({ huella: ahora }: Pick<OrdenPropia, 'huella'>, huella: string): void {
  if (ahora === huella) return;
  const cambios = [{ campo: 'Datos de envío', mio: 'como se veían', suyo: 'cambiaron mientras tanto' }];
  throw new Stale({ cambios, marcas: { huella: ahora } });
}

/** Returns the sale of a form with its shipment. Throws NotAllowed with what speaks against buying, and Stale when the shipment changed. */
export async function requireComprable(
  db: Db | Trx,
  { orden: ordenId, huella }: { orden: string; huella: string },
): Promise<Comprable> {
  const orden = await requirePropio(db, ordenId);
  requireVista(orden, huella);
  requireViva(orden);
  const suyas = orden.envioId === null ? [] : await listCompradas(db, orden.envioId);
  const impide = whyNotBuy(orden, suyas);
  if (impide !== null) throw new NotAllowed(TITULO, impide);
  return { envioId: orden.envioId!, venta: orden.marketId, orden, otraVez: suyas.length > 0 };
}

/** Returns the sender of labels. Throws NotAllowed until somebody wrote one. */
export async function requireRemitente(db: Db | Trx, market: OrdenPropia['market']): Promise<Remitente> {
  const remitente = await readRemitente(db, fuenteOf(market).source);
  if (!remitente) throw new NotAllowed(TITULO, 'Falta el remitente: escríbelo en Activación de API.');
  const { version: _, ...suyo } = remitente;
  return suyo;
}

/** Returns the measures of a form in whole grams and centimetres; the form holds kilograms. */
export const medidasEscritas = ({
  peso,
  largo,
  ancho,
  alto,
}: Pick<CotizarGuia, 'peso' | 'largo' | 'ancho' | 'alto'>): Medidas => ({
  peso: Math.round(Number(peso) * 100) * 10,
  largo: Number(largo),
  ancho: Number(ancho),
  alto: Number(alto),
});

/**
 * Asks the marketplace for its offers for a package, and buys nothing. Throws as `requireComprable`, and NotAllowed with the reason when no offer
 * can be had.
 */
export async function quoteGuia(db: Db, form: CotizarGuia): Promise<Cotizacion> {
  const { venta, orden, otraVez } = await requireComprable(db, form);
  const { label } = MERCADOS[orden.market];
  const fuente = fuenteOf(orden.market);
  const remitente = await requireRemitente(db, orden.market);
  if (!fuente.guias) throw new NotAllowed(TITULO, `${label} no vende guías.`);
  if (await fuente.isPaused(db)) throw new NotAllowed(TITULO, `${label} está en pausa.`);
  try {
    const paquete = medidasEscritas(form);
    const dicho = await fuente.guias
      .open(db, { timeoutMs: PACIENCIA_MS })
      .cotizar({ venta, otraVez, remitente, paquete });
    if (typeof dicho === 'string') throw new NotAllowed(TITULO, dicho);
    return dicho;
  } catch (cause) {
    if (cause instanceof Refused)
      throw new NotAllowed(TITULO, [cause.message, cause.details.detail].filter(Boolean).join(': '), { cause });
    if (cause instanceof Unavailable || cause instanceof Uncertain || cause instanceof UnexpectedShape)
      throw new NotAllowed(TITULO, `${label} no contesta. No se compró nada; inténtalo en unos minutos.`, { cause });
    throw cause;
  }
}

/** Returns and throws as `requireComprable`, with the shipment held until the transaction ends, so that nobody else buys or edits meanwhile. */
export async function lockComprable(trx: Trx, visto: { orden: string; huella: string }): Promise<Comprable> {
  await lockEnvio(trx, visto.orden);
  return requireComprable(trx, visto);
}

/** Holds the shipment of a sale until the transaction ends. */
export async function lockEnvio(trx: Trx, ordenId: string): Promise<void> {
  const seen = await readPropio(trx, ordenId);
  if (seen?.envioId)
    await trx.selectFrom('envio').select('id').where('id', '=', seen.envioId).forUpdate().executeTakeFirst();
}
