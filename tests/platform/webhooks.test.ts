import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { EVENTOS, readCuerpo } from '~/api/eventos.server';
import { watchCondiciones } from '~/domain/operacion/mantenimiento/condiciones.server';
import type { Condicion, Hallazgo } from '~/domain/operacion/mantenimiento/internal/condicion';
import { sendPrueba } from '~/platform/webhooks/announce.server';
import { deliver } from '~/platform/webhooks/deliver.server';
import { TIPOS } from '~/platform/webhooks/gancho';
import {
  createGancho,
  listGanchos,
  resend,
  removeGancho,
  puertosPermitidos,
  requireDireccion,
  rotateSecreto,
} from '~/platform/webhooks/ganchos.server';
import { sweepGanchos, distribute } from '~/platform/webhooks/distribute.server';
import { isPublica, type Resolver } from '~/integrations/ganchos/direccion.server';
import { createEmisor } from '~/integrations/ganchos/emisor.server';
import { buildFactura } from '../support/builders/facturas';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock } from '../support/builders/stock';
import { testDatabase } from '../support/db';
import { described } from '../support/api';

process.env.GANCHOS_RED_PRIVADA = '1';
const algo = (hallazgo: Hallazgo | null): Condicion => ({ clave: 'algo', mira: () => Promise.resolve(hallazgo) });
const { db } = testDatabase();
let quien: string;

beforeAll(async () => {
  quien = (await buildQuien(db, 'sa')).id;
});

type Recibido = { headers: IncomingMessage['headers']; body: string };
type Responde = (response: ServerResponse, recibido: Recibido) => void;
const cerrar: (() => void)[] = [];

afterEach(async () => {
  cerrar.splice(0).forEach((close) => close());
  await db.deleteFrom('gancho').execute();
  await db.deleteFrom('ganchoEvento').execute();
});

const bien: Responde = (response) => void response.writeHead(204).end();

async function escuchar(responde: Responde = bien) {
  const recibidos: Recibido[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      recibidos.push({ headers: request.headers, body });
      responde(response, recibidos.at(-1)!);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cerrar.push(() => (server.closeAllConnections(), server.close()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/aviso`, recibidos };
}

const crear = async (url: string, tipos: (typeof TIPOS)[number][] = ['orden.creada']) => {
  const secreto = await db
    .transaction()
    .execute((trx) => createGancho(trx, { nombre: 'Otro sistema', url, tipos }, quien));
  const { id } = await db.selectFrom('gancho').select('id').where('url', '=', url).executeTakeFirstOrThrow();
  return { id, secreto };
};

const salir = async (id: string) => {
  await distribute(db, readCuerpo);
  await deliver(db, id, new AbortController().signal);
};
const yaMismo = async () => {
  await sql`update gancho_entrega set proximo_en = now() where estado = 'pendiente'`.execute(db);
  await sql`update gancho set espera_hasta = now()`.execute(db);
};
const entregas = () =>
  db.selectFrom('ganchoEntrega').select(['id', 'estado', 'intentos', 'status', 'detalle']).orderBy('id').execute();

/** As the standard's own page writes it. */
const firmaDe = (secreto: string, { headers, body }: Recibido) =>
  `v1,${createHmac('sha256', Buffer.from(secreto.replace('whsec_', ''), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest('base64')}`;

test('what happened is told once, signed, in the shape that the API answers', async () => {
  const { url, recibidos } = await escuchar();
  const { id, secreto } = await crear(url);
  const orden = await buildOrden(db);
  await salir(id);
  expect(recibidos).toHaveLength(1);
  const [uno] = recibidos as [Recibido];
  expect(uno.headers['webhook-signature']).toBe(firmaDe(secreto, uno));
  expect(Math.abs(Number(uno.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  const body = JSON.parse(uno.body) as { type: string; data: { numOrden: string } };
  expect([body.type, body.data.numOrden]).toEqual(['orden.creada', orden.numOrden]);
  expect(EVENTOS['orden.creada'].data.safeParse(body.data).error).toBeUndefined();
  expect(await entregas()).toMatchObject([{ estado: 'entregada', intentos: 1, status: 204 }]);
  await salir(id);
  expect(recibidos).toHaveLength(1);
});

test('what nobody wants leaves no row, and what was undone is not told', async () => {
  await buildOrden(db);
  const { url } = await escuchar();
  await crear(url, ['reclamo.nuevo']);
  await buildOrden(db);
  await crear(`${url}2`, ['orden.creada']);
  await db
    .transaction()
    .execute(async (trx) => {
      await buildOrden(trx);
      throw new Error('deshecho');
    })
    .catch(() => undefined);
  expect(await db.selectFrom('ganchoEvento').select('id').execute()).toEqual([]);
});

test('each kind is told by what the domain writes', async () => {
  const { url, recibidos } = await escuchar();
  const { id } = await crear(url, [...TIPOS]);
  const orden = await buildOrden(db);
  await db
    .updateTable('orden')
    .set({ version: sql<number>`version + 1` })
    .where('id', '=', orden.id)
    .execute();
  // Looking again moves no version.
  await db.updateTable('orden').set({ revisiones: 3 }).where('id', '=', orden.id).execute();
  const factura = await buildFactura(db);
  await db.updateTable('factura').set({ estatus: 'cancelada' }).where('id', '=', factura.id).execute();
  await buildPiezas(db, quien, { producto: (await buildProductoDeStock(db)).id });
  const pedido = await db
    .insertInto('pedido')
    .values({ market: 'ml', numOrden: orden.numOrden, proveedor: 'syscom', via: 'api' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('pedidoLinea')
    .values({
      pedidoId: pedido.id,
      posicion: 1,
      ordenId: orden.id,
      idProveedor: 'P1',
      modelo: 'M1',
      descripcion: 'Pieza',
      cantidad: 1,
    })
    .execute();
  const deMercado = { market: 'ml', fecha: new Date(), leidaEn: new Date(), datos: '{}' } as const;
  await db
    .insertInto('pregunta')
    .values([
      { ...deMercado, marketId: '1', publicacionId: 'MLM1', texto: '¿Hay?', estatus: 'pendiente' },
      { ...deMercado, marketId: '2', publicacionId: 'MLM1', texto: '¿Había?', estatus: 'respondida' },
    ])
    .execute();
  const { leidaEn: _, ...abierto } = deMercado;
  await db
    .insertInto('reclamo')
    .values({
      ...abierto,
      marketId: '1',
      recurso: 'order',
      recursoId: '1',
      estatus: 'abierto',
      tipo: 'mediations',
      actualizadoEn: new Date(),
      leidoEn: new Date(),
    })
    .execute();
  const { id: pedida } = await db
    .insertInto('effect')
    .values({
      type: 'cfdi.stamp',
      key: `orden:ml:${orden.numOrden}`,
      ref: orden.numOrden,
      connection: 'facturacom',
      request: JSON.stringify({ numOrden: orden.numOrden }),
      requestHash: Buffer.from('pedida'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('effectSubject').values({ effectId: pedida, entidad: 'orden', entidadId: orden.id }).execute();
  await db
    .updateTable('effect')
    .set({ state: 'refused', reason: 'No', settledAt: new Date() })
    .where('id', '=', pedida)
    .execute();
  await watchCondiciones(db, [algo({ nivel: 'aviso', texto: 'Algo pasa.', remedio: 'Haz algo.' })]);
  await salir(id);
  const dichos = recibidos.map(({ body }) => JSON.parse(body) as { type: keyof typeof EVENTOS; data: unknown });
  const cuantas = (tipo: string) => dichos.filter(({ type }) => type === tipo).length;
  // The factura has a sale of its own.
  for (const tipo of TIPOS) expect([tipo, cuantas(tipo) > 0]).toEqual([tipo, true]);
  expect([cuantas('pregunta.nueva'), cuantas('factura.cancelada')]).toEqual([1, 1]);
  for (const { type, data } of dichos)
    expect([type, EVENTOS[type].data.safeParse(data).error]).toEqual([type, undefined]);
  const { webhooks } = described() as unknown as { webhooks: Record<string, unknown> };
  expect(Object.keys(webhooks).sort()).toEqual([...TIPOS].sort());
});

test('what somebody has to see to is told in a sentence too, when it begins, gets worse and ends, and to whom asked for it alone', async () => {
  await db.deleteFrom('condicion').execute();
  const [quiere, otro] = [await escuchar(), await escuchar()];
  const { id } = await crear(quiere.url, ['condicion.cambiada']);
  const { id: ajeno } = await crear(otro.url, ['orden.creada']);
  const aviso = { nivel: 'aviso', texto: 'Algo pasa.', remedio: 'Haz algo.', pantalla: 'estado' } as const;
  await watchCondiciones(db, [algo(aviso)]);
  await watchCondiciones(db, [algo(aviso)]);
  await watchCondiciones(db, [algo({ ...aviso, nivel: 'grave' })]);
  await sql`update condicion set vista_en = now() - interval '6 minutes'`.execute(db);
  await watchCondiciones(db, [algo(null)]);
  await salir(id);
  await salir(ajeno);
  const dichos = quiere.recibidos.map(({ body }) => JSON.parse(body) as { text: string; data: { estado: string } });
  const enOrden = (cual: (typeof dichos)[number]) => ['aviso', 'grave', 'resuelta'].indexOf(cual.data.estado);
  expect(dichos.sort((a, b) => enOrden(a) - enOrden(b))).toMatchObject([
    { type: 'condicion.cambiada', text: 'Aviso: Algo pasa. Haz algo.', data: { clave: 'algo', pantalla: 'estado' } },
    { text: 'Atención: Algo pasa. Haz algo.' },
    { text: 'Resuelto: Algo pasa.', data: { clave: 'algo', remedio: null } },
  ]);
  expect(otro.recibidos).toEqual([]);
  await db.deleteFrom('gancho').execute();
  await db.deleteFrom('ganchoEvento').execute();
  await watchCondiciones(db, [algo(aviso)]);
  expect(await db.selectFrom('ganchoEvento').select('id').execute()).toEqual([]);
});

test('a test reaches one receiver, signed, also while it is left alone; what it answered stands on the screen', async () => {
  let responde: Responde = (response) => void response.writeHead(500).end('no puedo');
  const { url, recibidos } = await escuchar((response, recibido) => responde(response, recibido));
  const { id, secreto } = await crear(url, ['reclamo.nuevo']);
  const otro = await escuchar();
  await crear(otro.url);
  const probar = () => db.transaction().execute((trx) => sendPrueba(trx, { gancho: id }, quien));
  await probar();
  await salir(id);
  expect((await listGanchos(db))[0]).toMatchObject({
    fallos: 1,
    ultimas: [{ tipo: 'prueba', estado: 'pendiente', detalle: 'Respondió 500. no puedo' }],
  });
  responde = bien;
  // The receiver failed a moment ago and is left alone, and the first test waits for its next try.
  await salir(id);
  expect(recibidos).toHaveLength(1);
  await probar();
  await salir(id);
  const ultimo = recibidos.at(-1)!;
  expect(ultimo.headers['webhook-signature']).toBe(firmaDe(secreto, ultimo));
  expect(JSON.parse(ultimo.body)).toMatchObject({
    type: 'prueba',
    text: 'Prueba de Trastienda para Otro sistema.',
    data: { receptor: 'Otro sistema' },
  });
  expect((await entregas()).map(({ estado }) => estado)).toEqual(['pendiente', 'entregada']);
  expect(otro.recibidos).toEqual([]);
  const gone = db.transaction().execute((trx) => sendPrueba(trx, { gancho: quien }, quien));
  await expect(gone).rejects.toThrow('Ese receptor ya no está.');
});

test('what failed is tried again with the same id, a receiver that fails is left alone, and after a day it is dead', async () => {
  let responde: Responde = (response) => void response.writeHead(500).end('no\u0000 puedo');
  const { url, recibidos } = await escuchar((response, recibido) => responde(response, recibido));
  const { id } = await crear(url);
  await buildOrden(db);
  await salir(id);
  expect(await entregas()).toMatchObject([
    { estado: 'pendiente', intentos: 1, status: 500, detalle: 'Respondió 500. no puedo' },
  ]);
  await sql`update gancho_entrega set proximo_en = now()`.execute(db);
  await salir(id);
  expect(recibidos).toHaveLength(1);
  await yaMismo();
  await salir(id);
  expect(recibidos).toHaveLength(2);
  expect(recibidos[1]!.headers['webhook-id']).toBe(recibidos[0]!.headers['webhook-id']);
  await sql`update gancho_entrega set vence_en = now()`.execute(db);
  await yaMismo();
  await salir(id);
  const [muerta] = await entregas();
  expect(muerta).toMatchObject({ estado: 'muerta', intentos: 3 });
  expect((await listGanchos(db))[0]).toMatchObject({ muertas: 1, fallos: 3, sinEntregar: [{ id: muerta!.id }] });
  responde = bien;
  expect(await db.transaction().execute((trx) => resend(trx, { entrega: muerta!.id }, quien))).toBe(1);
  await salir(id);
  expect(recibidos.at(-1)!.headers['webhook-id']).toBe(recibidos[0]!.headers['webhook-id']);
  expect(await entregas()).toMatchObject([{ estado: 'entregada' }]);
  expect((await listGanchos(db))[0]).toMatchObject({ muertas: 0, fallos: 0 });
  // A second press finds nothing to send.
  expect(await db.transaction().execute((trx) => resend(trx, { entrega: muerta!.id }, quien))).toBe(0);
});

test('what waited a day for a receiver that nobody could ask is dead too', async () => {
  const { url } = await escuchar();
  await crear(url);
  await buildOrden(db);
  await distribute(db, readCuerpo);
  await sql`update gancho_entrega set vence_en = now() - interval '1 hour'`.execute(db);
  await sweepGanchos(db);
  expect(await entregas()).toMatchObject([{ estado: 'muerta', intentos: 0 }]);
});

test('one receiver at a time is delivered to by one process, and what came meanwhile has a job', async () => {
  const { url, recibidos } = await escuchar();
  const { id } = await crear(url);
  await buildOrden(db);
  await distribute(db, readCuerpo);
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  const signal = new AbortController().signal;
  await Promise.all([deliver(db, id, signal), deliver(db, id, signal)]);
  expect(recibidos).toHaveLength(1);
  await sql`update gancho set espera_hasta = now() + interval '1 minute'`.execute(db);
  await buildOrden(db);
  await distribute(db, readCuerpo);
  await deliver(db, id, signal);
  expect(recibidos).toHaveLength(1);
  const { rows } = await sql<{ late: boolean }>`
    select run_at > now() + interval '50 seconds' as late from graphile_worker._private_jobs where key = ${`ganchos.entregar:${id}`}`.execute(
    db,
  );
  expect(rows).toEqual([{ late: true }]);
});

test('while a secret changes both sign, and a day later the new one alone', async () => {
  const { url, recibidos } = await escuchar();
  const { id, secreto: primero } = await crear(url);
  const segundo = await db.transaction().execute((trx) => rotateSecreto(trx, { gancho: id, version: 1 }, quien));
  await buildOrden(db);
  await salir(id);
  expect(recibidos[0]!.headers['webhook-signature']).toBe(
    `${firmaDe(segundo, recibidos[0]!)} ${firmaDe(primero, recibidos[0]!)}`,
  );
  await sql`update gancho set anterior_hasta = now()`.execute(db);
  await buildOrden(db);
  await salir(id);
  expect(recibidos[1]!.headers['webhook-signature']).toBe(firmaDe(segundo, recibidos[1]!));
  const moved = db.transaction().execute((trx) => removeGancho(trx, { gancho: id, version: 1 }, quien));
  await expect(moved).rejects.toThrow('Otra persona');
});

const enviarA = (url: string, opciones: Partial<Parameters<typeof createEmisor>[0]> = {}) => {
  const emisor = createEmisor({ privadas: true, ...opciones });
  cerrar.push(() => emisor.close());
  return emisor.send({ url, headers: {}, body: '{}' });
};

test.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['172.32.0.1', true],
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
])('%s is public: %s', (address, publica) => expect(isPublica(address)).toBe(publica));

test('an address in a private network is refused, also as one among others, and the name is asked once', async () => {
  const { url, recibidos } = await escuchar();
  expect(await enviarA(url, { privadas: false })).toEqual({
    ok: false,
    status: null,
    detalle: 'La dirección lleva a una red privada.',
  });
  expect(await enviarA('http://[::ffff:127.0.0.1]:9/', { privadas: false })).toMatchObject({
    detalle: 'La dirección lleva a una red privada.',
  });
  const two: Resolver = () =>
    Promise.resolve([
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  expect(await enviarA('http://dos.ejemplo/', { privadas: false, resolve: two })).toMatchObject({
    detalle: 'La dirección lleva a una red privada.',
  });
  expect(recibidos).toEqual([]);
  // The connection goes to what was looked at: a name that nobody else knows arrives.
  let asked = 0;
  const once: Resolver = () => (asked++, Promise.resolve([{ address: '127.0.0.1', family: 4 }]));
  const named = new URL(url);
  named.hostname = 'solo-aqui.ejemplo';
  expect(await enviarA(named.href, { resolve: once })).toMatchObject({ ok: true, status: 204 });
  expect([asked, recibidos[0]!.headers.host]).toEqual([1, named.host]);
});

test('an address is looked at before it is taken', async () => {
  const { env } = await import('~/core/env.server');
  env().GANCHOS_RED_PRIVADA = '0';
  try {
    await expect(requireDireccion('https://127.0.0.1/')).rejects.toThrow('red privada');
    await expect(requireDireccion('http://93.184.216.34/')).rejects.toThrow('https');
    await expect(requireDireccion('https://93.184.216.34/')).resolves.toBeUndefined();
    await expect(requireDireccion('https://93.184.216.34:22/')).rejects.toThrow('solo a estos puertos: 443.');
    expect(puertosPermitidos()).toEqual(['443']);
    env().GANCHOS_PUERTOS = '443,8443';
    expect(puertosPermitidos()).toEqual(['443', '8443']);
    await expect(requireDireccion('https://93.184.216.34:8443/')).resolves.toBeUndefined();
  } finally {
    env().GANCHOS_PUERTOS = '443';
    env().GANCHOS_RED_PRIVADA = '1';
  }
});

test('a redirect is not followed', async () => {
  const other = await escuchar();
  const { url } = await escuchar((response) => void response.writeHead(302, { Location: other.url }).end());
  expect(await enviarA(url)).toMatchObject({ ok: false, status: 302 });
  expect(other.recibidos).toEqual([]);
});

test('of an answer of a gigabyte no more is read than its beginning', async () => {
  let sent = 0;
  const part = Buffer.alloc(64 * 1024, 'x');
  const { url } = await escuchar((response) => {
    response.writeHead(500, { 'Content-Length': String(2 ** 30) });
    const more = () => {
      while (!response.destroyed && sent < 2 ** 30) {
        sent += part.length;
        if (!response.write(part)) return void response.once('drain', more);
      }
    };
    more();
  });
  const { status, detalle } = await enviarA(url);
  expect([status, detalle!.length < 300, sent < 2 ** 26]).toEqual([500, true, true]);
});

test('who does not answer in time is not waited for', async () => {
  const { url } = await escuchar(() => undefined);
  expect(await enviarA(url, { timeoutMs: 50 })).toEqual({ ok: false, status: null, detalle: 'No contestó a tiempo.' });
  // A status was told: the words that never come change nothing.
  const drips = await escuchar((response) => void response.writeHead(200).write('x'));
  expect(await enviarA(drips.url, { timeoutMs: 300 })).toMatchObject({ ok: true, status: 200 });
});
