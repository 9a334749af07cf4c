import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import type { Fuente } from '~/domain/mercados/mercado';
import { MERCADOS } from '~/domain/mercados/mercados';
import { listFuentes } from '~/domain/mercados/registro.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { openDraft } from './draft.server';
import { ordenesOfNumber } from '~/domain/facturacion/cfdi/facturables.server';

/** What each question to the marketplace may take while somebody waits for the sale they asked for. */
const PATIENCE_MS = 4_000;

/** Opens the draft of a number; one that has not arrived yet is asked of the marketplace first, so nobody waits for a notice. */
export async function searchVenta(db: Db, numero: string, usuarioId: string): Promise<string> {
  const numOrden = numero.trim();
  if ((await ordenesOfNumber(db, numOrden)).length === 0) await bring(db, numOrden);
  return openDraft(db, numOrden, usuarioId);
}

async function bring(db: Db, numOrden: string): Promise<void> {
  for (const fuente of listFuentes()) {
    if ((await fuente.link(db))?.status === 'linked' && (await bringFrom(db, fuente, numOrden))) return;
  }
}

async function bringFrom(db: Db, fuente: Fuente, numOrden: string): Promise<boolean> {
  try {
    return await bringNumero(db, fuente, numOrden, PATIENCE_MS);
  } catch (error) {
    if (!(
      error instanceof Unavailable ||
      error instanceof Uncertain ||
      error instanceof UnexpectedShape ||
      error instanceof Refused
    ))
      throw error;
    log.warn('no se pudo preguntar por una venta', { error: error.message });
    throw new NotAllowed(
      'Orden',
      `La orden no está entre las ventas recibidas y ${MERCADOS[fuente.market].label} no contesta en este momento. Inténtalo en unos minutos.`,
      { campo: 'numOrden', cause: error },
    );
  }
}
