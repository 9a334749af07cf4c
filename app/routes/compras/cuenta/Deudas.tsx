import { Link, useLocation } from '@remix-run/react';
import { withParams, type Wire } from '~/core/list';
import type { Deuda } from '~/domain/compras/pagos/porPagar.server';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

/** What is owed to each supplier, with the way to its account. */
export function Deudas({ deudas }: { deudas: Wire<Deuda>[] }) {
  const { search } = useLocation();
  return (
    <section className="hoja" aria-labelledby="cuenta-deudas">
      <h2 id="cuenta-deudas">Por proveedor</h2>
      <TablaCaja nombre="Lo que se debe a cada proveedor" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th scope="col">Proveedor</th>
              <th scope="col" className="num">
                Facturas
              </th>
              <th scope="col">Vence</th>
              <th scope="col" className="pesos">
                Vencido
              </th>
              <th scope="col" className="pesos">
                Por pagar
              </th>
            </tr>
          </thead>
          <tbody>
            {deudas.map(({ proveedor, label, facturas, vence, plazoDias, vencido, falta }) => (
              <tr key={proveedor}>
                <td className="titular">
                  <Link to={withParams(search, { proveedor })}>{label}</Link>
                </td>
                <td className="num" data-campo="Facturas">
                  {facturas}
                </td>
                <td data-campo="Vence">{vence === null ? 'Sin plazo' : <Fecha valor={vence} hora={false} />}</td>
                <td className="pesos" data-campo="Vencido">
                  <Pesos valor={plazoDias === null ? null : vencido} />
                </td>
                <td className="pesos" data-campo="Por pagar">
                  <Pesos valor={falta} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}
