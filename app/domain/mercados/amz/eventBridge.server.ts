import { env } from '~/core/env.server';
import type { Db, Trx } from '~db/client.server';
import { AMAZON } from './internal/tokens.server';
import { findCredential } from '~/platform/connections/credentials.server';

/** The event bridge: Amazon's name of its event source, and the bus of ours that a person associated with it. Without both it carries nothing. */
export type EventBridge = { nameResource: string | null; arn: string | null; suscripciones: number };

/** Returns AWS's name of the bus once the source is associated. */
export const arnOf = (nameResource: string, { cuenta, region }: { cuenta: string; region: string }) =>
  `arn:aws:events:${region}:${cuenta}:event-bus/${nameResource}`;

/** Returns the AWS account of this installation; null where none is configured. */
export function cuentaAws(): { cuenta: string; region: string } | null {
  const { AMAZON_EB_CUENTA: cuenta, AMAZON_EB_REGION: region } = env();
  return cuenta === '' ? null : { cuenta, region };
}

/** Reads the event bridge of the linked account; null without an account. */
export async function readEventBridge(db: Db | Trx): Promise<EventBridge | null> {
  const link = await findCredential(db, AMAZON);
  if (!link) return null;
  const row = await db
    .selectFrom('amazonEventos')
    .select(['nameResource', 'arn', 'suscripciones'])
    .where('cuenta', '=', link.account)
    .executeTakeFirst();
  return row ?? { nameResource: null, arn: null, suscripciones: 0 };
}

/** Tells whether notices can arrive: source, bus and at least one subscription are there. */
export const isConfigurado = (bridge: EventBridge | null): boolean =>
  bridge !== null && bridge.nameResource !== null && bridge.arn !== null && bridge.suscripciones > 0;
