import { setTimeout as sleep } from 'node:timers/promises';
import type { Afuera, Contribuyente } from './afuera';
import type { Azar } from './azar';
import { type Cliente, Refusal } from './cliente';
import type { Eleccion, Tipo } from './eleccion';

const HOUR = 3_600_000;
/** What the answer 'saturado' asks whoever pressed to wait. */
const SATURADO_MS = 5_000;
const isSaturado = (error: unknown) => error instanceof Refusal && error.text.includes('"codigo":"saturado"');
/** How busy each hour of the day is in Mexico City, from midnight. */
const BY_HOUR = [2, 1, 1, 1, 1, 1, 2, 4, 6, 8, 9, 10, 10, 9, 9, 9, 8, 8, 9, 10, 11, 10, 7, 4] as const;
const WEIGHT = BY_HOUR.reduce((sum: number, one) => sum + one, 0);

/** Kinds of sale, by how often they come, and the choice of a seed that each belongs to. */
type Venta = readonly [escenario: string, tipo?: Tipo];
const EN_MERCADO_LIBRE: readonly Venta[] = [
  ['simple'],
  ['simple'],
  ['simple'],
  ['conDatosFiscales'],
  ['cantidadVarias', 'varias'],
  ['packVarias', 'varias'],
  ['packEnvioCobrado', 'envio'],
  ['envioCobrado', 'envio'],
  ['conDescuento', 'descuento'],
  ['cuponDelMercado', 'cupon'],
  ['cuponDeAmbos', 'cupon'],
  ['cuponEnElPrecio', 'cupon'],
  ['conMensualidades', 'pagos'],
  ['pagoDividido', 'pagos'],
  ['pagoRechazado', 'pagos'],
  ['saldo', 'pagos'],
  ['flex', 'envio'],
  ['full', 'full'],
  ['sinPack'],
];
const EN_AMAZON: readonly Venta[] = [
  ['porEnviar'],
  ['porEnviar'],
  ['dosPiezas', 'varias'],
  ['variosArticulos', 'varias'],
  ['envioCobrado', 'envio'],
  ['promocion', 'descuento'],
  ['negocio'],
];

/** A sale under way. Its further events are drawn when it is made, so chance does not hang on the speed of the product. */
interface Viva {
  market: 'mercadolibre' | 'amazon';
  numOrden: string;
  ordenes: string[];
  moves: { at: number; what: 'move' | 'ship' | 'refund' | 'refundPart' | 'cancel' | 'claim' | 'closeClaim' }[];
  /** The claim of its buyer, once it was made. */
  reclamo?: string;
  invoiceAt: number | null;
  comprador?: Contribuyente;
  buyAt: number;
}

/** The choice of a seed that a move belongs to; packages move in every one. */
const TIPO_DE: Readonly<Partial<Record<Viva['moves'][number]['what'], Tipo>>> = {
  cancel: 'cancelada',
  refund: 'devuelta',
  refundPart: 'parte',
  claim: 'reclamo',
  closeClaim: 'reclamo',
};

/** What buyers ask, and what staff answers. */
const DICHO = {
  pregunta: [
    '¿Tienen disponible?',
    '¿Hacen factura?',
    'Buen día, ¿llega a Mérida antes del viernes?',
    '¿Trae cargador "original"?',
  ],
  respuesta: [
    'Sí, lo tenemos. Con gusto.',
    'Claro que sí, la factura va con su compra.',
    'Sí, llega en 3 días hábiles.',
  ],
} as const;
/** Questions for each sale. */
const PREGUNTAS_POR_VENTA = 0.7;

export interface Vida {
  afuera: Afuera;
  admin: Cliente;
  azar: Azar;
  eleccion: Eleccion;
  /** Sales a day. */
  porDia: number;
}

/** Counts of what the staff did and what it was refused. */
export interface Hecho {
  vendidas: number;
  facturadas: number;
  pedidas: number;
  devueltas: number;
  preguntadas: number;
  respondidas: number;
  reclamadas: number;
  /** Ids of the orders that staff made at suppliers. */
  compras: string[];
  negadas: Map<string, number>;
}

/** A month as people live it: sales, packages and refunds outside, purchases and invoices inside. */
export class Mes {
  readonly hecho: Hecho = {
    ...{ vendidas: 0, facturadas: 0, pedidas: 0, devueltas: 0 },
    ...{ preguntadas: 0, respondidas: 0, reclamadas: 0 },
    compras: [],
    negadas: new Map(),
  };
  /** Questions that staff will answer, by the marketplace's id. */
  #preguntas = new Map<string, { answerAt: number; respuesta: string }>();
  #vivas: Viva[] = [];
  #debt = 0;
  #contribuyentes: Contribuyente[] = [];

  constructor(readonly vida: Vida) {}

  /** Lives the hour that ends at an instant. */
  async hour(now: number): Promise<void> {
    await this.#sell(now);
    for (const viva of this.#vivas) await this.#happen(viva, now);
  }

  /** What staff does in an hour, once the product has heard of what happened. */
  async work(now: number): Promise<void> {
    const { admin } = this.vida;
    const known = new Map<string, { id: string; clase: string; situacion: string; facturaId: string | null }[]>();
    for (const orden of await admin.list<{
      id: string;
      numOrden: string;
      clase: string;
      situacion: string;
      facturaId: string | null;
    }>('/api/v1/ordenes?rango=ultimos91'))
      known.set(orden.numOrden, [...(known.get(orden.numOrden) ?? []), orden]);
    for (const viva of this.#vivas) {
      const ordenes = known.get(viva.numOrden);
      if (!ordenes) continue;
      if (viva.buyAt <= now) {
        viva.buyAt = Infinity;
        for (const { id } of ordenes) await this.#buy(id);
      }
      if (viva.invoiceAt !== null && viva.invoiceAt <= now) {
        // Where the PAC is late with the receiver, staff come back in the next hour.
        viva.invoiceAt = (await this.#invoice(viva, now)) ? null : now + HOUR;
      }
    }
    await this.#confirm();
    await this.#answer(now);
  }

  /** Closes a month as its screen does: each table that holds something, by the mark of what was read. */
  async closeMonth(sa: Cliente, mes: string): Promise<string[]> {
    const told: string[] = [];
    const { tablas } = await sa.get<{
      tablas: { tabla: string; registros: number; total: string; huella: string }[];
    }>(`/api/v1/mes/${mes}`);
    for (const { tabla, registros, total, huella } of tablas)
      if (registros > 0) {
        await this.#try(`cerrar ${tabla}`, () => sa.post(`/api/v1/mes/${mes}/${tabla}`, { huella }));
        told.push(`${tabla}: ${registros} sales, ${total}`);
      }
    return told;
  }

  async #sell(now: number) {
    const { afuera, azar, eleccion, porDia } = this.vida;
    const escenarioOf = (ventas: readonly Venta[]) =>
      azar.pick(ventas.filter(([, tipo]) => tipo === undefined || eleccion.has(tipo)))[0];
    const hour = (new Date(now).getUTCHours() + 18) % 24;
    this.#debt += (porDia * BY_HOUR[hour]!) / WEIGHT;
    for (; this.#debt >= 1; this.#debt--) {
      const amazon = azar.chance(0.3) && eleccion.has('amazon');
      const ends = azar.next();
      const later = (hours: number) => now + Math.round(hours * HOUR);
      const viva: Viva = {
        market: amazon ? 'amazon' : 'mercadolibre',
        numOrden: '',
        ordenes: [],
        moves: [],
        invoiceAt: azar.chance(0.35) ? later(azar.int(1, 60)) : null,
        buyAt: later(azar.int(0, 3)),
      };
      if (amazon) {
        const { id } = await afuera.sellAmazon({ escenario: escenarioOf(EN_AMAZON) });
        viva.numOrden = id;
        viva.ordenes = [id];
        if (ends < 0.04) viva.moves.push({ at: later(azar.int(1, 6)), what: 'cancel' });
        else {
          viva.moves.push({ at: later(azar.int(10, 30)), what: 'ship' });
          if (ends < 0.1) viva.moves.push({ at: later(azar.int(40, 70)), what: ends < 0.07 ? 'refund' : 'refundPart' });
        }
      } else {
        const { numOrden, ordenes } = await afuera.sellMl({ scenario: escenarioOf(EN_MERCADO_LIBRE) });
        viva.numOrden = numOrden;
        viva.ordenes = ordenes;
        if (ends < 0.05) viva.moves.push({ at: later(azar.int(1, 8)), what: 'cancel' });
        else {
          if (azar.chance(0.08)) {
            const claimed = azar.int(20, 60);
            viva.moves.push({ at: later(claimed), what: 'claim' });
            viva.moves.push({ at: later(claimed + azar.int(3, 40)), what: 'closeClaim' });
          }
          for (let step = 1; step <= 8; step++) viva.moves.push({ at: later(step * azar.int(3, 9)), what: 'move' });
          if (ends < 0.12) viva.moves.push({ at: later(azar.int(6, 70)), what: ends < 0.08 ? 'refund' : 'refundPart' });
        }
      }
      viva.moves = viva.moves.filter(({ what }) => {
        const tipo = TIPO_DE[what];
        return tipo === undefined || eleccion.has(tipo);
      });
      this.#vivas.push(viva);
      this.hecho.vendidas++;
      await this.#ask(now);
    }
  }

  async #happen(viva: Viva, now: number) {
    const { afuera } = this.vida;
    const due = viva.moves.filter(({ at }) => at <= now);
    viva.moves = viva.moves.filter(({ at }) => at > now);
    for (const { what } of due) {
      if (what === 'claim') {
        viva.reclamo = (await afuera.claimMl(viva.ordenes[0]!)).id;
        this.hecho.reclamadas++;
      } else if (what === 'closeClaim') await afuera.closeClaimMl(viva.reclamo!);
      else if (what === 'move') await afuera.moveMl(viva.ordenes[0]!);
      else if (what === 'ship') await afuera.changeAmazon(viva.numOrden, 'envia');
      else if (what === 'cancel' && viva.market === 'amazon') await afuera.changeAmazon(viva.numOrden, 'cancela');
      else if (what === 'cancel')
        for (const orden of viva.ordenes) await afuera.endMl(orden, 'cancelar', { code: 'buyer_cancel_express' });
      else {
        this.hecho.devueltas++;
        if (viva.market === 'amazon')
          await afuera.changeAmazon(viva.numOrden, 'devuelve', { parte: what === 'refund' ? 1 : 0.25 });
        else if (what === 'refund') await afuera.endMl(viva.ordenes[0]!, 'devolver', { refunded: true });
        else await afuera.endMl(viva.ordenes[0]!, 'devolverParte', { monto: 25 });
      }
    }
  }

  /** A buyer asks, and what staff will answer is drawn at once. One question in ten is never answered. */
  async #ask(now: number) {
    const { afuera, azar, eleccion } = this.vida;
    if (!azar.chance(PREGUNTAS_POR_VENTA) || !eleccion.has('pregunta')) return;
    const [texto, respuesta, answered] = [azar.pick(DICHO.pregunta), azar.pick(DICHO.respuesta), azar.chance(0.9)];
    const answerAt = answered ? now + azar.int(0, 5) * HOUR : Infinity;
    const { id } = await afuera.askMl(texto);
    this.#preguntas.set(id, { answerAt, respuesta });
    this.hecho.preguntadas++;
  }

  /** Answers what is due, by the version that stands in the list. */
  async #answer(now: number) {
    const { admin } = this.vida;
    const due = [...this.#preguntas].filter(([, { answerAt }]) => answerAt <= now);
    if (due.length === 0) return;
    const filas = await admin.list<{ id: string; marketId: string }>('/api/v1/preguntas?rango=ultimos91');
    for (const [marketId, { respuesta }] of due) {
      const fila = filas.find((one) => one.marketId === marketId);
      if (!fila) continue;
      this.#preguntas.delete(marketId);
      await this.#try('responder', async () => {
        const { version } = await admin.get<{ version: number }>(`/api/v1/preguntas/${fila.id}`);
        await admin.post(`/api/v1/preguntas/${fila.id}/respuesta`, { texto: respuesta }, version);
        this.hecho.respondidas++;
      });
    }
  }

  /** Returns whether it was answered, with a yes or a no. */
  async #invoice(viva: Viva, now: number): Promise<boolean> {
    const { afuera, admin, azar } = this.vida;
    if (this.#contribuyentes.length === 0)
      this.#contribuyentes = (await afuera.contribuyentes()).filter(({ regimenes }) =>
        regimenes.some((one) => ['601', '612', '626'].includes(one)),
      );
    const quien = (viva.comprador ??= azar.pick(this.#contribuyentes));
    const regimen = quien.regimenes.find((one) => ['601', '612', '626'].includes(one))!;
    return this.#try('facturar', async () => {
      await admin.post('/api/v1/facturas', {
        numOrden: viva.numOrden,
        cliente: { rfc: quien.rfc, razonSocial: quien.nombre, cp: quien.cp, regimen, email: 'compras@cliente.mx' },
        usoCfdi: 'G03',
        formaPago: '04',
        fecha: new Date(now - 6 * HOUR).toISOString().slice(0, 10),
      });
      this.hecho.facturadas++;
    });
  }

  async #buy(orden: string) {
    const { admin } = this.vida;
    await this.#try('pedir', async () => {
      const dinero = await admin.get<{ articulos: { proveedor: string | null }[] }>(`/api/v1/ordenes/${orden}`);
      const proveedor = dinero.articulos.find((articulo) => articulo.proveedor)?.proveedor?.toLowerCase();
      if (!proveedor) return;
      const { id } = await admin.post<{ id: string }>('/api/v1/pedidos', { orden, proveedor });
      if (!this.hecho.compras.includes(id)) this.hecho.compras.push(id);
      this.hecho.pedidas++;
    });
  }

  /** Confirms what waits for it, by the cost that is shown. */
  async #confirm() {
    const { admin } = this.vida;
    const filas = await admin.list<{ id: string; version: number; estado: string; costo: string | null }>(
      '/api/v1/pedidos/por-confirmar',
    );
    for (const { id, version, estado, costo } of filas)
      if (estado === 'borrador')
        await this.#try('confirmar', () =>
          admin.post(`/api/v1/pedidos/${id}/confirmacion`, { costo, motivo: 'Se compra así.' }, version),
        );
  }

  /** Returns false where the product asks to come back later, and did so twice. */
  async #try(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work().catch(async (error: unknown) => {
        if (!isSaturado(error)) throw error;
        await sleep(SATURADO_MS);
        await work();
      });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || (error.status >= 500 && !isSaturado(error))) throw error;
      const told = `${what}: ${(/"detail":"([^"]*)"/.exec(error.text) ?? [, error.text.slice(0, 160)])[1]}`.replaceAll(
        /\d[\d,.]*/g,
        '#',
      );
      this.hecho.negadas.set(told, (this.hecho.negadas.get(told) ?? 0) + 1);
      return !isSaturado(error);
    }
  }
}
