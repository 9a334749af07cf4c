import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { CLASES_MS, percentilOf } from '~/core/histograma';
import { watchPulso } from '~/core/pulso.server';
import { readEstado } from '~/domain/operacion/mantenimiento/estado.server';
import { cleanExpired } from '~/domain/operacion/mantenimiento/limpieza.server';
import { readHechos } from '~/domain/operacion/mantenimiento/metricas.server';
import type { MuestraDeProceso } from '~/domain/operacion/mantenimiento/internal/muestra';
import { deTodosOf, saveDeTodos, saveMuestra, startMuestras } from '~/domain/operacion/mantenimiento/muestras.server';
import { claseDePeticion } from '~/http/cuenta.server';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

beforeEach(async () => {
  await db.deleteFrom('muestra').execute();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
});

const WEB: MuestraDeProceso = { tipo: 'web', construccion: 'a1', memoriaMb: 120, atrasoP99Ms: 3, atrasoMaxMs: 9 };
/** Durations of so many requests of at most 100 ms. */
const hasta100 = (n: number) => CLASES_MS.map((end) => (end === 100 ? n : 0)).concat(0);
const moveBack = (minutes: number) => sql`update muestra set en = en - make_interval(mins => ${minutes})`.execute(db);

test('a process tells each minute how it is and what all share, and once more at its end', async () => {
  const counted = [
    { paginas: { duraciones: hasta100(4), fallas: 1 } },
    { paginas: { duraciones: hasta100(2), fallas: 0 } },
  ];
  const muestras = startMuestras(
    db,
    { tipo: 'web', construccion: 'a1', cuenta: () => ({ peticiones: counted.shift() ?? {} }) },
    { firstMs: 1, everyMs: 3_600_000 },
  );
  await expect.poll(async () => (await db.selectFrom('muestra').select('proceso').execute()).length).toBe(2);
  await muestras.stop();
  const { peticiones, procesos, silencios } = await readEstado(db);
  expect(peticiones).toMatchObject([{ clase: 'paginas', cuantas: 6, fallas: 1, p95: expect.any(Number) as number }]);
  expect(procesos).toMatchObject([{ tipo: 'web', construccion: 'a1', calla: false }]);
  expect(procesos[0]!.memoriaMb).toBeGreaterThan(10);
  expect(silencios).toEqual([{ quien: 'worker', desde: null }]);
});

test('what browsers measured stands by screen and device, the most seen first, and what none told is no zero', async () => {
  const vitales = {
    'ordenes escritorio lcp': hasta100(3),
    'ordenes escritorio cls': hasta100(1),
    'hoy telefono lcp': hasta100(4),
  };
  await saveMuestra(db, 'web uno:1', { ...WEB, vitales });
  await saveMuestra(db, 'web dos:1', { ...WEB, vitales: { 'ordenes escritorio lcp': hasta100(2) } });
  const { vistas } = await readEstado(db);
  expect(vistas.map(({ pantalla, dispositivo, cuantas, inp }) => [pantalla, dispositivo, cuantas, inp])).toEqual([
    ['ordenes', 'escritorio', 5, null],
    ['hoy', 'telefono', 4, null],
  ]);
  expect(vistas[0]!.lcp).toBeGreaterThan(50);
  expect(vistas[0]!.lcp).toBeLessThanOrEqual(100);
});

test('what nobody told is a gap and no zero, and who fell silent is named with the time', async () => {
  await saveMuestra(db, 'web uno:1', { ...WEB, peticiones: { paginas: { duraciones: hasta100(10), fallas: 2 } } });
  await saveDeTodos(db);
  await moveBack(120);
  const { peticiones, fallas, silencios, procesos, ahora } = await readEstado(db);
  expect(fallas.filter((value) => value !== null)).toEqual([2]);
  expect(peticiones[0]!.serie.filter((value) => value !== null)).toHaveLength(1);
  expect(procesos).toMatchObject([{ proceso: 'web uno:1', calla: true }]);
  expect(silencios.map(({ quien, desde }) => [quien, desde && Math.round((+ahora - +desde) / 3_600_000)])).toEqual([
    ['web', 2],
    ['worker', null],
    ['instalacion', 2],
  ]);
});

test('jobs stand by the lane that the worker told, and where they could not be read there is nothing', async () => {
  await sql`select graphile_worker.add_job('inbox.sweep', run_at := now() - interval '90 s')`.execute(db);
  await sql`select graphile_worker.add_job('inbox.drain', run_at := now() - interval '30 s')`.execute(db);
  await saveMuestra(db, 'worker uno:2', {
    ...WEB,
    tipo: 'worker',
    carriles: { ventas: ['inbox.sweep', 'inbox.drain'] },
  });
  await saveDeTodos(db);
  const [carril] = (await readEstado(db)).carriles;
  expect(carril).toMatchObject({ nombre: 'ventas', ahora: 2, mas: 2 });
  expect(carril!.edad).toBeGreaterThanOrEqual(90);

  const unread = deTodosOf((await readHechos(db)).map((hecho) => ({ ...hecho, valores: null })));
  expect(unread).toEqual({
    vencidos: null,
    espera: null,
    efectos: null,
    edades: null,
    pausados: null,
    condiciones: null,
    quedan: null,
  });
  await sql`insert into muestra (en, proceso, datos) values (clock_timestamp(), 'instalacion', ${JSON.stringify(unread)}::jsonb)`.execute(
    db,
  );
  expect((await readEstado(db)).carriles).toMatchObject([{ nombre: 'ventas', ahora: null, edad: null, mas: 2 }]);
});

test('what all share is told once a minute, whichever process comes first', async () => {
  await Promise.all([saveDeTodos(db), saveDeTodos(db)]);
  await saveDeTodos(db);
  const minutes = await db.selectFrom('muestra').select('en').distinct().where('proceso', '=', 'instalacion').execute();
  const rows = await db.selectFrom('muestra').select('en').where('proceso', '=', 'instalacion').execute();
  expect(rows).toHaveLength(minutes.length);
});

test('samples go after eight days', async () => {
  await saveMuestra(db, 'web uno:1', WEB);
  await moveBack(7 * 1_440);
  await saveMuestra(db, 'web uno:1', WEB);
  await moveBack(1_442);
  await cleanExpired(db);
  expect(await db.selectFrom('muestra').select('proceso').execute()).toHaveLength(1);
});

test('requests are counted by kind, and assets and monitors are none', () => {
  const kinds = [
    ['GET', '/sa/ordenes', 'paginas'],
    ['GET', '/login', 'paginas'],
    ['GET', '/sa/ordenes.data', 'partes'],
    ['GET', '/sa/listas/ordenes', 'partes'],
    ['POST', '/sa/ordenes', 'envios'],
    ['GET', '/api/v1/ordenes', 'api'],
    ['POST', '/avisos/mercadolibre/x', 'avisos'],
    ['GET', '/assets/base-x.js', undefined],
    ['GET', '/metrics', undefined],
    ['GET', '/healthcheck/listo', undefined],
    ['GET', '/favicon.ico', undefined],
  ] as const;
  for (const [method, path, kind] of kinds) expect([path, claseDePeticion(method, path)]).toEqual([path, kind]);
});

test('a percentile lies between the ends of its class, and of nothing there is none', () => {
  expect(percentilOf([], 0.95)).toBeNull();
  expect(percentilOf(hasta100(10), 0.5)).toBe(75);
  expect(percentilOf(CLASES_MS.map(() => 0).concat(3), 0.95)).toBe(10_000);
});

test('an event loop that is held is late by about that time', async () => {
  const pulso = watchPulso();
  await new Promise((resolve) => setTimeout(resolve, 250));
  const until = performance.now() + 600;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(pulso.take().atrasoMaxMs).toBeGreaterThan(100);
  pulso.stop();
});
