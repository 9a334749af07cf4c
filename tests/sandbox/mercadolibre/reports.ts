/**
 * The report of released money of the payments host, which is asked for, made after a while, listed and fetched. Its lines follow from the sales of
 * the ledger. Each unconfirmed fact is a switch.
 */
import { Interruptores } from '../proveedores/taller';
import { answerOrBack, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { DAY, MINUTE, SECOND, SELLER_ID } from './constants';
import { dayStart, orderTime, zulu } from './clock';
import { feePerPiece, paymentDetail, paymentsOf } from './documents/payment';
import { shipmentPayments } from './documents/shipment';
import type { Ledger } from './ledger';
import { csvOf, SWITCHES, type Row } from './releaseCsv';
import { pesos } from './money';
import type { Order } from './sale';

interface Report {
  id: number;
  begin: number;
  end: number;
  at: number;
}
/** A charge in centavos that no payment tells: of a sale, or of the account. */
interface Extra {
  ordenId: number | null;
  at: number;
  columna: 'comision' | 'envio' | 'impuestos' | null;
  descripcion: string;
  importe: number;
}
export interface ReportsState {
  reports: Report[];
  extras: Extra[];
}

export const emptyReports = (): ReportsState => ({ reports: [], extras: [] });

interface Options {
  ledger(): Ledger;
  now(): number;
  changed(): void;
}

const RELEASE_MS = 14 * DAY;
/** The amount that every withdrawal leaves in the account. */
const LEFT = 15_000;
const ADS = 4_500;

export class Reports {
  state = emptyReports();
  readonly interruptores = new Interruptores(SWITCHES);
  /** Seconds until a report that was asked for is made. */
  segundos = 0;

  constructor(readonly options: Options) {}

  reset() {
    this.state = emptyReports();
    this.interruptores.reset();
    this.segundos = 0;
  }

  /** Answers the calls about reports; undefined for other calls. The token was checked before. */
  handle(request: SandboxRequest): SandboxResponse | undefined {
    const found = /^\/v1\/account\/release_report(?:\/([^/]+))?$/.exec(request.path);
    if (!found) return undefined;
    if (this.interruptores.is('permiso', '401')) return refuse(401, 'unauthorized', 'invalid_token');
    if (this.interruptores.is('permiso', '403')) return refuse(403, 'forbidden', 'forbidden');
    const name = found[1] && decodeURIComponent(found[1]);
    if (request.method === 'POST' && name === undefined) return this.#create(request);
    if (request.method !== 'GET' || name === undefined) return refuse(405, 'method_not_allowed', 'method not allowed');
    return name === 'list' ? this.#list() : this.#file(name);
  }

  #create(request: SandboxRequest): SandboxResponse {
    const asked = (request.data() ?? {}) as { begin_date?: string; end_date?: string };
    const [begin, end] = [asked.begin_date, asked.end_date].map((text) => Date.parse(text ?? '')) as [number, number];
    const wrong = (message: string) => refuse(400, 'bad_request', message);
    if (!Number.isFinite(begin) || !Number.isFinite(end) || begin >= end)
      return wrong('Invalid begin_date or end_date');
    if (end - begin > 60 * DAY) return wrong('The range may not be over 60 days');
    if (this.interruptores.is('noSePudo', '203')) return { status: 203 };
    const report = { id: 81_000_000 + this.state.reports.length, begin, end, at: this.options.now() };
    this.state.reports.push(report);
    this.options.changed();
    const id = this.interruptores.is('numero', 'mismo') ? report.id : report.id + 5_000_000;
    return json(202, {
      ...(this.interruptores.is('numero', 'ninguno') ? {} : { id }),
      user_id: SELLER_ID,
      begin_date: asked.begin_date,
      end_date: asked.end_date,
      created_from: 'manual',
      status: 'pending',
      report_type: 'release',
      generation_date: zulu(report.at),
      last_modified: orderTime(report.at),
      retries: 0,
    });
  }

  #list(): SandboxResponse {
    const withState = this.interruptores.is('estado', 'llega');
    const rows = this.state.reports.map((report) => {
      const made = this.options.now() - report.at >= this.segundos * SECOND;
      return { report, made };
    });
    return json(
      200,
      rows
        .filter(({ made }) => made || withState)
        .map(({ report, made }) => ({
          id: report.id,
          user_id: String(SELLER_ID),
          begin_date: zulu(report.begin).replace('.000', ''),
          end_date: zulu(report.end).replace('.000', ''),
          file_name: made ? nameOf(report) : '',
          created_from: 'manual',
          date_created: orderTime(report.at),
          ...(withState ? { status: made ? 'processed' : 'pending' } : {}),
        }))
        .reverse(),
    );
  }

  #file(name: string): SandboxResponse {
    const report = this.state.reports.find((one) => nameOf(one) === name);
    if (!report || this.options.now() - report.at < this.segundos * SECOND)
      return json(404, {
        message: `Resource /account/release_report/${name} not found.`,
        error: 'not_found',
        status: 404,
      });
    return { status: 200, headers: { 'content-type': 'text/csv' }, body: this.#csv(report) };
  }

  /** Movements of the account up to an instant, the oldest first. */
  rows(until: number): Row[] {
    const rows: Row[] = [];
    for (const order of this.options.ledger().orders()) rows.push(...this.#rowsOf(order));
    for (const extra of this.state.extras) if (extra.columna === null) rows.push(this.#extraRow(extra));
    rows.sort((a, b) => a.at - b.at || a.source.localeCompare(b.source) || b.net - a.net);
    return this.#withPayouts(
      rows.filter(({ at }) => at <= until),
      until,
    );
  }

  #extraRow({ at, ordenId, descripcion, importe }: Extra): Row {
    const order = ordenId === null ? null : (this.options.ledger().order(ordenId) ?? null);
    return {
      at,
      source: String(70_000_000_000 + at / SECOND),
      order,
      type: 'release',
      description: descripcion,
      net: -importe,
      gross: -importe,
      coupon: 0,
      fee: 0,
      shipping: 0,
      iva: 0,
      isr: 0,
    };
  }

  #rowsOf(order: Order): Row[] {
    const rows = order.k === 0 ? this.#shippingRows(order) : [];
    for (const payment of paymentsOf(order)) {
      if (payment.approvedAt === null || payment.status === 'rejected') continue;
      const at = payment.approvedAt + RELEASE_MS;
      const whole = payment.refunded >= payment.amount;
      // A payment that went back before its release never reached the account.
      if (whole && (order.ending?.at ?? 0) <= at) continue;
      const charges = paymentDetail(order, payment).charges_details;
      const charge = (name: RegExp) =>
        -Math.round(
          100 * charges.filter((one) => name.test(one.name)).reduce((sum, one) => sum + one.amounts.original, 0),
        );
      const extra = (columna: Extra['columna']) =>
        payment.operation === 'regular_payment'
          ? this.state.extras
              .filter((one) => one.ordenId === order.id && one.columna === columna)
              .reduce((sum, one) => sum - one.importe, 0)
          : 0;
      const gross = payment.amount + payment.shipping;
      const fee = charge(/^meli_fee/) + extra('comision');
      const coupon = charge(/^coupon/);
      const shipping = charge(/^shp/) + extra('envio');
      const iva = charge(/iva/) + extra('impuestos');
      const isr = charge(/isr/);
      const source = String(payment.id);
      rows.push({
        at,
        source,
        order,
        type: 'release',
        description: 'payment',
        net: gross + coupon + fee + shipping + iva + isr,
        gross,
        coupon,
        fee,
        shipping,
        iva,
        isr,
      });
      if (payment.refunded > 0) {
        const back = (part: number) => (whole ? -part : Math.round((-part * payment.refunded) / payment.amount));
        const returned = {
          coupon: back(coupon),
          fee: back(fee),
          shipping: back(shipping),
          iva: back(iva),
          isr: back(isr),
        };
        const price = whole ? -gross : -payment.refunded;
        rows.push({
          at: Math.max(order.ending?.at ?? at, at + MINUTE),
          source,
          order,
          type: 'release',
          description: 'refund',
          gross: price,
          ...returned,
          net: price + returned.coupon + returned.fee + returned.shipping + returned.iva + returned.isr,
        });
      }
    }
    return rows;
  }

  /** Movements for the shipping of a cart, which is a payment of its own unless a payment of an order carries it. */
  #shippingRows(order: Order): Row[] {
    const { sale } = order;
    const carried = new Set(sale.orders.flatMap((one) => paymentsOf(one).map(({ id }) => id)));
    return shipmentPayments(sale).flatMap(({ payment_id: id, amount, status }): Row[] => {
      if (!['approved', 'refunded'].includes(status) || carried.has(id) || sale.closedAt === null) return [];
      const at = sale.closedAt + RELEASE_MS;
      const back =
        status === 'refunded' ? Math.max(...sale.orders.map(({ ending }) => ending?.at ?? -Infinity)) : Infinity;
      // As with the payment of an order: what went back before its release never reached the account.
      if (back <= at) return [];
      const row = (when: number, description: string, net: number): Row => ({
        ...{ at: when, source: String(id), order, deEnvio: true, type: 'release', description, net, gross: net },
        ...{ coupon: 0, fee: 0, shipping: 0, iva: 0, isr: 0 },
      });
      const gross = Math.round(Number(amount) * 100);
      const paid = row(at, 'payment', gross);
      return back === Infinity ? [paid] : [paid, row(Math.max(back, at + MINUTE), 'refund', -gross)];
    });
  }

  /**
   * Adds payouts and advertising. Each Monday at nine most of the balance is held for a moment, released and paid out, and each Friday an
   * advertisement is charged.
   */
  #withPayouts(rows: Row[], until: number): Row[] {
    const first = rows[0];
    if (!first) return rows;
    const told: Row[] = [];
    let balance = 0;
    let n = 0;
    const put = (row: Row) => {
      told.push(row);
      balance += row.net;
    };
    const alone = { order: null, type: 'release', coupon: 0, fee: 0, shipping: 0, iva: 0, isr: 0 };
    for (let day = dayStart(first.at); day <= until; day += DAY) {
      for (; n < rows.length && rows[n]!.at < day + 9 * 60 * MINUTE; n++) put(rows[n]!);
      const at = day + 9 * 60 * MINUTE;
      const weekday = new Date(at).getUTCDay();
      const source = String(60_000_000_000 + Math.round(day / DAY));
      if (weekday === 5 && at <= until)
        put({ ...alone, at, source, description: 'advertising', net: -ADS, gross: -ADS });
      const goes = balance - LEFT;
      if (weekday === 1 && at <= until && goes > 0 && this.interruptores.is('retiros', 'llegan')) {
        put({ ...alone, at, source, description: 'reserve_for_payout', net: -goes, gross: -goes });
        put({ ...alone, at: at + SECOND, source, description: 'reserve_for_payout', net: goes, gross: goes });
        put({ ...alone, at: at + SECOND, source, description: 'payout', net: -goes, gross: -goes });
      }
      for (; n < rows.length && rows[n]!.at < day + DAY; n++) put(rows[n]!);
    }
    return told;
  }

  #csv(report: Report): string {
    const all = this.rows(Math.min(report.end + 999, this.options.now()));
    return csvOf(report, all, (fact, way) => this.interruptores.is(fact, way));
  }

  readonly control: Record<string, Handler> = {
    'GET /reportes': () => json(200, this.state.reports),
    /** Movements of the account as a report tells them, in pesos. */
    'GET /reportes/movimientos': () =>
      json(
        200,
        this.rows(this.options.now()).map(({ order, ...row }) => ({
          ...row,
          ordenId: order ? String(order.id) : null,
          ...Object.fromEntries(
            (['net', 'gross', 'coupon', 'fee', 'shipping', 'iva', 'isr'] as const).map((name) => [
              name,
              pesos(row[name]),
            ]),
          ),
          comision: order ? pesos(feePerPiece(order) * order.line.quantity) : 0,
        })),
      ),
    'POST /reportes/interruptores': (request) => this.interruptores.control['POST /interruptores']!(request),
    'POST /reportes/segundos': (request) => {
      this.segundos = Number((request.data() as { segundos?: unknown } | undefined)?.segundos ?? 0) || 0;
      return json(200, { ok: true });
    },
    /** Adds a charge in pesos. With `columna` it is part of the payment of a sale; without it, a line of its own, `dias` ago. */
    'POST /reportes/cargos': (request) => {
      const asked = (request.data() ?? {}) as Record<string, unknown>;
      const extra: Extra = {
        ordenId: asked.ordenId ? Number(asked.ordenId) : null,
        at: this.options.now() - Number(asked.dias ?? 0) * DAY - MINUTE,
        columna: (asked.columna as Extra['columna']) || null,
        descripcion: String(asked.descripcion ?? 'fee'),
        importe: Math.round(Number(asked.importe ?? 0) * 100),
      };
      this.state.extras.push(extra);
      this.options.changed();
      return answerOrBack(request, extra, '/#mercadolibre');
    },
  };
}

const nameOf = (report: Report) => `release-report-${SELLER_ID}-${report.id}.csv`;
