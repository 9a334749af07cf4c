import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { findCredential } from '~/domain/connections/credentials.server';
import { openMercadolibre } from '~/domain/cuentas/mercadolibre.server';
import { bringNumero } from '~/domain/ordenes/bringNumero.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { openDraft } from './draft.server';
import { ordenesOfNumber } from '~/domain/cfdi/facturables.server';

/** What each question to the marketplace may take while somebody waits for the sale they asked for. */
const PATIENCE_MS = 4_000;

/** Opens the draft of a number; one that has not arrived yet is asked of the marketplace first, so nobody waits for a notice. */
export async function searchVenta(db: Db, numero: string, usuarioId: string): Promise<string> {
  const numOrden = numero.trim();
  if ((await ordenesOfNumber(db, numOrden)).length === 0) await bring(db, numOrden);
  return openDraft(db, numOrden, usuarioId);
}

async function bring(db: Db, numOrden: string): Promise<void> {
  if ((await findCredential(db, 'mercadolibre'))?.status !== 'linked') return;
  try {
    await bringNumero(db, openMercadolibre(db, { timeoutMs: PATIENCE_MS }), numOrden);
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
      'La orden no está entre las ventas recibidas y Mercado Libre no contesta en este momento. Inténtalo en unos minutos.',
      { campo: 'numOrden', cause: error },
    );
  }
}
