import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { CLIENT_ID, DAY, FOREIGN_ORDER_ID, MINUTE, SECOND, SELLER_ID } from './constants';
import { zulu } from './clock';
import { hashOf } from './random';
import type { Switches } from './switches';

interface Notice {
  id: string;
  topic: string;
  resource: string;
  userIdAsText: boolean;
  received: number;
  attempts: number;
}

interface Missed extends Notice {
  sent: number;
  httpCode: number;
}

export interface NotificationState {
  pending: Notice[];
  missed: Missed[];
  turn: number;
  stats: { sent: number; delivered: number; failed: number; missed: number };
}

/** Waits before the eight attempts of an hour, before `timeScale` shortens them. */
const WAITS = [0, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 8 * MINUTE, 11 * MINUTE, 14 * MINUTE, 19 * MINUTE];
const TIMEOUT_MS = 500;
const AT_ONCE = 16;
const KEEP_MISSED = 2 * DAY;

export const emptyNotifications = (): NotificationState => ({
  pending: [],
  missed: [],
  turn: 0,
  stats: { sent: 0, delivered: 0, failed: 0, missed: 0 },
});

export interface NotifierOptions {
  url(): string | undefined;
  now(): number;
  switches(): Switches;
  changed(): void;
  /** The length of an hour of attempts: 1 is a real hour, 1/60 a minute. */
  timeScale: number;
}

/** The sender of notifications: each goes at least once, in no order, and those that nobody took are kept as missed. */
export class Notifier {
  state = emptyNotifications();
  #pending = new Set<Notice>();
  #ready: Notice[] = [];
  #timers = new Map<Notice, NodeJS.Timeout>();
  #flying = new Set<http.ClientRequest>();
  #active = 0;
  #agents = {
    http: new http.Agent({ keepAlive: true, maxSockets: AT_ONCE }),
    https: new https.Agent({ keepAlive: true, maxSockets: AT_ONCE }),
  };

  constructor(private readonly options: NotifierOptions) {}

  /** Tells the product that a resource changed. Some notices go twice, unless the caller gives their id. */
  announce(
    topic: 'orders_v2' | 'shipments' | 'items' | 'items_prices' | 'stock-location' | 'questions' | 'post_purchase',
    resource: string,
    { delayMs = 0, id }: { delayMs?: number; id?: string } = {},
  ): void {
    const switches = this.options.switches();
    const turn = ++this.state.turn;
    const chance = (what: string, share: number) => (hashOf(what, turn) % 1000) / 1000 < share;
    const notice: Notice = {
      id: id ?? randomUUID(),
      topic,
      resource: switches.avisosSinDiagonal ? resource.slice(1) : resource,
      userIdAsText: chance('texto', switches.avisosTexto),
      received: this.options.now(),
      attempts: 0,
    };
    this.#schedule(notice, delayMs);
    if (id === undefined && chance('doble', switches.avisosDobles))
      this.#schedule({ ...notice }, delayMs + 40 + (turn % 7) * 60);
    this.options.changed();
  }

  #schedule(notice: Notice, delayMs: number): void {
    this.#pending.add(notice);
    this.#timers.set(
      notice,
      setTimeout(() => {
        this.#timers.delete(notice);
        this.#ready.push(notice);
        this.#drain();
      }, delayMs),
    );
  }

  #drain(): void {
    while (this.#active < AT_ONCE) {
      const notice = this.#ready.shift();
      if (!notice) return;
      this.#active++;
      void this.#attempt(notice).finally(() => {
        this.#active--;
        this.#drain();
      });
    }
  }

  async #attempt(notice: Notice): Promise<void> {
    const url = this.options.switches().sinAvisos ? undefined : this.options.url();
    if (!url) return this.#miss(notice, 0);
    notice.attempts++;
    this.state.stats.sent++;
    const code = await this.#post(url, this.#payload(notice));
    if (!this.#pending.has(notice)) return;
    if (code === 200) {
      this.state.stats.delivered++;
      this.#pending.delete(notice);
    } else {
      this.state.stats.failed++;
      if (notice.attempts >= WAITS.length) this.#miss(notice, code);
      else this.#schedule(notice, WAITS[notice.attempts]! * this.options.timeScale);
    }
    this.options.changed();
  }

  #miss(notice: Notice, httpCode: number): void {
    this.#pending.delete(notice);
    this.state.missed.push({ ...notice, sent: this.options.now(), httpCode });
    this.state.stats.missed++;
    this.options.changed();
  }

  #payload({ id, topic, resource, userIdAsText, received, attempts }: Notice) {
    return {
      _id: id,
      resource,
      user_id: userIdAsText ? String(SELLER_ID) : SELLER_ID,
      topic,
      application_id: Number(CLIENT_ID),
      attempts,
      sent: zulu(this.options.now()),
      received: zulu(received),
    };
  }

  /** Posts a notice and returns the status of the answer; 0 when none came in time. */
  #post(address: string, payload: unknown): Promise<number> {
    return new Promise((resolve) => {
      const url = new URL(address);
      const secure = url.protocol === 'https:';
      const body = Buffer.from(JSON.stringify(payload));
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        agent: secure ? this.#agents.https : this.#agents.http,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'user-agent': 'MercadoLibre Notifications',
        },
      });
      const timer = setTimeout(() => request.destroy(), TIMEOUT_MS);
      const end = (code: number) => {
        clearTimeout(timer);
        this.#flying.delete(request);
        resolve(code);
      };
      this.#flying.add(request);
      request.on('response', (response) => {
        response.resume();
        end(response.statusCode ?? 0);
      });
      request.on('error', () => end(0));
      request.on('close', () => end(0));
      request.end(body);
    });
  }

  /**
   * `GET /missed_feeds`: the missed notices of two days, the newest last. The list is the application's, so a notice of another account stands
   * among them.
   */
  missed({ topic, offset, limit }: { topic: string | null; offset: number; limit: number }) {
    this.#forget();
    const rows = this.state.missed.filter((one) => !topic || one.topic === topic).slice(offset, offset + limit);
    const others =
      offset === 0 && rows.length > 0 && rows.length < limit
        ? [
            {
              ...this.#payload(rows[0]!),
              _id: 'de-otra-cuenta',
              resource: `/orders/${FOREIGN_ORDER_ID}`,
              user_id: SELLER_ID + 1,
            },
          ]
        : [];
    return {
      messages: [
        ...others,
        ...rows.map((one) => ({
          ...this.#payload(one),
          sent: zulu(one.sent),
          request: {
            url: this.options.url() ?? null,
            headers: {},
            data: JSON.stringify({ resource: one.resource, topic: one.topic }),
          },
          response: { req_time: TIMEOUT_MS, http_code: one.httpCode, body: null, headers: {} },
        })),
      ],
    };
  }

  #forget(): void {
    const from = this.options.now() - KEEP_MISSED;
    if (this.state.missed.some(({ received }) => received < from))
      this.state.missed = this.state.missed.filter(({ received }) => received >= from);
  }

  snapshot(): NotificationState {
    this.#forget();
    return { ...this.state, pending: [...this.#pending] };
  }

  restore(state: NotificationState): void {
    this.state = { ...state, pending: [] };
    for (const notice of state.pending) this.#schedule({ ...notice }, SECOND);
  }

  summary() {
    return { ...this.state.stats, pendientes: this.#pending.size, perdidos: this.state.missed.length };
  }

  /** Drops the notices that have not left. Those kept on disk leave at the next start. */
  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#ready = [];
    for (const request of this.#flying) request.destroy();
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  reset(): void {
    this.stop();
    this.#pending.clear();
    this.state = emptyNotifications();
  }
}
