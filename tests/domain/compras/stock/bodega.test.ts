import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { NotAllowed, Stale } from '~/core/errors';
import {
  type Envio,
  actFromBodega,
  noOfBodega,
  readFoto,
  viewEscaneado,
  viewPieza,
  viewVenta,
} from '~/domain/compras/stock/bodega.server';
import { listPorRecibir } from '~/domain/compras/stock/devoluciones.server';
import { createEtiquetas } from '~/domain/compras/stock/etiquetas.server';
import { RecibirForm } from '~/domain/compras/stock/forms';
import { app1, exifConLugar, jpeg, segmento } from '../../../support/builders/archivos';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock } from '../../../support/builders/stock';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const usuario = await buildPersona(db, 'user');
const otra = await buildPersona(db, 'user');
const producto = (await buildProductoDeStock(db)).id;
const una = async () => (await buildPiezas(db, usuario.id, { producto }))[0]!;

const hacer = (envio: Envio, clave: string = randomUUID(), quien = usuario.id) =>
  actFromBodega(db, { ...envio, clave }, quien);
const movimientosDe = (piezaId: string) =>
  db.selectFrom('stockMovimiento').select('a').where('piezaId', '=', piezaId).orderBy('id').execute();

/** A picture as a phone's camera writes it: with its place, and with more behind its end. */
const retrato = (lado = 16) =>
  jpeg({
    ancho: lado,
    alto: lado,
    antes: [app1(exifConLugar(1)), segmento(0xfe, Buffer.from('de Ana'))],
    despues: Buffer.from('<script>alert(1)</script>'),
  });
const comoFile = (contenido: Buffer) => new File([new Uint8Array(contenido)], 'foto.jpg', { type: 'image/jpeg' });

test('what a phone sends twice is done once, and is answered as the first time, also when both arrive at once', async () => {
  const { id, version } = await una();
  const envio: Envio = { que: 'estado', datos: { id, version, estado: 'disponible' } };
  const clave = randomUUID();
  const [primera, segunda] = await Promise.all([hacer(envio, clave), hacer(envio, clave)]);
  expect(segunda).toEqual(primera);
  expect(primera).toMatchObject({ estado: 'disponible', version: version + 1 });
  expect(await hacer(envio, clave)).toEqual(primera);
  expect((await movimientosDe(id)).map(({ a }) => a)).toEqual(['enRevision', 'disponible']);
});

test('a step that a phone took is taken back from it, once', async () => {
  const { id, version } = await una();
  const baja = await hacer({ que: 'estado', datos: { id, version, estado: 'baja' } });
  const vista = (await viewPieza(db, id))!;
  expect(vista).toMatchObject({ estado: 'baja', regresaA: 'enRevision' });
  expect(vista.regresaHasta!.getTime() - vista.cuando.getTime()).toBe(10 * 60_000);
  const deshecha = await hacer({ que: 'deshacer', datos: { id, version: baja.version! } });
  expect(deshecha).toMatchObject({ estado: 'enRevision' });
  expect(await viewPieza(db, id)).toMatchObject({ regresaA: null });
  await expect(hacer({ que: 'deshacer', datos: { id, version: deshecha.version! } })).rejects.toThrow(
    'ya no se puede deshacer',
  );
});

test('a blank label is offered the pieces that came last and have none', async () => {
  const [etiqueta] = await db
    .transaction()
    .execute((trx) => createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, usuario.id));
  const { codigo } = etiqueta!;
  const [con, sin] = [await una(), await una()];
  const folios = async () =>
    ((await viewEscaneado(db, codigo)) as { recientes: { folio: string }[] }).recientes.map(({ folio }) => folio);
  expect((await folios()).slice(0, 2)).toEqual([sin.folio, con.folio]);
  const otra = await db
    .transaction()
    .execute((trx) => createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, usuario.id));
  await hacer({ que: 'ligar', datos: { codigo: otra[0]!.codigo, folio: con.folio } });
  expect(await folios()).not.toContain(con.folio);
});

test('a return received on a phone makes its pieces once', async () => {
  const clave = randomUUID();
  const datos = RecibirForm.parse({
    clave: randomUUID(),
    producto,
    cantidad: '2',
    costo: '100',
    proveedor: 'syscom',
  });
  const primera = await hacer({ que: 'recibir', datos }, clave);
  expect(primera.folios).toHaveLength(2);
  expect(await hacer({ que: 'recibir', datos }, clave)).toEqual(primera);
});

/** A sale of one product that two of came back of, and what that product costs. */
async function buildVuelta({ precio = 200 as number | null } = {}) {
  const suyo = await buildProductoDeStock(db);
  if (precio !== null)
    await sql`insert into oferta (producto_id, precio, moneda, existencia, tope, almacenes, promociones, raw, huella, leida_en)
      values (${suyo.id}, ${precio}, 'MXN', 1, false, '[]', '[]', '{}', '-', now())`.execute(db);
  const orden = await buildOrden(db, {
    sku: `AMS|${suyo.idProveedor}|syscom|x`,
    clase: 'devuelta',
    envio: { estatus: 'delivered' },
  });
  await db.updateTable('articulo').set({ cantidad: 2 }).where('ordenId', '=', orden.id).execute();
  const recibe = (dado: Record<string, unknown> = {}, quien = usuario.id) =>
    hacer(
      {
        que: 'recibir',
        datos: RecibirForm.parse({
          clave: randomUUID(),
          orden: orden.id,
          producto: suyo.id,
          cantidad: '2',
          recibidas: 0,
          ...dado,
        }),
      },
      randomUUID(),
      quien,
    );
  const piezas = () =>
    db
      .selectFrom('stockInterno')
      .select(['folio', 'costo'])
      .where('ordenId', '=', orden.id)
      .orderBy('numero')
      .execute();
  return { orden, recibe, piezas };
}

test('two phones that receive one parcel make its pieces once, and the second is told of the first', async () => {
  const { recibe, piezas } = await buildVuelta();
  const ends = await Promise.allSettled([recibe(), recibe({}, otra.id)]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [, ultima] = await piezas();
  const no = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))[0];
  const dicho = await noOfBodega(db, no, undefined);
  expect(dicho).toMatchObject({ choque: true, marcas: { recibidas: 2 }, pieza: null });
  expect(dicho!.texto).toContain(`ahora «2, la última ${ultima!.folio}»`);
  // Whoever has more in their hands says so.
  await recibe({ cantidad: '1', recibidas: 2 });
  expect(await piezas()).toHaveLength(3);
});

test('what came back costs what it was bought for, and nobody types it; a cost that nobody knows is asked for', async () => {
  const conocida = await buildVuelta();
  await conocida.recibe({ costo: '' });
  expect((await conocida.piezas()).map(({ costo }) => costo.toFixed(2))).toEqual(['232.00', '232.00']);
  const sinPrecio = await buildVuelta({ precio: null });
  await expect(sinPrecio.recibe()).rejects.toThrow('escribe el costo');
  await sinPrecio.recibe({ costo: '90' });
  expect((await sinPrecio.piezas()).map(({ costo }) => costo.toFixed(2))).toEqual(['90.00', '90.00']);
  expect(RecibirForm.safeParse({ clave: randomUUID(), cantidad: '1', costo: '0' }).success).toBe(false);
});

test('what came back costs what the ledger of its sale says of a piece, and of a sale of two products the price of the product', async () => {
  const facturada = await buildVuelta();
  await sql`insert into proveedor_factura (orden_id, proveedor, folio, monto)
    values (${facturada.orden.id}, 'syscom', 'F-1', 501)`.execute(db);
  // The second is worth as much as the first, which took its cost to the shelf.
  await facturada.recibe({ cantidad: '1' });
  await facturada.recibe({ cantidad: '1', recibidas: 1 });
  expect((await facturada.piezas()).map(({ costo }) => costo.toFixed(2))).toEqual(['250.50', '250.50']);
  const deDos = await buildVuelta();
  await sql`insert into articulo (orden_id, posicion, sku, nombre, cantidad, importe, precio_unitario)
    values (${deDos.orden.id}, 1, 'AMS|otro|syscom|x', 'Otra cosa', 1, 10, 10)`.execute(db);
  await sql`insert into proveedor_factura (orden_id, proveedor, folio, monto)
    values (${deDos.orden.id}, 'syscom', 'F-2', 501)`.execute(db);
  await deDos.recibe({ cantidad: '1' });
  expect((await deDos.piezas()).map(({ costo }) => costo.toFixed(2))).toEqual(['232.00']);
});

test('a phone is shown what waits to be received, with the pieces that are missing and ours that left for it', async () => {
  const { orden, recibe } = await buildVuelta();
  const deLista = async () =>
    (await listPorRecibir(db, { id: usuario.id, rol: 'user' })).ventas.find(({ numero }) => numero === orden.numOrden);
  expect(await deLista()).toMatchObject({ porque: 'Venta devuelta' });
  expect(await viewVenta(db, orden.numOrden)).toMatchObject({
    vuelve: true,
    salieron: [],
    articulos: [{ faltan: 2, recibidas: 0, deLaOrden: 0, conCosto: true }],
  });
  await recibe({ cantidad: '1' });
  expect(await viewVenta(db, orden.numOrden)).toMatchObject({
    vuelve: true,
    articulos: [{ faltan: 1, recibidas: 1, deLaOrden: 1 }],
  });
  await recibe({ cantidad: '1', recibidas: 1 });
  expect(await deLista()).toBeUndefined();
  expect(await viewVenta(db, orden.numOrden)).toMatchObject({ vuelve: false, articulos: [{ recibidas: 2 }] });

  const pieza = (await buildPiezas(db, usuario.id, { producto, estado: 'disponible' }))[0]!;
  await hacer({ que: 'surtir', datos: { id: pieza.id, version: pieza.version, venta: orden.numOrden } });
  expect((await viewVenta(db, orden.numOrden))!.salieron).toMatchObject([{ folio: pieza.folio }]);
});

test('two phones that hang one label on one piece both did; on another piece it is told where it hangs', async () => {
  const [pieza, ajena] = [await una(), await una()];
  const [etiqueta] = await db
    .transaction()
    .execute((trx) => createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, usuario.id));
  const { codigo } = etiqueta!;
  const liga = (folio: string) => hacer({ que: 'ligar', datos: { codigo, folio } });
  await Promise.all([liga(pieza.folio), liga(pieza.folio)]);
  await expect(liga(ajena.folio)).rejects.toThrow(`Esa etiqueta ya es de la pieza ${pieza.folio}.`);
  expect(await viewPieza(db, pieza.id)).toMatchObject({ etiquetas: [codigo] });
});

test('what is decided about a piece that moved meanwhile is refused, told with how it stands now, and its key is free', async () => {
  const { id, version } = await una();
  await hacer({ que: 'estado', datos: { id, version, estado: 'danado' } }, randomUUID(), otra.id);
  const clave = randomUUID();
  const tarde = await hacer({ que: 'estado', datos: { id, version, estado: 'disponible' } }, clave).catch(
    (error: unknown) => error,
  );
  expect(tarde).toBeInstanceOf(Stale);
  expect(await noOfBodega(db, tarde, id)).toMatchObject({
    choque: true,
    pieza: { estado: 'danado', version: version + 1 },
  });
  expect(await hacer({ que: 'estado', datos: { id, version: version + 1, estado: 'baja' } }, clave)).toMatchObject({
    estado: 'baja',
  });
});

test("nobody is answered what somebody else's press was", async () => {
  const { id, version } = await una();
  const clave = randomUUID();
  const envio: Envio = { que: 'estado', datos: { id, version, estado: 'disponible' } };
  await hacer(envio, clave);
  await expect(hacer(envio, clave, otra.id)).rejects.toThrow(NotAllowed);
});

test('a photograph is kept without its place, and a seventh is refused also when two come at once', async () => {
  const { id, folio } = await una();
  const foto = () => hacer({ que: 'foto', datos: { id, foto: comoFile(retrato()) } });
  for (let n = 0; n < 5; n++) await foto();
  const ends = await Promise.allSettled([foto(), foto()]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const { fotos } = (await viewPieza(db, id))!;
  expect(fotos).toHaveLength(6);
  const { tipo, nombre, contenido } = (await readFoto(db, fotos[0]!))!;
  expect([tipo, nombre]).toEqual(['image/jpeg', `${folio}-1.jpg`]);
  expect(contenido.toString('latin1')).not.toMatch(/19\.4326|Ana|script/);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<html><script>alert(1)</script>')],
  ['a PDF', Buffer.from('%PDF-1.4')],
  ['half a picture', retrato().subarray(0, 30)],
  ['a picture too large to open', retrato(65_000)],
])('%s is no photograph', async (_, contenido) => {
  const { id } = await una();
  await expect(hacer({ que: 'foto', datos: { id, foto: comoFile(contenido) } })).rejects.toThrow(NotAllowed);
  expect((await viewPieza(db, id))!.fotos).toEqual([]);
});

test('a folio is found however it was typed, and a sale that nobody made is not', async () => {
  const { folio } = await una();
  expect(await viewEscaneado(db, folio.toLowerCase().replaceAll('-', ' '))).toMatchObject({
    clase: 'pieza',
    pieza: { folio, estadoLabel: 'En revisión', fotos: [] },
  });
  expect(await viewEscaneado(db, 'DV-26-999999')).toBeUndefined();
  expect(await viewVenta(db, '2000009999999999')).toBeUndefined();
});
