import { connect } from 'node:net';
import { Unavailable, UnexpectedShape } from '../errors';

const PIECE = 64 * 1024;
const MAX_ANSWER = 4_096;

/** A client of a ClamAV daemon at `host:puerto`, which looks for viruses in bytes. */
export function createClamd(address: string, { timeoutMs = 30_000 }: { timeoutMs?: number } = {}) {
  const { hostname, port } = new URL(`tcp://${address}`);
  return {
    /**
     * Returns the name of the virus; null when none was found. Throws `Unavailable` without an answer,
     * `UnexpectedShape` when the daemon did not scan.
     */
    async scan(contenido: Buffer): Promise<string | null> {
      const said = await ask(hostname.replace(/^\[|\]$/g, ''), Number(port), contenido, timeoutMs);
      const [, outcome] = /^stream: (.+)$/.exec(said) ?? [];
      if (outcome === 'OK') return null;
      const [, virus] = /^(.+) FOUND$/.exec(outcome ?? '') ?? [];
      if (virus !== undefined) return virus;
      // The daemon takes fewer bytes than we accept, or has a fault. Either way the file was not scanned.
      throw new UnexpectedShape(`el antivirus contestó «${said.slice(0, 200)}»`);
    },
  };
}

/**
 * Sends the bytes by INSTREAM: pieces after their length, and an empty piece at the end. The daemon answers a line and
 * closes.
 */
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
      // A line without an end was cut.
      if (end === -1) reject(new Unavailable('el antivirus no respondió: colgó a medias'));
      else resolve(said.slice(0, end).trim());
    });
  });
}
