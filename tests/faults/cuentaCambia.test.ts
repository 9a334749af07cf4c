/** A PAC account that refuses a repeated order number at one moment and stamps it at another: no sale is left with two living CFDI. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { enqueue } from '~db/queue/catalog.server';
import { forgetCuentaPac, knowCuentaPac } from '../support/pac';
import type { FailOptions } from '../support/sandbox';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown } from './support/check';
import {
  acceptFacturas,
  LONG,
  luck,
  pause,
  pressSendAgain,
  report,
  seconds,
  times,
  untilPressed,
  untilSettled,
} from './support/scene';
import { openStage } from './support/stage';
import { lookLast, pressCancelar, repetidasDe } from './support/tarde';

/** A minute is 900 ms. A stamp gives up after 1 s, and absent is believed after 2.7 s. */
const PACE = 0.015;
const { db, sandbox, usuario } = await openStage({ pace: PACE });
const next = luck(20261128);
const minutes = (n: number) => Math.round(n * 60_000 * PACE);

type Fault = [mode: string, options?: FailOptions];
/** The stamp is made and its answer is lost. */
const SIN_RESPUESTA: Fault[] = [
  ['hang-after-doing', { ms: 1_500 }],
  ['reset-after-doing'],
  ['500-after-doing'],
  ['html'],
  ['half-answer'],
];
const PERDIDO: Fault = ['reset'];
/** Minutes after its send at which a late stamp lands: absent is believed at the third. */
const [PRIMERA, ULTIMA] = LONG ? [4, 20] : [4.2, 4.8];

/** When the account changes, in minutes of a round. */
const CAMBIOS = {
  /** The account stops refusing before the first repeat. */
  antes: { alEmpezar: 'rechaza', desde: 0.5, hasta: 1 },
  /** The account refuses again, while some are still looked for and, in the long form, some wait for people. */
  vuelve: { alEmpezar: 'admite', desde: 1, hasta: times(1, 10) },
  /** The account stops refusing after repeats were sent: nobody can take those back. */
  despues: { alEmpezar: 'rechaza', desde: 4, hasta: 10 },
} as const;
type Cambio = keyof typeof CAMBIOS;
const RONDAS: Cambio[] = LONG
  ? Array.from({ length: 20 }, (_, at) => (['antes', 'vuelve', 'despues', 'vuelve'] as const)[at % 4]!)
  : ['antes', 'vuelve'];
const DE_CADA_UNA = times(12, 100);

/** The spans in which the account stamped a repeated number, by the clock of this process. */
const admitia: { desde: number; hasta: number }[] = [];

type Repetidos = 'rechaza' | 'admite';

async function responde(repetidos: Repetidos) {
  const span = admitia.at(-1);
  if (repetidos === 'rechaza' && span) span.hasta = Math.min(span.hasta, Date.now());
  await sandbox.facturacom.admiteRepetidos(repetidos === 'admite');
  if (repetidos === 'admite' && span?.hasta !== Infinity) admitia.push({ desde: Date.now(), hasta: Infinity });
}

/** Each sale meets its own fault at its first send, and none at a later one. */
async function accept(): Promise<string[]> {
  const accepted = await acceptFacturas(db, usuario, DE_CADA_UNA, async ({ ref, at }) => {
    const faults: (Fault | null)[] = [
      null,
      SIN_RESPUESTA[Math.floor(next() * SIN_RESPUESTA.length)]!,
      PERDIDO,
      ['slow', { ms: minutes(PRIMERA + next() * (ULTIMA - PRIMERA)) }],
    ];
    const fault = faults[at % faults.length];
    if (fault) await sandbox.facturacom.failNext(fault[0], { ...fault[1], contains: `"${ref}"` });
  });
  return accepted.map(({ effectId }) => effectId);
}

/** Until every late one has landed or been refused, and what waits for people was looked for until it was found. What was lost goes on waiting. */
async function untilLanded(ids: string[]) {
  // A round leaves no call on its way: one that lands once the account of the next round admits repeats is another fault, that of `despues`.
  await pause(Math.max(0, (await lastSend(ids)) + minutes(ULTIMA) + 500 - Date.now()));
  const landed = async () => {
    const stamped = new Set((await sandbox.facturacom.stamped()).map(({ NumOrder }) => NumOrder));
    const effects = await db.selectFrom('effect').select(['ref', 'state']).where('id', 'in', ids).execute();
    return (
      effects.filter(({ ref }) => stamped.has(ref)).length >= (ids.length * 3) / 4 &&
      effects.every(({ ref, state }) => state === 'done' || !stamped.has(ref))
    );
  };
  for (const end = Date.now() + minutes(ULTIMA + 30); Date.now() < end && !(await landed()); await pause(300))
    await enqueue(db, 'effect.sweep', {});
}

/** When the last first call of these was made: each later one meets no fault, and is answered. */
async function lastSend(ids: string[]): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select extract(epoch from max(at))::float8 * 1000 as at from (
      select min(at) as at from effect_attempt where kind = 'send' and effect_id = any(${ids}) group by effect_id) first`.execute(
    db,
  );
  return rows[0]!.at;
}

/** Sends after one of which nobody knew whether it was done, and that no person asked for. */
async function reenvios(): Promise<{ id: string; at: number }[]> {
  const { rows } = await sql<{ id: string; at: number }>`
    select s.effect_id as id, (extract(epoch from coalesce(e.at - e.ms * interval '1 ms', s.at)) * 1000)::float8 as at
    from effect_attempt s
    join effect on effect.id = s.effect_id and effect.type = 'cfdi.stamp'
    left join effect_attempt e on e.effect_id = s.effect_id and e.owner = s.owner and e.kind = 'send' and e.phase = 'ended'
    where s.kind = 'send' and s.phase = 'started' and coalesce(e.outcome, 'unclear') <> 'not-sent'
      and (
        select coalesce(doubt.outcome, doubt.kind) from effect_attempt doubt
        where doubt.effect_id = s.effect_id and doubt.id < s.id
          and (doubt.kind = 'person' or (doubt.kind = 'send' and doubt.phase = 'ended' and doubt.outcome not in ('not-sent', 'account')))
        order by doubt.id desc limit 1) in ('unclear', 'answered')`.execute(db);
  return rows;
}

/** How long after the question a repeat may leave, with what a busy machine adds. */
const PREGUNTADO_MS = 1_000;

test(
  'an account that changes its mind: nothing is repeated by itself while it would be stamped twice, and no sale ends with two',
  { timeout: times(300_000, 3_600_000) },
  async () => {
    const began = performance.now();
    let worker: WorkerProcess | undefined;
    let repetidas = 0;
    for (const [ronda, cambio] of RONDAS.entries()) {
      const { alEmpezar, desde, hasta } = CAMBIOS[cambio];
      await responde(alEmpezar);
      // What was seen of the account says that it refuses, or was forgotten after a day.
      await (ronda % 3 === 2 ? forgetCuentaPac(db) : knowCuentaPac(db));
      const ids = await accept();
      worker ??= await WorkerProcess.start();
      await Promise.all([
        pause(minutes(desde + next() * (hasta - desde))).then(() =>
          responde(alEmpezar === 'rechaza' ? 'admite' : 'rechaza'),
        ),
        untilSettled(db, { within: 60_000 }),
      ]);
      await untilLanded(ids);
      if (cambio === 'despues') {
        await lookLast(db, ids);
        await expectNothingUnknown(db, sandbox, { repetidas: 'told' });
        const dichas = await repetidasDe(db, ids);
        repetidas += dichas.length;
        await pressCancelar(db, usuario.id, dichas);
        await untilSettled(db, { within: 60_000, type: 'cfdi.cancelRepetida' });
      }
      await expectNothingUnknown(db, sandbox);
      if (ronda === RONDAS.length - 1) await untilPressed(db, usuario.id, () => untilSettled(db, { within: 60_000 }));
      else await pressSendAgain(db, usuario.id);
      // A hundred sales take longer to accept than it takes until the first of them is repeated: none is sent before the account is about to change.
      if (LONG) worker = void (await worker.kill());
    }
    await worker?.kill();
    const { timbres } = await expectNothingUnknown(db, sandbox);
    const solos = await reenvios();
    const vivos = (await sandbox.facturacom.stamped()).filter(({ estado }) => estado !== 'cancelada');
    const dobles = vivos.length - new Set(vivos.map(({ NumOrder }) => NumOrder)).size;
    const aDestiempo = solos.filter(({ at }) =>
      admitia.some(({ desde, hasta }) => at > desde + PREGUNTADO_MS && at < hasta),
    );
    report('una cuenta que cambia de parecer', {
      ventas: RONDAS.length * DE_CADA_UNA,
      timbres,
      cambios: RONDAS.length,
      'reenvíos solos': solos.length,
      'mientras admitía': aDestiempo.length,
      'dobles de un cambio después del reenvío': repetidas,
      'dobles vivos': dobles,
      tiempo: seconds(performance.now() - began),
    });
    expect(aDestiempo, 'repeated by itself while the account stamps repeats').toEqual([]);
    expect(solos.length, 'repeated by itself while the account refuses them').toBeGreaterThan(0);
    expect(dobles).toBe(0);
    expect(timbres).toBe(RONDAS.length * DE_CADA_UNA);
  },
);
