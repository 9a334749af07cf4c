import type { Mailer } from '~/integrations/correo/mailer.server';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import type { FacturacomWriter } from '~/integrations/facturacom/write.server';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';

export type Pac = FacturacomReader & FacturacomWriter;

/** The clients an effect may call, each made with current credentials; their exchanges go to the attempt's sealed record. */
export type Clients = {
  /** Refused (account) when factura.com is not linked. */
  pac(): Promise<Pac>;
  correo(): Mailer;
  /** Unavailable (account) when Mercado Libre is not linked. */
  ml(): MercadolibreWriter;
};
