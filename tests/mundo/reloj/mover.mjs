/**
 * Moves the time of a Node process: `node --import tests/mundo/reloj/mover.mjs`, with RELOJ naming a file that holds the ms by which the clock is ahead.
 * `Date` tells the moved time, and a timer that falls due by a move fires then. The product knows nothing of it.
 * Clocks of performance and the timers inside Node stay those of the machine, so that an answer on the way is not cut.
 */
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import sleeps from 'node:timers/promises';
import { promisify } from 'node:util';

/** Time in ms between two looks at the file. */
const LOOK_MS = 10;
/**
 * The outside moves first, then the database, and the processes of the product this many ms later: what falls due by the move must find a world in which it
 * is due.
 */
const BEHIND_MS = process.env.SANDBOX_WEBHOOK_URL === undefined ? 200 : 0;
/** Shorter waits end soon enough by themselves. */
const SHORTEST_MS = 250;

const Machine = Date;
const machineNow = Machine.now.bind(Machine);
const real = { setTimeout, clearTimeout, setInterval, clearInterval };
let ahead = readAhead() ?? 0;
let seen = ahead;
const now = () => machineNow() + ahead;

const Moved = new Proxy(Machine, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], made === Moved ? target : made),
  apply: () => new Machine(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
Machine.prototype.constructor = Moved;
globalThis.Date = Moved;

/** Waits under way, by the handle that their callers hold. */
const waits = new Map();

function moveTimeout(work, ms = 0, ...args) {
  if (!(ms >= SHORTEST_MS)) return real.setTimeout(work, ms, ...args);
  const wait = { due: now() + ms, every: 0, fire: () => finish(handle) && work(...args) };
  const handle = real.setTimeout(wait.fire, ms);
  waits.set(handle, wait);
  return handle;
}

function moveInterval(work, ms = 0, ...args) {
  const handle = real.setInterval(work, ms, ...args);
  if (ms >= SHORTEST_MS) waits.set(handle, { due: now() + ms, every: ms, fire: () => work(...args) });
  return handle;
}

/** Forgets a wait. False when it had ended already: what two timers would fire is fired once. */
function finish(handle) {
  const wait = waits.get(handle);
  if (!wait) return false;
  waits.delete(handle);
  real.clearTimeout(handle);
  if (wait.sooner) real.clearTimeout(wait.sooner);
  return true;
}

const stopWait = (clear) => (handle) => {
  finish(handle);
  clear(handle);
};

/** Fires what has fallen due, and shortens the other waits. */
function moveWaits() {
  for (const [handle, wait] of [...waits]) {
    if (!waits.has(handle)) continue;
    if (wait.every > 0) {
      if (wait.due > now()) continue;
      wait.due = now() + wait.every;
      wait.fire();
      continue;
    }
    if (wait.sooner) real.clearTimeout(wait.sooner);
    wait.sooner = real.setTimeout(wait.fire, Math.max(0, wait.due - now()));
    if (!handle.hasRef()) wait.sooner.unref();
  }
}

function moveSleep(ms, value, { signal, ref = true } = {}) {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(abortOf(signal));
    const stop = () => {
      moved.clearTimeout(handle);
      fail(abortOf(signal));
    };
    const handle = moveTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done(value);
    }, ms);
    if (!ref) handle.unref();
    signal?.addEventListener('abort', stop, { once: true });
  });
}

const abortOf = (signal) =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });

const moved = {
  setTimeout: moveTimeout,
  clearTimeout: stopWait(real.clearTimeout),
  setInterval: moveInterval,
  clearInterval: stopWait(real.clearInterval),
};
Object.assign(globalThis, moved);
Object.assign(timers, moved);
sleeps.setTimeout = moveSleep;
moveTimeout[promisify.custom] = moveSleep;
syncBuiltinESMExports();

function readAhead() {
  try {
    const ms = Number(readFileSync(process.env.RELOJ, 'utf8'));
    return Number.isFinite(ms) ? ms : undefined;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

real
  .setInterval(() => {
    const next = readAhead();
    if (next === undefined || next <= seen) return;
    seen = next;
    real.setTimeout(() => {
      ahead = next;
      moveWaits();
    }, BEHIND_MS);
  }, LOOK_MS)
  .unref();
