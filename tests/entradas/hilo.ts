import { connect, type Socket } from 'node:net';

/** How long a connection may leave its next request without an answer. */
const PATIENCE_MS = 10_000;

export type Said = { status: number; ms: number; closed: boolean };

/** One connection that sends requests as they are, each after the answer to the one before, and opens itself again where the server closed it. */
export class Hilo {
  #socket: Socket | undefined;
  #text = '';
  #wake = () => {};

  constructor(private readonly port: number) {}

  /** The status of the answer, 0 where there was none in time; `closed` where the server ended the connection with it. */
  async ask(head: readonly string[], body = ''): Promise<Said> {
    const began = performance.now();
    const method = /^\S*/.exec(head[0] ?? '')![0];
    await this.#open();
    this.#text = '';
    this.#socket!.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    let status: number | undefined;
    while (
      (status = this.#whole(method)) === undefined &&
      !this.#socket!.closed &&
      performance.now() - began < PATIENCE_MS
    )
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 100);
      });
    const closed = this.#socket!.closed || /^connection: close/im.test(this.#text);
    const ms = performance.now() - began;
    status ??= closed ? Number(this.#text.split(' ')[1]) || 0 : 0;
    if (closed || status === 0) this.end();
    return { status, ms, closed };
  }

  end() {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #open() {
    if (this.#socket && !this.#socket.closed) return;
    const socket = connect(this.port, '127.0.0.1');
    this.#socket = socket;
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.setEncoding('latin1').on('data', (chunk) => {
      this.#text += chunk;
      this.#wake();
    });
    socket.on('error', () => {}).on('close', () => this.#wake());
  }

  /** The status, once the answer is here to its end. */
  #whole(method: string): number | undefined {
    const end = this.#text.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const status = Number(this.#text.split(' ')[1]);
    const head = this.#text.slice(0, end);
    const body = this.#text.slice(end + 4);
    if (method === 'HEAD' || status === 204 || status === 304) return status;
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    const isHere =
      length !== undefined
        ? body.length >= Number(length)
        : /^transfer-encoding: *chunked/im.test(head) && body.endsWith('0\r\n\r\n');
    return isHere ? status : undefined;
  }
}
