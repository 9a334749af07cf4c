import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '~db/embedded';
import { postgresAccount } from '~db/internal/postgresBinaries';
import { atEndOfFile } from '../endOfFile';

/** Debian puts it where the path of a person does not look. */
const PLACES = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The PgBouncer of this machine and its version; undefined where none is installed. */
export const installed = ((): { file: string; version: string } | undefined => {
  const file = PLACES.map((place) => join(place, 'pgbouncer')).find((one) => existsSync(one));
  if (!file) return undefined;
  const version = /[\d.]+/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))?.[0] ?? '';
  return { file, version };
})();

const running = new Set<{ child: ChildProcess; folder: string }>();
atEndOfFile(async () => {
  for (const one of [...running]) {
    running.delete(one);
    const ended = new Promise((resolve) => one.child.once('exit', resolve));
    if (one.child.exitCode === null && one.child.kill('SIGQUIT')) await ended;
    rmSync(one.folder, { recursive: true, force: true });
  }
});

/**
 * Starts the PgBouncer of this machine before the database of `url`, in transaction mode, and returns its address. Each
 * transaction takes the connection that rested longest. It ends with the file.
 */
export async function startPgbouncer(url: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const [base, own] = [pathname.slice(1), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'trastienda-pgbouncer-'));
  chmodSync(folder, 0o755);
  const ini = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${base} = host=${hostname} port=${port} dbname=${base} user=${username} password=${decodeURIComponent(password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 10',
    'max_client_conn = 500',
    'server_round_robin = 1',
  ];
  writeFileSync(ini, `${lines.join('\n')}\n`);
  chmodSync(ini, 0o644);
  // It refuses root.
  const child = spawn(installed!.file, [ini], { ...postgresAccount(), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  running.add({ child, folder });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  for (let tries = 0; !(await listens(own)); tries++) {
    if (child.exitCode !== null || tries === 100) throw new Error(`pgbouncer did not start: ${said}`);
    await sleep(50);
  }
  const address = new URL(url);
  address.host = `127.0.0.1:${own}`;
  return address.href;
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
