import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { noteFailure } from '~/platform/connections/breaker.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { sendAgain, unresolved } from '~/platform/effects/resolve.server';
import type { Db } from '~db/client.server';
import { forgetCuentaPac, knowCuentaPac } from '../support/pac';
import { type FailOptions } from '../support/sandbox';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown } from './support/check';
import { acceptFacturas, LONG, luck, pause, report, seconds, times, untilPressed, untilSettled } from './support/scene';
import { openStage } from './support/stage';
import { lookLast, pressCancelar, repetidasDe } from './support/tarde';

/**
 * A stamp gives up after 1 s, a lease ends after 1.35 s, and absent is believed after 2.7 s. The long form takes twice as long for each: what a busy
 * machine adds to a wait counts half as much in the figures.
 */
const PACE = times(0.015, 0.03);
/** Milliseconds of what is played, in those of the pace. */
const paced = (ms: number) => Math.round((ms * PACE) / 0.015);
/** Other luck in each round of the long form. */
const ROUND = Number(process.env.FAULTS_RONDA ?? 0);
const { db, sandbox, usuario } = await openStage({ pace: PACE });

type Fault = [mode: string, options?: FailOptions];

const CLEAN: Fault = ['slow', { ms: 1 }];
const CLEAN_ONES = times(2, 7);
const AFTER: Fault[] = [
  ['hang-after-doing', { ms: paced(1_500) }],
  ['reset-after-doing'],
  ['500-after-doing'],
  ['html'],
  ['html', { code: '502' }],
  ['half-answer'],
  ['sin-uuid'],
  ['slow', { ms: paced(1_300) }],
];
const BEFORE: Fault[] = [['429', { ms: 1_000 }], ['503'], ['reset'], ['refuse'], ['refuse', { code: 'CFDI40145' }]];
/** What happens to a look: what was done is there all the same. */
const LOOKS: Fault[] = [
  ['503'],
  ['reset'],
  ['html'],
  ['half-answer'],
  ['500-after-doing'],
  ['hang', { ms: paced(1_200) }],
];
const LOOKED_AT = ['/v4/cfdi/list', '/xml', '/v4/cfdi/uid'];

/** Every call finds the next of these, each kind as often as the others and in no order; when they run out, the PAC is well again. */
async function throwFaults(count: number, seed: number, also: Fault[]) {
  const next = luck(seed);
  /** In no order within each round of the kinds, so that none is met much more often for a while. */
  const inRounds = (kinds: Fault[], count: number) =>
    Array.from({ length: count }, (_, at) => ({
      fault: kinds[at % kinds.length]!,
      order: Math.floor(at / kinds.length) + next(),
    }))
      .sort((a, b) => a.order - b.order)
      .map(({ fault }) => fault);
  const kinds = [...Array.from({ length: CLEAN_ONES }, () => CLEAN), ...AFTER, ...BEFORE, ...also];
  const faults = inRounds(kinds, count);
  for (const [mode, options] of faults) await sandbox.facturacom.failNext(mode, options);
  // Of three calls of a look one meets a fault: all at once would be an outage, in which nothing can be known and looking rests.
  const lookKinds = LOOKS.flatMap((fault) => [fault, CLEAN, CLEAN]);
  for (const route of LOOKED_AT)
    for (const [mode, options] of inRounds(lookKinds, Math.ceil(count / 4)))
      await sandbox.facturacom.failNext(mode, { ...options, route });
  return faults.filter((fault) => fault !== CLEAN).length;
}

/** As it would last at a pace of 1. */
const asSeconds = (ms: number) => `${Math.round(ms / PACE / 1_000)} s`;
const p95 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

/**
 * `aclarar`: from an answer to a send that was not clear until it is known whether that send was done. `terminar`: from the first of them to the end of the
 * effect, with what was sent again and failed again between them.
 */
async function settling(db: Db, ids: string[]) {
  const { rows } = await sql<{ settled: number | null; attempts: [kind: string, outcome: string, ms: number][] }>`
    select extract(epoch from settled_at - unknown_at)::float8 * 1000 as settled,
      (select json_agg(json_build_array(a.kind, coalesce(a.outcome, a.phase), extract(epoch from a.at) * 1000) order by a.id) from effect_attempt a
        where a.effect_id = effect.id) as attempts
    from effect where id = any(${ids}) and unknown_at is not null and settled_at is not null`.execute(db);
  const cleared = rows.flatMap(({ attempts }) =>
    attempts.flatMap(([kind, outcome, since], at) => {
      // What was answered and could not be read back is as unclear.
      if (kind !== 'send' || !['unclear', 'answered'].includes(outcome)) return [];
      const rest = attempts.slice(at + 1);
      const next = rest.findIndex(([kind]) => kind === 'send');
      const looks = rest.slice(0, next < 0 ? undefined : next).filter(([kind]) => kind === 'find');
      const known = next < 0 ? looks.find(([, outcome]) => outcome === 'found') : looks.at(-1);
      return known ? [known[2] - since] : [];
    }),
  );
  return {
    'aclarar, p95': asSeconds(p95(cleared)),
    'terminar, p95': asSeconds(p95(rows.map(({ settled }) => settled ?? 0))),
  };
}

test.each([
  {
    pac: 'recognises an order it has stamped',
    repetidos: false,
    edad: 'actual',
    seed: 20261120,
    also: [
      ['slow', { ms: paced(3_500) }],
      ['html', { code: '403' }],
    ] as Fault[],
    // The short form meets every kind once.
    runs: times(17, 600),
  },
  // In the short form the account that admits repeats, and the list of the other age, are met by the calls that land late.
  ...(LONG
    ? [
        {
          pac: 'stamps whatever it is sent',
          repetidos: true,
          edad: 'actual',
          seed: 71,
          also: [] as Fault[],
          runs: 600,
        },
        {
          pac: 'stamps whatever it is sent, with the older list,',
          repetidos: true,
          edad: 'anterior',
          seed: 73,
          also: [] as Fault[],
          runs: 600,
        },
      ]
    : []),
])(
  'a PAC that $pac fails in every way: each sale ends with one CFDI or a clear no',
  { timeout: 600_000 },
  async ({ repetidos, edad, seed, also, runs }) => {
    const before = await expectNothingUnknown(db, sandbox);
    await sandbox.facturacom.admiteRepetidos(repetidos);
    await sandbox.facturacom.forma({ edad });
    // Where nothing lands late, what people were told of the account changes nothing.
    await knowCuentaPac(db);
    const bad = await throwFaults(runs, seed + ROUND, also);
    const accepted = await acceptFacturas(db, usuario, runs);
    const worker = await WorkerProcess.start();
    let ms = 0;
    await untilPressed(db, usuario.id, async () => (ms += await untilSettled(db, { within: times(60_000, 500_000) })));
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
    report(`PAC que falla de todas las formas, lista ${edad}${repetidos ? ', sin reconocer repetidas' : ''}`, {
      ventas: runs,
      fallas: bad,
      timbres: count('done'),
      rechazadas: count('refused'),
      envíos: known.envios - before.envios,
      ...(await settling(
        db,
        accepted.map(({ effectId }) => effectId),
      )),
      tiempo: seconds(ms),
    });
  },
);

/**
 * What lands after it was given up: up to half an hour, of an account that stamps a repeated number and of which that is not known. Nothing is sent twice
 * unless somebody asks; what is there twice in the end is on the board with both folios, and a press cancels the one too many.
 */
test.each([...(LONG ? [{ edad: 'actual' }] : []), { edad: 'anterior' }])(
  'calls that land up to 30 minutes late at an account ($edad) that admits repeats: no double that nobody was told of',
  { timeout: 600_000 },
  async (forma) => {
    await sandbox.facturacom.forma(forma);
    await sandbox.facturacom.admiteRepetidos(true);
    await forgetCuentaPac(db);
    const before = await expectNothingUnknown(db, sandbox);
    const next = luck((forma.edad === 'actual' ? 7 : 11) + ROUND);
    const runs = times(5, 120);
    const minutes = (n: number) => Math.round(n * 60_000 * PACE);
    const latest = times(5, 30);
    for (let at = 0; at < runs; at++) {
      const [mode, options]: Fault =
        at % 4 === 0
          ? CLEAN
          : at % 4 === 1
            ? AFTER[Math.floor(next() * AFTER.length)]!
            : at % 4 === 2
              ? ['reset']
              : ['slow', { ms: minutes(4 + next() * (latest - 4)) }];
      await sandbox.facturacom.failNext(mode, options);
    }
    const accepted = await acceptFacturas(db, usuario, runs);
    const ids = accepted.map(({ effectId }) => effectId);
    const worker = await WorkerProcess.start();
    let presses = 0;
    for (let turn = 0; turn < 4; turn++) {
      await untilSettled(db, { within: times(90_000, 500_000) });
      const waiting = await unresolved(db)
        .select(['effect.id', 'effect.state', 'effect.result', 'effect.lateEvidence'])
        .where('effect.id', 'in', ids)
        .execute();
      const lost = waiting.filter(({ state, result, lateEvidence }) => state === 'manual' && !result && !lateEvidence);
      if (lost.length === 0) break;
      presses += lost.length;
      for (const { id } of lost) await db.transaction().execute((trx) => sendAgain(trx, EFFECTS, id, usuario.id));
    }
    await pause(minutes(latest) + 2_000);
    await lookLast(db);
    const told = await expectNothingUnknown(db, sandbox, { repetidas: 'told' });
    const repetidas = await repetidasDe(db, ids);
    await pressCancelar(db, usuario.id, repetidas);
    await untilSettled(db, { within: 60_000, type: 'cfdi.cancelRepetida' });
    await worker.kill();
    await expectNothingUnknown(db, sandbox);
    report(`llamadas que llegan hasta ${latest} min tarde, cuenta ${forma.edad}`, {
      ventas: runs,
      timbres: told.timbres - before.timbres,
      'envíos pedidos por una persona': presses,
      repetidas: repetidas.length,
    });
    await sandbox.facturacom.forma();
    await knowCuentaPac(db);
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
  expect(rows[0]!.rest).toBeGreaterThan(0.4);
  expect(rows[0]!.rest).toBeLessThanOrEqual(0.68);
});
