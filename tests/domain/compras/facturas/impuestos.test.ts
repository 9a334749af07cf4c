import { describe, expect, test } from 'vitest';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { cfdiRecibido } from '~/domain/compras/facturas/internal/cfdiRecibido';
import { readImpuestosPendientes } from '~/domain/compras/facturas/impuestos.server';
import { receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { cfdiDeProveedor, linkNuestroRfc, type CfdiSketch } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

const leidos = (sketch: CfdiSketch, change: (xml: string) => string = (xml) => xml) =>
  JSON.parse(
    JSON.stringify(
      cfdiRecibido(new Date('2026-11-20T12:00:00Z')).parse(readCfdiXml(change(cfdiDeProveedor(sketch)))).impuestos,
    ),
  ) as Record<string, string>;

const MEZCLA: CfdiSketch = {
  total: '475.33',
  conceptos: [
    { descripcion: 'Cámara', importe: '100.00', iva: '16.00', ivaRetenido: '10.67' },
    { descripcion: 'Disco', importe: '50.00', iva: '8.00' },
    { descripcion: 'Cable', importe: '100.00', iva: '8.00', tasa: '0.080000' },
    { descripcion: 'Libro', importe: '90.00', iva: '0.00', tasa: '0.000000' },
    { descripcion: 'Seguro', importe: '74.00', exento: true },
    { descripcion: 'Donativo', importe: '40.00', objetoImp: '01' },
  ],
};
const CERO = {
  base16: '0.00',
  iva16: '0.00',
  base8: '0.00',
  iva8: '0.00',
  base0: '0.00',
  exento: '0.00',
  noObjeto: '0.00',
  ivaRetenido: '0.00',
};

describe("the taxes of a supplier's document", () => {
  test('are told by rate, with what is exempt, what IVA does not reach, and the IVA withheld', () => {
    expect(leidos(MEZCLA)).toEqual({
      base16: '150.00',
      iva16: '24.00',
      base8: '100.00',
      iva8: '8.00',
      base0: '90.00',
      exento: '74.00',
      noObjeto: '40.00',
      ivaRetenido: '10.67',
      lugar: '31000',
    });
  });

  test('are in pesos at the rate of the document', () => {
    const dolares: CfdiSketch = { moneda: 'USD', tipoCambio: '18.5', total: '11.60' };
    const conceptos = [{ descripcion: 'Cámara', importe: '10.00', iva: '1.60' }];
    expect(leidos({ ...dolares, conceptos })).toEqual({ ...CERO, base16: '185.00', iva16: '29.60', lugar: '31000' });
  });

  test.each<[string, CfdiSketch, string]>([
    [
      'a line without its IVA',
      { total: '100.00', conceptos: [{ descripcion: 'A', importe: '100.00' }] },
      'Un concepto no desglosa su IVA.',
    ],
    [
      'a rate that nobody knows',
      { total: '111.00', conceptos: [{ descripcion: 'A', importe: '100.00', iva: '11.00', tasa: '0.110000' }] },
      'Tiene IVA a una tasa que no se conoce (0.110000).',
    ],
    ['lines that do not come to the total', { total: '119.00' }, 'Sus conceptos e impuestos no suman su total.'],
    ['a place that is none', { lugar: '3100' }, 'Su lugar de expedición no se puede leer.'],
  ])('are unknown, with the reason, for %s', (_, sketch, motivo) => {
    expect(leidos(sketch)).toEqual({ motivo });
  });

  test('within a peso the rounding of lines explains the total; a number that is none explains nothing', () => {
    expect(leidos({ total: '116.90' })).toMatchObject({ base16: '100.00' });
    expect(leidos({}, (xml) => xml.replace('Base="100.00"', 'Base="1e2"'))).toEqual({
      motivo: 'Tiene impuestos que no se pueden leer.',
    });
  });
});

test('documents of before are read once, each by itself; one that cannot be read says why and is asked no more', async () => {
  const ana = await buildPersona(db, 'admin');
  await linkNuestroRfc(db);
  const { leidos: ids } = await db.transaction().execute((trx) =>
    receiveCfdis(
      trx,
      [cfdiDeProveedor(MEZCLA), cfdiDeProveedor({ total: '119.00' }), cfdiDeProveedor()].map((xml, at) => ({
        nombre: `${at}.xml`,
        contenido: Buffer.from(xml),
      })),
      ana.id,
    ),
  );
  const taxes = () =>
    db
      .selectFrom('proveedorCfdi')
      .select(['base16', 'exento', 'ivaRetenido', 'lugar', 'sinImpuestos', 'metodoPago'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute();
  const alSubir = await taxes();
  expect(alSubir.map(({ base16, sinImpuestos }) => [base16?.toFixed(2), sinImpuestos])).toEqual([
    ['150.00', null],
    [undefined, 'Sus conceptos e impuestos no suman su total.'],
    ['100.00', null],
  ]);

  await db
    .updateTable('proveedorCfdi')
    .set({
      base16: null,
      iva16: null,
      base8: null,
      iva8: null,
      base0: null,
      exento: null,
      noObjeto: null,
      ivaRetenido: null,
      lugar: null,
      sinImpuestos: null,
      metodoPago: null,
    })
    .execute();
  const parada = new AbortController();
  parada.abort();
  expect(await readImpuestosPendientes(db, parada.signal)).toBe(0);
  expect(await readImpuestosPendientes(db)).toBe(3);
  expect(JSON.stringify(await taxes())).toBe(JSON.stringify(alSubir));
  expect(await readImpuestosPendientes(db)).toBe(0);
});
