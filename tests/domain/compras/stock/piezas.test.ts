import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import PDFDocument from 'pdfkit';
import QRCode from 'qrcode';
import { beforeAll, describe, expect, test } from 'vitest';
import { retireLoose } from '~/platform/files/archivos.server';
import { readCodigos, readPdf } from '~/platform/files/readFile.server';
import {
  ESTADO_LABEL,
  ESTADOS,
  PASOS,
  type EstadoDeStock,
  codigoOf,
  folioOf,
  parseCodigo,
  parseFolio,
  PAPELES,
} from '~/domain/compras/stock/pieza';
import { direccionOf, drawEtiquetas } from '~/domain/compras/stock/drawEtiquetas.server';
import { createEtiquetas, etiquetasOf, bindEtiqueta, listTiradas } from '~/domain/compras/stock/etiquetas.server';
import { PAPELES_DE_ROLLO } from '~/domain/compras/stock/papel';
import { writeZpl } from '~/domain/compras/stock/writeZpl.server';
import { findEscaneado, listEstados, readFacturaOfPieza, readPieza } from '~/domain/compras/stock/readPiezas.server';
import { productosOfPiezas } from '~/domain/compras/stock/internal/modelo.server';
import { rows, seisMeses, stockInternoList } from '~/domain/compras/stock/listStock.server';
import {
  changeEstado,
  createDevolucion,
  undoMovimiento,
  receiveFactura,
  savePieza,
  sellPieza,
} from '~/domain/compras/stock/piezas.server';
import { DevolucionForm, PiezaEditada } from '~/domain/compras/stock/forms';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock, unPdf } from '../../../support/builders/stock';
import { buildPersona } from '../../../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../../../support/db';

const { db } = testDatabase();
let usuarioId: string;
let producto: string;

beforeAll(async () => {
  usuarioId = (await buildPersona(db)).id;
  producto = (await buildProductoDeStock(db)).id;
});

const trx = <T>(run: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) =>
  db.transaction().execute(run) as Promise<T>;
const una = async (given: Record<string, unknown> = {}) =>
  (await buildPiezas(db, usuarioId, { producto, ...given }))[0]!;
const leida = async (id: string) => (await readPieza(db, id))!;
const mover = async (id: string, estado: EstadoDeStock) => {
  const { version } = await leida(id);
  await trx((t) => changeEstado(t, { id, version, estado }, usuarioId));
};
const crear = async (given: Record<string, unknown>) => {
  const form = await receiveFactura(
    DevolucionForm.parse({ clave: randomUUID(), cantidad: '1', costo: '100', producto, ...given }),
  );
  return trx<string[]>((t) => createDevolucion(t, form, usuarioId));
};
const editar = async (id: string, version: number, given: Record<string, unknown>) => {
  const form = await receiveFactura(
    PiezaEditada.parse({ id, version, estado: 'enRevision', proveedor: 'syscom', costo: '100', ...given }),
  );
  await trx((t) => savePieza(t, form, usuarioId));
};
/** One more sale of a cart; its `numOrden` here is its own number at the marketplace. */
const deCarrito = async (packId: string, sku: string | null = null) => {
  const orden = await buildOrden(db, { sku });
  await db.updateTable('orden').set({ packId, numOrden: packId }).where('id', '=', orden.id).execute();
  return orden;
};
/** A sale of one article, with the name that a piece of it keeps. */
const conArticulo = async (sku: string) => {
  const { id, numOrden } = await buildOrden(db, { sku });
  const { nombre } = await db
    .selectFrom('articulo')
    .select('nombre')
    .where('ordenId', '=', id)
    .executeTakeFirstOrThrow();
  return { id, numOrden, nombre };
};
/** What a form is refused with, by field. */
const faltas = (given: Record<string, unknown>) =>
  DevolucionForm.safeParse({ clave: randomUUID(), cantidad: '1', costo: '100', producto, ...given }).error?.issues.map(
    ({ path, message }) => [path.join('.'), message],
  );

describe('the folio of a piece', () => {
  test('is read aloud: its letter tells a wrong digit and two that changed places', () => {
    const folio = folioOf(2026, 4183);
    expect(folio).toMatch(/^DV-26-004183-[A-Z]$/);
    for (const escrito of [folio, folio.toLowerCase(), folio.replaceAll('-', ' '), folio.slice(0, -2)])
      expect(parseFolio(escrito)).toBe(folio);
    expect(parseFolio(folio.replace('4183', '4193'))).toBeUndefined();
    expect(parseFolio(folio.replace('4183', '4813'))).toBeUndefined();
    expect(parseFolio('DV-26-000000-T')).toBeUndefined();
    expect(parseCodigo(codigoOf(12).toLowerCase())).toBe(codigoOf(12));
  });

  test('is the same one in the database', async () => {
    const pieza = await una();
    expect(pieza.folio).toBe(folioOf(pieza.anio, pieza.numero));
    const [etiqueta] = await trx<{ codigo: string }[]>((t) =>
      createEtiquetas(t, { clave: randomUUID(), cuantas: 1 }, usuarioId),
    );
    const { numero } = await db
      .selectFrom('stockEtiqueta')
      .selectAll()
      .where('codigo', '=', etiqueta!.codigo)
      .executeTakeFirstOrThrow();
    expect(etiqueta!.codigo).toBe(codigoOf(numero));
  });

  test('leaves no gap: what was rolled back is given again', async () => {
    const antes = (await una()).numero;
    await expect(
      db.transaction().execute(async (t) => {
        const form = DevolucionForm.parse({ clave: randomUUID(), cantidad: '7', costo: '1', producto });
        await createDevolucion(t, { ...form, factura: null }, usuarioId);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await una()).numero).toBe(antes + 1);
  });
});

describe('a return', () => {
  test('of n pieces is n folios in a row, also when it is sent twice at once', async () => {
    const form = {
      ...DevolucionForm.parse({ clave: randomUUID(), cantidad: '3', costo: '100', producto }),
      factura: null,
    };
    const [una, otra] = await Promise.all([1, 2].map(() => trx<string[]>((t) => createDevolucion(t, form, usuarioId))));
    expect(una).toHaveLength(3);
    expect(otra).toEqual(una);
    const { n } = await db
      .selectFrom('stockInterno')
      .where('folio', 'in', una!)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(3);
  });

  test('begins under review, and only where a piece may begin', async () => {
    expect((await una()).estado).toBe('enRevision');
    expect((await una({ estado: 'disponible' })).estado).toBe('disponible');
    await expect(crear({ estado: 'vendido' })).rejects.toThrow();
  });

  test.each([
    [{ cantidad: '' }, 'cantidad', 'Este dato es necesario'],
    [{ cantidad: '2.5' }, 'cantidad', 'Cantidad no valida'],
    [
      { cantidad: '0' },
      'cantidad',
      'Error de llenado. Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
    ],
    [
      { costo: '' },
      'costo',
      'Error de llenado. Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
    ],
    [
      { costo: '-5' },
      'costo',
      'Error de llenado. Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
    ],
    [{ folioFactura: 'A-1' }, 'factura', 'No se detecto archivo'],
    [{ factura: unPdf() }, 'folioFactura', 'No se detecto el folio de la factura'],
  ])('is refused in the agreed words: %j', (given, campo, texto) => {
    expect(faltas(given)).toContainEqual([campo, texto]);
  });

  test('keeps one invoice for all its pieces, which goes with the last of them', async () => {
    const [a, b] = await buildPiezas(db, usuarioId, {
      producto,
      cantidad: '2',
      folioFactura: 'F-9',
      factura: unPdf('una'),
    });
    expect(a!.facturaId).toBe(b!.facturaId);
    const quitar = ({ id, version }: { id: string; version: number }) => editar(id, version, { eliminarFactura: '1' });
    const retirar = () => retireLoose(db, 0, sql`select '' as dice where false`);
    await quitar(a!);
    await retirar();
    expect(await readFacturaOfPieza(db, a!.id)).toBeUndefined();
    expect((await readFacturaOfPieza(db, b!.id))?.archivo.contenido.toString()).toContain('una');
    await quitar(b!);
    await retirar();
    expect(await db.selectFrom('archivo').select('id').where('id', '=', a!.facturaId).execute()).toEqual([]);
  });

  test('takes no invoice that is something else under the name of a PDF', async () => {
    for (const contenido of ['<html>', '<html>%PDF-1.4', '\x89PNG\r\n\x1a\n'])
      await expect(
        crear({ folioFactura: 'F', factura: new File([contenido], 'factura.pdf', { type: 'application/pdf' }) }),
      ).rejects.toThrow('El archivo de la factura no es un PDF.');
  });
});

describe('the state of a piece', () => {
  test('the steps of the code are those of the database, and so are the states', async () => {
    const { rows } = await sql<{ de: string; a: string }>`select de, a from stock_paso`.execute(db);
    const enCodigo = ESTADOS.flatMap((de) => PASOS[de].map((a) => `${de}>${a}`));
    expect(rows.map(({ de, a }) => `${de}>${a}`).toSorted()).toEqual(enCodigo.toSorted());
    expect((await listEstados(db)).toSorted()).toEqual(Object.keys(ESTADO_LABEL).toSorted());
  });

  test('moves where a step leads and is refused in words elsewhere', async () => {
    const { id } = await una();
    await mover(id, 'disponible');
    await mover(id, 'baja');
    await expect(mover(id, 'disponible')).rejects.toThrow('está en «Baja» y de ahí no pasa a «Disponible»');
    expect((await leida(id)).movimientos.map(({ a }) => a)).toEqual(['baja', 'disponible', 'enRevision']);
  });

  test('is not written past its movements, whoever tries', async () => {
    const { id } = await una();
    await expect(
      db.updateTable('stockInterno').set({ estado: 'vendido' }).where('id', '=', id).execute(),
    ).rejects.toThrow('cambia con un movimiento');
    await expect(
      db.insertInto('stockMovimiento').values({ piezaId: id, de: 'enRevision', a: 'vendido' }).execute(),
    ).rejects.toThrow('no se pasa a');
    await expect(
      db.insertInto('stockMovimiento').values({ piezaId: id, de: 'disponible', a: 'baja' }).execute(),
    ).rejects.toThrow('la pieza está en');
  });

  test('of two who decide about what they saw, the second is told what moved', async () => {
    const { id, version } = await una();
    await trx((t) => changeEstado(t, { id, version, estado: 'disponible' }, usuarioId));
    await expect(trx((t) => changeEstado(t, { id, version, estado: 'baja' }, usuarioId))).rejects.toThrow(
      'ahora «Disponible»',
    );
  });

  test('goes back once within ten minutes, and both movements stay told', async () => {
    const { id } = await una();
    await mover(id, 'disponible');
    const deshacer = async () => {
      const { version } = await leida(id);
      await trx((t) => undoMovimiento(t, { id, version }, usuarioId));
    };
    expect((await leida(id)).regresaA).toBe('enRevision');
    await deshacer();
    expect(await leida(id)).toMatchObject({ estado: 'enRevision', regresaA: null });
    expect((await leida(id)).movimientos).toHaveLength(3);
    await expect(deshacer()).rejects.toThrow('ya no se puede deshacer');

    await mover(id, 'baja');
    // Only its owner can make a movement older than it is.
    await sql`update stock_movimiento set en = en - interval '11 minutes' where pieza_id = ${id}`.execute(
      ownerDatabase().db,
    );
    expect((await leida(id)).regresaA).toBeNull();
    await expect(deshacer()).rejects.toThrow('pasaron más de diez minutos');
  });

  test('a piece leaves for the sale that was chosen, and comes back without it when that is undone', async () => {
    const { id } = await una({ estado: 'disponible' });
    const { numOrden } = await buildOrden(db);
    const { version } = await leida(id);
    await expect(trx((t) => sellPieza(t, { id, version, venta: 'no-hay-tal' }, usuarioId))).rejects.toThrow(
      'No hay una orden no-hay-tal.',
    );
    await trx((t) => sellPieza(t, { id, version, venta: numOrden }, usuarioId));
    const vendida = await leida(id);
    expect(vendida).toMatchObject({ estado: 'vendido', ventaNumOrden: numOrden });
    await trx((t) => undoMovimiento(t, { id, version: vendida.version }, usuarioId));
    expect(await leida(id)).toMatchObject({ estado: 'disponible', ventaNumOrden: null });
  });
});

describe('an edited return', () => {
  test.each([
    [{ costo: '0' }, 'Error: El costo debe ser un número positivo'],
    [{ estado: '' }, 'Error: Debes seleccionar un estatus'],
    [{ estado: 'otro' }, 'Error: El estatus seleccionado no es válido'],
    [{ proveedor: '' }, 'Error: Debes seleccionar un proveedor'],
  ])('is refused in the agreed words: %j', (given, texto) => {
    const read = PiezaEditada.safeParse({
      id: randomUUID(),
      version: 1,
      estado: 'enRevision',
      proveedor: 'syscom',
      costo: '1',
      ...given,
    });
    expect(read.error?.issues.map(({ message }) => message)).toContain(texto);
  });

  test('names a supplier that is there, and a product where it had none', async () => {
    const { id: orden } = await buildOrden(db, { sku: null });
    const pieza = await una({ producto: undefined, orden });
    await expect(editar(pieza.id, pieza.version, { proveedor: 'nadie' })).rejects.toThrow(
      'Error: El proveedor seleccionado no es válido',
    );
    await expect(editar(pieza.id, pieza.version, {})).rejects.toThrow('Error: No se ha podido identificar el producto');
    await editar(pieza.id, pieza.version, { producto, recuperado: '50', observaciones: 'Caja abierta' });
    expect(await leida(pieza.id)).toMatchObject({ productoId: producto, observaciones: 'Caja abierta', version: 2 });
    await expect(editar(pieza.id, pieza.version, { producto })).rejects.toThrow('Otra persona modificó');
  });

  test('stays with its sale of a cart whatever is saved, and leaves that sale only when a form says so', async () => {
    const packId = '2000007700000001';
    const [, segunda, tercera] = [await deCarrito(packId), await deCarrito(packId), await deCarrito(packId)];
    const pieza = await una({ orden: tercera.id });
    const guardar = async (given: Record<string, unknown>) => {
      await editar(pieza.id, (await leida(pieza.id)).version, given);
      return (await leida(pieza.id)).ordenId;
    };
    expect(await guardar({ observaciones: 'Sin caja' })).toBe(tercera.id);
    expect(await guardar({ orden: packId, conOrden: '1' })).toBe(tercera.id);
    expect(await guardar({ orden: segunda.id })).toBe(segunda.id);
    expect(await guardar({ orden: tercera.numOrden })).toBe(tercera.id);
    expect(await guardar({ conOrden: '1' })).toBeNull();
    expect(await guardar({})).toBeNull();
  });

  test('goes to the sale of a cart that has its product, where only the number of the cart is typed', async () => {
    const packId = '2000007700000002';
    const suyo = await buildProductoDeStock(db, 'CARRITO-2');
    await deCarrito(packId);
    const segunda = await deCarrito(packId, `AMS|${suyo.idProveedor}|SYSCOM|${suyo.modelo}`);
    const [folio] = await crear({ producto: suyo.id, numOrden: packId });
    const pieza = await leida(((await findEscaneado(db, folio!)) as { id: string }).id);
    expect(pieza.ordenId).toBe(segunda.id);
    await expect(crear({ numOrden: 'no-hay-tal' })).rejects.toMatchObject({
      message: 'No hay una orden no-hay-tal.',
      campo: 'numOrden',
    });
  });

  test('has the model that its article names, where its product is not in the catalogue', async () => {
    const { id, numOrden, nombre } = await conArticulo('AMS|66f1c0da|tvc|VTK-VTO2211');
    const [folio] = await crear({ producto: undefined, orden: id, numOrden, descripcion: nombre, proveedor: 'tvc' });
    const pieza = await leida(((await findEscaneado(db, folio!)) as { id: string }).id);
    expect(pieza).toMatchObject({ productoId: null, modelo: 'VTK-VTO2211' });
    expect(await rows(db).where('stockInterno.id', '=', pieza.id).execute()).toMatchObject([{ modelo: 'VTK-VTO2211' }]);
  });

  test('stands beside the picture of the product that its article names, once the catalogue has it', async () => {
    const { id, numOrden, nombre } = await conArticulo('AMS|LLEGA-TARDE|syscom|M-LLEGA-TARDE');
    const [folio] = await crear({ producto: undefined, orden: id, numOrden, descripcion: nombre });
    const suya = ((await findEscaneado(db, folio!)) as { id: string }).id;
    const pieza = await leida(suya);
    expect(await productosOfPiezas(db, [pieza])).toEqual(new Map());
    const producto = await buildProductoDeStock(db, 'LLEGA-TARDE');
    expect(await productosOfPiezas(db, [pieza])).toEqual(new Map([[suya, producto.id]]));
    const [fila] = await rows(db).where('stockInterno.id', '=', suya).execute();
    await stockInternoList.conLado(db, [fila!]);
    expect(await db.selectFrom('productoRetrato').select('productoId').execute()).toContainEqual({
      productoId: producto.id,
    });
  });

  test('replaces its invoice, and its state moves with the rest', async () => {
    const pieza = await una({ folioFactura: 'F-1', factura: unPdf('vieja') });
    await editar(pieza.id, pieza.version, { folioFactura: 'F-2', factura: unPdf('nueva'), estado: 'disponible' });
    expect(await leida(pieza.id)).toMatchObject({ facturaFolio: 'F-2', estado: 'disponible' });
    expect((await readFacturaOfPieza(db, pieza.id))?.archivo.contenido.toString()).toContain('nueva');
    const igual = new File([await unPdf('nueva').arrayBuffer()], 'la-suya.pdf', { type: 'application/pdf' });
    const otra = await una({ folioFactura: 'F-3', factura: igual });
    await editar(otra.id, otra.version, { folioFactura: 'F-3' });
    expect((await readFacturaOfPieza(db, otra.id))?.nombre).toBe('la-suya.pdf');
    expect((await leida(pieza.id)).facturaNombre).toBe('nueva.pdf');
  });
});

describe('labels', () => {
  test.each(PAPELES)('on %s say the address of each piece, as another reader finds it on paper', async (papel) => {
    const piezas = await buildPiezas(db, usuarioId, { producto, cantidad: '3' });
    const etiquetas = await etiquetasOf(db, { piezas: piezas.map(({ id }) => id) });
    const leido = await readCodigos(await buffer(drawEtiquetas(etiquetas, papel)));
    expect(leido).toEqual({ tipo: 'leido', dice: piezas.map(({ folio }) => direccionOf(folio)) });
  });

  describe.each(PAPELES_DE_ROLLO)('in ZPL on %s', (papel) => {
    const LARGO =
      'Cámara IP «domo» de 8 MP ^FS ~ WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW con visión nocturna a 40 metros '.repeat(4);
    const fuente = new PDFDocument({ autoFirstPage: false }).font('Helvetica-Bold');
    /** Fields of each label as a printer reads them: place, what is there, and its text. */
    const labelsIn = (zpl: string) =>
      zpl
        .split('^XZ')
        .slice(0, -1)
        .map((label) => ({
          ancho: Number(/\^PW(\d+)/.exec(label)![1]),
          alto: Number(/\^LL(\d+)/.exec(label)![1]),
          fields: [...label.matchAll(/\^FO(\d+),(\d+)\^(?:BQN,2,(\d+)|A0N,(\d+),\d+)\^FH\^FD([^^]*)\^FS/g)].map(
            ([, x, y, punto, letra, dato]) => ({
              x: Number(x),
              y: Number(y),
              punto: Number(punto ?? 0),
              letra: Number(letra ?? 0),
              texto: dato!.replace(/_([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
            }),
          ),
        }));

    test('nothing lies beyond the edge, whatever the name, and the code holds the address of the piece', () => {
      const zpl = writeZpl([{ codigo: 'DV-26-000001-7', titulo: LARGO, detalle: 'DS-2CD · 30/11/2026' }], papel);
      expect(zpl.startsWith('^XA')).toBe(true);
      expect(zpl).toContain('^CI28');
      const [{ ancho, alto, fields }] = labelsIn(zpl) as [ReturnType<typeof labelsIn>[number]];
      const [codigo, ...textos] = fields;
      const direccion = direccionOf('DV-26-000001-7');
      expect(codigo!.texto).toBe(`MA,${direccion}`);
      const { size } = QRCode.create([{ data: Buffer.from(direccion), mode: 'byte' }], {
        errorCorrectionLevel: 'M',
      }).modules;
      const fin = codigo!.x + (size + 4) * codigo!.punto;
      expect(codigo!.punto, 'a square that a telephone reads').toBeGreaterThanOrEqual(4);
      expect(codigo!.y).toBeGreaterThanOrEqual(4 * codigo!.punto - 4);
      expect(codigo!.y + size * codigo!.punto).toBeLessThan(alto);
      expect(textos.slice(0, 2).map(({ texto }) => texto)).toEqual(['DV-26', '000001-7']);
      for (const { x, y, letra, texto } of textos) {
        expect(x).toBeGreaterThanOrEqual(fin);
        expect(y + letra).toBeLessThanOrEqual(alto);
        expect(x + fuente.fontSize(letra).widthOfString(texto), texto).toBeLessThanOrEqual(ancho);
      }
      expect(textos.map(({ texto }) => texto).join(' ')).toMatch(/000001-7 Cámara IP .*\.\.\. DS-2CD · 30\/11\/2026$/);
    });

    test('what the language means something by is text, and a label follows another', () => {
      const titulo = 'A^XZ_B~C\\D';
      const zpl = writeZpl(
        [
          { codigo: codigoOf(7), titulo, detalle: '' },
          { codigo: codigoOf(8), titulo: '', detalle: '' },
        ],
        papel,
      );
      const labels = labelsIn(zpl);
      expect(labels.map(({ fields }) => fields[0]!.texto)).toEqual([7, 8].map((n) => `MA,${direccionOf(codigoOf(n))}`));
      expect(
        labels[0]!.fields
          .slice(3)
          .map(({ texto }) => texto)
          .join(''),
      ).toBe(titulo);
      expect(labels[1]!.fields).toHaveLength(3);
    });
  });

  test('show letters of any script, beside a code that is still read', async () => {
    const [titulo, detalle] = ['Łódź 田 ≥ 5', 'Ж 😀'];
    const pdf = await buffer(drawEtiquetas([{ codigo: 'DV-26-000001-7', titulo, detalle }], 'rollo50'));
    expect(await readCodigos(pdf)).toEqual({ tipo: 'leido', dice: [direccionOf('DV-26-000001-7')] });
    const read = await readPdf(new Uint8Array(pdf));
    const text = (read.tipo === 'leido' ? read.dice : []).join(' ').replace(/\s+/g, ' ');
    for (const dicho of [titulo, detalle]) expect(text).toContain(dicho);
  });

  test('in blank are asked for once, and those that hang on a piece are not printed again', async () => {
    const nuevas = { clave: randomUUID(), cuantas: 5 };
    const crearlas = () => trx<{ codigo: string }[]>((t) => createEtiquetas(t, nuevas, usuarioId));
    const [una, otra] = await Promise.all([crearlas(), crearlas()]);
    expect(una).toEqual(otra);
    expect(new Set(una.map(({ codigo }) => parseCodigo(codigo))).size).toBe(5);
    const enPapel = async () =>
      readCodigos(await buffer(drawEtiquetas(await etiquetasOf(db, { tirada: nuevas.clave }), 'carta')));
    const direcciones = una.map(({ codigo }) => direccionOf(codigo));
    expect(await enPapel()).toEqual({ tipo: 'leido', dice: direcciones });
    const pieza = await buildPiezas(db, usuarioId, { producto });
    const { codigo } = una[0]!;
    await trx((t) => bindEtiqueta(t, { codigo: codigo.toLowerCase(), folio: pieza[0]!.folio }, usuarioId));
    expect((await leida(pieza[0]!.id)).etiquetas).toEqual([codigo]);
    expect(await enPapel()).toEqual({ tipo: 'leido', dice: direcciones.slice(1) });
    expect((await listTiradas(db)).find(({ clave }) => clave === nuevas.clave)).toMatchObject({
      cuantas: 5,
      libres: 4,
      primera: codigo,
      ultima: una.at(-1)!.codigo,
    });
  });

  test('a scanned text finds its piece, and a label that hangs on none says so', async () => {
    const pieza = await una();
    expect(await findEscaneado(db, pieza.folio.toLowerCase())).toMatchObject({ clase: 'pieza', id: pieza.id });
    const [etiqueta] = await trx<{ codigo: string }[]>((t) =>
      createEtiquetas(t, { clave: randomUUID(), cuantas: 1 }, usuarioId),
    );
    expect(await findEscaneado(db, etiqueta!.codigo)).toEqual({ clase: 'etiqueta', codigo: etiqueta!.codigo });
    expect(await findEscaneado(db, 'DV-26-999999')).toBeUndefined();
  });
});

test('the list begins with the first day of the month six months ago', () => {
  expect(seisMeses(new Date('2026-11-23T18:00:00Z'))).toEqual({ desde: '2026-05-01T00:00', hasta: '2026-11-30T23:59' });
  expect(seisMeses(new Date('2026-03-31T18:00:00Z'))).toEqual({ desde: '2025-09-01T00:00', hasta: '2026-03-31T23:59' });
});
