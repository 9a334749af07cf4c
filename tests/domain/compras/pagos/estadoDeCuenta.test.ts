import { beforeAll, expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { Usuario } from '~/core/usuario';
import { noteDevuelto, listNotas } from '~/domain/compras/facturas/notas.server';
import { readEstadoDeCuenta, writeEstadoDeCuenta } from '~/domain/compras/pagos/estadoDeCuenta.server';
import { openCuenta } from '../../../support/builders/cuentaDeProveedor';
import { linkNuestroRfc } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { unzip } from '../../../support/unzip';

const { db } = testDatabase();
let ana: Usuario;
const { tx, escena } = openCuenta(db, () => ana.id);
beforeAll(async () => {
  ana = await buildPersona(db, 'admin');
  await linkNuestroRfc(db);
});
const TODO = { desde: '2026-01-01', hasta: '2026-12-31' };

test('the account of a supplier is what was invoiced, credited, paid and given back, and says what explains its balance', async () => {
  const suyo = await escena();
  const una = await suyo.facturar({ fecha: '2026-09-10T10:00:00' });
  const otra = await suyo.facturar({ fecha: '2026-10-10T10:00:00' });
  await suyo.pagar('2026-09-20', '150.00', { [una.ordenId]: '116.00' });
  await suyo.pagar('2026-10-25', null, {});
  await suyo.notar([una.uuid], { fecha: '2026-10-20T10:00:00' });
  await suyo.notar(['00000000-0000-4000-8000-000000000000'], {
    fecha: '2026-11-02T10:00:00',
    total: '11.60',
    conceptos: [{ descripcion: 'X', importe: '10.00', iva: '1.60' }],
  });
  const [deUna] = (await listNotas(db, { proveedor: suyo.value })).filter(({ facturas }) => facturas.length > 0);
  const vuelta = { nota: deUna!.id, queda: Money.of('23.20'), importe: '3.20', fecha: '2026-11-10', folio: 'SPEI 9' };
  await tx((trx) => noteDevuelto(trx, vuelta, ana.id));

  const estado = (await readEstadoDeCuenta(db, suyo.value, TODO))!;
  expect(
    estado.movimientos.map(({ fecha, que, importe, saldo }) => [
      fecha,
      que,
      importe?.toFixed(2) ?? null,
      saldo.toFixed(2),
    ]),
  ).toEqual([
    ['2026-09-10', 'factura', '116.00', '116.00'],
    ['2026-09-20', 'pago', '-150.00', '-34.00'],
    ['2026-10-10', 'factura', '116.00', '82.00'],
    ['2026-10-20', 'nota', '-23.20', '58.80'],
    ['2026-10-25', 'pago', null, '58.80'],
    ['2026-11-02', 'nota', '-11.60', '47.20'],
    ['2026-11-10', 'devuelto', '3.20', '50.40'],
  ]);
  expect(JSON.parse(JSON.stringify(estado.totales))).toEqual({
    pedido: '0.00',
    facturado: '232.00',
    acreditado: '34.80',
    pagado: '150.00',
    devuelto: '3.20',
  });
  const { saldo, porPagar, pagosSinAplicar, notasSinAplicar, sinImporte } = estado.hoy;
  expect([saldo, porPagar, pagosSinAplicar, notasSinAplicar].map((one) => one.toFixed(2))).toEqual([
    '50.40',
    '116.00',
    '34.00',
    '31.60',
  ]);
  expect(saldo.equals(porPagar.minus(pagosSinAplicar).minus(notasSinAplicar))).toBe(true);
  expect(sinImporte).toBe(1);
  expect(otra.id).toBeTruthy();

  const octubre = (await readEstadoDeCuenta(db, suyo.value, { desde: '2026-10-01', hasta: '2026-10-31' }))!;
  expect([octubre.inicial.toFixed(2), octubre.movimientos.length, octubre.final.toFixed(2)]).toEqual([
    '-34.00',
    3,
    '58.80',
  ]);

  const excel = (await writeEstadoDeCuenta(db, suyo.value, TODO))!;
  expect(excel.nombre).toMatch(/^Estado de cuenta Proveedor .* 2026-01-01 a 2026-12-31\.xlsx$/);
  const hoja = unzip(excel.contenido)['xl/worksheets/sheet1.xml']!;
  expect(hoja).toContain('Devolución de dinero');
});

test('a supplier that is none has no account', async () => {
  expect(await readEstadoDeCuenta(db, 'nadie', TODO)).toBeUndefined();
  expect(await writeEstadoDeCuenta(db, 'nadie', TODO)).toBeUndefined();
});
