import type { SupplierTruth } from '../sandbox/truth';
import { groupBy } from './groupBy';
import { centavos, enPesos, type Lector } from './lectura';

interface PorPagar {
  proveedor: string;
  folio: string;
  numOrden: string;
  monto: string;
  pagada: string;
  falta: string;
}
interface Cuenta {
  hoy: { saldo: string; porPagar: string; pagosSinAplicar: string; notasSinAplicar: string };
  movimientos: { que: string; folio: string | null; detalle: string | null; importe: string | null }[];
}

type Say = (propiedad: 'deuda.esta', que: string, detalle: string) => void;

/**
 * Holds what is owed to each supplier since an instant against the truth, in 'Por pagar' and in its account. `sales` are the numbers of the sales since then. Returns
 * the number of invoices.
 */
export async function checkDeudas(
  admin: Lector,
  truths: readonly SupplierTruth[],
  { since, sales }: { since: number; sales: ReadonlySet<string> },
  say: Say,
): Promise<number> {
  let invoiced = 0;
  for (const { proveedor, ...truth } of truths) {
    const path = `/api/v1/proveedores/${proveedor}/estado-de-cuenta`;
    const cuenta = await admin.get<Cuenta>(path);
    const filas = await admin.list<PorPagar>(`/api/v1/porPagar?proveedor=${proveedor}`);
    const { hoy } = await admin.get<Cuenta>(path);
    const invoices = truth.invoices.filter(({ at }) => at >= since);
    invoiced += invoices.length;
    const open = groupBy(
      filas.filter(({ numOrden }) => sales.has(numOrden)),
      ({ folio }) => folio,
    );
    for (const { folio, amount, paid } of invoices) {
      const own = open.get(folio) ?? [];
      open.delete(folio);
      const told: [what: string, there: number, here: number][] = [['owed', amount - paid, sumOf(own, 'falta')]];
      if (paid < amount) told.push(['paid', paid, sumOf(own, 'pagada')], ['charged', amount, sumOf(own, 'monto')]);
      for (const [what, there, here] of told)
        if (there !== here)
          say('deuda.esta', `${proveedor} ${folio}`, `${what}: outside ${enPesos(there)}, here ${enPesos(here)}`);
    }
    for (const [folio, own] of open)
      say('deuda.esta', `${proveedor} ${folio}`, `outside no invoice, here ${enPesos(sumOf(own, 'falta'))} owed`);

    const charged = new Map(invoices.map(({ folio, amount }) => [`factura ${folio}`, amount]));
    for (const { folio, at, amount } of truth.payments) if (at >= since) charged.set(`pago ${folio}`, -amount);
    for (const [movimiento, amount] of charged) {
      const [here, ...more] = cuenta.movimientos.filter(({ que, folio }) => `${que} ${folio}` === movimiento);
      if (!here || more.length > 0 || centavos(here.importe) !== amount)
        say('deuda.esta', `${proveedor} ${movimiento}`, `account: outside ${enPesos(amount)}, here ${here?.importe}`);
    }
    for (const { que, folio, detalle, importe } of cuenta.movimientos)
      if (que === 'factura' && sales.has(detalle ?? '') && !charged.has(`factura ${folio}`))
        say('deuda.esta', `${proveedor} ${folio}`, `account: outside no invoice, here ${importe}`);
    // What was written between two looks is no difference.
    if (cuenta.hoy.porPagar !== hoy.porPagar) continue;
    if (centavos(hoy.porPagar) !== sumOf(filas, 'falta'))
      say('deuda.esta', proveedor, `account ${hoy.porPagar}, 'Por pagar' ${enPesos(sumOf(filas, 'falta'))}`);
    if (centavos(hoy.saldo) !== centavos(hoy.porPagar) - centavos(hoy.pagosSinAplicar) - centavos(hoy.notasSinAplicar))
      say('deuda.esta', proveedor, `balance ${hoy.saldo} is not what is owed, ${hoy.porPagar}, less what is loose`);
  }
  return invoiced;
}

const sumOf = (filas: readonly PorPagar[], what: 'falta' | 'pagada' | 'monto') =>
  filas.reduce((sum, fila) => sum + centavos(fila[what]), 0);
