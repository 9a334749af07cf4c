/** What the SAT sees of a month against ours: figures by hand, causes that add up to the cent, and '—' where a side is not known. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { balanceDepositos } from '~/domain/cierre/conciliacion/internal/balanceDepositos.server';
import { readBalance } from '~/domain/facturacion/mes/balance.server';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { compararMes, type LoNuestro, type LoQueVe } from '~/domain/facturacion/plataformas/loQueVe';
import { readLoQueVe, writeLoQueVe } from '~/domain/facturacion/plataformas/loQueVe.server';
import { receiveRetenciones } from '~/domain/facturacion/plataformas/retenciones.server';
import type { ConceptoDeMovimiento } from '~db/columns';
import { buildFactura } from '../../../support/builders/facturas';
import { buildOrden } from '../../../support/builders/ordenes';
import { retencionDePlataforma } from '../../../support/builders/plataformas';
import { linkNuestroRfc } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
beforeAll(() => linkNuestroRfc(db));

const money = (text: string) => Money.of(text);
const suyo = (sketch: Partial<LoQueVe> = {}): LoQueVe => ({
  documentos: 1,
  sinIva: money('1000.00'),
  iva: money('160.00'),
  isrRetenido: money('25.00'),
  ivaRetenido: money('80.00'),
  retenido: money('105.00'),
  usoPlataforma: money('150.00'),
  otroMes: money('0'),
  ...sketch,
});
const nuestro = (sketch: Partial<LoNuestro> = {}): LoNuestro => ({
  ventas: 2,
  sinNada: 0,
  pagado: money('928.00'),
  sinIva: money('800.00'),
  cobrado: money('900.00'),
  acreditado: money('10.00'),
  retenido: money('80.00'),
  estimadas: 0,
  sinImpuesto: 0,
  ivaRetenido: money('60.00'),
  isrRetenido: money('20.00'),
  devuelto: money('116.00'),
  sinDocumento: money('50.00'),
  facturadoDeMenos: money('0.00'),
  facturadoDeMas: money('12.00'),
  ...sketch,
});

test('both sides, their difference and the way between them', () => {
  const { comparados, pasos, porQue } = compararMes('ml', suyo({ otroMes: money('58.00') }), nuestro());
  expect(comparados.map(({ concepto, ...lados }) => [concepto, ...Object.values(lados).map(String)])).toEqual([
    ['sinIva', '1000.00', '800.00', '200.00'],
    ['iva', '160.00', '128.00', '32.00'],
    ['isrRetenido', '25.00', '20.00', '5.00'],
    ['ivaRetenido', '80.00', '60.00', '20.00'],
    ['retenido', '105.00', '80.00', '25.00'],
  ]);
  // 1160 - 58 of another month - 116 given back - 58 that nobody explains = 928; - 50 + 12 = 890 = 900 - 10.
  expect(pasos.map(({ paso, importe }) => [paso, String(importe)])).toEqual([
    ['ve', '1160.00'],
    ['otroMes', '-58.00'],
    ['devuelto', '-116.00'],
    ['sinExplicar', '-58.00'],
    ['pagado', '928.00'],
    ['sinDocumento', '-50.00'],
    ['facturadoDeMas', '12.00'],
    ['facturado', '890.00'],
  ]);
  // 10.5 % of the 200 that differ are 21.00; the other 4.00 are 800 at half a point more.
  expect({ ...porQue, porBase: String(porQue!.porBase), porTasa: String(porQue!.porTasa) }).toEqual({
    porBase: '21.00',
    porTasa: '4.00',
    tasaSuya: '10.50',
    tasaNuestra: '10.00',
  });
});

test('an unknown side is unknown in every figure, and so is its difference', () => {
  for (const [a, b] of [
    [null, nuestro()],
    [suyo(), null],
    [null, null],
  ] as const) {
    const { comparados, pasos, porQue } = compararMes('amz', a, b);
    expect(comparados.every(({ diferencia }) => diferencia === null)).toBe(true);
    expect([pasos, porQue]).toEqual([[], null]);
  }
  const { comparados } = compararMes('ml', suyo(), nuestro({ isrRetenido: null, ivaRetenido: null }));
  expect(comparados.map(({ diferencia }) => diferencia && String(diferencia))).toEqual([
    '200.00',
    '32.00',
    null,
    null,
    '25.00',
  ]);
  expect(compararMes('ml', suyo({ sinIva: money('0') }), nuestro()).porQue).toBeNull();
});

test('a month without anything tells nothing of either side', async () => {
  expect(await readLoQueVe(db, '2024-05')).toMatchObject([
    { market: 'ml', suyo: null, nuestro: null, pasos: [] },
    { market: 'amz', suyo: null, nuestro: null, pasos: [] },
  ]);
});

test('ours is the ledger: the paid amount of the fiscal balance, and the taxes once a settlement tells them apart', async () => {
  const fecha = new Date('2026-06-10T18:00:00Z');
  const vender = (pagado: string, sketch = {}) => buildOrden(db, { pagado, fechaCreacion: fecha, ...sketch });
  const [una, dos] = [await vender('1160.00'), await vender('580.00')];
  const { id: ajena } = await vender('232.00', { market: 'amz' });
  await sql`update orden set retencion = null where id = ${ajena}`.execute(db);
  const { id: vuelta } = await vender('116.00', { clase: 'devuelta' });
  await sql`update orden set retencion = 105, comision = 0 where id in (${una.id}, ${vuelta})`.execute(db);
  await sql`update orden set retencion = 52.5, comision = 0 where id = ${dos.id}`.execute(db);
  const { id: facturaId } = await buildFactura(db);
  await db.insertInto('facturaOrden').values({ facturaId, ordenId: una.id, importe: '1160.00' }).execute();

  const antes = await readLoQueVe(db, '2026-06');
  expect(antes.map(({ nuestro: n }) => n && [n.ventas, n.sinNada, String(n.pagado), String(n.sinIva)])).toEqual([
    [2, 1, '1740.00', '1500.00'],
    [1, 0, '232.00', '200.00'],
  ]);
  const balance = await readBalance(db, '2026-06');
  expect(String(Money.sum(antes.map(({ nuestro: n }) => n!.pagado)))).toBe(String(balance.pagado));
  const [ml, amz] = antes.map(({ nuestro: n }) => n!);
  expect([String(ml!.cobrado), String(ml!.sinDocumento)]).toEqual(['1160.00', '580.00']);
  expect([ml!.ivaRetenido, ml!.isrRetenido, ml!.sinImpuesto, ml!.estimadas]).toEqual([null, null, 3, 0]);
  expect(amz!.estimadas).toBe(1);
  expect(String(ml!.devuelto)).toBe('116.00');
  const { rows } = await sql<{
    suma: Money;
  }>`select coalesce(sum(case when a = 'retenido' then importe else -importe end), 0) as suma
    from asiento join orden on orden.id = orden_id where 'retenido' in (de, a) and market = 'ml' and fecha_creacion = ${fecha}`.execute(
    db,
  );
  expect(String(ml!.retenido)).toBe(String(rows[0]!.suma));
});

test('a settlement tells ISR and IVA, and what went back', async () => {
  const hace = (dias: number) => new Date(Date.now() - dias * 86_400_000);
  const fecha = hace(4);
  const mes = mesOf(fecha);
  const { id } = await buildOrden(db, { pagado: '1160.00', fechaCreacion: fecha });
  await sql`update orden set retencion = 105, comision = 0, costo_envio = 0 where id = ${id}`.execute(db);
  const clave = `R-${id}`;
  const { id: reporteId } = await db
    .insertInto('liquidacionReporte')
    .values({
      market: 'ml',
      cuenta: clave,
      clave,
      estado: 'leido',
      desde: fecha,
      hasta: hace(1),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('deposito')
    .values({ market: 'ml', clave, fecha: hace(2), importe: '1055.00', reporteId })
    .execute();
  const { marketId } = await db.selectFrom('orden').select('marketId').where('id', '=', id).executeTakeFirstOrThrow();
  const cargos: [ConceptoDeMovimiento, string][] = [
    ['venta', '1160.00'],
    ['isr', '-25.00'],
    ['iva', '-80.00'],
  ];
  for (const [posicion, [concepto, importe]] of cargos.entries())
    await db
      .insertInto('movimiento')
      .values({
        market: 'ml',
        clave: `${clave}:${posicion}`,
        reporteId,
        posicion,
        concepto,
        importe,
        fecha,
        detalle: concepto,
        refOrden: marketId,
      })
      .execute();
  await db.transaction().execute((trx) => balanceDepositos(trx, 'ml'));
  const [ml] = await readLoQueVe(db, mes);
  expect(
    [ml!.nuestro!.retenido, ml!.nuestro!.isrRetenido, ml!.nuestro!.ivaRetenido, ml!.nuestro!.devuelto].map(String),
  ).toEqual(['105.00', '25.00', '80.00', '0.00']);
  expect(ml!.nuestro!.sinImpuesto).toBe(0);

  const ana = await buildPersona(db);
  await db.transaction().execute((trx) =>
    receiveRetenciones(
      trx,
      [
        {
          nombre: 'a.xml',
          contenido: Buffer.from(
            retencionDePlataforma({ ejercicio: mes.slice(0, 4), mesIni: mes.slice(5), mesFin: mes.slice(5) }),
          ),
        },
      ],
      { market: null, usuarioId: ana.id },
    ),
  );
  const [igual] = await readLoQueVe(db, mes);
  expect(igual!.comparados.map(({ diferencia }) => String(diferencia))).toEqual([
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '0.00',
  ]);
  expect(igual!.porQue).toBeNull();
  expect((await writeLoQueVe(db, mes.slice(0, 4))).subarray(0, 2).toString()).toBe('PK');
});
