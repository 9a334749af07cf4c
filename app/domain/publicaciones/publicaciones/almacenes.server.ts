import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import type { Market } from '~/core/market';
import type { AlmacenesDeCuenta } from '~/domain/mercados/almacenes';
import { MERCADOS } from '~/domain/mercados/mercados';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';
import type { AlmacenForm } from './forms';

const PACIENCIA_MS = 8_000;

/** Returns a mark of the choice as a screen shows it. */
const huellaOf = ({ lista, elegido }: AlmacenesDeCuenta) => [elegido ?? '—', ...lista.map(({ id }) => id)].join(' ');

/** Returns the stores of a marketplace's account with the mark of their choice; null where the account counts pieces by listing. */
export async function readAlmacenes(db: Db | Trx, market: Market) {
  const almacenes = (await fuenteOf(market).almacenes?.read(db)) ?? null;
  return almacenes && { ...almacenes, huella: huellaOf(almacenes) };
}

/** Returns why no pieces can be told at a marketplace yet, with the way out; null when they can. */
export async function faltaDeAlmacen(db: Db | Trx, market: Market): Promise<string | null> {
  return (await readAlmacenes(db, market))?.falta ?? null;
}

/** Asks a marketplace for the stores of its account, while a person waits. Throws NotAllowed when it does not answer. */
export async function fetchAlmacenes(db: Db, market: Market): Promise<void> {
  try {
    await fuenteOf(market).almacenes?.refresh(db, { timeoutMs: PACIENCIA_MS });
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)
      throw new NotAllowed(
        'Error al leer los almacenes: ',
        `${MERCADOS[market].label} no contestó: ${error.message}. Los que se ven son los de antes: vuelve a intentarlo.`,
      );
    throw error;
  }
}

/**
 * Keeps the store in which our pieces lie at a marketplace. Changes that waited for the choice are due at once. Throws Stale when the choice moved since the
 * screen showed it, and NotAllowed for a store that the account does not have.
 */
export async function chooseAlmacen(
  trx: Trx,
  { market, almacen, huella }: AlmacenForm,
  usuarioId: string,
): Promise<string> {
  await lockName(trx, 'almacen', market);
  const antes = await readAlmacenes(trx, market);
  const { almacenes } = fuenteOf(market);
  if (!antes || !almacenes)
    throw new NotAllowed('Error al guardar: ', `La cuenta de ${MERCADOS[market].label} no usa almacenes.`);
  const nombreOf = (id: string | null) => antes.lista.find((one) => one.id === id)?.nombre ?? '—';
  if (huella !== antes.huella)
    throw new Stale({
      cambios: [{ campo: 'Almacén', mio: nombreOf(almacen), suyo: nombreOf(antes.elegido) }],
      marcas: { huella: antes.huella },
    });
  await almacenes.choose(trx, almacen);
  await sql`update publicacion_pendiente set no_antes = now() where market = ${market} and effect_id is null and error is not null`.execute(
    trx,
  );
  await record(trx, {
    usuarioId,
    entidad: 'seguimiento',
    entidadId: market,
    accion: 'elegir almacén',
    datos: { antes: nombreOf(antes.elegido), despues: nombreOf(almacen) },
  });
  return nombreOf(almacen);
}
