import type { Afuera, Contribuyente } from './afuera';
import type { Azar } from './azar';
import { type Cliente, Refusal } from './cliente';

const HOUR = 3_600_000;
/** How busy each hour of the day is in Mexico City, from midnight. */
const BY_HOUR = [2, 1, 1, 1, 1, 1, 2, 4, 6, 8, 9, 10, 10, 9, 9, 9, 8, 8, 9, 10, 11, 10, 7, 4] as const;
const WEIGHT = BY_HOUR.reduce((sum: number, one) => sum + one, 0);

/** Kinds of sale, by how often they come. */
const EN_MERCADO_LIBRE = [
  'simple',
  'simple',
  'simple',
  'conDatosFiscales',
  'cantidadVarias',
  'packVarias',
  'packEnvioCobrado',
  'envioCobrado',
  'conDescuento',
  'conMensualidades',
  'pagoDividido',
  'pagoRechazado',
  'saldo',
  'flex',
  'full',
  'sinPack',
] as const;
const EN_AMAZON = [
  'porEnviar',
  'porEnviar',
  'dosPiezas',
  'variosArticulos',
  'envioCobrado',
  'promocion',
  'negocio',
] as const;

/** A sale under way. Its further events are drawn when it is made, so chance does not hang on the speed of the product. */
interface Viva {
  market: 'mercadolibre' | 'amazon';
  numOrden: string;
  ordenes: string[];
  moves: { at: number; what: 'move' | 'ship' | 'refund' | 'refundPart' | 'cancel' }[];
  invoiceAt: number | null;
  buyAt: number;
}

export interface Vida {
  afuera: Afuera;
  admin: Cliente;
  azar: Azar;
  /** Sales a day. */
  porDia: number;
}

/** Counts of what the staff did and what it was refused. */
export interface Hecho {
  vendidas: number;
  facturadas: number;
  pedidas: number;
  devueltas: number;
  negadas: Map<string, number>;
}

/** A month as people live it: sales, packages and refunds outside, purchases and invoices inside. */
export class Mes {
  readonly hecho: Hecho = { vendidas: 0, facturadas: 0, pedidas: 0, devueltas: 0, negadas: new Map() };
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
        viva.invoiceAt = null;
        await this.#invoice(viva.numOrden, now);
      }
    }
    await this.#confirm();
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
    const { afuera, azar, porDia } = this.vida;
    const hour = (new Date(now).getUTCHours() + 18) % 24;
    this.#debt += (porDia * BY_HOUR[hour]!) / WEIGHT;
    for (; this.#debt >= 1; this.#debt--) {
      const amazon = azar.chance(0.3);
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
        const { id } = await afuera.sellAmazon({ escenario: azar.pick(EN_AMAZON) });
        viva.numOrden = id;
        viva.ordenes = [id];
        if (ends < 0.04) viva.moves.push({ at: later(azar.int(1, 6)), what: 'cancel' });
        else {
          viva.moves.push({ at: later(azar.int(10, 30)), what: 'ship' });
          if (ends < 0.1) viva.moves.push({ at: later(azar.int(40, 70)), what: ends < 0.07 ? 'refund' : 'refundPart' });
        }
      } else {
        const { numOrden, ordenes } = await afuera.sellMl({ scenario: azar.pick(EN_MERCADO_LIBRE) });
        viva.numOrden = numOrden;
        viva.ordenes = ordenes;
        if (ends < 0.05) viva.moves.push({ at: later(azar.int(1, 8)), what: 'cancel' });
        else {
          for (let step = 1; step <= 8; step++) viva.moves.push({ at: later(step * azar.int(3, 9)), what: 'move' });
          if (ends < 0.12) viva.moves.push({ at: later(azar.int(6, 70)), what: ends < 0.08 ? 'refund' : 'refundPart' });
        }
      }
      this.#vivas.push(viva);
      this.hecho.vendidas++;
    }
  }

  async #happen(viva: Viva, now: number) {
    const { afuera } = this.vida;
    const due = viva.moves.filter(({ at }) => at <= now);
    viva.moves = viva.moves.filter(({ at }) => at > now);
    for (const { what } of due) {
      if (what === 'move') await afuera.moveMl(viva.ordenes[0]!);
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

  async #invoice(numOrden: string, now: number) {
    const { afuera, admin, azar } = this.vida;
    if (this.#contribuyentes.length === 0)
      this.#contribuyentes = (await afuera.contribuyentes()).filter(({ regimenes }) =>
        regimenes.some((one) => ['601', '612', '626'].includes(one)),
      );
    const quien = azar.pick(this.#contribuyentes);
    const regimen = quien.regimenes.find((one) => ['601', '612', '626'].includes(one))!;
    await this.#try('facturar', async () => {
      await admin.post('/api/v1/facturas', {
        numOrden,
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
      await admin.post('/api/v1/pedidos', { orden, proveedor });
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

  async #try(what: string, work: () => Promise<unknown>) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const told = `${what}: ${(/"detail":"([^"]*)"/.exec(error.text) ?? [, error.text.slice(0, 160)])[1]}`.replaceAll(
        /\d[\d,.]*/g,
        '#',
      );
      this.hecho.negadas.set(told, (this.hecho.negadas.get(told) ?? 0) + 1);
    }
  }
}
