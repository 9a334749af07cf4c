import { beforeEach, describe, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { carasOf, type Preciable } from '~/domain/compras/precios/precio';
import { readCaras, askPropias, propiasEscritas, savePropias } from '~/domain/compras/precios/precios.server';
import {
  gananciasEscritas,
  huellaOfGanancias,
  readPropias,
  readReglas,
  saveGanancias,
} from '~/domain/compras/precios/reglas.server';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

const PIEZA: Preciable = {
  proveedor: 'tvc',
  ofrecido: { precio: Money.of('100'), moneda: 'MXN', sinPrecio: null, tipoCambio: null },
  envio: null,
  propias: {},
  estimadas: [],
};
const precios = async (pieza: Preciable = PIEZA) => {
  const { ml, amz } = carasOf(await readReglas(db), pieza);
  return [ml, amz].map(({ venta }) => (venta.clase === 'precio' ? String(venta.precio) : venta.porque));
};
const marca = async () => huellaOfGanancias(gananciasEscritas(await readReglas(db), 'tvc'));
const guardar = (ml: string, amz: string, huella: string) =>
  db.transaction().execute((trx) => saveGanancias(trx, 'tvc', { ml, amz, huella }, null));

beforeEach(async () => {
  await db.deleteFrom('ganancia').execute();
  await db.deleteFrom('gananciaProducto').execute();
  await db.deleteFrom('ajuste').where('clave', 'like', 'tarifa_%').execute();
});

test('each marketplace has the mark-up of the supplier, a half where nobody chose one', async () => {
  expect(await precios()).toEqual(['174.00', '174.00']);
  await guardar('0.25', '1', await marca());
  expect(await precios()).toEqual(['145.00', '232.00']);
  expect(await precios({ ...PIEZA, proveedor: 'ct' })).toEqual(['174.00', '174.00']);
});

test('a product may have a mark-up of its own at one marketplace, also none at all', async () => {
  const { id } = await db
    .insertInto('producto')
    .values({ proveedor: 'tvc', idProveedor: 'PROPIA-1', enVenta: true, huella: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('gananciaProducto').values({ productoId: id, market: 'ml', tipo: '', ganancia: '0' }).execute();
  const propias = (await readPropias(db, [id])).get(id)!;
  expect(await precios({ ...PIEZA, propias })).toEqual(['116.00', '174.00']);
  const { ml, amz } = carasOf(await readReglas(db), { ...PIEZA, propias });
  expect([ml.propia, amz.propia]).toEqual([true, false]);
});

describe('the mark-up of one product', () => {
  const buildPieza = async (idProveedor: string) => {
    const { id } = await db
      .insertInto('producto')
      .values({ proveedor: 'tvc', idProveedor, enVenta: true, huella: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('oferta')
      .values({
        productoId: id,
        precio: '100',
        moneda: 'MXN',
        tope: false,
        almacenes: '[]',
        promociones: '[]',
        raw: '{}',
        huella: 'x',
        leidaEn: new Date(),
      })
      .execute();
    return id;
  };
  const escritas = async (id: string) => propiasEscritas((await readPropias(db, [id])).get(id));
  const poner = (id: string, ml: string | null, amz: string | null, huella: string, premium: string | null = null) =>
    db.transaction().execute((trx) => savePropias(trx, { id, ml, premium, amz, huella }, null));
  const deMl = async (id: string) => {
    const { venta } = (await readCaras(db, [id])).get(id)!.ml;
    return venta.clase === 'precio' && String(venta.precio);
  };

  test('is told in money before it holds, and its supplier’s comes back where it is emptied', async () => {
    const id = await buildPieza('PROPIA-2');
    expect((await askPropias(db, { id, ml: '0.25', premium: null, amz: null }))!.hechos).toMatch(
      /^Mercado Libre Clásica: de 0\.5 \(la de su proveedor\) a 0\.25, el precio de \$174\.00 a \$145\.00, se pierden \$5\.88\.$/,
    );
    expect((await askPropias(db, { id, ml: '0.6', premium: null, amz: null }))!.hechos).toMatch(
      / a \$186\.00, quedan \$\d+\.\d{2}\.$/,
    );
    expect(await askPropias(db, { id, ml: null, premium: null, amz: null }), 'nothing would change').toBeNull();
    await poner(id, '0.25', null, huellaOfGanancias(await escritas(id)));
    expect([await deMl(id), await escritas(id)]).toEqual(['145.00', { ml: '0.25', premium: '', amz: '' }]);
    await poner(id, null, null, huellaOfGanancias(await escritas(id)));
    expect([await deMl(id), await escritas(id)]).toEqual(['174.00', { ml: '', premium: '', amz: '' }]);
  });

  test('has a price for Premium: its own, that of Clásica here, its supplier’s for Premium, its supplier’s', async () => {
    const id = await buildPieza('PROPIA-4');
    const premium = async () => {
      const { venta, propia } = (await readCaras(db, [id])).get(id)!.premium;
      return [venta.clase === 'precio' && String(venta.precio), propia];
    };
    const deTvc = (suya: string | null) => async (huella: string) =>
      db
        .transaction()
        .execute((trx) => saveGanancias(trx, 'tvc', { ml: '0.5', premium: suya, amz: '0.5', huella }, null));
    expect(await premium()).toEqual(['174.00', false]);
    await deTvc('1')(await marca());
    expect([await premium(), await deMl(id)]).toEqual([['232.00', false], '174.00']);
    // A caller who knows Clásica alone leaves Premium as it is.
    await guardar('0.25', '0.5', await marca());
    expect([await premium(), await deMl(id)]).toEqual([['232.00', false], '145.00']);
    await poner(id, '0', null, huellaOfGanancias(await escritas(id)));
    expect(await premium()).toEqual(['116.00', true]);
    await poner(id, '0', null, huellaOfGanancias(await escritas(id)), '2');
    expect([await premium(), await deMl(id)]).toEqual([['348.00', true], '116.00']);
    await poner(id, null, null, huellaOfGanancias(await escritas(id)));
    await deTvc(null)(await marca());
    expect(await premium()).toEqual(['174.00', false]);
  });

  test('that moved meanwhile is not written over', async () => {
    const id = await buildPieza('PROPIA-3');
    const seen = huellaOfGanancias(await escritas(id));
    await poner(id, '0.25', null, seen);
    const late = await poner(id, '0.9', '0', seen).catch((error: unknown) => error);
    expect((late as Stale).message).toContain('Mercado Libre Clásica: aquí «0.9», ahora «0.25»');
    await poner(id, '0.9', '0', (late as Stale).choque.marcas.huella as string);
    expect(await escritas(id)).toEqual({ ml: '0.9', premium: '', amz: '0' });
  });
});

test('a product without a price has neither face', async () => {
  const { ml } = carasOf(await readReglas(db), {
    ...PIEZA,
    ofrecido: { ...PIEZA.ofrecido, precio: null, moneda: null, sinPrecio: 'sinDistribucion' },
  });
  expect([ml.venta, ml.margen]).toEqual([{ clase: 'sinPrecio', porque: 'sinDistribucion' }, null]);
});

test('who decides about a mark-up that has moved is told what it is now', async () => {
  const seen = await marca();
  await guardar('0.25', '0.5', seen);
  const late = await guardar('0.9', '0.5', seen).catch((error: unknown) => error);
  expect(late).toBeInstanceOf(Stale);
  expect((late as Stale).message).toContain('Mercado Libre Clásica: aquí «0.9», ahora «0.25»');
  await guardar('0.9', '0.5', (late as Stale).choque.marcas.huella as string);
  expect(gananciasEscritas(await readReglas(db), 'tvc')).toEqual({ ml: '0.9', premium: '', amz: '0.5' });
});

test('what a marketplace takes is a setting, and says so', async () => {
  const antes = (await readReglas(db)).tarifas.ml;
  expect([antes.comision.toFixed(4), antes.comisionDe]).toEqual(['0.1500', 'omision']);
  await db
    .insertInto('ajuste')
    .values({
      clave: 'tarifa_ml',
      valor: JSON.stringify({ comision: '0.175', retencionIva: '0.08', retencionIsr: '0' }),
    })
    .execute();
  const { ml, amz } = carasOf(await readReglas(db), PIEZA);
  expect([ml.margen, amz.margen].map((one) => [String(one?.comision), String(one?.retencionIsr)])).toEqual([
    ['30.45', '0.00'],
    ['26.10', '3.75'],
  ]);
});
