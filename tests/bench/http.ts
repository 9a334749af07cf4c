/** A small load generator: kept-alive connections of this process, each asking again as soon as it was answered. */
import { Agent, request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { spread } from './figures';

/** `bytes` as they came over the wire, `body` as it was before it was compressed. */
export type Answer = { status: number; bytes: number; body: () => Buffer };
export type Headers = Record<string, string>;

/** A browser's, on this machine or behind a certificate: the server streams to those and waits for everything with the rest. */
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  'accept-encoding': 'gzip, deflate, br',
  accept: 'text/html,*/*',
};

export class Visitor {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(readonly headers: Headers = {}) {}

  get(url: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(url, { agent: this.#agent, headers: { ...BROWSER, ...this.headers } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const sent = Buffer.concat(parts);
          const body = () => (answer.headers['content-encoding'] === 'br' ? brotliDecompressSync(sent) : sent);
          resolve({ status: answer.statusCode ?? 0, bytes: sent.length, body });
        });
        answer.on('error', reject);
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  leave() {
    this.#agent.destroy();
  }
}

export async function withVisitor<T>(headers: Headers, work: (visitor: Visitor) => Promise<T>): Promise<T> {
  const visitor = new Visitor(headers);
  try {
    return await work(visitor);
  } finally {
    visitor.leave();
  }
}

export type Load = { perSecond: number; p50: number; p95: number; bytes: number };

/** Asks for one page over several connections for so many seconds. Any answer but 200 is a mistake of the bench. */
export async function hammer(
  url: string,
  { connections, seconds, headers }: { connections: number; seconds: number; headers: Headers },
): Promise<Load> {
  const times: number[] = [];
  let bytes = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, () =>
      withVisitor(headers, async (visitor) => {
        while (performance.now() < until) {
          const from = performance.now();
          const answer = await visitor.get(url);
          if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
          bytes = answer.bytes;
          times.push(performance.now() - from);
        }
      }),
    ),
  );
  const { value: p50, p95 } = spread(times);
  return { perSecond: times.length / ((performance.now() - began) / 1000), p50, p95, bytes };
}
