import { Pesos } from '~/ui/Pesos';

export type Totales = { subTotal: string; iva: string; total: string };

/** The sums of a document under its items; `antes` columns stand before the amounts. */
export function SumasPie({ totales, antes }: { totales: Totales; antes: number }) {
  const lines = [
    ['Sub-Total', totales.subTotal],
    ['I.V.A', totales.iva],
  ] as const;
  return (
    <tfoot>
      {lines.map(([label, valor]) => (
        <tr key={label}>
          <th colSpan={antes} className="num">
            {label}
          </th>
          <td className="pesos">
            <Pesos valor={valor} />
          </td>
        </tr>
      ))}
      <tr>
        <th colSpan={antes} className="num">
          Total
        </th>
        <td className="pesos">
          <strong>
            <Pesos valor={totales.total} />
          </strong>
        </td>
      </tr>
    </tfoot>
  );
}
