import type { SupplierTruth } from '../sandbox/truth';
import type { Afuera } from './afuera';
import { azarOf } from './azar';
import type { Cliente } from './cliente';
import { centavos, enPesos } from './lectura';

interface Pedido {
  id: string;
  folio: string;
  folioProveedor: string | null;
  proveedor: string;
  ordenId: string;
  numOrden: string;
}
type Factura = SupplierTruth['invoices'][number];

/** Shares of the invoices that are paid whole, and in half; the rest stay open. */
const [WHOLE, HALF] = [0.5, 0.7];
/** A receipt: the smallest picture there is. */
const RECIBO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

/** Who writes down the invoices of suppliers as their papers say them, and pays some. What is paid hangs on the seed and the number of the sale alone. */
export class Caja {
  /** Orders to suppliers whose invoice was written down. */
  readonly #anotados = new Set<string>();
  #pagos = 0;
  readonly hecho = { anotadas: 0, pagadas: 0 };

  constructor(
    readonly vida: {
      afuera: Pick<Afuera, 'suppliers' | 'pay'>;
      admin: Pick<Cliente, 'get' | 'list' | 'post' | 'upload'>;
    },
    readonly semilla: number,
  ) {}

  /** Writes down what came for these orders, and pays what is to be paid. */
  async work(now: number, compras: readonly string[]): Promise<void> {
    const { afuera, admin } = this.vida;
    const waiting = compras.filter((id) => !this.#anotados.has(id));
    if (waiting.length === 0) return;
    const suppliers = await afuera.suppliers();
    const whole = new Map<string, Factura[]>();
    for (const id of waiting) {
      const pedido = await admin.get<Pedido>(`/api/v1/pedidos/${id}`);
      const factura = facturaOf(pedido, suppliers);
      if (!factura) continue;
      this.#anotados.add(id);
      const { proveedor, ordenId, numOrden } = pedido;
      await admin.post('/api/v1/proveedor-facturas', {
        proveedor,
        ordenId,
        folio: factura.folio,
        monto: enPesos(factura.amount),
      });
      this.hecho.anotadas++;
      const paid = azarOf(this.semilla ^ Number(numOrden.replaceAll(/\D/g, '').slice(-9))).next();
      if (paid < WHOLE) whole.set(proveedor, [...(whole.get(proveedor) ?? []), factura]);
      else if (paid < HALF) await this.#pay(now, proveedor, [factura], Math.floor(factura.amount / 2));
    }
    for (const [proveedor, facturas] of whole)
      await this.#pay(
        now,
        proveedor,
        facturas,
        facturas.reduce((sum, { amount }) => sum + amount, 0),
      );
  }

  /** Transfers money for all of these invoices, or for a part of one, and writes the transfer down. */
  async #pay(now: number, proveedor: string, facturas: Factura[], total: number): Promise<void> {
    const { afuera, admin } = this.vida;
    const folio = `SPEI-${this.semilla}-${++this.#pagos}`;
    await afuera.pay(proveedor, {
      folio,
      facturas: facturas.map(({ folio: suyo, amount }) => ({ folio: suyo, importe: Math.min(amount, total) })),
    });
    const filas = await admin.list<{ id: string; folio: string; falta: string }>(
      `/api/v1/porPagar?proveedor=${proveedor}`,
    );
    const folios = new Set(facturas.map((one) => one.folio));
    await admin.upload(
      '/api/v1/porPagar',
      {
        proveedor,
        folio,
        fecha: new Date(now - 6 * 3_600_000).toISOString().slice(0, 10),
        total: enPesos(total),
        facturas: filas
          .filter((fila) => folios.has(fila.folio))
          .map(({ id, falta }) => `${id}|${enPesos(centavos(falta))}`),
      },
      { campo: 'archivos', nombre: `${folio}.png`, contenido: RECIBO },
    );
    this.hecho.pagadas += facturas.length;
  }
}

/** The invoice of an order: by the supplier's number, or by ours where its answer was lost. */
function facturaOf({ proveedor, folio, folioProveedor }: Pedido, suppliers: readonly SupplierTruth[]) {
  const suyo = suppliers.find((one) => one.proveedor === proveedor);
  const order = suyo?.orders.find((one) => (folioProveedor ? one.folio === folioProveedor : one.referencia === folio));
  return order && suyo!.invoices.find((one) => one.order === order.folio);
}
