import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import {
  createEmpresa,
  empresasList,
  findEmpresa,
  renameEmpresa,
  setEmpresaActiva,
  listPausadas,
} from '~/domain/personal/empresas.server';
import { openMercadolibre } from '~/domain/mercados/ml/cuenta.server';
import type { Usuario } from '~/core/usuario';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import { EN_PAUSA, isPaused } from '~/platform/connections/pause.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { savePacClient } from '~/domain/facturacion/receptores/internal/savePacClient.server';
import { processInbox, receiveNotice } from '~/domain/sync/inbox.server';
import { readPortada } from '~/domain/operacion/portada.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { action } from '~/routes/personal/empresas/lista';
import { buildPersona, CLIENTES } from '../../support/builders/ventas';
import { testDatabase } from '../../support/db';
import { runJobs } from '../../support/jobs';
import { fuenteDe, linkSandbox } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let sa: Usuario;

beforeAll(async () => {
  sa = await buildPersona(db, 'sa');
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: sa.id });
  await linkSandbox(db, sandbox);
  // Keys that are saved are probed; that ends before these tests pause anything.
  for (const { id } of await db.selectFrom('effect').select('id').execute()) await runEffect(effectRuntime(db), id);
  await forgetJobs();
});

/** The first sync, which linking asks for, is not these tests' business. */
const forgetJobs = () => sql`delete from graphile_worker._private_jobs`.execute(db);

const byName = (nombre: string) =>
  db.selectFrom('empresa').selectAll().where('nombre', '=', nombre).executeTakeFirstOrThrow();
async function turn(nombre: string, activo: boolean) {
  const { id, version } = await byName(nombre);
  return db.transaction().execute((trx) => setEmpresaActiva(trx, sa, { id, version, activo }));
}
const accept = (rfc: string) =>
  db.transaction().execute((trx) =>
    acceptEffect(trx, savePacClient, {
      request: {
        cliente: { ...CLIENTES.find((cliente) => cliente.rfc === rfc)!, emails: ['a@correo.test'] },
        uid: null,
      },
    }),
  );
const seen = async (api: string) => (await sandbox.requests(api, 5_000)).length;
const jobs = async () =>
  (await sql<{ key: string }>`select key from graphile_worker.jobs`.execute(db)).rows.map(({ key }) => key);

test('deactivating factura.com pauses its effects, which say so; activating lets them go at once', async () => {
  await turn('factura.com', false);
  const [asked, { id }] = [await seen('facturacom'), await accept('RAOF850412K20')];
  await runEffect(effectRuntime(db), id);
  expect(await effectView(db, id)).toMatchObject({ state: 'queued', reason: EN_PAUSA });
  expect((await effectView(db, id))!.nextAt.getTime()).toBeGreaterThan(Date.now() + 60_000);
  expect(await seen('facturacom')).toBe(asked);
  const [row] = await empresasList.window(db, empresasList.parse(new URLSearchParams({ q: 'factura' })), {
    indice: 0,
    total: 1,
    corte: null,
  });
  expect(row).toMatchObject({ nombre: 'factura.com', activo: false, pausedAt: expect.any(Date), enEspera: 1 });
  expect(await listPausadas(db)).toMatchObject([
    { conexion: 'facturacom', nombre: 'factura.com', pausedAt: expect.any(Date), enEspera: 1 },
  ]);
  const { pausadas, marca } = await readPortada(db);
  expect(pausadas.valor).toMatchObject([{ nombre: 'factura.com' }]);

  await turn('factura.com', true);
  expect(await effectView(db, id)).toMatchObject({ state: 'queued', reason: null });
  await runJobs();
  expect(await effectView(db, id)).toMatchObject({ state: 'done' });
  expect(await listPausadas(db)).toEqual([]);
  expect((await readPortada(db)).marca).not.toBe(marca);
});

test('the pause of one connection is no other’s', async () => {
  await turn('Mercado Libre', false);
  const { id } = await accept('P&M1207027V4');
  await runEffect(effectRuntime(db), id);
  expect(await effectView(db, id)).toMatchObject({ state: 'done' });
  await turn('Mercado Libre', true);
});

test('deactivating Mercado Libre stops syncs and notices; activating asks for what was missed', async () => {
  await turn('Mercado Libre', false);
  const ml = openMercadolibre(db);
  const asked = await seen('mercadolibre');
  for (const kind of ['sweep', 'cancelled', 'missed'] as const)
    expect(await syncVentas(db, fuenteDe(ml), { kind })).toBeNull();
  await receiveNotice(db, 'mercadolibre', { topic: 'orders_v2', resource: '/orders/2000000000000001' });
  const { id } = await db.selectFrom('inbox').select('id').executeTakeFirstOrThrow();
  await processInbox(db, id, () => fuenteDe(ml));
  expect(await db.selectFrom('inbox').select(['state', 'attempts']).where('id', '=', id).executeTakeFirst()).toEqual({
    state: 'pending',
    attempts: 0,
  });
  expect(await seen('mercadolibre')).toBe(asked);

  await forgetJobs();
  await turn('Mercado Libre', true);
  expect(await isPaused(db, 'mercadolibre')).toBe(false);
  expect(await jobs()).toEqual(
    expect.arrayContaining([
      'ventas.sync:todos:sweep',
      'ventas.sync:todos:cancelled',
      'ventas.sync:todos:missed',
      'inbox.sweep:sweep',
      'effect.sweep:sweep',
    ]),
  );
});

test('a company that is no integration pauses nothing', async () => {
  await db.transaction().execute((trx) => createEmpresa(trx, sa, 'Paquetería del Norte'));
  expect(await turn('Paquetería del Norte', false)).toBe('Paquetería del Norte');
  expect(await db.selectFrom('connection').select('kind').where('pausedAt', 'is not', null).execute()).toEqual([]);
  expect(
    await db
      .selectFrom('bitacora')
      .select(['accion', 'usuarioId'])
      .where('entidadId', '=', (await byName('Paquetería del Norte')).id)
      .orderBy('id')
      .execute(),
  ).toEqual([
    { accion: 'crear', usuarioId: sa.id },
    { accion: 'desactivar', usuarioId: sa.id },
  ]);
});

test('two companies do not share a name, whatever its capitals and accents', async () => {
  await expect(db.transaction().execute((trx) => createEmpresa(trx, sa, 'paqueteria DEL norte'))).rejects.toMatchObject(
    { titulo: 'Error al agregar.', campo: 'nombre' },
  );
  const { id, version } = await byName('Mercado Libre');
  await expect(
    db.transaction().execute((trx) => renameEmpresa(trx, sa, { id, version, nombre: 'Factura.com' })),
  ).rejects.toMatchObject({ titulo: 'Error de actualización.' });
});

test('two people who change the same company: the second is told', async () => {
  const { id, version } = await byName('Mercado Libre');
  await db.transaction().execute((trx) => renameEmpresa(trx, sa, { id, version, nombre: 'Mercado Libre México' }));
  await expect(
    db.transaction().execute((trx) => renameEmpresa(trx, sa, { id, version, nombre: 'ML' })),
  ).rejects.toThrow('Otra persona modificó este registro.');
  await expect(
    db.transaction().execute((trx) => setEmpresaActiva(trx, sa, { id, version, activo: false })),
  ).rejects.toThrow('Otra persona modificó este registro.');
  expect(await findEmpresa(db, id)).toMatchObject({ nombre: 'Mercado Libre México', activo: true });
});

const SOME = '019a0000-0000-7000-8000-000000000000';
const post = (body: Record<string, string>) =>
  action({
    request: new Request('http://trastienda.test/sa/empresas?q=x&agregar=1', {
      method: 'POST',
      body: new URLSearchParams(body),
    }),
    params: {},
    context: { usuario: sa } as unknown as AppLoadContext,
  } as ActionFunctionArgs);
const noticeOf = (answer: unknown) =>
  answer instanceof Response
    ? Buffer.from(
        decodeURIComponent(/aviso=([^;]+)/.exec(answer.headers.get('Set-Cookie') ?? '')?.[1] ?? ''),
        'base64',
      ).toString()
    : '';

test('the screen says what was agreed', async () => {
  const added = await post({ intent: 'agregar', nombre: 'Acme' });
  expect((added as Response).headers.get('Location')).toBe('?q=x');
  expect(noticeOf(added)).toContain('Se agrego la empresa correctamente.');
  const { id } = await byName('Acme');
  expect(noticeOf(await post({ intent: 'editar', id, version: '1', nombre: 'Acme 2' }))).toContain(
    'Se modifico la empresa correctamente.',
  );
  const estatus = { intent: 'estatus', id, version: '2', activo: '0' };
  expect(await post(estatus)).toMatchObject({
    data: { confirmar: { texto: '¿Esta seguro que desea desactivar la empresa Acme 2?' } },
  });
  expect(noticeOf(await post({ ...estatus, confirmado: '1' }))).toContain(
    'El estatus de la empresa Acme 2 se cambio correctamente.',
  );
  expect(await post({ ...estatus, id: SOME, confirmado: '1' })).toMatchObject({
    data: { titulo: 'Error de desactivación.' },
    init: { status: 422 },
  });
  expect(await post({ ...estatus, id: SOME, activo: '1', confirmado: '1' })).toMatchObject({
    data: { titulo: 'Error de activación.' },
  });
  expect(await post({ intent: 'agregar', nombre: ' ' })).toMatchObject({ init: { status: 422 } });
  const ml = await byName('Mercado Libre México');
  expect(await post({ intent: 'estatus', id: ml.id, version: String(ml.version), activo: '0' })).toMatchObject({
    data: { confirmar: { texto: expect.stringContaining('quedan en pausa') } },
  });
});
