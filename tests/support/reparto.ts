/**
 * A pooler in transaction mode, as hard as PgBouncer 1.18 and harder: each transaction gets the connection that rested
 * longest, so nothing that a session holds is there in the next one. It needs nothing installed.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { atEndOfFile } from './endOfFile';

/** Start-up parameters that PgBouncer takes. */
const TAKEN = new Set(['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone']);
const SSL_ASKED = 80_877_103;

/** What outlives a transaction, and is lost or somebody else's behind a pooler. */
const HELD =
  /^\s*(?:(?:un)?listen\b|set\s+(?!local\b|transaction\b|constraints\b)|reset\b|prepare\b|discard\b|declare\s.*\swith hold\s|create\s+(?:local\s+|global\s+)?temp(?:orary)?\s(?!.*\son commit drop\b)|select\s+pg_(?:try_)?advisory_lock)|\bset_config\([^)]*,\s*false\s*\)/is;

/** Whether a statement leaves something in its session. */
export const holdsSession = (statement: string): boolean => HELD.test(statement);

/** A running pooler. `held` are statements that came through it and leave something in their session. */
export type Reparto = { url: string; held: string[]; statements: number; close(): Promise<void> };

const int = (value: number) => {
  const four = Buffer.alloc(4);
  four.writeInt32BE(value);
  return four;
};
const frame = (kind: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind), int(body.length + 4), body]);
};
const text = (value: string) => Buffer.from(`${value}\0`);
const refusal = (code: string, message: string) =>
  frame('E', ...['SFATAL', 'VFATAL', `C${code}`, `M${message}`].map(text), Buffer.from([0]));

/** Cuts what arrives into whole messages. */
function framer(take: (kind: string, whole: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      const whole = rest.subarray(0, end);
      rest = rest.subarray(end);
      take(String.fromCharCode(whole[0]!), whole);
    }
  };
}

/** A message with the name of its prepared statement as PgBouncer from 1.21 on passes it to PostgreSQL. */
function renamed(kind: string, whole: Buffer): Buffer {
  const words = whole.toString('latin1', 5);
  const forms: Record<string, RegExp> = {
    P: /^([^\0]+)(?=\0)/,
    B: /(?<=^[^\0]*\0)([^\0]+)(?=\0)/,
    D: /(?<=^S)([^\0]+)(?=\0)/,
  };
  const form = forms[kind];
  return form ? frame(kind, Buffer.from(words.replace(form, 'PGBOUNCER_1'), 'latin1')) : whole;
}

/**
 * Opens a pooler of so many connections before the database of `url`; it ends with the file. One that `renames` treats
 * a prepared statement as a newer PgBouncer does, within its transaction.
 */
export async function openReparto(url: string, size = 12, { renames = false } = {}): Promise<Reparto> {
  const resting: Behind[] = [];
  const waiting: ((behind: Behind) => void)[] = [];
  const all: Behind[] = [];
  const clients = new Set<Socket>();
  const state = { held: [] as string[], statements: 0 };

  const rest = (behind: Behind) => {
    behind.heard = undefined;
    const next = waiting.shift();
    if (next) next(behind);
    else resting.push(behind);
  };
  const take = () =>
    new Promise<Behind>((resolve) => {
      const first = resting.shift();
      if (first) resolve(first);
      else waiting.push(resolve);
    });
  for (let at = 0; at < size; at++) {
    const behind = await Behind.open(url);
    all.push(behind);
    resting.push(behind);
  }

  const serve = (socket: Socket) => {
    clients.add(socket);
    socket.on('error', () => socket.destroy());
    let behind: Behind | undefined;
    /** Messages that wait for a connection; those of one transaction go together. */
    let queue: Promise<void> = Promise.resolve();
    /** Answers that are still to come, and whether a transaction is open. */
    let owed = 0;
    const heard = (kind: string, whole: Buffer) => {
      socket.write(whole);
      if (kind !== 'Z') return;
      owed -= 1;
      if (owed > 0 || String.fromCharCode(whole[5]!) !== 'I' || !behind) return;
      const done = behind;
      behind = undefined;
      rest(done);
    };
    const pass = async (kind: string, whole: Buffer) => {
      if (kind === 'X') return void socket.end();
      if (kind === 'Q' || kind === 'S') owed += 1;
      note(kind, whole);
      if (!behind) {
        behind = await take();
        behind.heard = heard;
      }
      behind.socket.write(renames ? renamed(kind, whole) : whole);
    };
    const note = (kind: string, whole: Buffer) => {
      if (kind !== 'Q' && kind !== 'P') return;
      state.statements += 1;
      const words = whole.toString('utf8', 5).split('\0');
      const [name, statement] = kind === 'Q' ? ['', words[0]!] : [words[0]!, words[1]!];
      // The look of `reviewAddresses`, which takes its statement away again in its own transaction.
      if (name.startsWith('trastienda_')) return;
      if (name !== '' || holdsSession(statement)) state.held.push(name === '' ? statement : `${name}: ${statement}`);
    };
    socket.on('close', () => {
      clients.delete(socket);
      // What a client left open is rolled back by PostgreSQL when its connection ends.
      void behind?.replace(url).then(rest);
      behind = undefined;
    });
    const messages = framer((kind, whole) => {
      queue = queue.then(() => pass(kind, whole));
    });
    let begun = false;
    socket.on('data', (chunk: Buffer) => {
      if (begun) return messages(chunk);
      if (chunk.readInt32BE(4) === SSL_ASKED) return void socket.write('N');
      begun = true;
      const words = chunk.toString('utf8', 8).split('\0');
      const strange = words.find(
        (word, at) => at % 2 === 0 && word !== '' && !TAKEN.has(word.toLowerCase()) && words[at + 1] !== undefined,
      );
      if (strange) return void socket.end(refusal('08P01', `unsupported startup parameter: ${strange}`));
      socket.write(
        Buffer.concat([
          frame('R', int(0)),
          frame('S', text('server_version'), text('18.4')),
          frame('S', text('client_encoding'), text('UTF8')),
          frame('K', int(1), int(1)),
          frame('Z', Buffer.from('I')),
        ]),
      );
    });
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let closing: Promise<void> | undefined;
  const close = async () => {
    for (const client of clients) client.destroy();
    server.close();
    await Promise.all(all.map((behind) => behind.end()));
  };
  atEndOfFile(() => (closing ??= close()));
  return Object.assign(state, { url: own.href, close: () => (closing ??= close()) });
}

/** A connection of PostgreSQL, entered by pg and spoken to in its bytes. */
class Behind {
  heard: ((kind: string, whole: Buffer) => void) | undefined;

  private constructor(
    private client: pg.Client,
    public socket: Socket,
  ) {}

  static async open(url: string): Promise<Behind> {
    const behind = new Behind(...(await Behind.#enter(url)));
    behind.#listen();
    return behind;
  }

  static async #enter(url: string): Promise<[pg.Client, Socket]> {
    const client = new pg.Client({ connectionString: url, application_name: 'reparto' });
    client.on('error', () => {});
    await client.connect();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.removeAllListeners('data');
    return [client, stream];
  }

  #listen() {
    this.socket.on(
      'data',
      framer((kind, whole) => this.heard?.(kind, whole)),
    );
  }

  async replace(url: string): Promise<this> {
    this.heard = undefined;
    this.socket.destroy();
    [this.client, this.socket] = await Behind.#enter(url);
    this.#listen();
    return this;
  }

  async end(): Promise<void> {
    this.heard = undefined;
    const gone = this.socket.destroyed ? Promise.resolve() : once(this.socket, 'close');
    this.socket.destroy();
    await gone;
  }
}
