import { Transform } from 'node:stream';

/**
 * A page on its way out. React writes it through a buffer of fixed size. Where a letter of several bytes no longer fits, React sends the buffer whole, with
 * zeroes after its last letter. A browser shows each as '�', also inside the value of a field, and a form sends it back. HTML holds no zero byte of its own.
 */
export function htmlBody(): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, chunk.includes(0) ? chunk.filter((byte) => byte !== 0) : chunk);
    },
  });
}
