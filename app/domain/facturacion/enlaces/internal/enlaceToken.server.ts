import { seal, unseal } from '~/core/seal.server';
import { keyring } from '~/platform/connections/credentials.server';

/** Seals a token for the request of an effect, bound to its link. A reader of the table learns nothing, as with the hash. */
export function sealToken(enlaceId: string, token: string): string {
  return seal(keyring(), token, contextOf(enlaceId)).toString('base64');
}

/** The token of a sealed text; throws when it was sealed for another link. */
export function openToken(enlaceId: string, sealed: string): string {
  return unseal(keyring(), Buffer.from(sealed, 'base64'), contextOf(enlaceId)).toString('utf8');
}

const contextOf = (enlaceId: string) => `enlace:${enlaceId}`;
