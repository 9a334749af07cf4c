import { Link, useLocation } from '@remix-run/react';
import { withParams, type Wire } from '~/core/list';
import type { NotaDeProveedor } from '~/domain/compras/facturas/notas.server';
import { Estatus } from '~/ui/Estatus';
import { formatFecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Props = {
  notas: Wire<NotaDeProveedor>[];
  /** The field of the address that opens one. */ abre: string;
  puede: boolean;
};

const NADA = '0.00';

/** The credit notes that ask for a person: those of no invoice yet, and those with a balance in favour of us. */
export function Notas({ notas, abre, puede }: Props) {
  const { search } = useLocation();
  return (
    <section className="hoja" aria-labelledby="cuenta-notas">
      <h2 id="cuenta-notas">Notas de crédito por atender</h2>
      <TablaCaja nombre="Notas de crédito por atender" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th scope="col">Nota</th>
              <th scope="col">Proveedor</th>
              <th scope="col">Por qué</th>
              <th scope="col" className="pesos">
                Total
              </th>
              <th scope="col" className="pesos">
                Por atender
              </th>
              <th scope="col">Qué sigue</th>
            </tr>
          </thead>
          <tbody>
            {notas.map(({ id, folio, fecha, label, emisorNombre, total, porRelacionar, aFavor }) => {
              const suelta = porRelacionar !== NADA;
              return (
                <tr key={id}>
                  <td className="titular">
                    {folio}
                    <small className="cuenta-debajo">del {formatFecha(fecha)}</small>
                  </td>
                  <td data-campo="Proveedor">{label ?? emisorNombre}</td>
                  <td data-campo="Por qué">
                    <Estatus tono={suelta ? 'aviso' : 'ok'}>
                      {suelta ? 'No se sabe de qué factura es' : 'Saldo a favor nuestro'}
                    </Estatus>
                  </td>
                  <td className="pesos" data-campo="Total">
                    <Pesos valor={total} />
                  </td>
                  <td className="pesos" data-campo="Por atender">
                    <Pesos valor={suelta ? porRelacionar : aFavor} />
                  </td>
                  <td data-campo="Qué sigue">
                    <Link
                      to={withParams(search, { [abre]: id })}
                      preventScrollReset
                      aria-label={`Abrir la nota ${folio}`}
                    >
                      {!puede ? 'Ver la nota' : suelta ? 'Relacionar con…' : 'Usar el saldo'}
                    </Link>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}
