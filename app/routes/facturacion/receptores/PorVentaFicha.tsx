import { Link } from '@remix-run/react';
import type { Wire } from '~/core/list';
import { etiquetaEn } from '~/domain/facturacion/sat/opciones';
import type { Clave } from '~/domain/facturacion/sat/sat';
import type { ClientePorVenta } from '~/domain/facturacion/receptores/datosFiscales.server';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Ficha } from '~/ui/ficha/Ficha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Props = { cliente: Wire<ClientePorVenta>; regimenes: Clave[]; area: string };

/** The tax data that a customer typed for one sale, read-only: the data belong to that sale. */
export function PorVentaFicha({ cliente, regimenes, area }: Props) {
  return (
    <Ficha que="Datos por venta" numero={cliente.rfc} estado={<span>{cliente.razonSocial}</span>}>
      <Panel titulo="Por venta">
        Lo escribió el cliente al pedir su factura. No se le ofrece a ningún otro cliente y no se modifica aquí.
      </Panel>
      <Datos>
        <Dato de="RFC" copia="RFC">
          {cliente.rfc}
        </Dato>
        <Dato de="Razón Social" ancha>
          {cliente.razonSocial}
        </Dato>
        <Dato de="Régimen fiscal" ancha>
          {etiquetaEn(regimenes, cliente.regimen)}
        </Dato>
        <Dato de="CP">{cliente.cp}</Dato>
        <Dato de="Fecha de creación">
          <Fecha valor={cliente.creadoEn} />
        </Dato>
        <Dato de="UID en factura.com" copia="UID">
          {cliente.uid}
        </Dato>
      </Datos>
      <h3>Facturas</h3>
      {cliente.facturas.length === 0 ? (
        <p className="nota">Todavía no tiene facturas timbradas.</p>
      ) : (
        <TablaCaja nombre="Facturas">
          <table className="tabla">
            <thead>
              <tr>
                <th>Folio</th>
                <th>No. Orden</th>
                <th>Fecha de timbrado</th>
                <th className="pesos">Total</th>
              </tr>
            </thead>
            <tbody>
              {cliente.facturas.map((factura) => (
                <tr key={factura.id}>
                  <td>
                    <Estatus tono={factura.estatus === 'cancelada' ? 'mal' : 'ok'}>{factura.folio}</Estatus>
                  </td>
                  <td>
                    {factura.numOrden === null ? (
                      '—'
                    ) : (
                      <Link to={`${area}/ordenes?q=${encodeURIComponent(factura.numOrden)}`}>{factura.numOrden}</Link>
                    )}
                  </td>
                  <td>
                    <Fecha valor={factura.fechaTimbrado} />
                  </td>
                  <td className="pesos">
                    <Pesos valor={factura.total} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </Ficha>
  );
}
