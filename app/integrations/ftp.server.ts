import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Refused, Unavailable } from './errors';

type Reply = { code: number; text: string };

/**
 * Yields a file by FTP in passive mode, as its bytes arrive. The file counts as whole only after 'transfer complete'
 * and with the size that the server announced. `timeoutMs` limits each silence. Throws `Unavailable`, or `Refused` when
 * the server says no.
 */
export async function* downloadFtp(
  address: string,
  { label, timeoutMs = 30_000 }: { label: string; timeoutMs?: number },
): AsyncGenerator<Uint8Array> {
  const url = new URL(address);
  const control = connect({ host: hostOf(url), port: Number(url.port || 21) });
  let data: Socket | undefined;
  try {
    const replies = repliesOf(control, label, timeoutMs);
    const reply = async (...wanted: number[]): Promise<Reply> => {
      const { value, done } = await replies.next();
      if (done) throw new Unavailable(`${label}: el servidor de archivos colgó`);
      if (wanted.includes(value.code)) return value;
      throw failureOf(value, label);
    };
    const say = async (line: string, ...wanted: number[]) => {
      // Line ends inside an address must not end the command.
      control.write(`${line.replace(/[\r\n]/g, '')}\r\n`);
      return await reply(...wanted);
    };
    await reply(220);
    const { code } = await say(`USER ${decodeURIComponent(url.username) || 'anonymous'}`, 230, 331);
    if (code === 331) await say(`PASS ${decodeURIComponent(url.password)}`, 230);
    await say('TYPE I', 200);
    const path = decodeURIComponent(url.pathname);
    const size = Number((await say(`SIZE ${path}`, 213, 500, 502, 504)).text) || null;
    const { text } = await say('EPSV', 229);
    const port = Number(/\(\|\|\|(\d+)\|\)/.exec(text)?.[1]);
    if (!port) throw new Unavailable(`${label}: el servidor de archivos no dijo por dónde enviarlo`);
    data = connect({ host: hostOf(url), port });
    await say(`RETR ${path}`, 125, 150);
    let got = 0;
    for await (const part of chunksOf(data, label, timeoutMs)) {
      got += part.length;
      yield part;
    }
    await reply(226, 250);
    if (size !== null && got !== size)
      throw new Unavailable(`El archivo de ${label} llegó cortado: ${got} de ${size} bytes`);
  } finally {
    data?.destroy();
    control.destroy();
  }
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

function failureOf({ code, text }: Reply, label: string): Refused | Unavailable {
  const words = `${label}: el servidor de archivos contestó ${code} ${text}`;
  if (code === 530) return new Refused(words, { status: code, account: true });
  return code >= 500 ? new Refused(words, { status: code }) : new Unavailable(words, { status: code });
}

/** Yields the data of a socket. Throws `Unavailable`, with a message that tells silence from a broken connection. */
async function* chunksOf(socket: Socket, label: string, timeoutMs: number): AsyncGenerator<Buffer> {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no contestó a tiempo')));
  try {
    for await (const part of socket) yield part as Buffer;
  } catch (error) {
    throw new Unavailable(`${label}: ${error instanceof Error ? error.message : 'la conexión se cortó'}`, {
      cause: error,
    });
  }
}

/** Yields replies of a single line or of many lines: '220-' goes on until '220 '. */
async function* repliesOf(control: Socket, label: string, timeoutMs: number): AsyncGenerator<Reply> {
  control.setTimeout(timeoutMs * 10, () => control.destroy(new Error('no contestó a tiempo')));
  // This listener stays besides the reader: a connection that breaks between two commands would end the process.
  control.on('error', () => undefined);
  try {
    for await (const line of createInterface({ input: control, crlfDelay: Infinity })) {
      const [, code, text = ''] = /^(\d{3}) (.*)$/.exec(line) ?? [];
      if (code) yield { code: Number(code), text: text.trim() };
    }
  } catch (error) {
    throw new Unavailable(`${label}: ${error instanceof Error ? error.message : 'la conexión se cortó'}`, {
      cause: error,
    });
  }
}
