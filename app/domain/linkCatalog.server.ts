import type { FarSide, Keys } from '~/domain/connections/definition';
import { saveKeys } from '~/domain/connections/keys.server';
import { linkAmazonToken } from '~/domain/cuentas/amazon.server';
import { linkFacturacom } from '~/domain/cfdi/emisor.server';
import type { Db } from '~db/client.server';

type Linker = (db: Db, keys: Keys, usuarioId: string | null) => Promise<unknown>;

/** Far sides whose keys bring more than themselves. The others are linked by what their row says. */
const OWN: Readonly<Record<string, Linker>> = {
  // With the keys come the company that issues and its series.
  facturacom: (db, { apiKey = '', secret = '' }, usuarioId) => linkFacturacom(db, { apiKey, secret, usuarioId }),
  // Its first sync begins with the link.
  amazon: linkAmazonToken,
};

export async function linkKeys(db: Db, side: FarSide, keys: Keys, usuarioId: string | null): Promise<void> {
  await (OWN[side.kind]?.(db, keys, usuarioId) ?? saveKeys(db, side, keys, usuarioId));
}
