/**
 * The way to several webs that `deploy/Caddyfile` asks of Caddy: each is asked once a second whether it is ready, a request goes to the least busy of those that are, and one that finds
 * no open socket goes to the next within three seconds. A request that a web has begun to read is never repeated, though Caddy repeats a GET.
 */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** As in `deploy/Caddyfile`. */
const [HEALTH_MS, HEALTH_TIMEOUT_MS, TRY_MS] = [1_000, 2_000, 3_000];
/** What Caddy waits before it tries again, where its file names nothing. */
const TRY_AGAIN_MS = 250;

interface Upstream {
  port: number;
  ready: boolean;
  busy: number;
}

export interface Proxy {
  base: string;
  close(): Promise<void>;
}

/** Opens a proxy over the webs at these ports, which need not run yet. */
export async function openProxy(ports: readonly number[]): Promise<Proxy> {
  const upstreams = ports.map((port): Upstream => ({ port, ready: true, busy: 0 }));
  const agent = new Agent({ keepAlive: true });
  // As Caddy does, it keeps what is idle for longer than anybody who asks: whoever sends does not meet a door that closes.
  const server = createServer({ keepAliveTimeout: 300_000 }, (asked, answer) => void pass(asked, answer));

  async function pass(asked: IncomingMessage, answer: ServerResponse) {
    const body: Buffer[] = [];
    for await (const part of asked) body.push(part as Buffer);
    for (const end = Date.now() + TRY_MS; ; await sleep(TRY_AGAIN_MS)) {
      const [least] = upstreams.filter(({ ready }) => ready).sort((a, b) => a.busy - b.busy);
      const begun = least !== undefined && (await hand(least, asked, Buffer.concat(body), answer));
      if (begun) return;
      if (Date.now() > end) {
        answer.writeHead(503).end();
        return;
      }
    }
  }

  /** Returns false where the web has no open socket. Whatever else goes wrong is 502. */
  function hand(to: Upstream, asked: IncomingMessage, body: Buffer, answer: ServerResponse): Promise<boolean> {
    to.busy += 1;
    return new Promise<boolean>((done) => {
      const headers = { ...asked.headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' };
      const sent = request({ port: to.port, agent, method: asked.method, path: asked.url, headers }, (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers);
        said.pipe(answer);
        // An answer that is cut stays cut: the client is told by the same means.
        said.on('error', () => answer.destroy());
        said.on('end', () => done(true));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') {
          done(false);
          return;
        }
        if (!answer.headersSent) answer.writeHead(502).end(error.message);
        done(true);
      });
      sent.end(body);
    }).finally(() => (to.busy -= 1));
  }

  async function look(upstream: Upstream) {
    const said = await fetch(`http://127.0.0.1:${upstream.port}/healthcheck/listo`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    }).catch(() => undefined);
    await said?.body?.cancel();
    upstream.ready = said?.ok ?? false;
  }
  const clock = setInterval(() => upstreams.forEach((upstream) => void look(upstream)), HEALTH_MS);

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      clearInterval(clock);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
