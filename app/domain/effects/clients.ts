import type { Mailer } from '~/integrations/correo/mailer.server';

/** The clients an effect may call, each made with current credentials; their exchanges go to the attempt's sealed record. */
export type Clients = {
  correo(): Mailer;
};
