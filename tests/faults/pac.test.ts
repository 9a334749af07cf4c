import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { noteFailure } from '~/domain/connections/breaker.server';
import { type FailOptions } from '../support/sandbox';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown } from './support/check';
import { acceptFacturas, luck, report, seconds, times, untilSettled } from './support/scene';
import { openStage } from './support/stage';

/** A stamp gives up after 1 s, a lease ends after 1.35 s, and absent is believed after 2.7 s. */
const { db, sandbox, usuario } = await openStage({ pace: 0.015 });

type Fault = [mode: string, options?: FailOptions];

const CLEAN: Fault = ['slow', { ms: 1 }];
const CLEAN_ONES = times(2, 7);
const AFTER: Fault[] = [
  ['hang-after-doing', { ms: 1_500 }],
  ['reset-after-doing'],
  ['500-after-doing'],
  ['html'],
  ['html', { code: '502' }],
  ['half-answer'],
  ['sin-uuid'],
  ['slow', { ms: 1_300 }],
];
const BEFORE: Fault[] = [['429', { ms: 1_000 }], ['503'], ['reset'], ['refuse'], ['refuse', { code: 'CFDI40145' }]];
/** What happens to a look: what was done is there all the same. */
const LOOKS: Fault[] = [['503'], ['reset'], ['html'], ['half-answer'], ['500-after-doing'], ['hang', { ms: 1_200 }]];
const LOOKED_AT = ['/v4/cfdi/list', '/xml', '/v4/cfdi/uid'];

/** Every call finds the next of these, each kind as often as the others and in no order; when they run out, the PAC is well again. */
async function throwFaults(count: number, seed: number, also: Fault[]) {
  const next = luck(seed);
  const kinds = [...Array.from({ length: CLEAN_ONES }, () => CLEAN), ...AFTER, ...BEFORE, ...also];
  const faults = Array.from({ length: count }, (_, at) => ({
    order: Math.floor(at / kinds.length) + next(),
    fault: kinds[at % kinds.length]!,
  }));
  for (const {
    fault: [mode, options],
  } of faults.sort((a, b) => a.order - b.order)) {
    await sandbox.facturacom.failNext(mode, options);
    if (next() > 0.25) continue;
    const [lookMode, lookOptions] = LOOKS[Math.floor(next() * LOOKS.length)]!;
    await sandbox.facturacom.failNext(lookMode, {
      ...lookOptions,
      route: LOOKED_AT[Math.floor(next() * LOOKED_AT.length)]!,
    });
  }
  return faults.filter(({ fault }) => fault !== CLEAN).length;
}

test.each([
  {
    pac: 'recognises an order it has stamped',
    repetidos: false,
    seed: 20261120,
    also: [
      ['slow', { ms: 3_500 }],
      ['html', { code: '403' }],
    ] as Fault[],
    // The short form meets every kind once.
    runs: times(17, 300),
  },
  { pac: 'stamps whatever it is sent', repetidos: true, seed: 71, also: [] as Fault[], runs: times(15, 300) },
])(
  'a PAC that $pac fails in every way: each sale ends with one CFDI or a clear no',
  { timeout: 600_000 },
  async ({ repetidos, seed, also, runs }) => {
    const before = await expectNothingUnknown(db, sandbox);
    await sandbox.facturacom.admiteRepetidos(repetidos);
    const bad = await throwFaults(runs, seed, also);
    const accepted = await acceptFacturas(db, usuario, runs);
    const worker = await WorkerProcess.start();
    const ms = await untilSettled(db, { within: times(60_000, 500_000) });
    expect((await sandbox.faults()).faults.filter(({ route }) => route.includes('create'))).toEqual([]);
    await sandbox.clear('facturacom');
    await worker.kill();
    const known = await expectNothingUnknown(db, sandbox);
    const states = await db
      .selectFrom('effect')
      .select(['state', 'id'])
      .where(
        'id',
        'in',
        accepted.map(({ effectId }) => effectId),
      )
      .execute();
    const count = (state: string) => states.filter((effect) => effect.state === state).length;
    expect(count('done') + count('refused')).toBe(runs);
    expect(known.timbres - before.timbres).toBe(count('done'));
    report(`PAC que falla de todas las formas${repetidos ? ', sin reconocer repetidas' : ''}`, {
      ventas: runs,
      fallas: bad,
      timbres: count('done'),
      rechazadas: count('refused'),
      envíos: known.envios - before.envios,
      tiempo: seconds(ms),
    });
  },
);

test('an outage of days ends with every stamp made: the rest between tries has a ceiling and the count of failures none', async () => {
  await sql`insert into connection (kind) values ('facturacom') on conflict do nothing`.execute(db);
  await sql`insert into connection_breaker (kind, call, openings, open_until) values ('facturacom', 'send', 5000, now())
    on conflict (kind, account, call) do update set openings = 5000, open_until = now()`.execute(db);
  await noteFailure(db, 'facturacom', 'send', 'sin conexión', { pace: 0.015 });
  const { rows } = await sql<{ openings: number; rest: number }>`
    select openings, extract(epoch from open_until - now())::float8 as rest from connection_breaker where kind = 'facturacom' and call = 'send'`.execute(
    db,
  );
  expect(rows[0]).toMatchObject({ openings: 5001 });
  expect(rows[0]!.rest).toBeGreaterThan(3);
  expect(rows[0]!.rest).toBeLessThanOrEqual(4.5);
});
