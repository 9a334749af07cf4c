import { appendFileSync } from 'node:fs';
import { env } from '~/core/env.server';
import { sql } from 'kysely';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import type { Usuario } from '~/core/usuario';
import { sendAgain } from '~/platform/effects/resolve.server';
import { enqueue } from '~db/queue/catalog.server';
import type { Db } from '~db/client.server';
import { atEndOfFile } from '../../support/endOfFile';
import { passSend } from '../../support/jobs';
import { buildBorrador, buildVenta, CLIENTES, REVISION, type Venta } from '../../support/builders/ventas';

/** `npm run test:faults`, which has the time that `npm test` has not. */
export const LONG = process.env.FAULTS === 'long';

/** How often: what `npm test` can afford, and what `npm run test:faults` does. */
export const times = (short: number, long: number) => (LONG ? long : short);

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The same luck in every run. */
export function luck(seed: number): () => number {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Prices that do not split evenly, and every fifth sale a pack of three ordenes. */
export function preciosDe(at: number): string[] {
  const precio = (n: number) => `${99 + ((n * 37) % 900)}.${String((n * 13) % 100).padStart(2, '0')}`;
  return at % 5 === 4 ? [precio(at), precio(at + 1), precio(at + 2)] : [precio(at)];
}

/** Sales whose factura was asked for, as the last step of the stepper does. `before` prepares what a call of each meets, before the call may leave. */
export async function acceptFacturas(
  db: Db,
  usuario: Usuario,
  count: number,
  before: (effect: { ref: string; at: number }) => Promise<unknown> = () => Promise.resolve(),
): Promise<{ venta: Venta; effectId: string }[]> {
  const accepted = [];
  for (let at = 0; at < count; at++) {
    const venta = await buildVenta(db, { precios: preciosDe(at) });
    const draft = await buildBorrador(db, venta, usuario, CLIENTES[at % CLIENTES.length]!.rfc);
    const effectId = await db.transaction().execute(async (trx) => {
      const id = await createFactura(trx, draft, {
        revision: REVISION(),
        diferenciaAceptada: false,
        usuarioId: usuario.id,
        now: new Date(),
      });
      const { ref } = await trx.selectFrom('effect').select('ref').where('id', '=', id).executeTakeFirstOrThrow();
      await before({ ref, at });
      return id;
    });
    accepted.push({ venta, effectId });
  }
  return accepted;
}

/** Letters have a test of their own: elsewhere they wait, so that a run is about stamps. */
export async function holdLetters(db: Db) {
  await sql`insert into connection (kind) values ('correo') on conflict do nothing`.execute(db);
  await sql`insert into connection_breaker (kind, call, openings, open_until) values ('correo', 'send', 1, now() + interval '1 day')
    on conflict (kind, account, call) do update set openings = 1, open_until = excluded.open_until`.execute(db);
}

export async function stillOpen(db: Db, type = 'cfdi.stamp') {
  return db
    .selectFrom('effect')
    .select(['id', 'ref', 'state', 'sends', 'finds', 'reason', 'nextAt', 'leaseUntil'])
    .where('type', '=', type)
    .where('state', 'in', ['queued', 'sending', 'unknown'])
    .execute();
}

/** What a killed worker held is free at once. The long form waits half a minute for it, as the product does. */
export async function buryKilled(db: Db, { pid }: { pid: number }) {
  if (!LONG)
    await sql`select graphile_worker.force_unlock_workers(array(select worker_id from worker_heartbeat where pid = ${pid}))`.execute(
      db,
    );
}

/** A wait in vain ends before its test does, and no sooner: a machine that has much else to do needs longer than a run alone. */
const PATIENCE_MS = 110_000;

/**
 * Waits until nothing of a kind moves by itself any more. The schedule asks for a sweep every minute; here every half second,
 * since the minute is the one wait that EFFECT_PACE does not shorten.
 */
export async function untilSettled(
  db: Db,
  { within, type = 'cfdi.stamp' }: { within: number; type?: string },
): Promise<number> {
  const began = performance.now();
  for (;;) {
    const open = await stillOpen(db, type);
    const ms = performance.now() - began;
    if (open.length === 0) return ms;
    if (ms > Math.max(within, PATIENCE_MS))
      throw new Error(
        `after ${Math.round(ms)} ms ${open.length} effects still move: ${JSON.stringify(open.slice(0, 5))}`,
      );
    await enqueue(db, 'effect.sweep', {});
    await pause(500);
  }
}

/**
 * A person presses 'Enviar otra vez' on whatever waits for people without a trace at the far side, two minutes after its send. Returns how many there were. The
 * PAC is asked about repeats before each automatic send, so an account that would not notice a second stamp leaves what was cut to people.
 */
export async function pressSendAgain(db: Db, usuarioId: string): Promise<number> {
  const waiting = await db
    .selectFrom('effect')
    .select('id')
    .where('type', '=', 'cfdi.stamp')
    .where('state', '=', 'manual')
    .where('result', 'is', null)
    .execute();
  for (const { id } of waiting) {
    await passSend(db, id);
    await db.transaction().execute((trx) => sendAgain(trx, EFFECTS, id, usuarioId));
  }
  return waiting.length;
}

const MOST_PRESSES = 6;

/** Until no effect moves and none waits for people, who press as often as it takes. */
export async function untilPressed(db: Db, usuarioId: string, settled: () => Promise<unknown>): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    await settled();
    if ((await pressSendAgain(db, usuarioId)) === 0) return;
  }
  await settled();
}

type Cells = Record<string, string | number>;
const lines: string[] = [];

/** One line per run, shown together when the file ends. In a file too where one is named: the rounds of the long form are added up from it. */
export function report(run: string, cells: Cells) {
  if (process.env.FAULTS_CUENTA) appendFileSync(process.env.FAULTS_CUENTA, `${JSON.stringify({ run, ...cells })}\n`);
  lines.push(
    `${run.padEnd(58)} ${Object.entries(cells)
      .map(([name, value]) => `${name} ${value}`)
      .join(' · ')}`,
  );
}

atEndOfFile(() => {
  if (lines.length > 0)
    console.log([`fallas (${LONG ? 'larga' : 'corta'}, ritmo ${env().EFFECT_PACE})`, ...lines.splice(0)].join('\n  '));
});

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
