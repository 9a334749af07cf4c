import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';

/** '$1,298.00' from Money or from its text, exactly: no number of JavaScript's is involved. */
export function formatPesos(valor: Money | string): string {
  return enPesos(typeof valor === 'string' ? Money.of(valor) : valor);
}

/** Right-aligned where it fills a cell (`<td class="pesos">`), tabular everywhere. */
export function Pesos({ valor }: { valor: Money | string | null }) {
  return <span className="pesos">{valor === null ? '—' : formatPesos(valor)}</span>;
}
