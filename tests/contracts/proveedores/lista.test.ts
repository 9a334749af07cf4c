/** A list that comes as one answer, while whoever reads it is slower than whoever sends it. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apartado } from '~/integrations/apartado.server';
import { Unavailable } from '~/integrations/errors';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { createTsReader } from '~/integrations/proveedores/ts/read.server';

const before = process.env.TMPDIR;
let scratch: string;
let servers: Server[] = [];
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'lista-'));
  process.env.TMPDIR = scratch;
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(scratch, { recursive: true });
  for (const server of servers) server.closeAllConnections();
  servers = [];
});

const PRODUCTOS = 1_200;
/** So long that all of them fit in no buffer between two processes. */
const LARGO = 'x'.repeat(30_000);
const producto = (n: number) =>
  JSON.stringify({ item_id: n, sku: `M-${n}`, name: LARGO, brand: 'ACME', currency: 'MXN', sale_price: '10.50' });

/** TecnoSinergia, and when the last byte of its list was taken from it. */
async function tecnosinergia() {
  const list = Array.from({ length: PRODUCTOS }, (_, n) => producto(n)).join(',');
  const body = `{"status":true,"code":0,"data":[${list}]}`;
  let sent = () => {};
  const allTaken = new Promise<void>((resolve) => (sent = resolve));
  const server = createServer((_, response) => {
    response.once('finish', () => sent());
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { lector: createTsReader({ baseUrl, acceso: accesoFijo('t') }), allTaken };
}

test('all of a list is taken from its server while its first stretch is still being written', async () => {
  const { lector, allTaken } = await tecnosinergia();
  let found = 0;
  for await (const { crudos } of lector.catalogo(null)) {
    await allTaken;
    // Nothing that a killed process would leave behind.
    expect(readdirSync(scratch)).toEqual([]);
    found += crudos.length;
  }
  expect(found).toBe(PRODUCTOS);
});

test('a read that nobody goes on with lets go of the list', async () => {
  const { lector } = await tecnosinergia();
  for await (const { crudos } of lector.catalogo(null)) {
    expect(crudos).not.toEqual([]);
    break;
  }
  expect(readdirSync(scratch)).toEqual([]);
});

async function taken(chunks: AsyncIterable<Uint8Array>, tope?: { bytes: number; ms: number }) {
  let text = '';
  try {
    for await (const chunk of apartado(chunks, 'CT', tope)) text += Buffer.from(chunk).toString();
  } catch (error) {
    return { text, error };
  }
  return { text, error: null };
}

test('what came of a list that was lost on the way is told, and then that it was lost', async () => {
  const lost = new Unavailable('la conexión se cortó');
  async function* cut() {
    yield Buffer.from('uno ');
    yield await Promise.resolve(Buffer.from('dos'));
    throw lost;
  }
  expect(await taken(cut())).toEqual({ text: 'uno dos', error: lost });
});

test('a list without an end is left at its bound, of bytes or of time', async () => {
  let ended = 0;
  async function* endless() {
    try {
      for (;;) yield await Promise.resolve(Buffer.from('0123456789'));
    } finally {
      ended += 1;
    }
  }
  const large = await taken(endless(), { bytes: 35, ms: 60_000 });
  expect(large).toEqual({ text: '012345678901234567890123456789', error: expect.any(Unavailable) });
  const long = await taken(endless(), { bytes: 1e9, ms: 0 });
  expect(long).toEqual({ text: '', error: expect.any(Unavailable) });
  expect(ended).toBe(2);
});
