import { createCookie, type Cookie } from '@remix-run/node';
import { env } from './env.server';

const isHttps = () => env().APP_URL.startsWith('https:');

/**
 * The one way a cookie of ours is made: no script reads it and no other site's form sends it. Over https its name says `__Host-`, so a browser takes it from
 * this very host and over https alone; the demo runs over http, where browsers refuse such a name.
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
    /** Under the name it had before the prefix; null where there is none. */
    readPlain: async (request: Request): Promise<unknown> =>
      isHttps() ? plain.parse(request.headers.get('Cookie')) : null,
    forgetPlain: () => plain.serialize('', { maxAge: 0 }),
  };
}
