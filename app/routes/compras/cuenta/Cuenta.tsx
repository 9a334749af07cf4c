import { Link, useLocation } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import { withParams, type Wire } from '~/core/list';
import { DE_MOVIMIENTO, type EstadoDeCuenta } from '~/domain/compras/pagos/estadoDeCuenta';
import { Dato, Datos } from '~/ui/Datos';
import { formatFecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Estado = Wire<EstadoDeCuenta>;
type Uno = Estado['movimientos'][number];
type Props = { estado: Estado; /** The field of the address that opens a credit note. */ abre: string };

/** The account of one supplier: its sums, what explains the balance of today, and its movements with the balance after each. */
export function Cuenta({ estado, abre }: Props) {
  const { totales, hoy, movimientos, inicial, final } = estado;
  return (
    <>
      <section className="hoja cuenta-datos" aria-labelledby="cuenta-hoy">
        <h2 id="cuenta-hoy">{estado.label} hoy</h2>
        <Datos>
          <Dato de="Saldo">
            <Pesos valor={hoy.saldo} />
          </Dato>
          <Dato de="Facturas por pagar">
            <Pesos valor={hoy.porPagar} />
          </Dato>
          <Dato de="Notas sin usar">
            <Pesos valor={hoy.notasSinAplicar} />
          </Dato>
          <Dato de="Pagos sin factura">
            <Pesos valor={hoy.pagosSinAplicar} />
          </Dato>
        </Datos>
        <p className="nota">
          El saldo es lo que se debe de sus facturas, menos lo que sus notas y nuestros pagos todavía no cubren de
          ninguna.
          {hoy.sinImporte > 0 &&
            ` De ${hoy.sinImporte === 1 ? '1 pago nadie escribió el importe: no está' : `${writeCount(hoy.sinImporte)} pagos nadie escribió el importe: no están`} en el saldo.`}
        </p>
      </section>
      <section className="hoja" aria-labelledby="cuenta-movimientos">
        <h2 id="cuenta-movimientos">Movimientos</h2>
        <TablaCaja nombre={`Movimientos de ${estado.label}`} conMandos>
          <table className="tabla tablero">
            <thead>
              <tr>
                <th scope="col">Fecha</th>
                <th scope="col">Movimiento</th>
                <th scope="col">Folio</th>
                <th scope="col" className="pesos">
                  Pedido
                </th>
                <th scope="col" className="pesos">
                  Facturado
                </th>
                <th scope="col" className="pesos">
                  Abonado
                </th>
                <th scope="col" className="pesos">
                  Saldo
                </th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td className="titular" colSpan={6}>
                  {DE_MOVIMIENTO.inicial}
                </td>
                <td className="pesos" data-campo="Saldo">
                  <Pesos valor={inicial} />
                </td>
              </tr>
              {movimientos.map((uno) => (
                <Fila key={`${uno.que}${uno.id}`} uno={uno} abre={abre} />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={3}>
                  Del periodo
                </th>
                <td className="pesos">
                  <Pesos valor={totales.pedido} />
                </td>
                <td className="pesos">
                  <Pesos valor={totales.facturado} />
                </td>
                <td className="pesos">
                  <Abonado totales={totales} />
                </td>
                <td className="pesos">
                  <Pesos valor={final} />
                </td>
              </tr>
            </tfoot>
          </table>
        </TablaCaja>
      </section>
    </>
  );
}

/** What was paid and credited of a range, and what was given back. */
function Abonado({ totales: { pagado, acreditado, devuelto } }: { totales: Estado['totales'] }) {
  return (
    <>
      <Pesos valor={pagado} />
      <small className="cuenta-debajo">
        {acreditado !== '0.00' && (
          <>
            y <Pesos valor={acreditado} /> en notas
          </>
        )}
        {devuelto !== '0.00' && (
          <>
            , <Pesos valor={devuelto} /> devueltos
          </>
        )}
      </small>
    </>
  );
}

function Fila({ uno, abre }: { uno: Uno; abre: string }) {
  const { fecha, que, detalle, pedido, importe, saldo } = uno;
  const abona = importe !== null && importe.startsWith('-');
  return (
    <tr>
      <td data-campo="Fecha">{formatFecha(fecha)}</td>
      <td className="titular">{DE_MOVIMIENTO[que]}</td>
      <td data-campo="Folio">
        <Folio uno={uno} abre={abre} />
        {detalle && <small className="cuenta-debajo">{detalle}</small>}
      </td>
      <td className="pesos" data-campo="Pedido">
        {que === 'pedido' && <Pesos valor={pedido} />}
      </td>
      <td className="pesos" data-campo="Facturado">
        {importe !== null && !abona && <Pesos valor={importe} />}
      </td>
      <td className="pesos" data-campo="Abonado">
        {abona ? <Pesos valor={importe.slice(1)} /> : que === 'pago' && <Pesos valor={null} />}
      </td>
      <td className="pesos" data-campo="Saldo">
        <Pesos valor={saldo} />
      </td>
    </tr>
  );
}

/** The folio leads to what it names. */
function Folio({ uno: { id, que, folio }, abre }: { uno: Uno; abre: string }) {
  const area = useArea();
  const { search } = useLocation();
  if (folio === null) return '—';
  if (que === 'nota')
    return (
      <Link to={withParams(search, { [abre]: id })} preventScrollReset>
        {folio}
      </Link>
    );
  if (que === 'pago') return <Link to={`${area}/pagosProveedores?ver=${id}`}>{folio}</Link>;
  return folio;
}
