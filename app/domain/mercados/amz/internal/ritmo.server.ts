import { type Operacion, type Ritmo, RITMOS } from '~/integrations/amazon/pace';
import type { Db } from '~db/client.server';
import { AMAZON } from './tokens.server';
import { emptyBucket, type Quien, takeCall } from '~/platform/connections/bucket.server';

/** The limit of each operation as answers told it: the limit is the account's own and may change. */
const told = new Map<Operacion, number>();

/** Calls of a bucket that machines leave to people. */
const PARA_PERSONAS = 5;

const kindOf = (operacion: Operacion) => `${AMAZON}:${operacion}`;

/** Opens the pace of the account. Each operation has a bucket of its own, shared by all processes: the pace of searches says nothing of how often a sale may be read. */
export function amazonRitmo(db: Db, quien: Quien): Ritmo {
  return {
    async take(operacion) {
      const { perSecond, burst } = RITMOS[operacion];
      const budget = {
        atOnce: 1,
        perSecond: told.get(operacion) ?? perSecond,
        burst,
        // A sale that somebody asks for does not wait behind those that are looked at again.
        forPeople: operacion === 'getOrder' ? PARA_PERSONAS : 0,
      };
      await takeCall(db, { kind: kindOf(operacion), label: 'Amazon', budget }, quien);
    },
    told: (operacion, perSecond) => void told.set(operacion, perSecond),
    async spent(operacion) {
      await emptyBucket(db, kindOf(operacion));
    },
  };
}
