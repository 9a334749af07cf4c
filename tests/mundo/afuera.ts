import type { DepositTruth, SaleTruth, SupplierTruth } from '../sandbox/truth';

/** The outside, asked and moved by its control routes. What it tells is the truth. */
export interface CfdiTruth {
  NumOrder: string | null;
  UUID: string;
  RFC: string;
  total: number | string;
  tipoDocumento: string;
  estado: string;
  relacionados?: unknown;
}
/** A question of a buyer. */
export interface PreguntaTruth {
  id: string;
  /** ANSWERED or UNANSWERED, or a word for a question that was closed or taken away. */
  status: string;
  answer: { text: string } | null;
}
export interface ReclamoTruth {
  id: string;
  /** opened or closed. */
  status: string;
}
export interface Contribuyente {
  rfc: string;
  nombre: string;
  cp: string;
  regimenes: string[];
}

export class Afuera {
  constructor(readonly url: string) {}

  sales = (since = 0) => this.#ask<SaleTruth[]>('GET', `/control/truth/sales?since=${since}`);
  deposits = () => this.#ask<DepositTruth[]>('GET', '/control/truth/deposits');
  suppliers = () => this.#ask<SupplierTruth[]>('GET', '/control/truth/suppliers');
  cfdis = () => this.#ask<CfdiTruth[]>('GET', '/control/facturacom/cfdi');
  async xml(uuid: string): Promise<string> {
    return (await fetch(`${this.url}/control/facturacom/cfdi/${uuid}.xml`)).text();
  }
  preguntas = () => this.#ask<PreguntaTruth[]>('GET', '/control/mercadolibre/preguntas');
  reclamos = () => this.#ask<ReclamoTruth[]>('GET', '/control/mercadolibre/reclamos');
  contribuyentes = () => this.#ask<Contribuyente[]>('GET', '/control/facturacom/contribuyentes');
  pedidos = (proveedor: string) => this.#ask<Record<string, unknown>[]>('GET', `/control/${proveedor}/pedidos`);

  sellMl = (body: object) =>
    this.#ask<{ ordenes: string[]; numOrden: string }>('POST', '/control/mercadolibre/ordenes', body);
  sellAmazon = (body: object) => this.#ask<{ id: string }>('POST', '/control/amazon/ventas', body);
  /** Moves a package of Mercado Libre to its next step. */
  moveMl = (orden: string) => this.#ask('POST', `/control/mercadolibre/ordenes/${orden}/actualizar`, {});
  endMl = (orden: string, how: 'cancelar' | 'devolver' | 'devolverParte', body: object) =>
    this.#ask('POST', `/control/mercadolibre/ordenes/${orden}/${how}`, body);
  askMl = (text: string) => this.#ask<{ id: string }>('POST', '/control/mercadolibre/preguntas', { text });
  claimMl = (orden: string) => this.#ask<{ id: string }>('POST', '/control/mercadolibre/reclamos', { orden });
  closeClaimMl = (id: string) =>
    this.#ask('POST', `/control/mercadolibre/reclamos/${id}`, { cerrar: 'warehouse_decision' });
  changeAmazon = (venta: string, how: 'envia' | 'cancela' | 'devuelve', body: object = {}) =>
    this.#ask('POST', `/control/amazon/ventas/${venta}/${how}`, body);
  /** Transfers money to a supplier, in centavos for each of its invoices. */
  pay = (proveedor: string, body: { folio: string; facturas: { folio: string; importe: number }[] }) =>
    this.#ask('POST', `/control/${proveedor}/pagos`, body);
  fail = (body: object) => this.#ask('POST', '/control/fail', body);
  /** Takes back every fault that nobody has met yet. */
  mend = () => this.#ask('POST', '/control/clear', {});

  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the outside: ${method} ${path} → ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}
