import { Link } from '@remix-run/react';
import { writeCount } from '~/core/count';
import { enLinea } from '~/core/hechos';
import type { Wire } from '~/core/list';
import { nombreOfMes } from '~/core/time';
import type { mesesAbiertos } from '~/domain/facturacion/mes/mesesAbiertos.server';
import { formatPesos, Pesos } from '~/ui/Pesos';

type Meses = { meses: Wire<Awaited<ReturnType<typeof mesesAbiertos>>> };

/** The months that ended and are not closed, each with its numbers and the way to it. Nothing when every month is closed. */
export function MesesAbiertos({ meses }: Meses) {
  if (meses.length === 0) return null;
  return (
    <table className="mes-abiertos">
      <caption>Meses por cerrar</caption>
      <thead>
        <tr>
          <th scope="col">Mes</th>
          <th scope="col" className="der">
            Ventas por facturar
          </th>
          <th scope="col" className="der">
            Monto pagado
          </th>
          <th scope="col" className="der">
            Notas por emitir
          </th>
        </tr>
      </thead>
      <tbody>
        {meses.map(({ mes, ventas, suma, notas }) => (
          <tr key={mes}>
            <td>
              <Link to={`?mes=${mes}`}>{nombreOfMes(mes)}</Link>
            </td>
            <td className="der">{writeCount(ventas)}</td>
            <td className="der">
              <Pesos valor={suma} />
            </td>
            <td className="der">{writeCount(notas)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The open months beside the one that is looked at, in one line. */
export function OtrosAbiertos({ meses, este }: Meses & { este: string }) {
  const otros = meses.filter(({ mes }) => mes !== este);
  if (otros.length === 0) return null;
  return (
    <p className="mes-otros">
      También por cerrar:{' '}
      {otros.map(({ mes, ventas, suma, notas }, at) => (
        <span key={mes}>
          {at > 0 && ', '}
          <Link
            to={`?mes=${mes}`}
            title={enLinea(
              ventas > 0 && `${ventas === 1 ? '1 venta' : `${writeCount(ventas)} ventas`}, ${formatPesos(suma)}`,
              notas > 0 && (notas === 1 ? '1 nota de crédito' : `${writeCount(notas)} notas de crédito`),
            )}
          >
            {nombreOfMes(mes)}
          </Link>
        </span>
      ))}
      .
    </p>
  );
}
