import { MERCADOS } from '~/domain/mercados/mercados';
import type { Trx } from '~db/client.server';
import { tellSalida } from '../confirmarEnvio.server';
import { tellAvance } from '../reportEnvio.server';

const AVISOS = { avance: tellAvance, salida: tellSalida } as const;

/** Tells the marketplace what it takes of a package that we send ourselves, unless it knows. */
export async function tellEnvio(trx: Trx, envioId: string, usuarioId: string | null): Promise<void> {
  const { market } = await trx.selectFrom('envio').select('market').where('id', '=', envioId).executeTakeFirstOrThrow();
  await AVISOS[MERCADOS[market].avisoDeEnvio](trx, envioId, usuarioId);
}
