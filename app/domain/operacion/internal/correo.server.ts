import { env } from '~/core/env.server';
import { createMailer, verifyMailer } from '~/integrations/correo/mailer.server';
import { Unavailable } from '~/integrations/errors';
import { defineConnection } from '~/platform/connections/definition';
import type { ClientOf } from '~/platform/connections/registry.server';

const CHECK_MS = 10_000;

/** The mail server of the installation as a far side. Its address is a setting, so nobody links it on a screen. */
export const correo = defineConnection({
  kind: 'correo',
  as: 'correo',
  label: 'Correo',
  wire: 'SMTP',
  budget: { atOnce: 4, perSecond: 20, burst: 40 },
  standby: 1,
  capabilities: { correo: 'correo' },
  link: { type: 'settings', isSet: () => Boolean(env().SMTP_URL), where: 'SMTP_URL' },
  paused: { stops: 'No sale ningún correo; lo que se pida queda en espera y sale al activarla.', screens: [] },
  open: () => (trace) => createMailer({ smtpUrl: smtpUrl(), trace }),
  check: () => verifyMailer({ smtpUrl: smtpUrl(), timeoutMs: CHECK_MS }),
});

/** Throws Unavailable (account) where this installation has no mail server. */
function smtpUrl(): string {
  const { SMTP_URL } = env();
  if (!SMTP_URL) throw new Unavailable('No hay servidor de correo configurado (SMTP_URL).', { account: true });
  return SMTP_URL;
}

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    correo: ClientOf<typeof correo>;
  }
}

declare module '~/platform/connections/definition' {
  interface Capabilities {
    correo: 'correo';
  }
}
