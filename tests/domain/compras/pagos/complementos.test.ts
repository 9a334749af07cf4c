import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { discardCfdi } from '~/domain/compras/facturas/cfdis.server';
import { readComplementos } from '~/domain/compras/pagos/complementos.server';
import { readDiot } from '~/domain/compras/pagos/diot.server';
import { openCuenta } from '../../../support/builders/cuentaDeProveedor';
import { complementoDeProveedor, linkNuestroRfc } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { xsdFaults } from '../../../support/xsd';

const { db } = testDatabase();
let ana: Usuario;
const { recibir, escena } = openCuenta(db, () => ana.id);
beforeAll(async () => {
  ana = await buildPersona(db, 'admin');
  await linkNuestroRfc(db);
});

const ANTES = new Date('2026-11-05T12:00:00-06:00');
const DESPUES = new Date('2026-11-06T12:00:00-06:00');
const loQueDice = async (proveedor: string, ahora = DESPUES) =>
  (await readComplementos(db, { proveedor, ahora })).map(({ motivo, dice, aqui }) => [
    motivo,
    dice?.toFixed(2) ?? null,
    aqui?.toFixed(2) ?? null,
  ]);
const entero = { pagado: '116.00', base: '100.00', iva: '16.00' };

test('a complement is a valid CFDI by the SAT’s schema, which has no schema of the complement itself', async () => {
  const xml = complementoDeProveedor({ pagos: [{ fecha: '2026-11-01', doctos: [{ uuid: randomUUID(), ...entero }] }] });
  expect(await xsdFaults(xml.replace(/<pago20:Pagos.*<\/pago20:Pagos>/s, ''))).toEqual([]);
});

describe('what a supplier says was paid', () => {
  test('confirms our payments, with its installments, and is kept once', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD' });
    await suyo.pagar('2026-10-03', '50.00', { [una.ordenId]: '50.00' });
    await suyo.pagar('2026-10-20', '66.00', { [una.ordenId]: '66.00' });
    const uuid = randomUUID();
    const docto = {
      uuid: una.uuid,
      pagado: '50.00',
      base: '43.10',
      iva: '6.90',
      saldoAnterior: '116.00',
      insoluto: '66.00',
    };
    const { complementos, facturas, notas } = await suyo.complementar('2026-10-03', [docto], uuid);
    expect([complementos.length, facturas, notas]).toEqual([1, [], []]);
    await suyo.complementar('2026-10-03', [docto], uuid);
    await suyo.complementar('2026-10-20', [
      {
        uuid: una.uuid,
        pagado: '66.00',
        base: '56.90',
        iva: '9.10',
        saldoAnterior: '66.00',
        insoluto: '0.00',
        parcialidad: 2,
      },
    ]);
    expect(await loQueDice(suyo.value)).toEqual([]);
    const doctos = await db
      .selectFrom('proveedorDocto')
      .select(['parcialidad', 'fecha', 'insoluto'])
      .where('uuid', '=', una.uuid)
      .orderBy('parcialidad')
      .execute();
    expect(doctos.map((one) => [one.parcialidad, one.fecha, one.insoluto.toFixed(2)])).toEqual([
      [1, '2026-10-03', '66.00'],
      [2, '2026-10-20', '0.00'],
    ]);
  });

  test('is told where it is more than we registered, and where we do not have the invoice', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD' });
    await suyo.complementar('2026-10-03', [
      { uuid: una.uuid, ...entero },
      { uuid: randomUUID(), ...entero },
    ]);
    expect((await loQueDice(suyo.value)).toSorted()).toEqual([
      ['sinFactura', '116.00', null],
      ['sinPago', '116.00', '0.00'],
    ]);
    const [uno] = await readComplementos(db, { proveedor: suyo.value });
    expect(uno!.remedio).not.toBe('');
  });

  test('is told where it says that another balance is left', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD' });
    await suyo.pagar('2026-10-03', '50.00', { [una.ordenId]: '50.00' });
    await suyo.complementar('2026-10-03', [
      { uuid: una.uuid, pagado: '50.00', base: '43.10', iva: '6.90', saldoAnterior: '92.80', insoluto: '42.80' },
    ]);
    expect(await loQueDice(suyo.value)).toEqual([['otroSaldo', '42.80', '66.00']]);
    await suyo.notar([una.uuid]);
    expect(await loQueDice(suyo.value)).toEqual([]);
  });

  test('of a document in another currency is not compared', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD', moneda: 'USD', tipoCambio: '18.5' });
    await suyo.complementar('2026-10-03', [{ uuid: una.uuid, ...entero, moneda: 'USD', equivalencia: '0.05' }]);
    const { pagado } = await db
      .selectFrom('proveedorDocto')
      .select('pagado')
      .where('uuid', '=', una.uuid)
      .executeTakeFirstOrThrow();
    expect(pagado.toFixed(2)).toBe('2320.00');
    expect(await loQueDice(suyo.value)).toEqual([]);
  });
});

test('a complement that was discarded says nothing', async () => {
  const suyo = await escena();
  const una = await suyo.facturar({ metodoPago: 'PPD' });
  const { complementos } = await suyo.complementar('2026-10-03', [{ uuid: una.uuid, ...entero }]);
  expect(await loQueDice(suyo.value)).toEqual([['sinPago', '116.00', '0.00']]);
  const visto = { cfdi: complementos[0]!, huella: 'x', mostrado: {} };
  await db.transaction().execute((trx) => discardCfdi(trx, visto, ana.id));
  expect(await loQueDice(suyo.value)).toEqual([]);
});

describe('a PPD invoice that was paid', () => {
  test('asks for its complement from the day after the legal one', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD' });
    await suyo.pagar('2026-10-31', '116.00', { [una.ordenId]: '116.00' });
    expect(await loQueDice(suyo.value, ANTES)).toEqual([]);
    expect(await loQueDice(suyo.value)).toEqual([['faltaComplemento', null, '116.00']]);
    await suyo.complementar('2026-10-31', [
      { uuid: una.uuid, pagado: '100.00', base: '86.21', iva: '13.79', saldoAnterior: '116.00', insoluto: '16.00' },
    ]);
    expect(await loQueDice(suyo.value)).toEqual([['faltaComplemento', '100.00', '116.00']]);
  });

  test('asks for nothing where it is PUE, or was paid this month', async () => {
    const suyo = await escena();
    const una = await suyo.facturar();
    const otra = await suyo.facturar({ metodoPago: 'PPD' });
    await suyo.pagar('2026-10-01', '116.00', { [una.ordenId]: '116.00' });
    await suyo.pagar('2026-11-01', '116.00', { [otra.ordenId]: '116.00' });
    expect(await loQueDice(suyo.value)).toEqual([]);
  });
});

describe('the DIOT', () => {
  const cifras = async (mes: string) => JSON.parse(JSON.stringify((await readDiot(db, mes)).filas)) as unknown;

  test('takes the IVA by rate of the complement of the month, and of the document where there is none', async () => {
    const suyo = await escena();
    const mixta = {
      total: '216.00',
      conceptos: [
        { descripcion: 'Cámara', importe: '100.00', iva: '16.00' },
        { descripcion: 'Libro', importe: '100.00', iva: '0.00', tasa: '0.000000' },
      ],
    };
    const una = await suyo.facturar({ metodoPago: 'PPD', ...mixta });
    await suyo.pagar('2026-08-03', '116.00', { [una.ordenId]: '116.00' });
    await suyo.pagar('2026-09-03', '100.00', { [una.ordenId]: '100.00' });
    await suyo.complementar('2026-08-03', [{ uuid: una.uuid, ...entero, saldoAnterior: '216.00', insoluto: '100.00' }]);
    expect(await cifras('2026-08')).toMatchObject([
      { pagado: '116.00', cifras: { base16: '100.00', iva16: '16.00', base0: '0.00' } },
    ]);
    expect(await cifras('2026-09')).toMatchObject([
      { pagado: '100.00', cifras: { base16: '46.30', iva16: '7.41', base0: '46.30' } },
    ]);
  });

  test('knows by its complement the IVA of an invoice that does not write it out', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD', conceptos: [{ descripcion: 'Cámara', importe: '116.00' }] });
    await suyo.pagar('2026-07-03', '116.00', { [una.ordenId]: '116.00' });
    expect((await readDiot(db, '2026-07')).faltas).toMatchObject([{ motivo: 'ilegible' }]);
    await suyo.complementar('2026-07-03', [{ uuid: una.uuid, ...entero }]);
    expect((await readDiot(db, '2026-07')).faltas).toEqual([]);
    expect(await cifras('2026-07')).toMatchObject([{ cifras: { base16: '100.00', iva16: '16.00' } }]);
  });

  test('takes no IVA of a complement whose taxes do not come to what was paid', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD' });
    await suyo.pagar('2026-06-03', '116.00', { [una.ordenId]: '116.00' });
    await suyo.complementar('2026-06-03', [{ uuid: una.uuid, pagado: '116.00', base: '50.00', iva: '8.00' }]);
    expect(await cifras('2026-06')).toMatchObject([{ cifras: { base16: '100.00', iva16: '16.00' } }]);
  });
});

test('a complement that cannot be read, or of another company, is refused with the reason', async () => {
  const pagos = [{ fecha: '2026-11-01', doctos: [{ uuid: randomUUID(), ...entero }] }];
  const casos: [string, RegExp][] = [
    [complementoDeProveedor({ pagos: [{ fecha: '2026-11-01', doctos: [{ uuid: 'x', ...entero }] }] }), /UUID/],
    [complementoDeProveedor({ pagos }).replace('MonedaP="MXN" TipoCambioP="1"', 'MonedaP="USD"'), /tipo de cambio/],
    [complementoDeProveedor({ pagos, receptor: 'XAXX010101000' }), /no de/],
    [complementoDeProveedor({ pagos }).replace(/<pago20:Pagos.*<\/pago20:Pagos>/s, ''), /le falta Pagos/],
  ];
  for (const [xml, motivo] of casos) expect((await recibir(xml)).rechazados[0]!.motivo).toMatch(motivo);
});
