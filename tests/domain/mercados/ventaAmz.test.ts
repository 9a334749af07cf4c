import { beforeEach, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { splitLineas, verifyCfdiAmounts, writtenAmounts } from '~/domain/facturacion/cfdi/importes';
import { readDocumentoAmz } from '~/domain/mercados/amz/internal/documento';
import { finanzasOf, proximaMirada } from '~/domain/mercados/amz/internal/finanzas';
import { repartido } from '~/domain/mercados/amz/internal/importes';
import { times } from '../../faults/support/scene';
import { createMercadoAmz } from '~/domain/mercados/amz/internal/mercadoAmz.server';
import { listWindow } from '~/domain/mercados/amz/internal/listing';
import { type Ajustes, ventaOf } from '~/domain/mercados/amz/internal/venta';
import { pagadoOf } from '~/domain/ventas/ordenes/internal/pagado';
import { nextReview, ordenOf } from '~/domain/ventas/ordenes/internal/ordenLeida';
import { type Fila, readOrder } from '~/integrations/amazon/client.server';
import { Transactions } from '~/integrations/amazon/wire';
import { cargosDe, createFinances } from '../../sandbox/amazon/finances';
import { orderDoc } from '../../sandbox/amazon/documents';
import { SWITCHES } from '../../sandbox/amazon/switches';
import { devuelve, ESCENARIOS, type Escenario, pagado, venta, type Venta } from '../../sandbox/amazon/ventas';
import { Interruptores } from '../../sandbox/proveedores/taller';
import type { SandboxRequest } from '../../sandbox/service';

const NOW = Date.parse('2026-11-20T18:00:00Z');
const DAY = 86_400_000;
const BORN = NOW - 20 * DAY;
const COMPLETO = new Set(['BUYER', 'RECIPIENT', 'PROCEEDS', 'CANCELLATION', 'FULFILLMENT', 'PACKAGES', 'TAX']);
const ISR = Money.of('0.025');
const NETO: Ajustes = { lectura: 'neto', isr: ISR };

type Names = keyof typeof SWITCHES;
let interruptores = new Interruptores(SWITCHES);
const set = (facts: Partial<Record<Names, string>>) => {
  for (const [name, value] of Object.entries(facts))
    void interruptores.control['POST /interruptores']!({
      data: () => ({ [name]: value }),
    } as unknown as SandboxRequest);
};
beforeEach(() => {
  interruptores = new Interruptores(SWITCHES);
});

const docOf = (sale: Venta, included: ReadonlySet<string> = COMPLETO) =>
  JSON.parse(
    JSON.stringify(orderDoc(sale, included, { now: () => NOW, interruptores, horasSinPaquete: () => 0 })),
  ) as Record<string, unknown>;

function movesOf(sale: Venta) {
  const finances = createFinances({ now: () => NOW, ventas: () => [sale], interruptores, horasTarde: () => 0 });
  const url = new URL('http://x/?relatedIdentifierName=ORDER_ID');
  url.searchParams.set('relatedIdentifierValue', sale.id);
  const { body } = finances.list({ url } as SandboxRequest) as { body: string };
  return Transactions.parse(JSON.parse(body)).payload.transactions;
}

/** A sale as it is read; `cobros`: its movements were read too. */
function read(sale: Venta, { ajustes = NETO, cobros = false } = {}) {
  const raw = docOf(sale);
  return ventaOf(readOrder(raw), ajustes, {
    raw,
    finanzas: cobros ? finanzasOf(movesOf(sale)) : null,
    leidas: cobros,
    sinLeer: [],
    conocida: undefined,
    now: new Date(NOW),
  });
}

const made = (escenario: Escenario, n = 3) => venta(n, escenario, BORN);
const pesos = (centavos: number) => Money.of((centavos / 100).toFixed(2));
const paidIn = (one: ReturnType<typeof read>) => pagadoOf(one.pagos, 'normal');
const PRICED = ESCENARIOS.filter((escenario) => !['pendiente', 'cancelada', 'reemplazo'].includes(escenario));

describe('what the buyer paid', () => {
  test('is read to the cent, whichever way prices, taxes and discounts are told', () => {
    for (const precio of SWITCHES.precio)
      for (const lineaDeImpuesto of SWITCHES.lineaDeImpuesto)
        for (const descuento of SWITCHES.descuento)
          for (const total of SWITCHES.total) {
            set({ precio, lineaDeImpuesto, descuento, total });
            for (const escenario of PRICED) {
              const sale = made(escenario);
              const what = `${escenario} ${precio} ${lineaDeImpuesto} ${descuento} ${total}`;
              const one = read(sale, { ajustes: { lectura: precio, isr: ISR } });
              const error = paidIn(one).minus(pesos(pagado(sale)));
              // Without its line a tax is reckoned, once for each part of a line.
              const most = lineaDeImpuesto === 'falta' && precio === 'neto' ? '0.04' : '0';
              expect(Money.of(most).compare(error.isNegative() ? Money.zero.minus(error) : error), what).not.toBe(-1);
              const lines = Money.sum(one.articulos.map(({ importe }) => importe));
              expect(String(lines), what).toBe(String(one.total));
              expect(String(lines.plus(one.pagos[0]!.envio)), what).toBe(String(paidIn(one)));
            }
          }
  });

  test('a total that only the other reading adds up to outranks the setting, and the document says so', () => {
    for (const [precio, lectura] of [
      ['bruto', 'neto'],
      ['neto', 'bruto'],
    ] as const)
      for (const centavo of SWITCHES.centavo) {
        set({ precio, centavo });
        for (const escenario of ['dosPiezas', 'promocion', 'variosArticulos', 'regalo'] as const) {
          const sale = made(escenario);
          const one = read(sale, { ajustes: { lectura, isr: ISR } });
          expect(String(paidIn(one)), `${escenario} ${precio}`).toBe(String(pesos(pagado(sale))));
          expect(one.documento).toMatchObject({ lectura: { precio, cuadra: true } });
        }
      }
  });

  test('a total that is what the seller is due never changes how prices are read', () => {
    set({ total: 'alVendedor' });
    const one = read(made('dosPiezas'));
    expect(one.documento).toMatchObject({ lectura: { precio: 'neto', cuadra: false } });
    expect(String(paidIn(one))).toBe(String(pesos(pagado(made('dosPiezas')))));
  });

  test('lines without their parts are told by their price, and what that leaves of the total was for shipping', () => {
    set({ importesDeLinea: 'faltan' });
    const sale = made('envioCobrado');
    const one = read(sale);
    expect(String(paidIn(one))).toBe(String(pesos(pagado(sale))));
    expect(String(one.pagos[0]!.envio)).toBe('99.00');
    expect(one.sinLeer).toEqual(['el desglose de sus importes no llegó']);
    const raw = docOf(sale, new Set(['FULFILLMENT']));
    expect(() =>
      ventaOf(readOrder(raw), NETO, {
        raw,
        finanzas: null,
        leidas: false,
        sinLeer: [],
        conocida: undefined,
        now: new Date(NOW),
      }),
    ).toThrow('no dijo los importes');
  });

  test('shipping apart, unit price of many, free shipping, and the other parts of a price', () => {
    const tres = read(made('dosPiezas'));
    const { cantidad, importe, precioUnitario } = tres.articulos[0]!;
    expect([cantidad, String(precioUnitario.times(3))]).toEqual([3, String(importe)]);
    expect(String(read(made('envioCobrado')).pagos[0]!.envio)).toBe('99.00');
    expect(String(read(made('envioGratis')).pagos[0]!.envio)).toBe('0.00');
    expect(String(read(made('regalo')).articulos[0]!.importe)).toBe(
      String(read(made('simple')).articulos[0]!.importe.plus(Money.of('45'))),
    );
    expect(String(paidIn(read(made('reemplazo'))))).toBe('0.00');
  });

  test('of a few cents is what is nearer to the total, though both readings are near', () => {
    for (const precio of SWITCHES.precio) {
      set({ precio });
      expect(String(paidIn(read(venta(1, 'simple', BORN, { precio: 15 })))), precio).toBe('0.15');
    }
  });

  // `npm run test:faults -- mercados` makes a hundred thousand.
  test('whatever cart becomes a CFDI that closes', { timeout: 900_000 }, () => {
    let seed = 2026;
    const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
    for (let n = 0; n < times(700, 100_000); n++) {
      set({ precio: random(2) ? 'neto' : 'bruto', descuento: random(2) ? 'negativo' : 'positivo' });
      const escenario = PRICED[random(PRICED.length)]!;
      const precio = 1 + random(random(10) === 0 ? 5_000_000 : 300_000);
      const sale = venta(n, escenario, BORN, { precio: escenario === 'promocion' ? precio + 4_000 : precio });
      const one = read(sale);
      const lineas = [
        ...one.articulos.map(({ importe, cantidad }) => ({ importe, cantidad, tasaIva: '0.160000' })),
        ...(one.pagos[0]!.envio.isZero() ? [] : [{ importe: one.pagos[0]!.envio, cantidad: 1, tasaIva: '0.160000' }]),
      ];
      const split = splitLineas(lineas);
      if (!split.total.equals(pesos(pagado(sale)))) throw new Error(`${sale.id} ${escenario}: ${split.total}`);
      if (verifyCfdiAmounts(writtenAmounts(split)).length > 0) throw new Error(JSON.stringify(lineas, null, 1));
    }
  });
});

describe('how a sale stands', () => {
  const orden = (sale: Venta) => {
    const one = read(sale, { cobros: true });
    return ordenOf(one, { envio: one.envios[0] ?? null, previous: null, conservada: false, prefijo: 'AMS' });
  };

  test('by its state, its packages and its skus', () => {
    const states = Object.fromEntries(
      ESCENARIOS.map((escenario) => {
        const { situacion, estatus, clase } = orden(made(escenario));
        return [escenario, `${situacion} ${estatus} ${clase}`];
      }),
    );
    expect(states).toMatchObject({
      simple: 'pagada enviado normal',
      porEnviar: 'pagada enPreparacion normal',
      parcial: 'pagada enviadoPartes normal',
      pendiente: 'autorizandoPago autorizandoPago normal',
      cancelada: 'cancelada cancelado cancelada',
      devuelta: 'devuelta enviado devuelta',
      devueltaEnParte: 'devueltaEnParte enviado normal',
      otroSku: 'pagada enviado invalida',
      sinSku: 'pagada enviado invalida',
    });
  });

  test('a package that arrived or came back says so; a new word of the state is understood by what left', () => {
    const sale = made('simple');
    sale.paquetes[0]!.estado = 'DELIVERED';
    expect(orden(sale).estatus).toBe('entregado');
    set({ estadoNuevo: 'si' });
    expect(orden(made('simple')).situacion).toBe('pagada');
    set({ surtido: 'falta' });
    expect(orden(made('porEnviar')).situacion).toBe('desconocida');
    expect(orden(made('simple')).situacion).toBe('pagada');
  });

  test('pending has no price and no address; cancelled keeps its pieces or says none', () => {
    const pending = read(made('pendiente'));
    expect(pending).toMatchObject({ pagos: [], envioId: null, envios: [], fechaCierre: null });
    expect(pending.articulos[0]!.cantidad).toBe(1);
    for (const canceladas of SWITCHES.canceladas) {
      set({ canceladas });
      const one = read(made('cancelada'));
      expect(one.articulos[0]!.cantidad).toBe(1);
      expect(one.situacion).toBe('cancelada');
      expect(String(pagadoOf(one.pagos, 'cancelada'))).toBe(
        canceladas === 'cantidadCero' ? '0.00' : String(pesos(pagado(made('cancelada')))),
      );
    }
    expect(readDocumentoAmz(read(made('cancelada')).documento).cancelacion).toMatchObject({ quien: 'buyer' });
  });

  test('a company is known by the shape of its RFC, whatever word it comes under', () => {
    for (const rfc of SWITCHES.rfc) {
      set({ rfc });
      const { comprador } = read(made('negocio'));
      if (rfc === 'nunca') expect(comprador.fiscalId).toBeNull();
      else
        expect(comprador.fiscal).toEqual({
          rfc: 'EKU9003173C9',
          razonSocial: 'ESCUELA KEMPER URGATE',
          regimen: null,
          usoCfdi: null,
          cp: '42501',
        });
    }
    set({ personas: 'faltan' });
    expect(read(made('simple')).comprador).toMatchObject({ id: null, nombre: null });
  });

  test('ours is sent by us, and Amazon never says when its own arrives', () => {
    expect(read(made('simple')).envios[0]).toMatchObject({ propio: true, paqueteria: 'Estafeta' });
    const own = read(made('amazon'));
    expect(own.envios[0]).toMatchObject({ propio: false, estatus: 'shipped' });
    expect([own.envioCallado, read(made('simple')).envioCallado]).toEqual([true, false]);
  });
});

describe('what Amazon keeps', () => {
  test('commission, its own fees and what was withheld, under any name; the ISR by the law unless the sale tells it', () => {
    for (const retenido of ['MarketplaceFacilitatorVAT', 'otroNombre'] as const)
      for (const isr of SWITCHES.isr)
        for (const comision of SWITCHES.comision) {
          set({ retenido, isr, comision });
          const sale = made('amazon');
          const expected = cargosDe(sale, comision === 'conIva');
          const { cargos, envios, articulos } = read(sale, { cobros: true });
          expect(String(cargos!.comision)).toBe(String(pesos(expected.comision)));
          expect(String(cargos!.retencion)).toBe(String(pesos(expected.ivaRetenido + expected.isr)));
          expect(String(envios[0]!.costo)).toBe(String(pesos(expected.surtido)));
          expect(String(Money.sum(articulos.map((one) => one.comision!)))).toBe(String(cargos!.comision));
        }
  });

  test('what Amazon carries is looked at again for its charges alone, what we send also for where it is', () => {
    const next = (escenario: Escenario) => {
      const one = read(made(escenario), { cobros: true });
      return nextReview(one, one.envios[0]!, 0, new Date(NOW))!.getTime() - NOW;
    };
    expect([next('simple'), next('amazon')]).toEqual([DAY / 2, DAY]);
  });

  test('until it is told it is unknown, which is not zero', () => {
    const fresh = made('porEnviar');
    expect(read(fresh, { cobros: true }).cargos!.retencion).toBeNull();
    expect(read(made('simple')).cargos).toBeUndefined();
    set({ desgloses: 'nulos' });
    expect(read(made('simple'), { cobros: true }).cargos!.retencion).toBeNull();
    const comisiones = (sale: Venta) => read(sale).articulos.map(({ comision }) => comision?.toFixed(2) ?? null);
    expect(comisiones(made('simple'))).toEqual([null]);
    // Nothing is charged for what was cancelled before anything moved.
    expect(comisiones(made('cancelada'))).toEqual(['0.00']);
  });

  test('a refund takes from what was paid and gives back what was kept', () => {
    const sale = made('devueltaEnParte');
    const one = read(sale, { cobros: true });
    const whole = read(made('simple'), { cobros: true });
    expect(one.situacion).toBe('devueltaEnParte');
    expect(String(one.pagos[0]!.devuelto.plus(paidIn(one)))).toBe(String(paidIn(whole)));
    expect(one.cargos!.retencion!.compare(whole.cargos!.retencion!)).toBe(-1);
    const twice = made('devueltaEnParte');
    devuelve(twice, NOW - DAY, 0.5);
    expect(read(twice, { cobros: true }).situacion).toBe('devuelta');
    expect(String(read(made('devuelta'), { cobros: true }).cargos!.retencion)).toBe('0.00');
  });

  test('what was deferred and released under another number counts once', () => {
    const [move] = movesOf(made('simple'));
    const deferred = { ...move!, transactionId: 'diferida', transactionStatus: 'DEFERRED_RELEASED' };
    const link = { relatedIdentifierName: 'DEFERRED_TRANSACTION_ID', relatedIdentifierValue: 'diferida' };
    const released = { ...move!, relatedIdentifiers: [...move!.relatedIdentifiers, link] };
    expect(finanzasOf([deferred, released, released])).toEqual(finanzasOf([move!]));
  });

  test('the day of its release is the promised one, wherever and under whichever word it is told; without one it is unknown', () => {
    const sale = made('simple');
    const day = new Date(sale.enviadaEn! + 11 * DAY);
    for (const diferido of SWITCHES.diferido) {
      set({ diferido });
      const said = diferido === 'sinFecha' || diferido === 'no' ? null : day;
      expect(read(sale, { cobros: true }).cargos!.liberacion, diferido).toEqual(said);
      set({ desgloses: 'nulos' });
      expect(read(sale, { cobros: true }).cargos!.liberacion, `${diferido}, without parts`).toEqual(said);
      set({ desgloses: 'llegan' });
    }
    set({ diferido: 'movimiento' });
    const [move] = movesOf(sale);
    const moved = {
      ...move!,
      transactionId: 'otra',
      contexts: [{ ...move!.contexts[0]!, maturityDate: new Date(NOW) }],
    };
    expect(finanzasOf([move!, moved])!.libera).toEqual(new Date(Math.max(NOW, day.getTime())));
    expect(read(sale, { cobros: false }).cargos?.liberacion ?? null).toBeNull();
  });

  test('without a law of its day the sum withheld is unknown, and the commission is told', () => {
    const cargos = read(made('simple'), { ajustes: { lectura: 'neto', isr: null }, cobros: true }).cargos!;
    expect([cargos.retencion, cargos.comision === null]).toEqual([null, false]);
    expect(read(made('simple'), { cobros: true }).cargos!.retencion).not.toBeNull();
  });

  test('it is asked two days after, weeks after, and no more', () => {
    const order = readOrder(docOf(made('simple')));
    const at = (days: number) => new Date(BORN + days * DAY);
    expect(proximaMirada(order, null, at(1))).toEqual(at(2));
    expect(proximaMirada(order, at(2.5), at(2.5))).toEqual(at(3));
    expect(proximaMirada(order, at(61), at(61))).toBeNull();
    expect(proximaMirada(order, null, at(100))).toEqual(at(100));
    expect(proximaMirada(readOrder(docOf(made('porEnviar'))), null, at(9))).toBeNull();
  });
});

test('shares are of cents and add up, whoever weighs nothing', () => {
  const shares = repartido(Money.of('0.10'), [Money.of('1'), Money.zero, Money.of('1'), Money.of('1')]);
  expect(shares.map(String)).toEqual(['0.03', '0.00', '0.03', '0.04']);
  expect(repartido(Money.of('5'), [Money.zero, Money.zero]).map(String)).toEqual(['5.00', '0.00']);
});

describe('a window whose pages move', () => {
  const HOUR = 3_600_000;
  type Fact = { id: string; version: number };

  /** A search by position over sales that others touch meanwhile: at each call, what `meanwhile` says is touched first. */
  function moving(facts: Fact[], meanwhile: Record<number, string>) {
    let calls = 0;
    return {
      calls: () => calls,
      searchOrders({ from, to }: { from: Date; to: Date }, token: string | null) {
        calls++;
        const touched = facts.find(({ id }) => id === meanwhile[calls]);
        if (touched) touched.version = NOW;
        const rows = facts
          .filter(({ version }) => version >= from.getTime() && version <= to.getTime())
          .sort((a, b) => a.version - b.version);
        const offset = Number(token ?? 0);
        const filas: Fila[] = rows.slice(offset, offset + 10).map(({ id, version }) => ({
          id,
          version: new Date(version),
          raw: { createdTime: new Date(BORN).toISOString() },
        }));
        return Promise.resolve({ filas, siguiente: offset + 10 < rows.length ? String(offset + 10) : null });
      },
    };
  }

  async function listed(search: ReturnType<typeof moving>) {
    const seen = new Set<string>();
    const window = { from: new Date(NOW - 30 * HOUR), to: new Date(NOW - 2 * HOUR) };
    const pages = listWindow(search, window, { patiently: (ask) => ask() }, () => new Date(NOW));
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) for (const { id } of page.value) seen.add(id);
    return { seen, ended: page.value };
  }

  const facts = () => Array.from({ length: 35 }, (_, n) => ({ id: `v${n}`, version: NOW - 29 * HOUR + n * 60_000 }));

  test('loses none when one leaves it between two pages', async () => {
    const cases: Record<number, string>[] = [{ 2: 'v0' }, { 2: 'v1', 4: 'v2' }, { 3: 'v0', 7: 'v3' }];
    for (const meanwhile of cases) {
      const { seen, ended } = await listed(moving(facts(), meanwhile));
      expect(ended).toBe('whole');
      expect(seen.size).toBe(35);
    }
  });

  test('that takes too many pages is cut in two, down to an hour, and none is lost', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({ id: `v${n}`, version: NOW - 29 * HOUR + n * 80_000 }));
    const search = moving(many, {});
    expect((await listed(search)).ended).toBe('full');
    const mercado = createMercadoAmz(search as never, { lectura: 'neto', readIsr: () => Promise.resolve(ISR) });
    const window = { from: new Date(NOW - 30 * HOUR), to: new Date(NOW - 2 * HOUR) };
    const ids = new Set<string>();
    const pages = mercado.changed(window, 'sweep', { patiently: (ask) => ask() });
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) for (const { marketId } of page.value) ids.add(marketId);
    expect(page.value).toEqual([]);
    expect(ids.size).toBe(1_200);
  });

  test('costs one search more than its pages when nothing moves, and none for one page', async () => {
    const quiet = moving(facts(), {});
    await listed(quiet);
    expect(quiet.calls()).toBe(5);
    const small = moving(facts().slice(0, 10), {});
    await listed(small);
    expect(small.calls()).toBe(1);
  });
});
