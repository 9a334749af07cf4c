import { Link } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import type { Wire } from '~/core/list';
import type { DeComplemento } from '~/domain/compras/pagos/complementos.server';
import { Estatus } from '~/ui/Estatus';
import { formatFecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Uno = Wire<DeComplemento>;

/** What payment complements and our payments do not say alike, with the next step. */
export function Complementos({ complementos, puede }: { complementos: Uno[]; puede: boolean }) {
  return (
    <section className="hoja" aria-labelledby="cuenta-complementos">
      <h2 id="cuenta-complementos">Complementos de pago por atender</h2>
      <TablaCaja nombre="Complementos de pago por atender" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th scope="col">Factura</th>
              <th scope="col">Proveedor</th>
              <th scope="col">Por qué</th>
              <th scope="col" className="pesos">
                Dice
              </th>
              <th scope="col" className="pesos">
                Aquí
              </th>
              <th scope="col">Qué sigue</th>
            </tr>
          </thead>
          <tbody>
            {complementos.map((uno) => (
              <tr key={`${uno.motivo}${uno.uuid}`}>
                <td className="titular">
                  {uno.folio}
                  <small className="cuenta-debajo">
                    {uno.motivo === 'faltaComplemento' ? 'pagada' : 'según el complemento'} el {formatFecha(uno.desde)}
                  </small>
                </td>
                <td data-campo="Proveedor">{uno.label}</td>
                <td data-campo="Por qué">
                  <Estatus tono="aviso">{uno.porQue}</Estatus>
                </td>
                <td className="pesos" data-campo="Dice">
                  <Pesos valor={uno.dice} />
                </td>
                <td className="pesos" data-campo="Aquí">
                  <Pesos valor={uno.aqui} />
                </td>
                <td data-campo="Qué sigue">
                  <Sigue uno={uno} puede={puede} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}

function Sigue({ uno: { motivo, remedio, proveedor }, puede }: { uno: Uno; puede: boolean }) {
  const area = useArea();
  if (!puede) return remedio;
  if (motivo === 'sinFactura' || motivo === 'otroSaldo')
    return <Link to={`${area}/facturasProveedores?xml=1`}>{remedio}</Link>;
  if (motivo === 'sinPago' && proveedor !== null)
    return <Link to={`${area}/pagosProveedores?tabla=porPagar&proveedor=${proveedor}`}>{remedio}</Link>;
  return remedio;
}
