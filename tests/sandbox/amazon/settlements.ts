/**
 * Settlements of Reports 2021-06-30. Amazon makes one every two weeks by itself: a line with the total, and below it lines of one amount each.
 * Charges and withholdings are those that Finances tells of each sale. Each unconfirmed fact of the file is a switch.
 */
import { randomUUID } from 'node:crypto';
import { answerOrBack, bodyOf, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { no, zulu, type World } from './answers';
import { DAY, HOUR, MARKETPLACE_ID, MINUTE } from './constants';
import { cargosDe, movimientosOf, type Desglose } from './finances';
import type { DepositTruth } from '../truth';
import type { ReportFiles } from './signedFiles';
import type { Linea, Venta } from './ventas';

const TYPE = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const PERIOD = 14 * DAY;
/** The time for which Amazon keeps a report. */
const KEPT = 90 * DAY;
const FIRST_ID = 18_900_000_000;
const ADS = 12_340;
const SUBSCRIPTION = 60_000;

const COLUMNS =
  'settlement-id settlement-start-date settlement-end-date deposit-date total-amount currency transaction-type order-id merchant-order-id adjustment-id shipment-id marketplace-name amount-type amount-description amount fulfillment-id posted-date posted-date-time order-item-code merchant-order-item-id merchant-adjustment-item-id sku quantity-purchased promotion-id'.split(
    ' ',
  );

/** A line of a settlement: one amount in centavos, with its sign. */
type Renglon = {
  at: number;
  transaccion: string;
  venta: Venta | null;
  linea: Linea | null;
  tipo: string;
  concepto: string;
  centavos: number;
};
/** A charge that no sale explains. `venta` is null when the charge is of the account. */
type Extra = {
  venta: string | null;
  at: number;
  transaccion: string;
  tipo: string;
  concepto: string;
  centavos: number;
};
export type SettlementsState = { extras: Extra[] };

type Settlement = { k: number; id: string; desde: number; hasta: number; renglones: Renglon[]; centavos: number };

type Options = Pick<World, 'now' | 'ventas' | 'interruptores' | 'changed'> & {
  partsOf(sale: Venta, linea: Linea, factor: number): Desglose[];
  files: ReportFiles;
};

const refuse = (message: string) => no(400, '400', message);
const documentOf = (k: number) => `amzn1.spdoc.1.4.na.L${FIRST_ID + k}`;
const reportOf = (k: number) => String(52_000_000_000 + k);

export class Settlements {
  state: SettlementsState = { extras: [] };

  constructor(readonly options: Options) {}

  reset() {
    this.state = { extras: [] };
  }

  /** Answers about the report, or the document, of a settlement; undefined when the id is not of a settlement. */
  report(id: string): SandboxResponse | undefined {
    const all = this.#settlements();
    const one = all.find(({ k }) => id === reportOf(k));
    return one && json(200, this.#reportDoc(one, all));
  }
  document(id: string): SandboxResponse | undefined {
    const all = this.#settlements();
    const one = all.find(({ k }) => id === documentOf(k));
    return one && this.#document(one, all);
  }

  list({ url: { searchParams: asked } }: SandboxRequest): SandboxResponse {
    const token = asked.get('nextToken');
    if (token !== null && [...asked.keys()].length > 1) return refuse('nextToken must be alone.');
    const types = asked.get('reportTypes')?.split(',') ?? [];
    if (token === null && (types.length === 0 || types.length > 10)) return refuse('reportTypes is required.');
    const [offset, size, since, type] = token
      ? (JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as [number, number, number, string])
      : [0, Number(asked.get('pageSize') ?? 10), Date.parse(asked.get('createdSince') ?? '') || 0, types.join()];
    if (size < 1 || size > 100) return refuse('pageSize is invalid.');
    const made = this.#settlements();
    const all = type.split(',').includes(TYPE)
      ? made.filter(({ hasta }) => hasta >= Math.max(since, this.options.now() - KEPT)).reverse()
      : [];
    const next = offset + size;
    return json(200, {
      reports: all.slice(offset, next).map((one) => this.#reportDoc(one, made)),
      ...(next < all.length && {
        nextToken: Buffer.from(JSON.stringify([next, size, since, type, '?>+'])).toString('base64'),
      }),
    });
  }

  #reportDoc({ k, hasta }: Settlement, all: readonly Settlement[]) {
    const { interruptores } = this.options;
    const newest = k === all.at(-1)!.k;
    const waits = newest && interruptores.is('liquidacion', 'enCola');
    const failed = newest && interruptores.is('liquidacion', 'fatal');
    const [first] = this.#toldBy(k, all);
    return {
      reportId: reportOf(k),
      reportType: TYPE,
      marketplaceIds: [MARKETPLACE_ID],
      dataStartTime: zulu(first!.desde),
      dataEndTime: zulu(hasta),
      createdTime: zulu(hasta + 3 * HOUR),
      processingStatus: waits ? 'IN_QUEUE' : failed ? 'FATAL' : 'DONE',
      ...(!waits && !failed && { reportDocumentId: documentOf(k) }),
    };
  }

  /** The settlements in the document of settlement `k`. */
  #toldBy(k: number, all: readonly Settlement[]): Settlement[] {
    const several = this.options.interruptores.is('liquidacionCuantas', 'variasYRepetidas');
    return all.filter((one) => one.k === k || (several && one.k === k - 1));
  }

  #document({ k }: Settlement, all: readonly Settlement[]): SandboxResponse {
    const { interruptores, files } = this.options;
    const names = COLUMNS.filter((name) => name !== 'posted-date-time' || interruptores.is('liquidacionHora', 'llega'));
    const lines = [
      files.header(names),
      ...this.#toldBy(k, all).flatMap((one) =>
        this.#linesOf(one).map((cells) => names.map((name) => cells[name] ?? '')),
      ),
    ];
    const text = `${lines.map((cells) => cells.join('\t')).join('\n')}\n`;
    return files.publish(documentOf(k), `liquidacion-${randomUUID()}`, text);
  }

  #linesOf({ id, desde, hasta, renglones, centavos }: Settlement): Partial<Record<string, string>>[] {
    const dates = {
      'settlement-start-date': this.#instant(desde),
      'settlement-end-date': this.#instant(hasta),
      'deposit-date': this.#instant(depositOf(hasta)),
    };
    const repeated = this.options.interruptores.is('liquidacionRepite', 'si') ? { ...dates, currency: 'MXN' } : {};
    return [
      { 'settlement-id': id, ...dates, 'total-amount': this.#amount(centavos), currency: 'MXN' },
      ...renglones.map(({ at, transaccion, venta, linea, tipo, concepto, centavos: one }) => ({
        'settlement-id': id,
        ...repeated,
        'transaction-type': transaccion,
        'order-id': venta?.id ?? '',
        'merchant-order-id': venta?.id ?? '',
        'shipment-id': venta ? `D${venta.id.slice(-7)}` : '',
        'marketplace-name': venta ? 'Amazon.com.mx' : '',
        'amount-type': tipo,
        'amount-description': concepto,
        amount: this.#amount(one),
        'fulfillment-id': venta ? (venta.canal === 'AMAZON' ? 'AFN' : 'MFN') : '',
        'posted-date': this.#day(at),
        'posted-date-time': this.#instant(at),
        'order-item-code': linea?.id ?? '',
        sku: linea?.sku ?? '',
        'quantity-purchased': linea && concepto === 'Principal' ? String(linea.cantidad) : '',
      })),
    ];
  }

  #amount(centavos: number): string {
    const { interruptores } = this.options;
    const plain = (centavos / 100).toFixed(2);
    if (interruptores.is('decimales', 'punto')) return plain;
    if (interruptores.is('decimales', 'coma')) return plain.replace('.', ',');
    return new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 }).format(centavos / 100);
  }

  #instant(ms: number): string {
    const iso = new Date(ms).toISOString();
    const { interruptores } = this.options;
    if (interruptores.is('liquidacionFechas', 'iso')) return `${iso.slice(0, 19)}+00:00`;
    return `${this.#day(ms)} ${iso.slice(11, 19)} UTC`;
  }

  #day(ms: number): string {
    const iso = new Date(ms).toISOString().slice(0, 10);
    return this.options.interruptores.is('liquidacionFechas', 'puntos') ? iso.split('-').reverse().join('.') : iso;
  }

  /** Every settlement that has ended, the oldest first. */
  #settlements(): Settlement[] {
    const moved = [...this.#ofSales(), ...this.#ofExtras()].sort((a, b) => a.at - b.at);
    const first = moved[0];
    const last = Math.floor(this.options.now() / PERIOD);
    if (!first) return [];
    const told: Settlement[] = [];
    let reserve = 0;
    for (let k = Math.floor(first.at / PERIOD); k < last; k++) {
      const [desde, hasta] = [k * PERIOD, (k + 1) * PERIOD];
      const keeps = 5_000 + (k % 7) * 1_111;
      const renglones = [
        ...(reserve > 0 ? [ofAccount(desde, 'Previous Reserve Amount Balance', reserve)] : []),
        ...moved.filter(({ at }) => at >= desde && at < hasta),
        ...this.#ofAccount(desde, hasta),
        ofAccount(hasta - HOUR, 'Current Reserve Amount', -keeps),
      ];
      reserve = keeps;
      const centavos = renglones.reduce((sum, one) => sum + one.centavos, 0);
      told.push({ k, id: String(FIRST_ID + k), desde, hasta, renglones, centavos });
    }
    return told;
  }

  /** Each settlement as the transfer that it ends in. Its reserves are lines of no sale. */
  deposits(): DepositTruth[] {
    return this.#settlements().map(({ hasta, centavos, renglones }) => {
      const lines = new Map<string | null, number>();
      for (const { venta, centavos: one } of renglones) {
        const sale = venta?.id ?? null;
        lines.set(sale, (lines.get(sale) ?? 0) + one);
      }
      return {
        market: 'amazon',
        at: depositOf(hasta),
        toldAt: hasta,
        amount: centavos,
        before: 0,
        after: 0,
        lines: [...lines].map(([numOrden, amount]) => ({ numOrden, amount })),
      };
    });
  }

  #ofSales(): Renglon[] {
    return this.options
      .ventas()
      .flatMap((venta) =>
        movimientosOf(venta).flatMap(({ clase, en, factor }) =>
          venta.lineas.flatMap((linea) => this.#ofLine(venta, linea, factor, clase, en)),
        ),
      );
  }

  #ofLine(venta: Venta, linea: Linea, factor: number, clase: 'Shipment' | 'Refund', at: number): Renglon[] {
    const parts = leavesOf(this.options.partsOf(venta, linea, factor));
    const sum = (name: RegExp) =>
      parts.filter(({ type }) => name.test(type)).reduce((total, { centavos }) => total + centavos, 0);
    const round = (centavos: number) => Math.round(centavos * factor);
    const price: [string, number][] = [
      ['Principal', round(linea.neto)],
      ['Tax', round(linea.iva)],
      ['Shipping', round(linea.envio)],
      ['ShippingTax', round(linea.envioIva)],
    ];
    // The discount of a price has a line of its own.
    const off: [string, number][] = [
      ['Principal', sum(/^OurPricePrincipal/) - price[0]![1]],
      ['TaxDiscount', sum(/^OurPriceTax/) - price[1]![1] + sum(/^ShippingTax/) - price[3]![1]],
      ['Shipping', sum(/^ShippingPrincipal/) - price[2]![1]],
    ];
    const gift = round(linea.regalo);
    const told: [string, string, number][] = [
      ...price.map(([concepto, centavos]): [string, string, number] => ['ItemPrice', concepto, centavos]),
      ['ItemPrice', 'GiftWrap', gift],
      ['ItemPrice', 'GiftWrapTax', sum(/^GiftWrap/) - gift],
      ...off.map(([concepto, centavos]): [string, string, number] => ['Promotion', concepto, centavos]),
      ['ItemFees', 'Commission', sum(/^Commission/)],
      ['ItemFees', 'FBAPerUnitFulfillmentFee', sum(/^FBA/)],
      ...parts
        .filter(({ type }) => /^(MarketplaceFacilitator|IVA)/.test(type))
        .map(({ type, centavos }): [string, string, number] => ['ItemWithheldTax', type, centavos]),
    ];
    const transaccion = clase === 'Shipment' ? 'Order' : 'Refund';
    return told
      .filter(([, , centavos]) => centavos !== 0)
      .map(([tipo, concepto, centavos]) => ({ at, transaccion, venta, linea, tipo, concepto, centavos }));
  }

  #ofExtras(): Renglon[] {
    if (this.state.extras.length === 0) return [];
    const sales = new Map(this.options.ventas().map((sale) => [sale.id, sale]));
    return this.state.extras.map(({ venta, ...extra }) => ({
      ...extra,
      venta: sales.get(venta ?? '') ?? null,
      linea: null,
    }));
  }

  /** Charges of the account: advertising in each settlement, and the subscription and ISR of each month. */
  #ofAccount(desde: number, hasta: number): Renglon[] {
    const told = [
      {
        ...ofAccount(desde + DAY, 'TransactionTotalAmount', -ADS),
        transaccion: 'ServiceFee',
        tipo: 'Cost of Advertising',
      },
    ];
    const month = new Date(hasta);
    const starts = Date.UTC(month.getUTCFullYear(), month.getUTCMonth());
    if (starts < desde || starts >= hasta) return told;
    told.push(ofAccount(starts, 'Subscription Fee', -SUBSCRIPTION));
    const { interruptores } = this.options;
    const before = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - 1);
    const isr = this.options
      .ventas()
      .filter(({ enviadaEn }) => enviadaEn !== null && enviadaEn >= before && enviadaEn < starts)
      .reduce((sum, venta) => sum + cargosDe(venta, true).isr, 0);
    if (isr > 0 && interruptores.is('isr', 'porMes') && !interruptores.is('isrMensual', 'nunca')) {
      const spanish = interruptores.is('isrMensual', 'Retención de ISR');
      told.push(ofAccount(starts, spanish ? 'Retención de ISR' : 'IncomeTaxWithholding', -isr));
    }
    return told;
  }

  readonly control: Record<string, Handler> = {
    /** Settlements as their reports will tell them, in pesos. */
    'GET /liquidaciones': ({ url }) =>
      json(
        200,
        this.#settlements().map(({ k, id, desde, hasta, centavos, renglones }) => ({
          id,
          reporte: reportOf(k),
          desde,
          hasta,
          deposito: depositOf(hasta),
          total: centavos / 100,
          cuantos: renglones.length,
          movimientos: (url.searchParams.get('movimientos') === 'no' ? [] : renglones).map(
            ({ at, venta, tipo, concepto, centavos: one }) => ({
              at,
              ordenId: venta?.id ?? null,
              tipo,
              concepto,
              importe: one / 100,
            }),
          ),
        })),
      ),
    /**
     * Adds a charge, `dias` ago, to a sale or to the account. With `veces` it adds one to each of so many shipped sales. `importe` is in pesos, and
     * a positive one is charged.
     */
    'POST /liquidaciones/cargos': (request) => {
      const asked = bodyOf(request);
      const at = this.options.now() - Number(asked.dias ?? 0) * DAY - MINUTE;
      const charge = (venta: string | null): Extra => ({
        venta,
        at,
        transaccion: String(asked.transaccion ?? 'Order'),
        tipo: String(asked.tipo ?? 'ItemFees'),
        concepto: String(asked.concepto ?? 'Commission'),
        centavos: -Math.round(Number(asked.importe ?? 0) * 100),
      });
      const left = this.options.ventas().filter(({ enviadaEn }) => enviadaEn !== null && enviadaEn < at);
      const veces = Number(asked.veces ?? 0);
      const extras =
        veces > 0
          ? Array.from({ length: veces }, (_, n) => charge(left[n % left.length]?.id ?? null))
          : [charge(asked.ordenId ? String(asked.ordenId) : null)];
      this.state.extras.push(...extras);
      this.options.changed();
      return answerOrBack(request, { cargos: extras.length }, '/#amazon');
    },
  };
}

const depositOf = (hasta: number) => hasta + 2 * DAY;

const ofAccount = (at: number, concepto: string, centavos: number): Renglon => ({
  at,
  transaccion: 'other-transaction',
  venta: null,
  linea: null,
  tipo: 'other-transaction',
  concepto,
  centavos,
});

/** Names whose parts the settlement does not tell apart. */
const WHOLE = /^(Commission|MarketplaceFacilitator|FBA)/;

const leavesOf = (parts: readonly Desglose[]): { type: string; centavos: number }[] =>
  parts.flatMap(({ breakdownType, breakdownAmount, breakdowns }) =>
    breakdowns && !WHOLE.test(breakdownType)
      ? leavesOf(breakdowns)
      : [{ type: breakdownType, centavos: Math.round(breakdownAmount.currencyAmount * 100) }],
  );
