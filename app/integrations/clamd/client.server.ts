import { connect } from 'node:net';
import { Unavailable, UnexpectedShape } from '../errors';

const PIECE = 64 * 1024;
const MAX_ANSWER = 4_096;

/** A ClamAV daemon at `host:puerto`, which says of bytes whether it knows a virus in them. */
export function createClamd(address: string, { timeoutMs = 30_000 }: { timeoutMs?: number } = {}) {
  const { hostname, port } = new URL(`tcp://${address}`);
  return {
    /** The name of what it found; null when it found nothing. */
    async scan(contenido: Buffer): Promise<string | null> {
      const said = await ask(hostname.replace(/^\[|\]$/g, ''), Number(port), contenido, timeoutMs);
      const [, outcome] = /^stream: (.+)$/.exec(said) ?? [];
      if (outcome === 'OK') return null;
      const [, virus] = /^(.+) FOUND$/.exec(outcome ?? '') ?? [];
      if (virus !== undefined) return virus;
      // It takes less than we do, or stands in its own way: either way nobody looked.
      throw new UnexpectedShape(`el antivirus contestó «${said.slice(0, 200)}»`);
    },
  };
}

/** INSTREAM: pieces with their length before them, and an empty one at the end. It answers one line and closes. */
function ask(host: string, port: number, contenido: Buffer, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const socket = connect({ host, port });
    const fail = (why: string, cause?: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Unavailable(`el antivirus no respondió: ${why}`, { cause }));
    };
    const timer = setTimeout(() => fail('tardó demasiado'), timeoutMs);
    socket.once('connect', () => {
      socket.write('zINSTREAM\0');
      for (let at = 0; at < contenido.length; at += PIECE) {
        const piece = contenido.subarray(at, at + PIECE);
        const size = Buffer.alloc(4);
        size.writeUInt32BE(piece.length);
        socket.write(size);
        socket.write(piece);
      }
      socket.write(Buffer.alloc(4));
    });
    socket.on('data', (part: Buffer) => {
      length += part.length;
      if (length > MAX_ANSWER) return fail('contestó demasiado');
      parts.push(part);
    });
    socket.once('error', (error) => fail(error.message, error));
    socket.once('close', () => {
      clearTimeout(timer);
      const said = Buffer.concat(parts).toString('utf8');
      const end = said.search(/[\0\n]/);
      // A line without its end was cut.
      if (end === -1) reject(new Unavailable('el antivirus no respondió: colgó a medias'));
      else resolve(said.slice(0, end).trim());
    });
  });
}
