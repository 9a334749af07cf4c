import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { addDays, civilDay } from '~/core/time';
import type { Usuario } from '~/core/usuario';
import { addAnunciadas } from '~/domain/compras/facturas/anunciadas.server';
import { createProveedorFactura, deleteProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { FacturasPagadas } from '~/domain/compras/pagos/forms';
import { facturasPorVencer } from '~/domain/compras/pagos/internal/colaPagos.server';
import { pagosList } from '~/domain/compras/pagos/listPagos.server';
import { porConfirmarList } from '~/domain/compras/pedidos/listPedidos.server';
import { repartir } from '~/domain/compras/pagos/pago';
import { addOrdenes, readPago, removeOrden, saveMonto, savePago } from '~/domain/compras/pagos/pagos.server';
import { pagarFacturas, porPagarList, readPorPagar } from '~/domain/compras/pagos/porPagar.server';
import type { Trx } from '~db/client.server';
import { pdf } from '../../../support/builders/archivos';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { luck } from '../../../faults/support/scene';

const { db } = testDatabase();
let ana: Usuario;
const hoy = civilDay(new Date());
beforeAll(async () => {
  ana = await buildPersona(db, 'admin');
});

const tx = <T>(run: (trx: Trx) => Promise<T>) => db.transaction().execute(run);
const folioNuevo = () => `F-${randomUUID().slice(0, 8)}`;
/** A supplier of its own for each test: what is owed to it is what the test made. */
async function proveedorNuevo(plazoDias: number | null = null) {
  const value = `p${randomUUID().replaceAll('-', '').slice(0, 10)}`;
  await db
    .insertInto('proveedor')
    .values({ value, label: `Proveedor ${value}`, plazoDias })
    .execute();
  return value;
}
async function facturar(
  proveedor: string,
  monto: string,
  { ordenId, emitida }: { ordenId?: string; emitida?: string } = {},
) {
  const id = ordenId ?? (await buildOrden(db)).id;
  const { id: facturaId } = await tx((trx) =>
    createProveedorFactura(trx, { ordenId: id, proveedor, folio: folioNuevo(), monto }, ana.id),
  );
  if (emitida) await db.updateTable('proveedorFactura').set({ emitida }).where('id', '=', facturaId).execute();
  return { id: facturaId, ordenId: id };
}
const recibo = () => new File([new Uint8Array(pdf(randomUUID()))], 'recibo.pdf');
const pagar = async (proveedor: string, total: string, ids: string[], dicho: Partial<FacturasPagadas> = {}) => {
  const faltas = new Map(
    (await readPorPagar(db, { proveedor, factura: null })).elegibles.map(({ id, falta }) => [id, falta.toFixed(2)]),
  );
  const form = FacturasPagadas.parse({
    proveedor,
    folio: folioNuevo(),
    fecha: hoy,
    total,
    facturas: ids.map((id) => `${id}|${faltas.get(id) ?? '1.00'}`),
    archivos: [recibo()],
  });
  return pagarFacturas(db, { ...form, ...dicho }, ana.id);
};
const seDebe = async (proveedor: string, search = '') => {
  const filtro = porPagarList.parse(new URLSearchParams(`proveedor=${proveedor}&${search}`));
  const { filas } = await porPagarList.whole(db, filtro, null);
  return filas.map(({ id, falta }) => [id, falta.toFixed(2)]);
};

describe('what is owed to a supplier', () => {
  test('is told by invoice, the first to fall due first, and by supplier; a supplier without a term has no last day', async () => {
    const [conPlazo, sinPlazo] = [await proveedorNuevo(30), await proveedorNuevo()];
    const nueva = await facturar(conPlazo, '100.00', { emitida: addDays(hoy, -5) });
    const vencida = await facturar(conPlazo, '250.50', { emitida: addDays(hoy, -31) });
    const vieja = await facturar(sinPlazo, '70.00', { emitida: addDays(hoy, -400) });
    expect(await seDebe(conPlazo)).toEqual([
      [vencida.id, '250.50'],
      [nueva.id, '100.00'],
    ]);
    expect(await seDebe(conPlazo, 'cuales=vencidas')).toEqual([[vencida.id, '250.50']]);
    expect(await seDebe(sinPlazo, 'cuales=sinPlazo')).toEqual([[vieja.id, '70.00']]);
    expect(await seDebe(sinPlazo, 'cuales=vencidas')).toEqual([]);
    const cuentas = JSON.parse(JSON.stringify((await readPorPagar(db, null)).cuentas)) as { proveedor: string }[];
    expect(cuentas.filter(({ proveedor }) => [conPlazo, sinPlazo].includes(proveedor))).toMatchObject([
      { proveedor: conPlazo, facturas: 2, falta: '350.50', vencidas: 1, vencido: '250.50', pesos: null },
      { proveedor: sinPlazo, plazoDias: null, facturas: 1, falta: '70.00', vencidas: 0 },
    ]);
  });

  test('what was ordered and not invoiced stands beside it, in the currency of the order', async () => {
    const proveedor = await proveedorNuevo();
    const comprar = async (total: string, moneda: 'MXN' | 'USD', ordenId: string) => {
      const { numOrden } = await db
        .selectFrom('orden')
        .select('numOrden')
        .where('id', '=', ordenId)
        .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('pedido')
        .values({ market: 'ml', numOrden, proveedor, via: 'correo', total, moneda })
        .returning('id')
        .executeTakeFirstOrThrow();
      const linea = { pedidoId: id, posicion: 1, ordenId, idProveedor: '1', descripcion: 'Cámara', cantidad: 1 };
      await db.insertInto('pedidoLinea').values(linea).execute();
      for (const estado of ['enviando', 'confirmado'] as const)
        await db.updateTable('pedido').set({ estado }).where('id', '=', id).execute();
    };
    const [pesos, dolares] = [await buildOrden(db), await buildOrden(db)];
    await comprar('900.00', 'MXN', pesos.id);
    await comprar('45.00', 'USD', dolares.id);
    const cuenta = async () => (await readPorPagar(db, null)).cuentas.find((una) => una.proveedor === proveedor);
    expect(JSON.parse(JSON.stringify(await cuenta()))).toMatchObject({
      facturas: 0,
      pesos: '900.00',
      dolares: '45.00',
    });
    await facturar(proveedor, '900.00', { ordenId: pesos.id });
    expect(JSON.parse(JSON.stringify(await cuenta()))).toMatchObject({
      falta: '900.00',
      pesos: null,
      dolares: '45.00',
    });
  });
});

describe('invoices that suppliers announced', () => {
  async function anunciar(proveedor: string, monto: string, { moneda = 'MXN' as 'MXN' | 'USD', ordenes = 1 } = {}) {
    const suyas = await Promise.all(Array.from({ length: ordenes }, () => buildOrden(db)));
    const folio = folioNuevo();
    const { id } = await db
      .insertInto('pedido')
      .values({ market: 'ml', numOrden: suyas[0]!.numOrden, proveedor, via: 'correo' })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [at, { id: ordenId }] of suyas.entries()) {
      const linea = { pedidoId: id, posicion: at + 1, ordenId, idProveedor: '1', descripcion: 'Cámara', cantidad: 1 };
      await db.insertInto('pedidoLinea').values(linea).execute();
    }
    for (const estado of ['enviando', 'confirmado', 'facturado'] as const)
      await db.updateTable('pedido').set({ estado }).where('id', '=', id).execute();
    const dicho = { facturaFolio: folio, facturaTotal: monto, facturaMoneda: moneda, facturaEn: new Date() };
    await db.updateTable('pedido').set(dicho).where('id', '=', id).execute();
    return { id, folio, ordenId: suyas[0]!.id };
  }
  const anunciadasDe = async (proveedor: string) =>
    (await readPorPagar(db, null)).anunciadas.filter((una) => una.proveedor === proveedor);
  const agregar = (...elegidas: [id: string, monto: string][]) =>
    tx((trx) =>
      addAnunciadas(
        trx,
        elegidas.map(([id, falta]) => ({ id, falta: Money.of(falta) })),
        ana.id,
      ),
    );

  test('are added by one press, with their amount and day, and are owed from then on', async () => {
    const proveedor = await proveedorNuevo(5);
    const [una, otra] = [await anunciar(proveedor, '812.50'), await anunciar(proveedor, '90.00')];
    expect((await anunciadasDe(proveedor)).map(({ folio, monto }) => [folio, monto.toFixed(2)])).toEqual([
      [una.folio, '812.50'],
      [otra.folio, '90.00'],
    ]);
    await agregar([una.id, '812.50'], [otra.id, '90.00']);
    expect(await anunciadasDe(proveedor)).toEqual([]);
    expect((await seDebe(proveedor)).map(([, falta]) => falta).toSorted()).toEqual(['812.50', '90.00']);
    const filtro = porPagarList.parse(new URLSearchParams(`proveedor=${proveedor}`));
    const { filas } = await porPagarList.whole(db, filtro, null);
    expect(filas.map(({ fecha, vence }) => [fecha, vence])).toEqual(Array(2).fill([hoy, addDays(hoy, 5)]));
  });

  test('are none where the sale has an invoice of that supplier, in dollars, or of several sales', async () => {
    const proveedor = await proveedorNuevo();
    await anunciar(proveedor, '10.00', { moneda: 'USD' });
    await anunciar(proveedor, '10.00', { ordenes: 2 });
    const { ordenId } = await anunciar(proveedor, '10.00');
    expect(await anunciadasDe(proveedor)).toHaveLength(1);
    await facturar(proveedor, '10.00', { ordenId });
    expect(await anunciadasDe(proveedor)).toEqual([]);
  });

  test('two presses add each once, and one over another amount adds nothing', async () => {
    const proveedor = await proveedorNuevo();
    const [una, otra] = [await anunciar(proveedor, '50.00'), await anunciar(proveedor, '60.00')];
    const presses = await Promise.allSettled([agregar([una.id, '50.00']), agregar([una.id, '50.00'])]);
    expect(presses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await db.updateTable('pedido').set({ facturaTotal: '66.00' }).where('id', '=', otra.id).execute();
    await expect(agregar([otra.id, '60.00'])).rejects.toThrow('aquí «$60.00», ahora «$66.00»');
    expect(await seDebe(proveedor)).toHaveLength(1);
  });
});

describe('one transfer for several invoices', () => {
  test('pays them whole, and each sale tells its part', async () => {
    const proveedor = await proveedorNuevo(10);
    const [una, otra, ajena] = [
      await facturar(proveedor, '100.00'),
      await facturar(proveedor, '250.50'),
      await facturar(proveedor, '80.00'),
    ];
    const { id } = await pagar(proveedor, '350.50', [una.id, otra.id]);
    const pago = (await readPago(db, id))!;
    expect([pago.total?.toFixed(2), pago.restante?.toFixed(2), pago.fecha]).toEqual(['350.50', '0.00', hoy]);
    expect(pago.ordenes.map(({ monto }) => monto?.toFixed(2)).toSorted()).toEqual(['100.00', '250.50']);
    expect(await seDebe(proveedor)).toEqual([[ajena.id, '80.00']]);
    const suyos = await db.selectFrom('bitacora').select('accion').where('entidadId', '=', una.ordenId).execute();
    expect(suyos.map(({ accion }) => accion)).toContain('agregar pago a proveedor');
  });

  test('a total below the sum pays first what falls due first; one above it stays on the payment', async () => {
    const proveedor = await proveedorNuevo(10);
    const tarde = await facturar(proveedor, '100.00', { emitida: addDays(hoy, -40) });
    const luego = await facturar(proveedor, '200.00', { emitida: addDays(hoy, -1) });
    await pagar(proveedor, '150.00', [luego.id, tarde.id]);
    expect(await seDebe(proveedor)).toEqual([[luego.id, '150.00']]);
    const { id } = await pagar(proveedor, '175.00', [luego.id]);
    expect(await seDebe(proveedor)).toEqual([]);
    expect((await readPago(db, id))!.restante?.toFixed(2)).toBe('25.00');
  });

  test('two people who pay the same invoice at once pay it once: the second is told what is left', async () => {
    const proveedor = await proveedorNuevo();
    const { id } = await facturar(proveedor, '100.00');
    const [uno, dos] = await Promise.allSettled([pagar(proveedor, '60.00', [id]), pagar(proveedor, '60.00', [id])]);
    expect([uno!.status, dos!.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    const no = [uno, dos].find((one) => one!.status === 'rejected') as PromiseRejectedResult;
    expect(String(no.reason)).toContain('aquí «$100.00», ahora «$40.00»');
    expect(await seDebe(proveedor)).toEqual([[id, '40.00']]);
  });

  test('is refused for an invoice of another supplier, without a receipt, and for a folio that is taken', async () => {
    const [proveedor, otro] = [await proveedorNuevo(), await proveedorNuevo()];
    const [suya, ajena] = [await facturar(proveedor, '10.00'), await facturar(otro, '10.00')];
    await expect(pagar(proveedor, '10.00', [suya.id, ajena.id])).rejects.toThrow(/Facturas por pagar/);
    await expect(pagar(proveedor, '10.00', [suya.id], { archivos: [] })).rejects.toMatchObject({ campo: 'archivos' });
    const folio = folioNuevo();
    await pagar(proveedor, '4.00', [suya.id], { folio });
    await expect(pagar(proveedor, '6.00', [suya.id], { folio: folio.toLowerCase() })).rejects.toMatchObject({
      campo: 'folio',
    });
    expect(await seDebe(proveedor)).toEqual([[suya.id, '6.00']]);
  });

  test('is divided to the cent', () => {
    const falta = (text: string) => Money.of(text);
    const facturas = [
      { ordenId: 'a', falta: falta('0.01') },
      { ordenId: 'b', falta: falta('10.00') },
      { ordenId: 'a', falta: falta('5.00') },
      { ordenId: 'c', falta: falta('1.00') },
    ];
    const partes = (total: string) =>
      repartir(Money.of(total), facturas).map(({ ordenId, monto }) => `${ordenId} ${monto.toFixed(2)}`);
    expect(partes('0.01')).toEqual(['a 0.01']);
    expect(partes('12.34')).toEqual(['a 2.34', 'b 10.00']);
    expect(partes('99.00')).toEqual(['a 5.01', 'b 10.00', 'c 1.00']);
  });
});

/** What an invoice has been paid, reckoned anew from all invoices and payments of its supplier. */
async function reckon(proveedor: string): Promise<Map<string, string>> {
  const facturas = await db
    .selectFrom('proveedorFactura')
    .selectAll()
    .where('proveedor', '=', proveedor)
    .orderBy('fechaCreacion')
    .orderBy('id')
    .execute();
  const enlaces = await db
    .selectFrom('pagoOrden')
    .innerJoin('pago', 'pago.id', 'pagoOrden.pagoId')
    .select(['pagoOrden.pagoId', 'pagoOrden.ordenId', 'pagoOrden.monto', 'pago.total'])
    .where('pago.proveedor', '=', proveedor)
    .orderBy('pagoOrden.ordenId')
    .execute();
  const dadoA = new Map<string, Money>();
  const dar = (ordenId: string, monto: Money) => dadoA.set(ordenId, (dadoA.get(ordenId) ?? Money.zero).plus(monto));
  const menor = (a: Money, b: Money) => (a.compare(b) <= 0 ? a : b);
  const noNegativo = (amount: Money) => (amount.compare(Money.zero) < 0 ? Money.zero : amount);
  for (const pagoId of new Set(enlaces.map((enlace) => enlace.pagoId))) {
    const suyos = enlaces.filter((enlace) => enlace.pagoId === pagoId);
    for (const { ordenId, monto } of suyos) if (monto) dar(ordenId, monto);
    const total = suyos[0]!.total;
    let queda = total && noNegativo(total.minus(Money.sum(suyos.flatMap(({ monto }) => monto ?? []))));
    for (const { ordenId } of suyos.filter(({ monto }) => monto === null)) {
      const facturado = Money.sum(facturas.filter((factura) => factura.ordenId === ordenId).map(({ monto }) => monto));
      const deOtros = enlaces.filter((otro) => otro.ordenId === ordenId && otro.pagoId !== pagoId);
      const pide = noNegativo(facturado.minus(Money.sum(deOtros.flatMap(({ monto }) => monto ?? []))));
      const da = queda === null ? pide : menor(pide, queda);
      if (queda !== null) queda = queda.minus(da);
      dar(ordenId, da);
    }
  }
  return new Map(
    facturas.map(({ id, ordenId, monto }) => {
      const toca = menor(monto, dadoA.get(ordenId) ?? Money.zero);
      dadoA.set(ordenId, (dadoA.get(ordenId) ?? Money.zero).minus(toca));
      return [id, toca.toFixed(2)];
    }),
  );
}

test('a form that names no supplier means all of them, in every list that is chosen by supplier', async () => {
  const proveedor = await proveedorNuevo(1);
  const { id } = await facturar(proveedor, '5.00', { emitida: addDays(hoy, -9) });
  const { filas } = await porPagarList.whole(
    db,
    porPagarList.parse(new URLSearchParams('proveedor=&cuales=vencidas')),
    null,
  );
  expect(filas.map((una) => una.id)).toContain(id);
  for (const list of [porPagarList, pagosList, porConfirmarList])
    expect(list.parse(new URLSearchParams('proveedor='))).toMatchObject({ proveedor: undefined });
});

test('whatever is written, changed and taken away, each invoice tells what it has been paid', async () => {
  const next = luck(20261128);
  const proveedor = await proveedorNuevo(15);
  const ordenes = await Promise.all(Array.from({ length: 4 }, () => buildOrden(db)));
  const [facturas, pagos] = [new Set<string>(), new Set<string>()];
  const una = <T>(of: Iterable<T>): T | undefined => [...of][Math.floor(next() * [...of].length)];
  const importe = () => `${Math.floor(next() * 500)}.${String(Math.floor(next() * 100)).padStart(2, '0')}`;
  const visto = async (id: string) => (await readPago(db, id))!;
  const acts: (() => Promise<unknown>)[] = [
    async () => facturas.add((await facturar(proveedor, importe(), { ordenId: una(ordenes)!.id })).id),
    async () => {
      const id = una(facturas);
      if (!id) return;
      facturas.delete(id);
      await tx((trx) => deleteProveedorFactura(trx, { id, version: 1 }, ana.id));
    },
    async () => {
      const id = una(facturas);
      if (id) await db.updateTable('proveedorFactura').set({ monto: importe() }).where('id', '=', id).execute();
    },
    async () => {
      const { id } = await db
        .insertInto('pago')
        .values({ proveedor, folio: folioNuevo(), total: next() < 0.3 ? null : `1${importe()}` })
        .returning('id')
        .executeTakeFirstOrThrow();
      pagos.add(id);
      const pago = await visto(id);
      const suyas = ordenes.filter(() => next() < 0.5).map(({ numOrden }) => numOrden);
      if (suyas.length > 0) await tx((trx) => addOrdenes(trx, { ...pago, otras: suyas.join(' ') }, ana.id));
    },
    async () => {
      const id = una(pagos);
      const pago = id && (await visto(id));
      const orden = pago && una(pago.ordenes);
      if (!pago || !orden) return;
      const monto = next() < 0.5 ? null : `1${importe()}`;
      await tx((trx) => saveMonto(trx, { id: pago.id, version: pago.version, ordenId: orden.id, monto }, ana.id));
    },
    async () => {
      const id = una(pagos);
      const pago = id && (await visto(id));
      const orden = pago && una(pago.ordenes);
      if (pago && orden)
        await tx((trx) => removeOrden(trx, { id: pago.id, version: pago.version, ordenId: orden.id }, ana.id));
    },
    async () => {
      const id = una(pagos);
      const pago = id && (await visto(id));
      const total = `1${importe()}`;
      if (pago)
        await tx((trx) =>
          savePago(
            trx,
            {
              id: pago.id,
              version: pago.version,
              folio: pago.folio,
              fecha: null,
              total,
              claveRastreo: null,
              banco: null,
            },
            ana.id,
          ),
        );
    },
  ];
  let pagadas = 0;
  for (let at = 0; at < 150; at++) {
    await (at % 3 === 0 ? acts[0]! : una(acts)!)();
    const guardadas = await db
      .selectFrom('proveedorFactura')
      .select(['id', 'pagada'])
      .where('proveedor', '=', proveedor)
      .execute();
    expect(new Map(guardadas.map(({ id, pagada }) => [id, pagada.toFixed(2)])), `after act ${at}`).toEqual(
      new Map([...(await reckon(proveedor))].toSorted()),
    );
    pagadas += guardadas.filter(({ pagada }) => pagada.compare(Money.zero) > 0).length;
  }
  expect(pagadas).toBeGreaterThan(100);
});

test('an invoice and a payment of one sale that are written at once know of each other, whichever comes first', async () => {
  const proveedor = await proveedorNuevo();
  for (const primero of ['pago', 'factura'] as const) {
    const { id: ordenId } = await buildOrden(db);
    const { id: pagoId } = await db
      .insertInto('pago')
      .values({ proveedor, folio: folioNuevo() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const escribe = {
      pago: (trx: Trx) => trx.insertInto('pagoOrden').values({ pagoId, ordenId }).execute(),
      factura: (trx: Trx) =>
        trx
          .insertInto('proveedorFactura')
          .values({ ordenId, proveedor, folio: folioNuevo(), monto: '80.00' })
          .execute(),
    };
    let [suelta, empezo] = [() => {}, () => {}];
    const suelto = new Promise<void>((done) => (suelta = done));
    const escrito = new Promise<void>((done) => (empezo = done));
    const uno = tx(async (trx) => {
      await escribe[primero](trx);
      empezo();
      await suelto;
    });
    await escrito;
    const otro = tx((trx) => escribe[primero === 'pago' ? 'factura' : 'pago'](trx));
    await new Promise((resolve) => setTimeout(resolve, 150));
    suelta();
    await Promise.all([uno, otro]);
    const { pagada } = await db
      .selectFrom('proveedorFactura')
      .select('pagada')
      .where('ordenId', '=', ordenId)
      .executeTakeFirstOrThrow();
    expect([primero, pagada.toFixed(2)]).toEqual([primero, '80.00']);
  }
});

test('the pressed invoice is offered whatever falls due before it, and an invoice that stood before its order counts', async () => {
  const proveedor = await proveedorNuevo(10);
  await facturar(proveedor, '10.00', { emitida: addDays(hoy, -30) });
  const tarde = await facturar(proveedor, '20.00', { emitida: hoy });
  const { elegibles } = await readPorPagar(db, { proveedor, factura: tarde.id });
  expect(elegibles[0]!.id).toBe(tarde.id);
  const { numOrden } = await db
    .selectFrom('orden')
    .select('numOrden')
    .where('id', '=', tarde.ordenId)
    .executeTakeFirstOrThrow();
  const { id: pedidoId } = await db
    .insertInto('pedido')
    .values({ market: 'ml', numOrden, proveedor, via: 'correo' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const linea = { pedidoId, posicion: 1, ordenId: tarde.ordenId, idProveedor: '1', descripcion: 'Cámara', cantidad: 1 };
  await db.insertInto('pedidoLinea').values(linea).execute();
  const aqui = async () =>
    (await db.selectFrom('pedido').select('facturadoAqui').where('id', '=', pedidoId).executeTakeFirstOrThrow())
      .facturadoAqui;
  expect(await aqui()).toBe(true);
  await tx((trx) => deleteProveedorFactura(trx, { id: tarde.id, version: 1 }, ana.id));
  expect(await aqui()).toBe(false);
});

test('Hoy asks for what falls due, three days before its last day, once for each supplier', async () => {
  const proveedor = await proveedorNuevo(10);
  await facturar(proveedor, '100.00', { emitida: addDays(hoy, -6) });
  const espera = async () =>
    (
      await facturasPorVencer.mira(db, {
        ahora: new Date(),
        limite: 500,
        aparte: [],
        quien: { id: ana.id, rol: 'admin' },
      })
    ).cosas.filter(({ a }) => a.includes(`proveedor=${proveedor}&`));
  expect(await espera()).toEqual([]);
  const pronto = await facturar(proveedor, '200.00', { emitida: addDays(hoy, -8) });
  const tarde = await facturar(proveedor, '300.00', { emitida: addDays(hoy, -11) });
  expect(await espera()).toMatchObject([
    { titulo: `Proveedor ${proveedor}: 2 facturas`, detalle: '$500.00 · 1 vencida' },
  ]);
  const [cosa] = await espera();
  const search = new URL(cosa!.a, 'http://x.test/').search;
  const { filas } = await porPagarList.whole(db, porPagarList.parse(new URLSearchParams(search)), null);
  expect(filas.map(({ id }) => id)).toEqual([tarde.id, pronto.id]);
  await pagar(proveedor, '500.00', [tarde.id, pronto.id]);
  expect(await espera()).toEqual([]);
});
