import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import type { Market } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import type { Acto } from '~/domain/mercados/efectos';
import { MERCADOS } from '~/domain/mercados/mercados';
import { fuenteOf, perMarket } from '~/domain/mercados/registro.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';
import type { EstadoDeGuiaComprada } from '~db/columns';
import { listCompradas, lockEnvio, requireVista } from './guiaComprada.server';
import { requirePropio } from './propios.server';

export const TITULO_CANCELAR = 'Error al cancelar la guía.';

const Solicitud = z.object({
  compraId: z.string(),
  envioId: z.string(),
  marketId: z.string(),
  shipmentId: z.string(),
});
type Solicitud = z.output<typeof Solicitud>;

/** Gives a label back. From then on the label is not printed; the carrier tells later whether the money comes back. */
const defineCancelacion = (acto: Acto<{ shipmentId: string }, EstadoDeGuiaComprada>) =>
  defineEffect<Solicitud, unknown, EstadoDeGuiaComprada>({
    ...acto,
    request: Solicitud,
    key: ({ compraId }) => `compra:${compraId}`,
    subjects: ({ envioId }) => [['envio', envioId]],
    summary: ({ marketId }) => ({ que: `Orden ${marketId}` }),
    settle: (trx, { request: { compraId }, usuarioId }, estado) => noteEstado(trx, compraId, estado, usuarioId),
  });

/** The effects that give a label back, by marketplace. */
export const cancelaciones = perMarket(({ cancelarGuia }) => cancelarGuia, defineCancelacion);

const DICHO: Readonly<Record<EstadoDeGuiaComprada, string>> = {
  comprada: 'Sigue comprada.',
  reembolsoPedido: 'Reembolso pedido: la paquetería todavía no contesta.',
  reembolsada: 'Reembolso aplicado.',
  sinReembolso: 'Reembolso rechazado: se cobra.',
};

/** Writes what became of a label that was given back. The cost of the label counts until the money is back. */
async function noteEstado(
  trx: Trx,
  compraId: string,
  estado: EstadoDeGuiaComprada,
  usuarioId: string | null,
): Promise<void> {
  const antes = await trx
    .selectFrom('guiaComprada')
    .innerJoin('guia', 'guia.id', 'guiaComprada.guiaId')
    .select([
      'guiaComprada.estado',
      'guiaComprada.envioId',
      'guiaComprada.guiaId',
      'guiaComprada.costo',
      'guiaComprada.costoAntes',
      'guia.numero',
      'guia.paqueteria',
    ])
    .where('guiaComprada.id', '=', compraId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { envioId, guiaId, costo, costoAntes, numero, paqueteria } = antes;
  await trx
    .updateTable('guiaComprada')
    .set({
      estado,
      miradaEn: sql<Date>`now()`,
      canceladaEn: estado === 'comprada' ? null : sql<Date>`coalesce(cancelada_en, now())`,
    })
    .where('id', '=', compraId)
    .execute();
  if (estado === antes.estado) return;
  if (antes.estado === 'comprada') {
    await trx
      .updateTable('guia')
      .set({ anuladaEn: sql<Date>`now()` })
      .where('id', '=', guiaId)
      .execute();
    await trx
      .updateTable('envio')
      .set({ guia: null, paqueteria: null })
      .where('id', '=', envioId)
      .where('guia', '=', numero)
      .execute();
  }
  // A cost that a person wrote since then stays.
  const { numUpdatedRows: movidos } =
    estado === 'reembolsada'
      ? await trx
          .updateTable('envio')
          .set({ costo: costoAntes })
          .where('id', '=', envioId)
          .where('costo', '=', costo)
          .executeTakeFirst()
      : { numUpdatedRows: 0n };
  await record(trx, {
    usuarioId,
    entidad: 'envio',
    entidadId: envioId,
    accion: antes.estado === 'comprada' ? 'cancelar la guía' : 'reembolso de la guía',
    datos: {
      dicho: [paqueteria, numero].join(' '),
      respuesta: DICHO[estado],
      ...(movidos > 0n && {
        importes: [{ campo: 'Costo del envío', antes: costo.toFixed(2), despues: costoAntes?.toFixed(2) ?? null }],
      }),
    },
  });
}

/** Asks to give back the label that stands. Throws NotAllowed when the shipment has none, and Stale when it changed since the form was opened. */
export async function cancelGuia(
  trx: Trx,
  { orden: ordenId, huella }: { orden: string; huella: string },
  usuarioId: string,
): Promise<Accepted> {
  await lockEnvio(trx, ordenId);
  const orden = await requirePropio(trx, ordenId);
  requireVista(orden, huella);
  const viva = orden.envioId
    ? (await listCompradas(trx, orden.envioId)).find(({ estado }) => estado === 'comprada')
    : undefined;
  if (!orden.envioId || !viva) throw new NotAllowed(TITULO_CANCELAR, 'El envío no tiene una guía comprada.');
  const request = { compraId: viva.id, envioId: orden.envioId, marketId: orden.marketId, shipmentId: viva.marketId };
  return acceptEffect(trx, cancelaciones.require(orden.market), { request, usuarioId });
}

/** Asks the marketplace about the refund of one label and writes the answer; null when nothing changed. */
async function checkReembolso(
  db: Db,
  { id, market, marketId }: { id: string; market: Market; marketId: string },
  { usuarioId, timeoutMs }: { usuarioId: string | null; timeoutMs?: number },
): Promise<EstadoDeGuiaComprada | null> {
  const vendedor = fuenteOf(market).guias?.open(db, timeoutMs === undefined ? {} : { timeoutMs });
  if (!vendedor) return null;
  const estado = await vendedor.estado(marketId);
  // A label that was given back never stands again, whatever the marketplace says of it.
  if (estado === 'comprada') return null;
  await db.transaction().execute((trx) => noteEstado(trx, id, estado, usuarioId));
  return estado;
}

const porMirar = (db: Db) =>
  db
    .selectFrom('guiaComprada as c')
    .innerJoin('envio as e', 'e.id', 'c.envioId')
    .select(['c.id', 'c.marketId', 'e.market'])
    .where('c.estado', '=', 'reembolsoPedido');

/** Asks about the refund of a shipment for a person, and returns the answer in words. Throws NotAllowed when no refund is pending, or nobody answers. */
export async function reviewReembolso(db: Db, ordenId: string, usuarioId: string): Promise<string> {
  const orden = await requirePropio(db, ordenId);
  const pedida = await porMirar(db)
    .where('c.envioId', '=', orden.envioId)
    .orderBy('c.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!pedida) throw new NotAllowed(TITULO_CANCELAR, 'Ningún reembolso de este envío está pendiente.');
  try {
    const estado = await checkReembolso(db, pedida, { usuarioId, timeoutMs: 12_000 });
    return DICHO[estado ?? 'reembolsoPedido'];
  } catch (cause) {
    if (!isSilence(cause)) throw cause;
    const { label } = MERCADOS[pedida.market];
    throw new NotAllowed(TITULO_CANCELAR, `${label} no contesta en este momento. Inténtalo en unos minutos.`, {
      cause,
    });
  }
}

const isSilence = (error: unknown) =>
  error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape;

/** Refunds that one run asks about, at one call in a second. */
const POR_VEZ = 20;

/** Asks about the refunds that nobody looked at in half a day, and returns how many ended. */
export async function checkReembolsos(db: Db): Promise<number> {
  const due = await porMirar(db)
    .where('c.miradaEn', '<', sql<Date>`now() - interval '12 hours'`)
    .orderBy('c.miradaEn')
    .limit(POR_VEZ)
    .execute();
  let ended = 0;
  for (const one of due) {
    if (await fuenteOf(one.market).isPaused(db)) continue;
    try {
      const estado = await checkReembolso(db, one, { usuarioId: null });
      if (estado !== null && estado !== 'reembolsoPedido') ended++;
    } catch (error) {
      if (!isSilence(error)) throw error;
    }
    // A refund without an answer is asked about again in half a day, after the others.
    await db
      .updateTable('guiaComprada')
      .set({ miradaEn: sql<Date>`now()` })
      .where('id', '=', one.id)
      .execute();
  }
  return ended;
}
