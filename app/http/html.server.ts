import { Transform } from 'node:stream';

/**
 * Repairs a page on its way out. React writes through a buffer of fixed size and, where a letter of several bytes no longer fits, sends the whole
 * buffer with zeroes after its last letter. A browser shows each zero as '�', also in the value of a field, and a form sends it back. HTML holds no
 * zero byte of its own, so all are removed.
 *
 * Parts that React writes in one go leave as one chunk, since each chunk costs the compression and three streams as much as its first byte.
 */
export function htmlBody(): Transform {
  let held: Buffer[] = [];
  const release = (body: Transform) => {
    if (held.length === 0) return;
    const whole = Buffer.concat(held);
    held = [];
    body.push(whole.includes(0) ? whole.filter((byte) => byte !== 0) : whole);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held.length === 0) setImmediate(() => this.destroyed || release(this));
      held.push(chunk);
      done();
    },
    flush(done) {
      release(this);
      done();
    },
  });
}
