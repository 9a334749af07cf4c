import { Unavailable, Uncertain } from '../errors';
import { exchange, type HttpAnswer } from '../http.server';
import type { Access, Tokens } from './tokens';

/** Time for which a token that Mercado Libre knew is believed to live. */
const VOUCHED_MS = 5 * 60_000;
let vouched: { token: string; at: number } | undefined;

const lives = ({ token }: Access) => vouched?.token === token && performance.now() - vouched.at < VOUCHED_MS;

/** The word of a blocked application, which nobody has seen whole: it may stand in `error`, `code` or `message`. Neither a new token nor a new link helps. */
const BLOCKED = 'unauthorized_scopes';

/**
 * Throws where Mercado Libre blocked the application. Every further call would count against it, so the account rests and one call tries it anew from time
 * to time.
 */
function requireUnblocked({ status, body }: HttpAnswer): void {
  if (status !== 401 || !body.toString('latin1').includes(BLOCKED)) return;
  throw new Unavailable(
    'Mercado Libre bloqueó nuestra aplicación. El motivo y la salida están en developers.mercadolibre.com.mx, en «Mis aplicaciones»; al quitarse el bloqueo seguimos solos.',
    { status, account: true },
  );
}

/**
 * Calls with the token there is. A 401 may be about the token or about the one resource: the token is renewed once and the call repeated once. After a
 * second 401 Mercado Libre is asked for the owner of the token. Without an owner the link is broken; otherwise the 401 is returned, as the no of
 * that resource.
 */
export async function callWithToken(
  tokens: Tokens,
  { baseUrl, timeoutMs }: { baseUrl: string; timeoutMs: number },
  call: (access: Access) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const access = await tokens.current();
  const answer = await call(access);
  requireUnblocked(answer);
  if (answer.status !== 401 || lives(access)) return answer;
  const renewed = await tokens.renew(access);
  const again = await call(renewed);
  requireUnblocked(again);
  if (again.status !== 401) return again;
  if ((await statusOfOwner(baseUrl, renewed, timeoutMs)) !== 401) {
    vouched = { token: renewed.token, at: performance.now() };
    return again;
  }
  await tokens.reject(renewed, 'Mercado Libre rechazó un permiso recién renovado. Vuelve a activar la cuenta.');
  throw new Unavailable('Mercado Libre ya no acepta nuestro permiso', { status: 401, account: true });
}

/** Asks for the owner of a token. The refused call did nothing, so an answer that is lost here leaves nothing in doubt. */
async function statusOfOwner(baseUrl: string, { token }: Access, timeoutMs: number): Promise<number> {
  try {
    const answer = await exchange({
      side: { name: 'mercadolibre', root: baseUrl },
      method: 'GET',
      url: `${baseUrl}/users/me`,
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      timeoutMs,
    });
    if (answer.status < 400 || answer.status === 401) return answer.status;
    throw new Unavailable(`Mercado Libre no dijo si conoce el permiso (${answer.status})`, { status: answer.status });
  } catch (error) {
    if (error instanceof Uncertain)
      throw new Unavailable(`Mercado Libre no dijo si conoce el permiso (${error.message})`, { cause: error });
    throw error;
  }
}
