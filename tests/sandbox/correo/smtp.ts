/** The SMTP side of the inbox. The server takes any mail from anyone, without TLS, and fails when a fault says so. */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { hangTime, sleep, type Faults } from '../faults';

export interface SmtpOptions {
  port: number;
  faults: Faults;
  deliver(raw: Buffer, recipients: string[]): Promise<unknown>;
}

const AT_CONNECT = ['503'];
const AT_MAIL = ['503', '429', 'reset', 'hang'];
/** Modes at a recipient: 'refuse' refuses every recipient of a mail, 'refuse-one' only the next one. */
const AT_RCPT = ['refuse', 'refuse-one'];
const AT_DATA = ['slow', 'hang-after-doing', 'reset-after-doing', '500-after-doing', 'half-answer', 'html'];

export async function startSmtp({ port, faults, deliver }: SmtpOptions) {
  const sockets = new Map<number, Socket>();
  /** Sessions whose current mail is refused for everyone. */
  const refusing = new Map<string, string>();
  const take = (modes: string[]) => faults.take('correo', 'SMTP', { modes });

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: 30 * 1024 * 1024,
    name: 'correo.sandbox',
    banner: 'sandbox de correo',
    closeTimeout: 200,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'sandbox' }),
    onConnect(_session, callback) {
      callback(take(AT_CONNECT) ? smtpError(421, 'Service not available, try again later') : null);
    },
    onMailFrom(_address, session, callback) {
      refusing.delete(session.id);
      const fault = take(AT_MAIL);
      if (!fault) return callback();
      if (fault.mode === '503') return callback(smtpError(421, 'Service not available, try again later'));
      if (fault.mode === '429') return callback(smtpError(450, '4.7.1 Too many messages, slow down'));
      void sleep(fault.mode === 'hang' ? hangTime(fault) : 0).then(() => cut(session));
    },
    onRcptTo({ address }, session, callback) {
      const fault = refusing.has(session.id) ? undefined : take(AT_RCPT);
      const reason = typeof fault?.message === 'string' ? fault.message : `5.1.1 <${address}> User unknown`;
      if (fault?.mode === 'refuse') refusing.set(session.id, reason);
      callback(fault || refusing.has(session.id) ? smtpError(550, refusing.get(session.id) ?? reason) : null);
    },
    onClose: (session) => void refusing.delete(session.id),
    onData(stream, session, callback) {
      receive(stream, session).then(
        (error) => error !== 'cut' && callback(error),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null | 'cut'> {
    const parts: Buffer[] = [];
    for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
    const fault = take(AT_DATA);
    if (fault?.mode === 'slow') await sleep(fault.ms ?? 3_000);
    await deliver(
      Buffer.concat(parts),
      session.envelope.rcptTo.map((recipient) => recipient.address),
    );
    if (!fault || fault.mode === 'slow') return null;
    if (fault.mode === '500-after-doing') return smtpError(451, '4.3.0 Internal error');
    if (fault.mode === 'hang-after-doing') await sleep(hangTime(fault));
    cut(session);
    return 'cut';
  }

  /** Cuts the connection of a session. Its socket is found by the port of the other side, because smtp-server does not hand it out. */
  function cut(session: SMTPServerSession) {
    sockets.get(session.remotePort)?.resetAndDestroy();
  }

  server.server.on('connection', (socket: Socket) => {
    const remote = socket.remotePort ?? 0;
    sockets.set(remote, socket);
    socket.on('close', () => sockets.delete(remote));
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') console.error('sandbox smtp:', error.message);
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });

  return {
    port: (server.server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
