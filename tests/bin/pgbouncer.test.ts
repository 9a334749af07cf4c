/** The product behind the PgBouncer that this machine has. `detras.test.ts` tells the same of a pooler that needs nothing installed. */
import { expect, test } from 'vitest';
import { openStage } from '../faults/support/stage';
import { testDatabase } from '../support/db';
import { liveBehind } from '../support/processes/detras';
import { installed, startPgbouncer } from '../support/processes/pgbouncer';

const { sandbox, usuario } = await openStage({ pace: 0.05 });
if (!installed) console.log('sin PgBouncer en este equipo (apt-get install pgbouncer): su historia no se contó');

/** From 1.21 on a PgBouncer can keep prepared statements, and only does so when told to. */
const KEEPS_NONE = installed && Number(installed.version.split('.')[1]) < 21;

test(
  'behind PgBouncer a sale arrives by its notice, the page moves and one CFDI is stamped',
  { timeout: 120_000, skip: !installed },
  async () => {
    const lines = await liveBehind(await startPgbouncer(testDatabase().url), sandbox, usuario);
    const off = lines.filter((line) => line.includes('sentencias preparadas apagadas'));
    if (KEEPS_NONE) expect(off).toHaveLength(1);
  },
);
