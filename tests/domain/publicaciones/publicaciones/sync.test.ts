import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import {
  activarPublicaciones,
  cambiarPrecios,
  pausarPublicaciones,
  ponerPrecioDeRegla,
  volverAlPrecio,
} from '~/domain/publicaciones/publicaciones/internal/lotesDePublicaciones.server';
import { prepareBatch, runBatch, startBatch, type Accion } from '~/platform/batches/prepared.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { editPublicacion, readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { readDescripciones } from '~/domain/publicaciones/publicaciones/descripciones.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { parseAviso } from '~/domain/mercados/ml/avisos.server';
import { drainInbox, receiveNotice } from '~/domain/sync/inbox.server';
import {
  bringMovidas,
  bringTodas,
  bringPublicaciones,
} from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { lecturasOfPublicaciones } from '~/integrations/mercadolibre/publicacionesReads.server';
import { action as enLote } from '~/routes/operacion/lotes/lote';
import { seedCatalogo } from '../../../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { buildUsuario, linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';
import { PROBADA } from '../../../support/sesion';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const item = (id: string, body: object) => ml.post(`/publicaciones/${id}`, { sinAviso: true, ...body });
const de = (clave: string) =>
  db
    .selectFrom('publicacion')
    .selectAll()
    .where('market', '=', 'ml')
    .where('clave', '=', clave)
    .executeTakeFirstOrThrow();

let producto: { id: string; proveedor: string; idProveedor: string };
beforeAll(async () => {
  await linkSandbox(db, sandbox);
  await seedCatalogo(ownerDatabase().db, 300);
  producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor', 'idProveedor'])
    .where('idProveedor', '=', 'P100')
    .executeTakeFirstOrThrow();
  await ml.post('/publicaciones', { cantidad: 230, skus: [`AMS|${producto.idProveedor}|${producto.proveedor}|X`] });
});

describe('all that is on sale', () => {
  test('is read whole by scan and twenty at a time, each joined to the product its sku names', async () => {
    expect(await bringTodas(db, 'ml')).toBe('fin');
    const { n } = await db
      .selectFrom('publicacion')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(230);
    const primera = await de('MLM3000000000');
    expect(primera).toMatchObject({
      productoId: producto.id,
      proveedor: producto.proveedor,
      estatus: 'active',
      tipo: 'gold_special',
      stock: 10,
      autoSync: false,
    });
    expect(primera.precio?.toFixed(2)).toBe('500.00');
    const [run] = await db.selectFrom('syncRun').selectAll().where('kind', '=', 'publicaciones').execute();
    expect(run).toMatchObject({ seen: 230, written: 230, failed: 0, error: null });
  });

  test('a reading that was stopped goes on, and does not read again what it met', async () => {
    expect(await bringTodas(db, 'ml', { sliceMs: 0 })).toBe('sigue');
    const abierto = await db
      .selectFrom('publicacionBarrido')
      .select(['vistas', 'sigue'])
      .where('terminoEn', 'is', null)
      .executeTakeFirstOrThrow();
    expect(abierto.vistas).toBe(100);
    expect(await bringTodas(db, 'ml')).toBe('fin');
    const lecturas = await db.selectFrom('publicacionBarrido').select(['completo', 'escritas']).orderBy('id').execute();
    expect(lecturas.map(({ completo }) => completo)).toEqual([true, true]);
    // Nothing had changed, so nothing was written.
    expect(lecturas.at(-1)!.escritas).toBe(0);
  });

  test('what the marketplace no longer lists is gone after the second reading without it, and comes back as the same row', async () => {
    const { id } = await de('MLM3000000229');
    await ml.post('/publicaciones', { cantidad: 229, skus: [] });
    await bringTodas(db, 'ml');
    expect((await de('MLM3000000229')).ausenteDesde).toBeNull();
    await bringTodas(db, 'ml');
    expect((await de('MLM3000000229')).ausenteDesde).not.toBeNull();
    await ml.post('/publicaciones', { cantidad: 230, skus: [`AMS|${producto.idProveedor}|${producto.proveedor}|X`] });
    await bringTodas(db, 'ml');
    expect(await de('MLM3000000229')).toMatchObject({ id, ausenteDesde: null, ausencias: 0 });
  });

  test('a hundred refused texts keep no other back, and are asked for later and later', async () => {
    await bringTodas(db, 'ml');
    // The refused ones, MLM3000000100 to 199, are the newest: all of one run.
    await sql`update publicacion set fecha_creacion = now() where clave like 'MLM30000001__'`.execute(db);
    await ml.post('/interruptores', { noEsTuyo: '/items/MLM30000001' });
    try {
      expect(await readDescripciones(db, 'ml')).toBe(0);
      expect(await readDescripciones(db, 'ml', { most: 200 }), 'the good ones').toBe(130);
      expect(await readDescripciones(db, 'ml')).toBe(0);
      const esperas = async () => {
        const { rows } = await sql<{ negada: number; dias: number; cuantas: number }>`
          select descripcion_negada as negada, round(extract(epoch from descripcion_pedir_en - now()) / 86400)::int as dias, count(*)::int as cuantas
          from publicacion where descripcion is null group by 1, 2`.execute(db);
        return rows;
      };
      expect(await esperas()).toEqual([{ negada: 1, dias: 1, cuantas: 100 }]);
      await sql`update publicacion set descripcion_pedir_en = now()`.execute(db);
      expect(await readDescripciones(db, 'ml')).toBe(0);
      expect(await esperas()).toEqual([{ negada: 2, dias: 2, cuantas: 100 }]);
    } finally {
      await ml.post('/interruptores', { noEsTuyo: '' });
    }
    await sql`update publicacion set descripcion_pedir_en = now()`.execute(db);
    expect(await readDescripciones(db, 'ml')).toBe(100);
  });

  test('what changed last is met without reading the rest', async () => {
    await bringMovidas(db, 'ml');
    await item('MLM3000000200', { price: 777, quantity: 3 });
    expect(await bringMovidas(db, 'ml')).toBe(1);
    const movida = await de('MLM3000000200');
    expect([movida.precio?.toFixed(2), movida.stock]).toEqual(['777.00', 3]);
  });

  test('of one with variants the lowest price and all pieces are shown', async () => {
    await item('MLM4000000001', {
      variations: [
        { id: 11, price: 300, quantity: 2, sku: null },
        { id: 12, price: 250, quantity: 5, sku: null },
      ],
    });
    await bringPublicaciones(db, fuenteOf('ml'), ['MLM4000000001']);
    const leida = await de('MLM4000000001');
    expect([leida.precio?.toFixed(2), leida.stock, leida.variantes]).toEqual(['250.00', 7, 2]);
  });

  test('an answer that was asked for before we told a price does not bring the old one back', async () => {
    await db
      .updateTable('publicacion')
      .set({ dichoEn: new Date(Date.now() + 60_000), precio: Money.of('999.00') })
      .where('clave', '=', 'MLM3000000001')
      .execute();
    await item('MLM3000000001', { price: 1, title: 'Otro titulo' });
    await bringPublicaciones(db, fuenteOf('ml'), ['MLM3000000001']);
    const leida = await de('MLM3000000001');
    expect([leida.precio?.toFixed(2), leida.titulo]).toEqual(['999.00', 'Otro titulo']);
  });
});

describe('a notice', () => {
  const avisar = async (...claves: string[]) => {
    for (const clave of claves)
      await receiveNotice(db, 'mercadolibre', { topic: 'items', resource: `/items/${clave}` });
    await drainInbox(db);
  };

  test('of a change is read, and many in one question', async () => {
    const claves = Array.from({ length: 15 }, (_, n) => `MLM30000001${n + 10}`);
    for (const clave of claves) await item(clave, { price: 888 });
    const { rows } = await sql<{ desde: Date }>`select clock_timestamp() as desde`.execute(db);
    await avisar(...claves);
    for (const clave of claves) expect((await de(clave)).precio?.toFixed(2)).toBe('888.00');
    const preguntas = (await sandbox.requests('mercadolibre', 200)).filter(
      ({ at, path }) => at >= rows[0]!.desde.toISOString() && path.includes('/items?ids='),
    );
    expect(preguntas).toHaveLength(1);
    const pendientes = await db
      .selectFrom('inbox')
      .select('id')
      .where('topic', '=', 'items')
      .where('state', '<>', 'done')
      .execute();
    expect(pendientes).toEqual([]);
  });

  test('names an item and nothing else', () => {
    expect(parseAviso('items', 'items/MLM123')?.resource).toBe('/items/MLM123');
    expect(parseAviso('items', '/items/MLM123/../../users/1')).toBeUndefined();
  });

  test('that names a listing of somebody else brings nothing', async () => {
    const body = { id: 'MLM9', title: 'Ajena', status: 'active', seller_id: 99 };
    const lecturas = lecturasOfPublicaciones(
      (_path, _what, schema) => Promise.resolve({ doc: schema.parse([{ code: 200, body }]), raw: null }),
      () => Promise.resolve('1'),
    );
    expect(await lecturas.varios(['MLM9'])).toEqual([{ id: 'MLM9', falta: true }]);
  });
});

describe('the list', () => {
  const claves = async (query: string) => {
    const filtro = publicacionesList.parse(new URLSearchParams(query));
    const [{ filas }, { registros }] = await Promise.all([
      publicacionesList.first(db, filtro),
      publicacionesList.totals(db, filtro),
    ]);
    return { n: registros, claves: filas.map(({ clave }) => clave) };
  };
  test('opens with both marketplaces, the oldest first; a checkbox alone leaves the other out', async () => {
    const todas = await claves('');
    expect(todas.n).toBe(231);
    expect(todas.claves[0]).toBe('MLM3000000229');
    expect((await claves('ml=1')).n).toBe(231);
    expect((await claves('amz=1')).n).toBe(0);
    expect((await claves('ml=1&amz=1')).n).toBe(231);
  });
  test('is searched by number, by title and by a whole sku, and sorted by price', async () => {
    expect((await claves('q=MLM3000000007')).claves).toEqual(['MLM3000000007']);
    expect((await claves('q=Otro titulo')).claves).toEqual(['MLM3000000001']);
    expect((await claves(`q=AMS|${producto.idProveedor}|${producto.proveedor}|X`)).claves).toEqual(['MLM3000000000']);
    expect((await claves('orden=precio')).claves[0]).toBe('MLM4000000001');
  });
  test('is told apart by state, by supplier and by whether a product stands behind it, and sorted by the first two', async () => {
    const { id } = await de('MLM3000000009');
    await db.updateTable('publicacion').set({ estatus: 'paused' }).where('id', '=', id).execute();
    expect((await claves('estatus=paused')).claves).toEqual(['MLM3000000009']);
    // What is called the same at another marketplace is the same state.
    expect((await claves('estatus=DONE')).n).toBe((await claves('estatus=active')).n);
    const { proveedor } = await de('MLM3000000000');
    const suyas = await claves(`proveedor=${proveedor}`);
    expect(suyas.claves).toContain('MLM3000000000');
    expect((await claves('sinProducto=1')).claves).not.toContain('MLM3000000000');
    expect((await claves('orden=-estatus')).claves[0]).toBe('MLM3000000009');
    expect((await claves('orden=proveedor')).claves.slice(0, suyas.n)).toContain('MLM3000000000');
    const chips = publicacionesList.chips(
      publicacionesList.parse(new URLSearchParams('estatus=paused&sinProducto=1')),
      publicacionesList.parse(new URLSearchParams()),
    );
    expect(JSON.stringify(chips)).toMatch(/Pausada.*Sin producto/);
    await db.updateTable('publicacion').set({ estatus: 'active' }).where('id', '=', id).execute();
  });
});

describe('an edit', () => {
  const editar = async (clave: string, cambio: object) => {
    const usuario = await buildUsuario(db);
    const { id, version, titulo, precio, stock, estatus, autoSync } = await de(clave);
    const editada = { id, version, titulo, precio: precio!.toFixed(2), stock: stock!, estatus, autoSync, ...cambio };
    return db.transaction().execute((trx) => editPublicacion(trx, editada as never, usuario.id));
  };
  test('reaches the marketplace and comes back as it then stands, with its history', async () => {
    await editar('MLM3000000014', { precio: '1234.50', stock: 4, estatus: 'paused' });
    await runUntilSettled();
    expect(await ml.get('/publicaciones/MLM3000000014')).toMatchObject({
      price: 1234.5,
      quantity: 4,
      status: 'paused',
    });
    const leida = await de('MLM3000000014');
    expect([leida.precio?.toFixed(2), leida.stock, leida.estatus]).toEqual(['1234.50', 4, 'paused']);
    const { historia } = (await readPublicacion(db, leida.id))!;
    expect(historia[0]).toMatchObject({ motivo: 'persona', stockAntes: 10, stock: 4, error: null });
  });
  test('of one that others changed meanwhile tells what stands now, and changes nothing', async () => {
    await expect(editar('MLM3000000014', { version: 1, stock: 9 })).rejects.toThrow();
    expect(await ml.get('/publicaciones/MLM3000000014')).toMatchObject({ quantity: 4 });
  });
  test('a title that the marketplace keeps is refused in its words, and ours stays', async () => {
    const aceptado = await editar('MLM3000000015', { titulo: 'Distinto' });
    await runUntilSettled();
    const efecto = await db
      .selectFrom('effect')
      .select(['state'])
      .where('id', '=', aceptado!.id)
      .executeTakeFirstOrThrow();
    expect(efecto.state).toBe('refused');
    const { id, titulo } = await de('MLM3000000015');
    expect(titulo).not.toBe('Distinto');
    expect((await readPublicacion(db, id))!.rechazo).toMatchObject({
      lado: 'Mercado Libre',
      campo: 'Título',
      palabras: expect.stringContaining('item.title.not_modifiable'),
      respuesta: expect.stringContaining('Cannot update title: the item has sales'),
    });
    // What goes through afterwards ends it.
    await editar('MLM3000000015', { stock: 6 });
    await runUntilSettled();
    expect((await readPublicacion(db, id))!.rechazo).toBeNull();
  });
  test('of variants all are named, so that none is deleted', async () => {
    await editar('MLM4000000001', { precio: '275.00' });
    await runUntilSettled();
    const leida = await ml.get<{ variations: { price: number }[] }>('/publicaciones/MLM4000000001');
    expect(leida.variations.map(({ price }) => price)).toEqual([275, 275]);
  });
  test('of many at once pauses them, puts them on sale and gives them the price of their rule, and says why not of each', async () => {
    const usuario = await buildUsuario(db);
    const [primera, suelta, pausada] = await Promise.all(['MLM3000000000', 'MLM3000000020', 'MLM3000000014'].map(de));
    const muchas = async (accion: Accion) => {
      const nuevo = { lista: 'publicaciones', consulta: '', filas: [primera!, suelta!, pausada!].map(({ id }) => id) };
      const id = await db
        .transaction()
        .execute((trx) => prepareBatch(trx, accion, { ...nuevo, usuarioId: usuario.id }));
      const filas = await db.selectFrom('loteFila').selectAll().where('loteId', '=', id).orderBy('posicion').execute();
      await db.transaction().execute((trx) => startBatch(trx, accion, id, usuario.id));
      await runBatch(db, ACCIONES, id);
      await runUntilSettled();
      return filas.map(({ impedimento, titulo }) => impedimento ?? titulo);
    };
    const estados = () =>
      Promise.all(['MLM3000000000', 'MLM3000000020', 'MLM3000000014'].map(async (clave) => (await de(clave)).estatus));
    expect((await muchas(pausarPublicaciones))[2]).toBe('No está activa.');
    expect(await estados()).toEqual(['paused', 'paused', 'paused']);
    expect(await ml.get('/publicaciones/MLM3000000020')).toMatchObject({ status: 'paused' });
    // What was done is taken back by the act that says so, which asks first: what was paused before is none of it.
    const lotes = () => db.selectFrom('lote').select(['id', 'accion', 'pedidoEn']).orderBy('id', 'desc').limit(1);
    const { id: hecho } = await lotes().executeTakeFirstOrThrow();
    const body = new URLSearchParams({ intent: 'deshacerLote', lote: hecho });
    const request = new Request('http://trastienda.test/sa/lote', { method: 'POST', body });
    const context = { usuario: { id: usuario.id, rol: 'sa' }, sesion: PROBADA, ip: '127.0.0.1' };
    await enLote({ request, params: {}, context: context as unknown as AppLoadContext } as ActionFunctionArgs);
    const inverso = await lotes().executeTakeFirstOrThrow();
    expect(inverso).toMatchObject({ accion: 'publicacion.activar', pedidoEn: null });
    const suyas = await db.selectFrom('loteFila').select('filaId').where('loteId', '=', inverso.id).execute();
    expect(suyas.map(({ filaId }) => filaId).sort()).toEqual([primera!.id, suelta!.id].sort());
    await muchas(activarPublicaciones);
    expect(await estados()).toEqual(['active', 'active', 'active']);
    const oferta = { precio: '1000', moneda: 'MXN' as const, sinPrecio: null, existencia: 5, leidaEn: new Date() };
    await db.updateTable('oferta').set(oferta).where('productoId', '=', producto.id).execute();
    const dichas = await muchas(ponerPrecioDeRegla);
    expect(dichas[0]).toMatch(/→ \$1,740\.00$/);
    expect(dichas[1]).toBe('Su SKU no nombra un producto de los proveedores.');
    expect(await ml.get('/publicaciones/MLM3000000000')).toMatchObject({ price: 1740 });
    await expect(muchas(ponerPrecioDeRegla)).rejects.toThrow('Nada de lo que elegiste califica.');
  });
  test('of many at once move by a part or by pesos, not under the floor, and go back to what they were', async () => {
    const usuario = await buildUsuario(db);
    const oferta = { precio: '1000', moneda: 'MXN' as const, sinPrecio: null, existencia: 5, leidaEn: new Date() };
    await db.updateTable('oferta').set(oferta).where('productoId', '=', producto.id).execute();
    const claves = ['MLM3000000000', 'MLM3000000020'];
    const [suya, suelta] = await Promise.all(claves.map(de));
    const precios = async () => (await Promise.all(claves.map(de))).map(({ precio }) => precio!.toFixed(2));
    const antes = await precios();
    const prepared = async (accion: Accion, datos?: object) => {
      const nuevo = { lista: 'publicaciones', consulta: '', filas: [suya!.id, suelta!.id], usuarioId: usuario.id };
      const id = await db.transaction().execute((trx) => prepareBatch(trx, accion, { ...nuevo, datos }));
      const filas = await db.selectFrom('loteFila').selectAll().where('loteId', '=', id).orderBy('posicion').execute();
      return { id, dichas: filas.map(({ impedimento, titulo }) => impedimento ?? titulo) };
    };
    const correr = async (accion: Accion, id: string) => {
      await db.transaction().execute((trx) => startBatch(trx, accion, id, usuario.id));
      await runBatch(db, ACCIONES, id);
      await runUntilSettled();
    };
    // Nothing is done before it was said by how much.
    const callado = await prepared(cambiarPrecios);
    await expect(
      db.transaction().execute((trx) => startBatch(trx, cambiarPrecios, callado.id, usuario.id)),
    ).rejects.toThrow('Falta lo que es igual');

    const sube = await prepared(cambiarPrecios, { como: 'subeParte', cuanto: '10.00' });
    expect(sube.dichas[0]).toMatch(/\$1,740\.00 → \$1,914\.00, quedarían (≈ )?\$[\d,.]+ \([\d.]+ %\)$/);
    expect(sube.dichas[1]).toContain('no se sabe qué deja');
    await correr(cambiarPrecios, sube.id);
    expect((await precios())[0]).toBe('1914.00');
    expect(await ml.get('/publicaciones/MLM3000000000')).toMatchObject({ price: 1914 });

    const baja = await prepared(cambiarPrecios, { como: 'baja', cuanto: '900.00' });
    expect(baja.dichas[0]).toMatch(/^A \$1,014\.00 se perderían .* bajo el piso de 8 %\.$/);
    const poco = await prepared(cambiarPrecios, { como: 'bajaParte', cuanto: '1.00' });
    expect(poco.dichas[1]).toMatch(/^No se sabe qué dejaría\./);
    expect((await prepared(cambiarPrecios, { como: 'baja', cuanto: '999999.00' })).dichas[0]).toContain(
      'no le queda qué bajar',
    );

    const vuelve = await prepared(volverAlPrecio);
    await correr(volverAlPrecio, vuelve.id);
    expect(await precios()).toEqual(antes);
    expect(cambiarPrecios.inverso).toBe(volverAlPrecio.accion);
    // What moved since is not taken back.
    await db.updateTable('publicacion').set({ precio: '5.00' }).where('id', '=', suya!.id).execute();
    expect((await prepared(volverAlPrecio)).dichas[0]).toBe('Su precio cambió después.');
  });
});
