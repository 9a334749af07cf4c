import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { estadosOfParte, passTo, PARTES, readHere } from '~/domain/compras/stock/conteo';
import {
  askFinish,
  askSettle,
  countPieza,
  discardConteo,
  finishConteo,
  settleDiferencia,
  startConteo,
} from '~/domain/compras/stock/contar.server';
import { listConteos, listPartes, readConteo, viewConteo } from '~/domain/compras/stock/conteos.server';
import { actFromBodega } from '~/domain/compras/stock/bodega.server';
import { descuadradas } from '~/domain/compras/stock/cuadre.server';
import { bindEtiqueta, createEtiquetas } from '~/domain/compras/stock/etiquetas.server';
import type { DecidirDiferencia } from '~/domain/compras/stock/forms';
import { codigoOf, type EstadoDeStock, folioOf } from '~/domain/compras/stock/pieza';
import { changeEstado, sellPieza } from '~/domain/compras/stock/piezas.server';
import { readPieza } from '~/domain/compras/stock/readPiezas.server';
import type { Trx } from '~db/client.server';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock } from '../../../support/builders/stock';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const { id: usuarioId } = await buildPersona(db, 'user');
const { id: otraId } = await buildPersona(db, 'admin');
const inTrx = <T>(verb: (trx: Trx) => Promise<T>) => db.transaction().execute(verb);

const readOne = async (id: string) => (await readPieza(db, id))!;
async function move(id: string, estado: EstadoDeStock): Promise<void> {
  const { version } = await readOne(id);
  await inTrx((trx) => changeEstado(trx, { id, version, estado }, usuarioId));
}
async function sell(id: string): Promise<string> {
  const { numOrden } = await buildOrden(db, {});
  const { version } = await readOne(id);
  await inTrx((trx) => sellPieza(trx, { id, version, venta: numOrden }, usuarioId));
  return numOrden;
}
const build = async (cuantas: number, estado: EstadoDeStock = 'disponible') =>
  buildPiezas(db, usuarioId, {
    producto: (await buildProductoDeStock(db)).id,
    cantidad: String(cuantas),
    ...(estado !== 'enRevision' && { estado }),
  });

const start = (parte: 'disponible' | 'danado' | null = null, quien = usuarioId) =>
  inTrx((trx) => startConteo(trx, { parte }, quien));
const scan = (conteo: string, codigo: string, quien = usuarioId) =>
  inTrx((trx) => countPieza(trx, { conteo, codigo }, quien));
const read = async (id: string) => (await readConteo(db, id))!;
const finish = async (conteo: string) =>
  inTrx(async (trx) => finishConteo(trx, { conteo, leidas: (await read(conteo)).leidas }, usuarioId));
const settle = (
  form: Omit<DecidirDiferencia, 'motivo'> & { motivo?: DecidirDiferencia['motivo'] },
  quien = usuarioId,
) => inTrx((trx) => settleDiferencia(trx, { motivo: null, ...form }, quien));

/** The difference of a piece, as the page would send a decision about it. */
async function differenceOf(conteo: string, codigo: string) {
  const fila = (await read(conteo)).filas.find((una) => una.codigo === codigo)!;
  return { conteo, diferencia: fila.id, version: fila.version };
}
const findingOf = async (conteo: string, codigo: string) => {
  const fila = (await read(conteo)).filas.find((una) => una.codigo === codigo);
  return fila && { hallazgo: fila.hallazgo, decision: fila.decision, abierta: fila.abierta };
};

/** An empty shelf for each test: what stood there is written off. */
async function clearShelf(): Promise<void> {
  const piezas = await db
    .selectFrom('stockInterno')
    .select(['id', 'estado'])
    .where('estado', 'in', [...PARTES])
    .execute();
  for (const { id, estado } of piezas) {
    if (estado === 'reservado') await move(id, 'disponible');
    await move(id, 'baja');
  }
}

test('the shelf is where the register says that a piece is, and each part of it can be counted', async () => {
  const rows = await db.selectFrom('stockEstado').select('value').where('enBodega', '=', true).execute();
  expect(rows.map(({ value }) => value).toSorted()).toEqual([...PARTES].toSorted());
  expect(estadosOfParte(null)).toEqual(PARTES);
  await clearShelf();
  await build(2);
  await build(1, 'danado');
  const conteo = await start('danado');
  expect((await listPartes(db)).map(({ parte, piezas, conteo: suyo }) => [parte, piezas, suyo])).toEqual([
    [null, 3, null],
    ['enRevision', 0, null],
    ['disponible', 2, null],
    ['reservado', 0, null],
    ['danado', 1, conteo],
  ]);
  await inTrx((trx) => discardConteo(trx, conteo, usuarioId));
});

test('a piece passes to the part where it was seen, or to be looked at where its state allows no more', () => {
  expect(passTo('danado', 'disponible')).toBe('enRevision');
  expect(passTo('disponible', 'danado')).toBe('danado');
  expect(passTo('vendido', null)).toBe('enRevision');
  expect(passTo('baja', null)).toBeNull();
});

test('a phone knows alone what is expected and what was counted, and asks for the rest', () => {
  const [folio, otro, codigo] = [folioOf(2026, 1), folioOf(2026, 2), codigoOf(12)];
  const porContar = { faltan: [{ folio, nombre: 'Cámara', etiquetas: [codigo] }], vistas: [otro] };
  expect(readHere(porContar, `https://bodega.test/siqr/${folio}`)).toMatchObject({ clase: 'encontrada' });
  expect(readHere(porContar, codigo)).toMatchObject({ clase: 'encontrada', pieza: { folio } });
  expect(readHere(porContar, otro)).toMatchObject({ clase: 'ya' });
  expect(readHere(porContar, folioOf(2026, 3))).toEqual({ clase: 'pregunta', codigo: folioOf(2026, 3) });
  expect(readHere(porContar, '7501234567893')).toMatchObject({ clase: 'desconocida' });
});

test('each scan says at once what it is, and the count runs', async () => {
  await clearShelf();
  const [una, otra, danada, vendida, baja] = [...(await build(2)), ...(await build(1, 'danado')), ...(await build(2))];
  const numero = await sell(vendida!.id);
  await move(baja!.id, 'baja');
  const [{ codigo } = { codigo: '' }] = await inTrx((trx) =>
    createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, usuarioId),
  );
  const conteo = await start('disponible');
  expect(await scan(conteo, `http://127.0.0.1/siqr/${una!.folio}`)).toMatchObject({
    clase: 'encontrada',
    codigo: una!.folio,
  });
  expect(await scan(conteo, una!.folio.toLowerCase())).toMatchObject({ clase: 'ya' });
  expect(await scan(conteo, danada!.folio)).toMatchObject({
    clase: 'fueraDeLugar',
    dice: `${danada!.folio} está aquí, y se registra como «Dañado».`,
  });
  expect(await scan(conteo, vendida!.folio)).toMatchObject({
    clase: 'fuera',
    dice: `${vendida!.folio} está aquí, y se registra como «Vendido» en la orden ${numero}.`,
  });
  expect(await scan(conteo, baja!.folio)).toMatchObject({ clase: 'fuera' });
  expect(await scan(conteo, codigo)).toMatchObject({ clase: 'etiqueta' });
  expect(await scan(conteo, codigo)).toMatchObject({ clase: 'ya' });
  // A folio that was never given, and a code of bars: told, and not kept.
  expect(await scan(conteo, folioOf(2020, 7))).toMatchObject({ clase: 'desconocida' });
  expect(await scan(conteo, '7501234567893')).toMatchObject({ clase: 'desconocida' });
  expect(await viewConteo(db, conteo)).toMatchObject({
    encontradas: 1,
    esperadas: 2,
    faltan: [{ folio: otra!.folio }],
    vistas: [codigo, baja!.folio, vendida!.folio, danada!.folio, una!.folio],
  });
  expect((await viewConteo(db, conteo))!.deMas).toHaveLength(4);
  await finish(conteo);
});

test('two people who count one part add to one count, and each reads a piece once', async () => {
  await clearShelf();
  const [una, otra] = await build(2);
  const [mio, suyo] = await Promise.all([start('disponible'), start('disponible', otraId)]);
  expect(suyo).toBe(mio);
  const todo = await start(null);
  expect(todo).not.toBe(mio);
  await inTrx((trx) => discardConteo(trx, todo, usuarioId));
  const clases = (await Promise.all([scan(mio, una!.folio), scan(mio, una!.folio, otraId)])).map(({ clase }) => clase);
  expect(clases.toSorted()).toEqual(['encontrada', 'ya']);
  await scan(mio, otra!.folio, otraId);
  // The page showed one scan: somebody goes on counting.
  await expect(inTrx((trx) => finishConteo(trx, { conteo: mio, leidas: 1 }, usuarioId))).rejects.toThrow(
    'Otra persona sigue contando. Piezas leídas: aquí «1», ahora «2».',
  );
  await finish(mio);
  await finish(mio);
  expect(await start('disponible')).not.toBe(mio);
});

test('a count into which nothing was read is thrown away, and ends in no other way', async () => {
  await clearShelf();
  const [una] = await build(1);
  const conteo = await start('disponible');
  const open = (await read(conteo)).id;
  await expect(finish(open)).rejects.toThrow('Todavía no se lee ninguna pieza');
  await scan(open, una!.folio);
  await expect(inTrx((trx) => discardConteo(trx, open, usuarioId))).rejects.toThrow('Ya se leyeron piezas');
  await finish(open);
  await expect(inTrx((trx) => discardConteo(trx, open, usuarioId))).rejects.toThrow('ya se terminó');
  const vacio = await start('disponible');
  await inTrx((trx) => discardConteo(trx, vacio, usuarioId));
  expect(await readConteo(db, vacio)).toBeUndefined();
  await expect(scan(vacio, una!.folio)).rejects.toThrow('El conteo no existe.');
});

test('what moves while a count is open is judged by its row at the end', async () => {
  await clearShelf();
  const [leidaYVendida, vendida, movida, falta] = await build(4);
  const conteo = await start('disponible');
  await scan(conteo, leidaYVendida!.folio);
  await sell(leidaYVendida!.id);
  await sell(vendida!.id);
  await move(movida!.id, 'enRevision');
  await move(movida!.id, 'disponible');
  const [nueva] = await build(1);
  expect(await viewConteo(db, conteo)).toMatchObject({
    encontradas: 1,
    esperadas: 2,
    faltan: [{ folio: falta!.folio }],
  });
  await finish(conteo);
  // Read before it left: it was there. Sold meanwhile, moved by a hand or come meanwhile: nobody misses it.
  expect(await findingOf(conteo, leidaYVendida!.folio)).toMatchObject({ hallazgo: 'encontrada' });
  for (const pieza of [vendida, movida, nueva]) expect(await findingOf(conteo, pieza!.folio)).toBeUndefined();
  expect(await findingOf(conteo, falta!.folio)).toEqual({ hallazgo: 'falta', decision: null, abierta: true });
  expect(await read(conteo)).toMatchObject({ encontradas: 1, esperadas: 2, leidas: 1 });
});

test('a piece put right before the end is no difference, and a label that was tied is its piece', async () => {
  await clearShelf();
  const [una, conEtiqueta] = [...(await build(1, 'danado')), ...(await build(1))];
  const [{ codigo } = { codigo: '' }] = await inTrx((trx) =>
    createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, usuarioId),
  );
  const conteo = await start('disponible');
  await scan(conteo, una!.folio);
  await scan(conteo, codigo);
  await move(una!.id, 'enRevision');
  await move(una!.id, 'disponible');
  await inTrx((trx) => bindEtiqueta(trx, { codigo, folio: conEtiqueta!.folio }, usuarioId));
  await finish(conteo);
  expect(await findingOf(conteo, una!.folio)).toMatchObject({ hallazgo: 'encontrada' });
  expect(await findingOf(conteo, conEtiqueta!.folio)).toBeUndefined();
  expect(await findingOf(conteo, codigo)).toEqual({ hallazgo: 'etiqueta', decision: null, abierta: false });
});

test('what is missing is written off with its reason by a movement of the piece, about the version that was shown', async () => {
  await clearShelf();
  const [leida, perdida, apareceLuego] = await build(3);
  const conteo = await start('disponible');
  await scan(conteo, leida!.folio);
  expect(await askFinish(db, { conteo, leidas: 1 })).toMatchObject({
    hechos: 'Se encontraron 1 de 3. Las 2 que faltan quedan por resolver.',
  });
  await finish(conteo);
  const diferencia = await differenceOf(conteo, perdida!.folio);
  await expect(settle({ ...diferencia, decision: 'baja' })).rejects.toThrow('Elige por qué se da de baja.');
  await expect(settle({ ...diferencia, decision: 'pasada' })).rejects.toThrow('Eso no resuelve');
  await expect(
    settle({ ...diferencia, version: diferencia.version + 1, decision: 'baja', motivo: 'robada' }),
  ).rejects.toThrow('Otra persona modificó este registro.');
  expect(await findingOf(conteo, perdida!.folio)).toMatchObject({ decision: null });
  await settle({ ...diferencia, decision: 'pendiente' });
  expect(await findingOf(conteo, perdida!.folio)).toMatchObject({ decision: 'pendiente', abierta: true });
  expect(await askSettle(db, { ...diferencia, decision: 'baja', motivo: 'robada' })).toMatchObject({
    texto: `¿Está seguro que desea dar de baja ${perdida!.folio}?`,
    hechos: expect.stringContaining('Costó $100.00.'),
  });
  expect(await askSettle(db, { ...diferencia, decision: 'pendiente', motivo: null })).toBeNull();
  await settle({ ...diferencia, decision: 'baja', motivo: 'robada' });
  // The same press again is one press; another decision comes too late.
  await settle({ ...diferencia, decision: 'baja', motivo: 'robada' });
  await expect(settle({ ...diferencia, decision: 'aparecio' }, otraId)).rejects.toThrow('Otra persona ya resolvió');
  const pieza = await readOne(perdida!.id);
  expect(pieza.estado).toBe('baja');
  expect(pieza.movimientos[0]).toMatchObject({ de: 'disponible', a: 'baja', detalle: 'Conteo: Robada' });
  expect(await findingOf(conteo, perdida!.folio)).toMatchObject({ decision: 'baja', abierta: false });
  expect(await descuadradas(db)).toEqual([]);
  // Scanned after the end, what was missing turned up; anything else is refused.
  expect(await scan(conteo, apareceLuego!.folio)).toMatchObject({ clase: 'aparecio' });
  expect(await scan(conteo, apareceLuego!.folio)).toMatchObject({ clase: 'ya' });
  expect(await findingOf(conteo, apareceLuego!.folio)).toEqual({
    hallazgo: 'falta',
    decision: 'aparecio',
    abierta: false,
  });
  const [nueva] = await build(1);
  await expect(scan(conteo, nueva!.folio)).rejects.toThrow('no estaba entre las que faltan');
  expect((await listConteos(db)).find(({ id }) => id === conteo)).toMatchObject({
    parte: 'disponible',
    encontradas: 1,
    faltan: 2,
    deMas: 0,
    abiertas: 0,
  });
});

test('a reserved piece that is missing is not written off behind its sale', async () => {
  await clearShelf();
  const [leida, reservada] = await build(2);
  await move(reservada!.id, 'reservado');
  const conteo = await start();
  await scan(conteo, leida!.folio);
  await finish(conteo);
  const diferencia = await differenceOf(conteo, reservada!.folio);
  await expect(settle({ ...diferencia, decision: 'baja', motivo: 'extraviada' })).rejects.toThrow(
    'está en «Reservado» y de ahí no pasa a «Baja».',
  );
  expect(await findingOf(conteo, reservada!.folio)).toMatchObject({ decision: null, abierta: true });
  // Settled on its own page: the difference waits no longer.
  await move(reservada!.id, 'danado');
  await move(reservada!.id, 'baja');
  expect(await findingOf(conteo, reservada!.folio)).toMatchObject({ decision: null, abierta: false });
});

test('what should not be here passes to this part, or was taken away and stays as it is registered', async () => {
  await clearShelf();
  const [disponible, danada, vendida, baja] = [...(await build(1)), ...(await build(1, 'danado')), ...(await build(2))];
  await sell(vendida!.id);
  await move(baja!.id, 'baja');
  const conteo = await start('disponible');
  for (const { folio } of [disponible!, danada!, vendida!, baja!]) await scan(conteo, folio);
  await finish(conteo);
  expect((await listConteos(db)).find(({ id }) => id === conteo)).toMatchObject({
    encontradas: 1,
    deMas: 3,
    abiertas: 3,
  });
  await settle({ ...(await differenceOf(conteo, vendida!.folio)), decision: 'pasada' });
  const pieza = await readOne(vendida!.id);
  expect(pieza).toMatchObject({ estado: 'enRevision', ventaId: null });
  expect(pieza.movimientos[0]).toMatchObject({ de: 'vendido', detalle: 'Conteo: estaba en el estante' });
  await settle({ ...(await differenceOf(conteo, danada!.folio)), decision: 'apartada' });
  expect((await readOne(danada!.id)).estado).toBe('danado');
  await expect(settle({ ...(await differenceOf(conteo, baja!.folio)), decision: 'pasada' })).rejects.toThrow(
    'ya no puede volver al estante',
  );
  await settle({ ...(await differenceOf(conteo, baja!.folio)), decision: 'apartada' });
  await expect(settle({ ...(await differenceOf(conteo, disponible!.folio)), decision: 'apartada' })).rejects.toThrow(
    'Esa diferencia no existe.',
  );
  expect((await listConteos(db)).find(({ id }) => id === conteo)).toMatchObject({ abiertas: 0 });
});

test('a scan that a phone sends twice counts once, and the second time gets the first answer', async () => {
  await clearShelf();
  const [una] = await build(1);
  const conteo = await start('disponible');
  const envio = { que: 'contar', clave: randomUUID(), datos: { conteo, codigo: una!.folio } } as const;
  const [primera, segunda] = [await actFromBodega(db, envio, usuarioId), await actFromBodega(db, envio, usuarioId)];
  expect(primera).toMatchObject({ aviso: '', lectura: { clase: 'encontrada', codigo: una!.folio } });
  expect(segunda).toEqual(primera);
  expect((await read(conteo)).leidas).toBe(1);
  await finish(conteo);
});
