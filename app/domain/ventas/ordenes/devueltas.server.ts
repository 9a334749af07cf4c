import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { NotAllowed, Stale } from '~/core/errors';
import type { Money } from '~/core/money';
import { addDays, civilDay } from '~/core/time';
import type { Market } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { Clase, DecisionDeDevuelta, EstatusOrden } from '~db/columns';
import { lockNames } from '~db/locks.server';
import type { DecisionEscrita } from './ordenForm';
import { settleEnvios } from './internal/settleEnvios.server';
import { classifyOrden } from './orden';

const TITULO = 'Error al guardar la decisión.';
/** Days that a sale waits after 'esperar' or 'reclamar' until it is asked about again. */
const DIAS_DE_ESPERA = 30;

/**
 * Condition of a sale that was paid, was not fulfilled, and of which the marketplace paid us and took nothing back. It counts for nothing until a person
 * says whose the money is. Table: orden.
 */
export const PAGADA_SIN_ENTREGAR = sql<boolean>`(coalesce(orden.en_pie, 0) > 0 and orden.clase = 'devuelta'
  and coalesce(orden.liquidado, 0) > 0 and not orden.meli_resale)`;

/** The last decision about a sale, as a lateral join `d`. Table: orden. */
export const ULTIMA_DECISION = sql`left join lateral (
  select * from decision_devuelta where orden_id = orden.id order by id desc limit 1) d on true`;
/** Condition that a decision leaves a sale alone until later. Table: d. */
export const EN_ESPERA = sql<boolean>`coalesce(d.hasta >= (now() at time zone 'America/Mexico_City')::date, false)`;

/** Condition of a sale of which a person is asked today whether its money is ours. Table: orden. */
export const POR_DECIDIR = sql<boolean>`orden.id in (
  select orden.id from orden ${ULTIMA_DECISION} where orden.en_pie > 0 and ${PAGADA_SIN_ENTREGAR} and not ${EN_ESPERA})`;

type Fila = {
  market: Market;
  marketId: string;
  numOrden: string;
  estatus: EstatusOrden;
  clase: Clase;
  conservada: boolean;
  enPie: Money;
  /** The amount that reports of settlements paid us for the sale; null while none tells it. */
  liquidado: Money | null;
  envioId: string | null;
  /** Folio of the document that holds the sale; null while it is being stamped. */
  folio: string | null;
  reclamada: boolean;
  skus: (string | null)[];
  decisionId: string | null;
  decision: DecisionDeDevuelta | null;
  hasta: string | null;
  folioReclamo: string | null;
  creadaEn: Date | null;
  quien: string | null;
};

async function readFila(db: Db | Trx, ordenId: string): Promise<Fila | undefined> {
  const { rows } = await sql<Fila>`
    select orden.market, orden.market_id, orden.num_orden, orden.estatus, orden.clase, orden.conservada, orden.en_pie, orden.liquidado, orden.envio_id,
      f.serie || '-' || f.folio as folio, c.orden_id is not null as reclamada,
      array(select a.sku from articulo a where a.orden_id = orden.id) as skus,
      d.id as decision_id, d.decision, d.hasta::text as hasta, d.folio as folio_reclamo, d.creada_en, u.nombre || ' ' || u.apellidos as quien
    from orden ${ULTIMA_DECISION}
      left join usuario u on u.id = d.usuario_id
      left join fiscal_claim c on c.orden_id = orden.id
      left join factura f on f.id = c.factura_id
    where orden.id = ${ordenId} and orden.en_pie > 0 and not orden.meli_resale
      and (orden.conservada or (orden.clase = 'devuelta' and orden.liquidado > 0))`.execute(db);
  return rows[0];
}

/** Mark of what a person decides about: it moves with the money, with the class of the sale and with each decision. */
const huellaOf = ({ enPie, liquidado, clase, decisionId }: Fila) =>
  [enPie.toFixed(2), liquidado?.toFixed(2) ?? '', clase, decisionId ?? ''].join('·');

/**
 * Returns what is to be decided, or was, about a sale that was paid and not fulfilled; null for any other, and while no settlement paid it. Amounts are pesos.
 */
export async function readDevuelta(db: Db | Trx, ordenId: string) {
  const fila = await readFila(db, ordenId);
  if (!fila) return null;
  const { liquidado, conservada, folio, reclamada, decision, hasta, folioReclamo, creadaEn, quien } = fila;
  return {
    huella: huellaOf(fila),
    /** Days for which the sale can be put off. */
    dias: DIAS_DE_ESPERA,
    liquidado,
    conservada,
    folio,
    reclamada,
    decision: decision && { decision, hasta, folio: folioReclamo, creadaEn: creadaEn!, quien },
  };
}

/** How the audit trail calls each decision. */
const ACCION: Record<DecisionDeDevuelta, string> = {
  facturar: 'contar como venta',
  esperar: 'esperar al mercado',
  reclamar: 'reclamar al mercado',
  soltar: 'dejar de contar como venta',
};

/**
 * Decides about the money of a sale that was paid and not fulfilled. Kept ('facturar'), the sale counts as any other from then on, as long as its payment
 * stands; released ('soltar'), it counts for nothing again. The other two leave it alone for `DIAS_DE_ESPERA`. Throws Stale when money or decision moved since
 * the page showed them, and NotAllowed when there is nothing to decide.
 */
export async function decideDevuelta(
  trx: Trx,
  { orden: id, huella, decision, folio }: DecisionEscrita,
  usuarioId: string,
  now = new Date(),
): Promise<void> {
  const seen = await trx
    .selectFrom('orden')
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .select(['orden.market', 'orden.marketId', 'envio.marketId as envio'])
    .where('orden.id', '=', id)
    .executeTakeFirst();
  if (!seen) throw new NotAllowed(TITULO, 'La orden ya no existe.');
  // A reading of the same sale or of its shipment comes before or after, never between.
  await lockNames(trx, 'ordenes', [
    `orden:${seen.market}:${seen.marketId}`,
    ...(seen.envio ? [`envio:${seen.market}:${seen.envio}`] : []),
  ]);
  await trx.selectFrom('orden').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  const fila = await readFila(trx, id);
  if (!fila) throw new NotAllowed(TITULO, 'Su dinero ya no está en pie: no hay nada que decidir.');
  if (huellaOf(fila) !== huella) throw new Stale();
  if ((decision === 'soltar') !== fila.conservada)
    throw new NotAllowed(TITULO, fila.conservada ? 'La venta ya se cuenta.' : 'La venta no se cuenta.');
  if (decision === 'soltar' && fila.reclamada)
    throw new NotAllowed(TITULO, `Está en la factura ${fila.folio ?? 'que se está timbrando'}: cancélala primero.`);
  if (decision === 'facturar' || decision === 'soltar') await keep(trx, id, fila, decision === 'facturar');
  const hasta = decision === 'esperar' || decision === 'reclamar' ? addDays(civilDay(now), DIAS_DE_ESPERA) : null;
  await trx
    .insertInto('decisionDevuelta')
    .values({ ordenId: id, decision, hasta, folio: decision === 'reclamar' ? folio : null, usuarioId })
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: id,
    accion: ACCION[decision],
    datos: {
      numOrden: fila.numOrden,
      ...(decision === 'reclamar' && folio && { folio }),
      ...(hasta && { dicho: `Se vuelve a preguntar después del ${hasta.split('-').reverse().join('/')}` }),
    },
  });
}

/** Writes the class that follows from the decision, and what is paid by it. The next reading of the sale comes to the same. */
async function keep(trx: Trx, id: string, { estatus, skus, envioId }: Fila, conservada: boolean) {
  const clase = classifyOrden({ estatus, situacion: 'devuelta', skus, conservada }, env().SKU_PREFIJO);
  await trx
    .updateTable('orden')
    .set((is) => ({
      conservada,
      clase,
      ...(conservada && { pagadoAbs: sql<Money>`en_pie + envio_carrito` }),
      version: is('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  if (envioId) await settleEnvios(trx, [envioId]);
}
