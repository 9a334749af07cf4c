import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { cleanExpired } from '~/domain/operacion/mantenimiento/limpieza.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { listFuentes, registerFuente } from '~/domain/mercados/registro.server';
import { readArchivo, storeArchivo } from '~/platform/files/archivos.server';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildGuia } from '../../../support/builders/pedidos';
import { fuenteDeLista } from '../../../support/mercadoDeLista';
import { ownerDatabase, testDatabase } from '../../../support/db';

// Shorter than attempts are kept.
process.env.RETENCION_PERSONALES = '1000';
const { db } = testDatabase();

const effect = async (key: string, connection: string, state: string, years: number, type = 'x') => {
  const { rows } = await sql<{
    id: string;
  }>`insert into effect (type, key, ref, connection, request, request_hash, state, created_at, settled_at)
    values (${type}, ${key}, ${key}, ${connection}, '{"emails":["a@b.mx"]}', '', ${state}, now() - make_interval(years => ${years}),
      case when ${state} = 'done' then now() - make_interval(years => ${years}) end) returning id`.execute(db);
  await sql`insert into effect_attempt (effect_id, kind, phase, owner, at, sealed) values (${rows[0]!.id}, 'send', 'ended', 'x', now() - make_interval(years => ${years}), 'evidencia')`.execute(
    db,
  );
  return rows[0]!.id;
};

const attempts = async () =>
  (
    await sql<{
      key: string;
      sealed: boolean;
    }>`select e.key, a.sealed is not null as sealed from effect_attempt a join effect e on e.id = a.effect_id order by e.key`.execute(
      db,
    )
  ).rows;

test('evidence, attempts, letters and what is known of a person go after their period, and nothing that is open', async () => {
  await effect('carta vieja', 'correo', 'done', 6);
  await effect('carta de tres años', 'correo', 'done', 3);
  await effect('timbrado de tres años', 'facturacom', 'done', 3);
  await effect('carta de ayer', 'correo', 'done', 0);
  await effect('timbrado viejo', 'facturacom', 'done', 6);
  await effect('cliente viejo', 'facturacom', 'done', 6, 'pac.publicClient');
  await effect('cliente de ayer', 'facturacom', 'done', 0, 'pac.publicClient');
  await sql`insert into comprador_fiscal (market, billing_info_id, rfc, leido_en)
    values ('ml', 'viejo', 'MEGJ800101QX1', now() - interval '6 years'), ('ml', 'nuevo', 'MEGJ800101QX1', now())`.execute(
    db,
  );
  await effect('abierta vieja', 'facturacom', 'manual', 6);
  await sql`insert into bitacora (en, entidad, entidad_id, accion) values (now() - interval '11 years', 'vieja', '1', 'x'), (now() - interval '6 years', 'joven', '1', 'x')`.execute(
    db,
  );
  await sql`insert into envio (market, market_id, estatus, fecha_creacion, actualizado_en, nombre_receptor, telefono, datos, direccion_mercado, direccion_difiere)
    values ('ml', 'viejo', 'delivered', now() - interval '6 years', now(), 'Ana', '5512345678', '{"receiver_address":{"a":1},"id":7}', '{"calle":"Otra"}', true),
      ('ml', 'nuevo', 'delivered', now(), now(), 'Luis', '5512345678', '{"receiver_address":{"a":1}}', '{"calle":"Otra"}', true)`.execute(
    db,
  );

  const removed = await cleanExpired(db);
  expect(removed).toMatchObject({
    evidencia: 5,
    intentos: 4,
    bitacora: 1,
    correos: 3,
    direcciones: 1,
    datosFiscales: 1,
  });
  expect(await attempts()).toEqual([
    { key: 'abierta vieja', sealed: true },
    { key: 'carta de ayer', sealed: true },
    { key: 'cliente de ayer', sealed: true },
    { key: 'timbrado de tres años', sealed: false },
  ]);
  const kept = await db.selectFrom('effect').select('key').orderBy('key').execute();
  expect(kept.map(({ key }) => key)).toEqual([
    'abierta vieja',
    'carta de ayer',
    'cliente de ayer',
    'timbrado de tres años',
    'timbrado viejo',
  ]);
  const { rows } =
    await sql`select nombre_receptor as nombre, telefono, datos, direccion_mercado as suya from envio order by market_id`.execute(
      db,
    );
  expect(rows).toEqual([
    { nombre: 'Luis', telefono: '5512345678', datos: { receiver_address: { a: 1 } }, suya: { calle: 'Otra' } },
    { nombre: null, telefono: null, datos: { id: 7 }, suya: null },
  ]);
  // It says what it removed, where nobody can change it.
  const line = await db
    .selectFrom('bitacora')
    .select('datos')
    .where('entidad', '=', 'mantenimiento')
    .executeTakeFirstOrThrow();
  expect(line.datos).toEqual({ evidencia: 5, intentos: 4, bitacora: 1, correos: 3, direcciones: 1, datosFiscales: 1 });
  expect(await db.selectFrom('compradorFiscal').select('billingInfoId').execute()).toEqual([
    { billingInfoId: 'nuevo' },
  ]);
  expect(Object.values(await cleanExpired(db)).every((n) => n === 0)).toBe(true);
});

test('the file of a label goes with what else is known of a person; what it was stays', async () => {
  const { envioId } = await buildOrden(db);
  const numero = await buildGuia(db, envioId!);
  const guia = () =>
    db.selectFrom('guia').select(['archivoId', 'sha256', 'numero', 'paqueteria']).executeTakeFirstOrThrow();
  const zplId = await storeArchivo(db, {
    nombre: 'guia.zpl',
    tipo: 'application/zpl',
    contenido: Buffer.from('^XA^XZ'),
  });
  await db.updateTable('guia').set({ zplId }).execute();
  const { archivoId, ...resto } = await guia();
  expect((await cleanExpired(db)).guias).toBe(0);
  expect(await readArchivo(db, archivoId!)).toBeDefined();
  await sql`update guia set creada_en = now() - interval '1001 days'`.execute(db);
  expect((await cleanExpired(db)).guias).toBe(1);
  expect(await readArchivo(db, archivoId!)).toBeUndefined();
  expect(await readArchivo(db, zplId)).toBeUndefined();
  expect(await guia()).toEqual({ archivoId: null, ...resto });
  expect(resto.numero).toBe(numero);
});

test('nobody purges younger than the law wants it, and nothing else removes a line', async () => {
  await sql`insert into bitacora (en, entidad, entidad_id, accion) values (now() - interval '6 years', 'otra', '1', 'x')`.execute(
    db,
  );
  await expect(sql`select purgar_bitacora(1000)`.execute(db)).rejects.toThrow('cinco años');
  await expect(sql`select purgar_cartas(100)`.execute(db)).rejects.toThrow('un año');
  for (const change of ['delete from bitacora', `update effect_attempt set message = 'x'`, 'truncate bitacora']) {
    await expect(sql.raw(change).execute(db)).rejects.toThrow('permission denied');
    await expect(sql.raw(change).execute(ownerDatabase().db)).rejects.toThrow('solo admite altas');
  }
  await expect(
    db.transaction().execute(async (trx) => {
      await sql`set local trastienda.purga = 'bitacora'`.execute(trx);
      await sql`delete from bitacora`.execute(trx);
    }),
  ).rejects.toThrow('permission denied');
});

test('a job without tries left is told, and taken away the night after', async () => {
  const told = CONDICIONES.find(({ clave }) => clave === 'trabajos')!;
  await sql`select graphile_worker.add_job('effect.sweep', '{}', max_attempts => 1)`.execute(db);
  expect(await told.mira(db)).toBeNull();
  await sql`update graphile_worker._private_jobs set attempts = 1`.execute(db);
  expect((await told.mira(db))?.texto).toBe('Un trabajo interno agotó sus intentos.');
  expect((await cleanExpired(db)).trabajos).toBe(0);
  await sql`update graphile_worker._private_jobs set updated_at = now() - interval '2 days'`.execute(db);
  expect((await cleanExpired(db)).trabajos).toBe(1);
  expect(await told.mira(db)).toBeNull();
});

test('each marketplace says which fields of its documents tell of a person, and only those go', async () => {
  const undo = registerFuente(fuenteDeLista([]));
  const documento = { recipient: 'Ana', buyer: 'no es de este mercado', total: 7 };
  const { id } = await buildOrden(db, {});
  await sql`update orden set market = 'amz', fecha_creacion = now() - interval '9 years', datos = ${JSON.stringify(documento)}::jsonb where id = ${id}`.execute(
    db,
  );
  await cleanExpired(db);
  undo();
  const { datos } = await db.selectFrom('orden').select('datos').where('id', '=', id).executeTakeFirstOrThrow();
  expect(datos).toEqual({ buyer: 'no es de este mercado', total: 7 });
});

test('what a connection says it brings is what there is an adapter for', () => {
  const venden = CONNECTIONS.all().filter(({ capabilities }) => capabilities.ventas);
  expect(venden.map(({ kind }) => kind)).toEqual(listFuentes().map(({ source }) => source));
});

test('what buyers asked and claimed goes with its time; what waits, what we answered and how it ended stays', async () => {
  const pregunta = (id: string, estatus: string, years: number) =>
    sql`insert into pregunta (market, market_id, publicacion_id, comprador_id, texto, estatus, respuesta, fecha, leida_en, datos)
      values ('ml', ${id}, 'MLM1', '77', 'Mi teléfono es 5512345678', ${estatus}, 'Hola, sí.', now() - make_interval(years => ${years}), now(), '{"from":{"id":77}}')`.execute(
      db,
    );
  await pregunta('vieja', 'respondida', 6);
  await pregunta('en espera', 'pendiente', 6);
  await pregunta('nueva', 'respondida', 0);
  for (const [id, estatus] of [
    ['viejo', 'cerrado'],
    ['abierto', 'abierto'],
  ])
    await sql`insert into reclamo (market, market_id, recurso, recurso_id, estatus, tipo, problema, mensajes, jugadores, resolucion, fecha, actualizado_en, leido_en, datos)
      values ('ml', ${id}, 'order', '1', ${estatus}, 'mediations', 'Soy Ana', '[{"texto":"Soy Ana"}]', '[{"rol":"complainant"}]', '{"motivo":"x"}',
        now() - interval '6 years', now(), now(), '{"players":[]}')`.execute(db);
  expect(await cleanExpired(db)).toMatchObject({ preguntas: 1, reclamos: 1 });
  expect(await cleanExpired(db)).toMatchObject({ preguntas: 0, reclamos: 0 });
  const preguntas = await db
    .selectFrom('pregunta')
    .select(['marketId', 'texto', 'compradorId', 'respuesta'])
    .orderBy('marketId')
    .execute();
  expect(preguntas).toEqual([
    { marketId: 'en espera', texto: 'Mi teléfono es 5512345678', compradorId: '77', respuesta: 'Hola, sí.' },
    { marketId: 'nueva', texto: 'Mi teléfono es 5512345678', compradorId: '77', respuesta: 'Hola, sí.' },
    { marketId: 'vieja', texto: '', compradorId: null, respuesta: 'Hola, sí.' },
  ]);
  const reclamos = await db
    .selectFrom('reclamo')
    .select(['marketId', 'problema', 'mensajes', 'resolucion'])
    .orderBy('marketId')
    .execute();
  expect(reclamos).toEqual([
    { marketId: 'abierto', problema: 'Soy Ana', mensajes: [{ texto: 'Soy Ana' }], resolucion: { motivo: 'x' } },
    { marketId: 'viejo', problema: null, mensajes: [], resolucion: { motivo: 'x' } },
  ]);
});
