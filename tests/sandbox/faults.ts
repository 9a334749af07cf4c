/** Faults on order: the requests that fail next, the way in which each fails, and the delay of every answer of an API. */
import type { Fault } from './service';

/**
 * Ways to fail:
 * refuse               nothing is done; a definitive no in the API's own words (`message`, `code`)
 * 429, 503             nothing is done; a 429 says when to come again, unless `code` is sinRetryAfter
 * mantenimiento        nothing is done; a page in HTML with 503
 * reset                nothing is done; the connection is cut
 * hang                 nothing is done and nothing is answered for `ms` (at most 120 s), then the connection is cut
 * slow                 the work is done and answered well after `ms` (3 s), even if nobody listens any more
 * held                 the work is done when `/control/release` says so, and nobody is answered before
 * hang-after-doing     the work is done; no answer
 * reset-after-doing    the work is done; the connection is cut
 * 500-after-doing      the work is done; HTTP 500
 * half-answer          the work is done; half of the body arrives under its whole content-length
 * html                 the work is done; a page in HTML arrives where JSON was expected (`code` is its HTTP status, 200)
 */
export const MODES = [
  'refuse',
  '429',
  '503',
  'mantenimiento',
  'reset',
  'hang',
  'slow',
  'held',
  'hang-after-doing',
  'reset-after-doing',
  '500-after-doing',
  'half-answer',
  'html',
] as const;

export const LONGEST_HANG_MS = 120_000;

export interface NewFault {
  api: string;
  mode: string;
  times?: number;
  route?: string;
  ms?: number;
  message?: unknown;
  code?: string;
  contains?: string;
}

export class Faults {
  private pending: Fault[] = [];
  private latencies = new Map<string, number>();
  private lastId = 0;
  private held: { api: string; release: () => void }[] = [];

  /** Waits until the held requests of this API are released. */
  hold(api: string): Promise<void> {
    return new Promise((release) => void this.held.push({ api, release }));
  }

  /** Lets the held requests of an API go on, and returns how many there were. */
  release(api: string): number {
    const theirs = this.held.filter((one) => one.api === api);
    this.held = this.held.filter((one) => one.api !== api);
    for (const { release } of theirs) release();
    return theirs.length;
  }

  add(fault: NewFault, defaultRoute: string): Fault {
    const added: Fault = {
      id: ++this.lastId,
      api: fault.api,
      mode: fault.mode,
      times: fault.times ?? 1,
      route: fault.route ?? defaultRoute,
      ms: fault.ms,
      message: fault.message,
      code: fault.code,
      contains: fault.contains,
    };
    this.pending.push(added);
    return added;
  }

  /** Returns the oldest fault that hits this request, and counts it as used. With `modes`, other modes wait. */
  take(api: string, route: string, { modes, body }: { modes?: string[]; body?: Buffer } = {}): Fault | undefined {
    const fault = this.pending.find(
      (one) =>
        one.api === api &&
        route.includes(one.route) &&
        (modes?.includes(one.mode) ?? true) &&
        (one.contains === undefined || body?.includes(one.contains)),
    );
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.pending = this.pending.filter((one) => one !== fault);
    return fault;
  }

  list(): Fault[] {
    return this.pending;
  }

  /** What is held stays held: it was asked, and is not forgotten. */
  clear(api?: string) {
    this.pending = api ? this.pending.filter((fault) => fault.api !== api) : [];
  }

  setLatency(api: string, ms: number) {
    if (ms > 0) this.latencies.set(api, ms);
    else this.latencies.delete(api);
  }

  latencyOf(api: string): number {
    return this.latencies.get(api) ?? 0;
  }

  allLatencies(): Record<string, number> {
    return Object.fromEntries(this.latencies);
  }

  clearLatencies(api?: string) {
    if (api) this.latencies.delete(api);
    else this.latencies.clear();
  }
}

export function hangTime(fault: Fault): number {
  return Math.min(fault.ms ?? LONGEST_HANG_MS, LONGEST_HANG_MS);
}

/** A wait that does not keep the process alive. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
