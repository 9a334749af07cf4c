import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { Usuario } from '~/core/usuario';
import { lineasDelTxt, pesosEnteros, txtOf } from '~/domain/compras/pagos/diot';
import { readDiot, writeDiot } from '~/domain/compras/pagos/diot.server';
import { readCfdisPropuestos, receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { createProveedorFactura, readFacturasOfOrden } from '~/domain/compras/facturas/proveedorFacturas.server';
import type { Trx } from '~db/client.server';
import { buildOrdenDe, cfdiDeProveedor, linkNuestroRfc, type CfdiSketch } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { unzip } from '../../../support/unzip';

const { db } = testDatabase();
let ana: Usuario;
beforeAll(async () => {
  ana = await buildPersona(db, 'admin');
  await linkNuestroRfc(db);
});

const tx = <T>(run: (trx: Trx) => Promise<T>) => db.transaction().execute(run);
let hechos = 0;
/** A supplier and an RFC of its own for each test, and a month that no other test pays in. */
async function escena({ conRfc = true } = {}) {
  const at = ++hechos;
  const value = `diot${at}`;
  const rfc = `DIO2401${String(at).padStart(2, '0')}AB1`;
  await db
    .insertInto('proveedor')
    .values({ value, label: `Proveedor ${at}`, rfc: conRfc ? rfc : null })
    .execute();
  return { value, rfc, mes: `20${String(30 + at)}-03` };
}
const orden = async () => (await buildOrdenDe(db, [{ modelo: randomUUID().slice(0, 8) }])).id;
async function facturar(
  { value, rfc }: { value: string; rfc: string },
  sketch: CfdiSketch & { ordenId?: string; monto?: string } = {},
) {
  const { ordenId = await orden(), monto, ...xml } = sketch;
  const folio = randomUUID().slice(0, 8);
  return tx(async (trx) => {
    const contenido = Buffer.from(cfdiDeProveedor({ rfc, serie: '', folio, ...xml }));
    const { leidos } = await receiveCfdis(trx, [{ nombre: 'a.xml', contenido }], ana.id);
    const [cfdi] = await readCfdisPropuestos(trx, leidos);
    const nueva = { ordenId, proveedor: value, folio, monto: monto ?? cfdi!.total.toFixed(2), cfdi: cfdi!.id };
    const { id } = await createProveedorFactura(trx, nueva, ana.id, { rfc: true });
    return { id, ordenId, cfdi: cfdi!.id, folio };
  });
}
async function pagar(
  { value }: { value: string },
  fecha: string | null,
  total: string | null,
  ordenes: Record<string, string | null> | string[],
) {
  const partes = Array.isArray(ordenes) ? ordenes.map((id) => [id, null] as const) : Object.entries(ordenes);
  const { id } = await db
    .insertInto('pago')
    .values({ proveedor: value, folio: randomUUID().slice(0, 8), fecha, total })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (partes.length > 0)
    await db
      .insertInto('pagoOrden')
      .values(partes.map(([ordenId, monto]) => ({ pagoId: id, ordenId, monto })))
      .execute();
  return id;
}
const plano = async (mes: string) => JSON.parse(JSON.stringify(await readDiot(db, mes))) as Plano;
type Plano = {
  filas: {
    rfc: string | null;
    pagado: string | null;
    cifras: Record<string, string> | null;
    sinSaber: string | null;
  }[];
  faltas: {
    motivo: string;
    cuantas: number;
    importe: string | null;
    ejemplos: { id: string | null; dice: string | null }[];
  }[];
  sinSaber: string | null;
  sinSaberAlMenos: string;
};

describe('a month', () => {
  test('is what was paid in it, whenever the invoice was issued', async () => {
    const suyo = await escena();
    const { ordenId } = await facturar(suyo, { fecha: '2026-01-05T10:00:00' });
    await pagar(suyo, `${suyo.mes}-31`, '116.00', [ordenId]);
    const { filas, faltas } = await plano(suyo.mes);
    expect(filas).toMatchObject([
      { rfc: suyo.rfc, facturas: 1, pagado: '116.00', cifras: { base16: '100.00', iva16: '16.00' }, sinSaber: '0.00' },
    ]);
    expect(faltas).toEqual([]);
    expect((await plano(suyo.mes.replace('-03', '-04'))).filas).toEqual([]);
    expect((await plano(suyo.mes.replace('-03', '-02'))).filas).toEqual([]);
  });

  test('has the part of each rate that its payment paid, and the months together are the whole document', async () => {
    const suyo = await escena();
    const { ordenId } = await facturar(suyo, {
      total: '250.33',
      conceptos: [
        { descripcion: 'Cámara', importe: '100.00', iva: '16.00', ivaRetenido: '10.67' },
        { descripcion: 'Libro', importe: '145.00', iva: '0.00', tasa: '0.000000' },
      ],
    });
    await pagar(suyo, `${suyo.mes}-10`, '100.00', { [ordenId]: '100.00' });
    await pagar(suyo, suyo.mes.replace('-03', '-05-20'), '150.33', { [ordenId]: '150.33' });
    const [marzo] = (await plano(suyo.mes)).filas;
    const [mayo] = (await plano(suyo.mes.replace('-03', '-05'))).filas;
    expect([marzo!.pagado, mayo!.pagado]).toEqual(['100.00', '150.33']);
    expect(marzo!.cifras).toMatchObject({ base16: '39.95', iva16: '6.39', base0: '57.92', ivaRetenido: '4.26' });
    expect(mayo!.cifras).toMatchObject({ base16: '60.05', iva16: '9.61', base0: '87.08', ivaRetenido: '6.41' });
  });

  test('of two invoices of a sale the first transfer paid the older one; what all of them paid is what the invoice says', async () => {
    const suyo = await escena();
    const vieja = await facturar(suyo);
    const nueva = await facturar(suyo, {
      ordenId: vieja.ordenId,
      total: '58.00',
      conceptos: [{ descripcion: 'Cable', importe: '50.00', iva: '8.00' }],
    });
    await pagar(suyo, suyo.mes.replace('-03', '-06-01'), '34.00', { [vieja.ordenId]: '34.00' });
    await pagar(suyo, `${suyo.mes}-01`, '140.00', { [vieja.ordenId]: '140.00' });
    expect((await plano(suyo.mes)).filas).toMatchObject([{ facturas: 2, pagado: '140.00' }]);
    expect((await plano(suyo.mes.replace('-03', '-06'))).filas).toMatchObject([{ facturas: 1, pagado: '34.00' }]);
    const pagadas = (await readPagadas([vieja.id, nueva.id])).map(({ pagada }) => pagada.toFixed(2));
    expect(pagadas).toEqual(['116.00', '58.00']);
  });

  test('a document over several sales has in the month the sales that were paid', async () => {
    const suyo = await escena();
    const una = await facturar(suyo, { monto: '29.00' });
    const otra = await orden();
    const parte = { ordenId: otra, proveedor: suyo.value, folio: una.folio, monto: '87.00', cfdi: una.cfdi };
    await tx((trx) => createProveedorFactura(trx, parte, ana.id));
    await pagar(suyo, `${suyo.mes}-01`, '29.00', [una.ordenId]);
    expect((await plano(suyo.mes)).filas).toMatchObject([
      { pagado: '29.00', cifras: { base16: '25.00', iva16: '4.00' } },
    ]);
  });
});

const readPagadas = (ids: string[]) =>
  db.selectFrom('proveedorFactura').select('pagada').where('id', 'in', ids).orderBy('id').execute();

describe('what is not known', () => {
  test('an invoice without its XML is no IVA: it says its amount, and its supplier has no figure', async () => {
    const suyo = await escena({ conRfc: false });
    const ordenId = await orden();
    const nueva = { ordenId, proveedor: suyo.value, folio: 'T-1', monto: '232.00' };
    await tx((trx) => createProveedorFactura(trx, nueva, ana.id));
    await pagar(suyo, `${suyo.mes}-01`, '232.00', [ordenId]);
    const { filas, faltas, sinSaber } = await plano(suyo.mes);
    expect(filas).toMatchObject([{ rfc: null, pagado: null, cifras: null, sinSaber: '232.00' }]);
    expect(faltas).toMatchObject([
      { motivo: 'sinXml', cuantas: 1, importe: '232.00', ejemplos: [{ folio: 'T-1', id: null }] },
    ]);
    expect(sinSaber).toBe('232.00');
    expect(txtOf((await readDiot(db, suyo.mes)).filas)).toBeNull();
  });

  test('the XML of that invoice is tied to it where folio and amount are the same, and to no other', async () => {
    const suyo = await escena();
    const ordenId = await orden();
    const teclear = (folio: string, monto: string) =>
      tx((trx) => createProveedorFactura(trx, { ordenId, proveedor: suyo.value, folio, monto }, ana.id));
    const tecleada = await teclear('t-9', '116.00');
    await pagar(suyo, `${suyo.mes}-01`, '116.00', [ordenId]);
    const contenido = Buffer.from(cfdiDeProveedor({ rfc: suyo.rfc, serie: 'T-', folio: '9' }));
    const { leidos } = await tx((trx) => receiveCfdis(trx, [{ nombre: 'a.xml', contenido }], ana.id));
    const atar = (monto: string) =>
      tx((trx) =>
        createProveedorFactura(trx, { ordenId, proveedor: suyo.value, folio: 'T-9', monto, cfdi: leidos[0]! }, ana.id),
      );
    await expect(atar('115.99')).rejects.toThrow('Ya existe la factura con el folio indicado');
    expect(await atar('116.00')).toEqual(tecleada);
    expect((await readFacturasOfOrden(db, ordenId))!.facturas).toMatchObject([{ cfdiId: leidos[0], version: 2 }]);
    expect((await plano(suyo.mes)).filas).toMatchObject([{ cifras: { iva16: '16.00' }, sinSaber: '0.00' }]);
  });

  test('a payment beyond its invoices, one without a day and one without an amount are asked for by name', async () => {
    const suyo = await escena();
    const { ordenId } = await facturar(suyo);
    const deMas = await pagar(suyo, `${suyo.mes}-01`, '200.00', [ordenId]);
    expect((await plano(suyo.mes)).faltas).toMatchObject([
      { motivo: 'sinFactura', importe: '84.00', ejemplos: [{ id: deMas }] },
    ]);
    const sinImporte = await pagar(suyo, `${suyo.mes}-02`, null, []);
    const { filas, faltas, sinSaber } = await plano(suyo.mes);
    expect(faltas).toMatchObject([{ motivo: 'sinFactura', cuantas: 2, importe: null }]);
    expect(faltas[0]!.ejemplos.map(({ id }) => id)).toContain(sinImporte);
    expect([sinSaber, filas[0]!.sinSaber, filas[0]!.cifras!.iva16]).toEqual([null, null, '16.00']);

    const sinFecha = await pagar(suyo, null, '50.00', []);
    await db
      .updateTable('pago')
      .set({ creadoEn: new Date(`${suyo.mes}-15T18:00:00Z`) })
      .where('id', '=', sinFecha)
      .execute();
    const todo = await plano(suyo.mes);
    expect(todo.faltas).toContainEqual(expect.objectContaining({ motivo: 'sinFecha', cuantas: 1, importe: '50.00' }));
    expect([todo.sinSaber, todo.sinSaberAlMenos]).toEqual([null, '50.00']);
  });

  test('a document that is not read yet, and one that does not tell its IVA, count nothing and say so', async () => {
    const suyo = await escena();
    const { ordenId } = await facturar(suyo, { total: '119.00' });
    await pagar(suyo, `${suyo.mes}-01`, '119.00', [ordenId]);
    const motivo = 'Sus conceptos e impuestos no suman su total.';
    expect((await plano(suyo.mes)).faltas).toMatchObject([
      { motivo: 'ilegible', importe: '119.00', ejemplos: [{ dice: motivo }] },
    ]);
    await db.updateTable('proveedorCfdi').set({ sinImpuestos: null }).where('emisorRfc', '=', suyo.rfc).execute();
    const { filas, faltas } = await plano(suyo.mes);
    expect(faltas).toMatchObject([{ motivo: 'porLeer', importe: '119.00' }]);
    expect(filas).toMatchObject([{ rfc: suyo.rfc, cifras: null }]);
  });
});

describe("the SAT's text file", () => {
  test('has 54 columns for each supplier, in whole pesos, with CRLF between and zeros written', async () => {
    const suyo = await escena();
    const { ordenId } = await facturar(suyo, {
      total: '14500.51',
      conceptos: [
        { descripcion: 'Cámaras', importe: '12500.51', iva: '2000.08', ivaRetenido: '100.08' },
        { descripcion: 'Seguro', importe: '100.00', exento: true },
      ],
    });
    await pagar(suyo, `${suyo.mes}-01`, '14500.51', [ordenId]);
    const { filas } = await readDiot(db, suyo.mes);
    const columnas = lineasDelTxt(filas)[0]!.split('|');
    expect(columnas).toHaveLength(54);
    const llenas = columnas.flatMap((texto, at) => (texto === '' || texto === '0' ? [] : [[at + 1, texto]]));
    expect(llenas).toEqual([
      [1, '04'],
      [2, '02'],
      [3, suyo.rfc],
      [12, '12501'],
      [22, '2000'],
      [48, '100'],
      [50, '100'],
      [54, '01'],
    ]);
    expect(columnas.slice(3, 7)).toEqual(['', '', '', '']);
    expect(columnas.slice(7, 11)).toEqual(['0', '0', '0', '0']);
    expect(
      txtOf([...filas, ...filas])!
        .toString()
        .split('\r\n'),
    ).toHaveLength(2);
  });

  test('is also written without zeros and with a mark, as other samples have it', async () => {
    const suyo = await escena();
    const { ordenId } = await facturar(suyo);
    await pagar(suyo, `${suyo.mes}-01`, '116.00', [ordenId]);
    const { filas } = await readDiot(db, suyo.mes);
    expect(
      lineasDelTxt(filas, { vacios: true })[0]!
        .split('|')
        .filter((texto) => texto !== ''),
    ).toEqual(['04', '02', suyo.rfc, '100', '16', '01']);
    expect([...txtOf(filas, { marca: true })!.subarray(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x30, 0x34]);
    expect([...txtOf(filas)!.subarray(0, 2)]).toEqual([0x30, 0x34]);
  });

  test('what was charged at 8 % stands in the border of the place of issue', async () => {
    const suyo = await escena();
    const frontera = (lugar: string, importe: string, iva: string, total: string) =>
      facturar(suyo, { lugar, total, conceptos: [{ descripcion: 'Cable', importe, iva, tasa: '0.080000' }] });
    const norte = await frontera('22000', '100.00', '8.00', '108.00');
    const sur = await frontera('30700', '200.00', '16.00', '216.00');
    await pagar(suyo, `${suyo.mes}-01`, '324.00', [norte.ordenId, sur.ordenId]);
    const { filas } = await readDiot(db, suyo.mes);
    const columnas = lineasDelTxt(filas)[0]!.split('|');
    expect([8, 18, 10, 20].map((columna) => columnas[columna - 1])).toEqual(['100', '8', '200', '16']);
  });

  test('leaves out an RFC that is nobody, and what is no peso', async () => {
    const suyo = await escena();
    const { ordenId } = await facturar(suyo);
    await pagar(suyo, `${suyo.mes}-01`, '0.50', { [ordenId]: '0.50' });
    const { filas } = await readDiot(db, suyo.mes);
    expect(lineasDelTxt(filas)).toEqual([]);
    const [fila] = filas;
    const cifras = { ...fila!.cifras!, base16: Money.of('100') };
    expect(lineasDelTxt([{ ...fila!, cifras }])).toHaveLength(1);
    for (const rfc of ['XAXX010101000', 'XEXX010101000', null])
      expect(lineasDelTxt([{ ...fila!, cifras, rfc }])).toEqual([]);
  });

  test('up to fifty cents go down, and from fifty-one on go up', () => {
    const redondos = ['0.00', '0.50', '0.51', '1.499999', '99.50', '99.51'].map((text) => pesosEnteros(Money.of(text)));
    expect(redondos).toEqual(['0', '0', '1', '1', '99', '100']);
  });
});

test('the Excel has a row for each supplier, with what is not known of it and why', async () => {
  const suyo = await escena();
  const { ordenId } = await facturar(suyo);
  await pagar(suyo, `${suyo.mes}-01`, '150.00', [ordenId]);
  const hoja = unzip(await writeDiot(db, suyo.mes))['xl/worksheets/sheet1.xml']!;
  expect(hoja).toContain(suyo.rfc);
  expect(hoja).toMatch(/Pago sin factura: [0-9a-f]{8}/);
});
