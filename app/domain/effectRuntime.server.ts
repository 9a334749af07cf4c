import { env } from '~/core/env.server';
import { createMailer } from '~/integrations/correo/mailer.server';
import { createFacturacomReader } from '~/integrations/facturacom/read.server';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { Unavailable } from '~/integrations/errors';
import { createMercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Tokens } from '~/integrations/mercadolibre/tokens';
import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';
import { keyring } from './cuentas/credentials.server';
import { mercadolibreOauth } from './cuentas/mercadolibre.server';
import { mercadolibreTokens } from './cuentas/mercadolibreTokens.server';
import { EFFECTS } from './effectCatalog.server';
import type { Clients } from './effects/clients';
import { Turns } from './effects/connections.server';
import type { EffectRuntime } from './effects/runtime';
import { pacKeys, type PacKeys } from '~/domain/cfdi/emisor.server';

/** Keys are read again after this long: a bulk run does not ask the table once per CFDI, a new key is in use at once all the same. */
const KEYS_FRESH_MS = 2_000;

/** The runner's tools in this process: one per database handle, so that its turns hold for the whole process. */
export function effectRuntime(db: Db): EffectRuntime {
  const known = runtimes.get(db);
  if (known) return known;
  const made: EffectRuntime = {
    db,
    catalog: EFFECTS,
    keyring: keyring(),
    turns: new Turns(),
    pace: env().EFFECT_PACE,
    clients: clientsOf(db),
  };
  runtimes.set(db, made);
  return made;
}

const runtimes = new WeakMap<Db, EffectRuntime>();

function clientsOf(db: Db): (trace: Trace) => Clients {
  let keys: { at: number; read: Promise<PacKeys> } | undefined;
  const freshKeys = () => {
    if (!keys || performance.now() - keys.at > KEYS_FRESH_MS) keys = { at: performance.now(), read: pacKeys(db) };
    keys.read.catch(() => (keys = undefined));
    return keys.read;
  };
  let tokens: Tokens | undefined;
  return (trace) => ({
    async pac() {
      const credentials = await freshKeys();
      const options = {
        trace,
        stampTimeoutMs: Math.max(1_000, 60_000 * env().EFFECT_PACE),
        timeoutMs: Math.max(1_000, 30_000 * env().EFFECT_PACE),
      };
      return { ...createFacturacomReader(credentials, options), ...createFacturacomWriter(credentials, options) };
    },
    correo() {
      const { SMTP_URL } = env();
      if (!SMTP_URL) throw new Unavailable('No hay servidor de correo configurado (SMTP_URL).');
      return createMailer({ smtpUrl: SMTP_URL, trace });
    },
    ml() {
      tokens ??= mercadolibreTokens(db, mercadolibreOauth());
      return createMercadolibreWriter({
        baseUrl: env().MERCADOLIBRE_URL,
        tokens,
        trace,
        timeoutMs: Math.max(1_000, 20_000 * env().EFFECT_PACE),
      });
    },
  });
}
