import { createCookie, type Cookie } from '@remix-run/node';
import { env } from './env.server';

const isHttps = () => env().APP_URL.startsWith('https:');

/**
 * Makes a cookie; every cookie of the product is made here. No script reads the cookie, and no form of another site
 * sends the cookie. Over https the name begins with `__Host-`, so a browser accepts the cookie from this very host and
 * over https alone. Browsers refuse such a name over http, where the demo runs. `maxAge` is in seconds.
 */
export function ownCookie(name: string, { maxAge }: { maxAge?: number } = {}) {
  let made: Cookie | undefined;
  const own = () =>
    (made ??= createCookie(isHttps() ? `__Host-${name}` : name, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isHttps(),
      maxAge,
    }));
  const plain = createCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure: true });
  return {
    read: (request: Request): Promise<unknown> => own().parse(request.headers.get('Cookie')),
    write: (value: unknown, lasts: number | undefined = maxAge) => own().serialize(value, { maxAge: lasts }),
    forget: () => own().serialize('', { maxAge: 0 }),
    /** Reads the cookie by its name from before the prefix; null where the browser has none. */
    readPlain: async (request: Request): Promise<unknown> =>
      isHttps() ? plain.parse(request.headers.get('Cookie')) : null,
    forgetPlain: () => plain.serialize('', { maxAge: 0 }),
  };
}
