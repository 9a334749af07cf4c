import { sql } from 'kysely';
import { LIVE_STATES } from '~/domain/effects/effects.server';
import type { Db, Trx } from '~db/client.server';
import { findClientes } from './clientesFiscales.server';
import { savePacClient } from './savePacClient.server';
import type { Receptor } from '../publico/savePublicClient.server';

type Elegido = Receptor & { uid: string; /** It came from a stored record. */ registrado: boolean };

/** The same receiver for the SAT, of those with one RFC. */
export const sameReceptor = (known: Omit<Receptor, 'rfc'>, wanted: Omit<Receptor, 'rfc'>) =>
  known.razonSocial === wanted.razonSocial && known.cp === wanted.cp && known.regimen === wanted.regimen;

/**
 * Whether the receiver that was chosen says something else by now, or the PAC is being told so this very moment: it stamps to what its
 * client says then, and a CFDI to another postal code than asked would be alive and nobody's.
 */
export async function receptorCambio(db: Db | Trx, elegido: Elegido): Promise<boolean> {
  const ahora = (await findClientes(db, elegido.rfc)).find(({ uid }) => uid === elegido.uid);
  if (ahora ? !sameReceptor(ahora, elegido) : elegido.registrado) return true;
  const { rows } = await sql<{ cliente: Receptor }>`
    select request -> 'cliente' as cliente from effect
    where type = ${savePacClient.type} and state = any(${[...LIVE_STATES]})
      and (request ->> 'uid' = ${elegido.uid} or (request ->> 'uid' is null and key = ${savePacClient.key({ cliente: { ...elegido, emails: [] }, uid: null })}))
      and not exists (select from cliente_publico where uid = ${elegido.uid})`.execute(db);
  return rows.some(({ cliente }) => !sameReceptor(cliente, elegido));
}
