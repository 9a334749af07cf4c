import { seal, unseal } from '~/core/seal.server';
import { keyring } from '~/platform/connections/credentials.server';

/**
 * A token on its way to its owner has to wait in the effect that carries it. It waits sealed and bound to its link: whoever reads the
 * table reads nothing, as with the hash.
 */
export function sealToken(enlaceId: string, token: string): string {
  return seal(keyring(), token, contextOf(enlaceId)).toString('base64');
}

export function openToken(enlaceId: string, sealed: string): string {
  return unseal(keyring(), Buffer.from(sealed, 'base64'), contextOf(enlaceId)).toString('utf8');
}

const contextOf = (enlaceId: string) => `enlace:${enlaceId}`;
