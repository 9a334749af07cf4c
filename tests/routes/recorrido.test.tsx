import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import type { Usuario } from '~/core/usuario';
import { DESDE_EL_RECORRIDO, readRecorrido } from '~/domain/operacion/recorrido.server';
import { savePreferencias } from '~/domain/personal/preferencias.server';
import { record } from '~/platform/bitacora.server';
import { forget } from '~/platform/hoy/fresco.server';
import { loader as hoy } from '~/routes/inicio/hoy/hoy';
import { buildOrden } from '../support/builders/ordenes';
import { buildGuia } from '../support/builders/pedidos';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
let sa: Usuario;

beforeAll(async () => {
  sa = await buildPersona(db, 'sa');
});
beforeEach(async () => {
  vi.unstubAllEnvs();
  vi.stubEnv('DEMO', '1');
  forgetEnv();
  forget();
  await sql`delete from ajuste where clave = ${DESDE_EL_RECORRIDO}`.execute(db);
});

/** The seed of the demo has ended: its lines of the audit trail count as nobody's. */
const open = () =>
  sql`insert into ajuste (clave, valor) select ${DESDE_EL_RECORRIDO}, to_jsonb(coalesce(max(id), 0)) from bitacora`.execute(
    db,
  );
const act = (usuarioId: string, entidad: string, accion: string) =>
  record(db, { usuarioId, entidad, entidadId: 'uno', accion });
const hechos = async (usuarioId: string) =>
  (await readRecorrido(db, usuarioId, () => true))!.filter(({ hecho }) => hecho).map(({ clave }) => clave);
const ofHoy = async () =>
  (
    await hoy({
      request: new Request(`http://trastienda.test/${sa.rol}/hoy`),
      params: {},
      context: { usuario: sa } as unknown as AppLoadContext,
    } as LoaderFunctionArgs)
  ).recorrido.valor;

test('a step is done by the act of this person since the demo was ready, and by nothing else', async () => {
  const otra = await buildPersona(db, 'admin');
  await act(sa.id, 'orden', 'facturar');
  await open();
  expect(await hechos(sa.id)).toEqual([]);
  await act(otra.id, 'pregunta', 'responder');
  await act(sa.id, 'orden', 'cancelar el pedido');
  expect(await hechos(sa.id)).toEqual([]);
  await act(sa.id, 'orden', 'crear pedido');
  await act(sa.id, 'deposito', 'anotar');
  expect(await hechos(sa.id)).toEqual(['pedido', 'deposito']);
  expect(await hechos(otra.id)).toEqual(['pregunta']);
});

test('nobody is led to a screen that they may not open, and each step leads somewhere', async () => {
  await open();
  const suyos = (await readRecorrido(db, sa.id, (pantalla) => pantalla !== 'conciliacion'))!;
  expect(suyos.map(({ clave }) => clave)).not.toContain('deposito');
  const pasos = (await ofHoy())!;
  expect(pasos).toHaveLength(8);
  for (const { a, pantalla } of pasos) expect(a.split(/[?#]/)[0]).toBe(pantalla);
});

test('it is away where the person put it away, while the seed still writes, and outside the demo', async () => {
  expect(await ofHoy()).toBeNull();
  await open();
  expect(await ofHoy()).not.toBeNull();
  await savePreferencias(db, sa.id, { recorrido: false });
  expect(await ofHoy()).toBeNull();
  await savePreferencias(db, sa.id, { recorrido: true });
  vi.stubEnv('DEMO', '');
  forgetEnv();
  expect(await ofHoy()).toBeNull();
});

test('the label is there once it came for a sale that this person ordered, and not for one of somebody else', async () => {
  const otra = await buildPersona(db, 'admin');
  await open();
  const venta = await buildOrden(db);
  await record(db, { usuarioId: sa.id, entidad: 'orden', entidadId: venta.numOrden, accion: 'crear pedido' });
  expect(await hechos(sa.id)).toEqual(['pedido']);
  await buildGuia(db, venta.envioId!);
  expect(await hechos(sa.id)).toEqual(['pedido', 'guia']);
  expect(await hechos(otra.id)).toEqual([]);
});
