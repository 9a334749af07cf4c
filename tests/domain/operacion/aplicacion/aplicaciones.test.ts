import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CONSERVA, PIEZA } from '~/domain/operacion/aplicacion/aplicacion';
import {
  startAplicacion,
  findAplicacion,
  readTramo,
  listAplicaciones,
  receiveAplicacion,
  retireIncompletas,
  finishAplicacion,
} from '~/domain/operacion/aplicacion/aplicaciones.server';
import { buildAab, buildApk } from '../../../support/builders/app';
import { buildUsuario } from '../../../support/mercadolibre';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const { id: usuarioId } = await buildUsuario(db);

/** As a network brings it: in parts of no size in particular. */
async function* enTrozos(file: Buffer, size = 70_001): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += size) yield await Promise.resolve(file.subarray(at, at + size));
}

async function subir(file: Buffer) {
  const id = await startAplicacion(db, usuarioId);
  await receiveAplicacion(db, { id, desde: 0, usuarioId }, enTrozos(file));
  await finishAplicacion(db, id, usuarioId);
  return id;
}

async function bytesOf(id: string, from: number, to: number) {
  const parts: Buffer[] = [];
  for await (const part of readTramo(db, id, from, to)) parts.push(part);
  return Buffer.concat(parts);
}

test('what arrived in pieces is read as it was sent, whole and in stretches', async () => {
  const file = buildApk({ relleno: 2 * PIEZA + 12_345 });
  const id = await subir(file);
  expect((await bytesOf(id, 0, file.length)).equals(file)).toBe(true);
  expect((await bytesOf(id, PIEZA - 3, PIEZA + 4)).equals(file.subarray(PIEZA - 3, PIEZA + 4))).toBe(true);
  expect(await findAplicacion(db, id)).toMatchObject({ formato: 'apk', version: '2.4.1', bytes: file.length });
});

test('a part whose answer was lost is sent again, and one that is missing is not passed over', async () => {
  const file = buildApk({ relleno: 3 * PIEZA });
  const id = await startAplicacion(db, usuarioId);
  const parte = (from: number, to?: number) =>
    receiveAplicacion(db, { id, desde: from, usuarioId }, enTrozos(file.subarray(from, to)));
  await parte(0, 2 * PIEZA);
  expect(await parte(PIEZA, 2 * PIEZA)).toBe(2 * PIEZA);
  await expect(parte(3 * PIEZA)).rejects.toThrow(/Falta una parte/);
  await expect(
    receiveAplicacion(db, { id, desde: 0, usuarioId: '00000000-0000-4000-8000-000000000000' }, enTrozos(file)),
  ).rejects.toThrow(/empieza de nuevo/);
  await parte(2 * PIEZA);
  await finishAplicacion(db, id, usuarioId);
  expect((await bytesOf(id, 0, file.length)).equals(file)).toBe(true);
  // It never changes once it is offered.
  await expect(parte(0)).rejects.toThrow(/ya no se está subiendo/);
});

test('what is no app leaves nothing behind', async () => {
  const before = await listAplicaciones(db);
  await expect(subir(Buffer.from('esto no es una app'))).rejects.toThrow(/no es un APK/);
  await expect(subir(Buffer.alloc(0))).rejects.toThrow(/Elige el archivo/);
  expect(await listAplicaciones(db)).toEqual(before);
  expect(await db.selectFrom('aplicacion').select('id').where('listaEn', 'is', null).execute()).toEqual([]);
});

test('the newest APK is the one that is installed, and only the last ones are kept', async () => {
  for (let n = 0; n < CONSERVA; n++) await subir(buildApk({ version: `4.${n}` }));
  const aab = await subir(buildAab());
  expect(await findAplicacion(db, null)).toMatchObject({ version: `4.${CONSERVA - 1}` });
  const kept = await listAplicaciones(db);
  expect(kept.map(({ version }) => version)).toEqual(['2.4.1', '4.4', '4.3', '4.2', '4.1']);
  expect(kept[0]!.id).toBe(aab);
  const { rows } = await sql<{
    n: number;
  }>`select count(distinct aplicacion_id)::int as n from aplicacion_pieza`.execute(db);
  expect(rows[0]!.n).toBe(CONSERVA);
});

test('one that was begun and not ended goes after a day', async () => {
  const [old, young] = [await startAplicacion(db, usuarioId), await startAplicacion(db, usuarioId)];
  await sql`update aplicacion set creada_en = now() - interval '25 hours' where id = ${old}`.execute(db);
  expect(await retireIncompletas(db)).toBe(1);
  const left = await db.selectFrom('aplicacion').select('id').where('listaEn', 'is', null).execute();
  expect(left).toEqual([{ id: young }]);
});
