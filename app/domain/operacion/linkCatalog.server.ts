import { tableOf } from '~/core/table';
import type { FarSide, Keys } from '~/platform/connections/definition';
import { saveKeys } from '~/platform/connections/keys.server';
import { linkAmazonToken } from '~/domain/mercados/amz/cuenta.server';
import { Asociado, associateEventBridge, linkEventBridge } from '~/domain/mercados/amz/linkEventBridge.server';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import type { Db } from '~db/client.server';

type Linker = (db: Db, keys: Keys, usuarioId: string | null) => Promise<unknown>;

/** Far sides whose keys bring more than a link. The others are linked as their row says. */
const OWN: Readonly<Record<string, Linker>> = tableOf({
  // With the keys come the company that issues and its series.
  facturacom: (db, { apiKey = '', secret = '' }, usuarioId) => linkFacturacom(db, { apiKey, secret, usuarioId }),
  // Its first sync begins with the link.
  amazon: linkAmazonToken,
});

/**
 * Links a far side with the keys that a person gave, by its own way where it has one. The keys are tried at the far side before they are kept:
 * throws `NotAllowed` when the far side does not know them or does not answer.
 */
export async function linkKeys(db: Db, side: FarSide, keys: Keys, usuarioId: string | null): Promise<void> {
  await (OWN[side.kind]?.(db, keys, usuarioId) ?? saveKeys(db, side, keys, usuarioId));
}

/**
 * The bus of an account of ours by which one marketplace tells of listings: its connection, how the bus is asked for, and how a person says that it is
 * associated there. Both acts throw as the adapter does.
 */
export const BUS = {
  conexion: 'amazon',
  form: Asociado,
  request: linkEventBridge,
  associate: associateEventBridge,
} as const;
