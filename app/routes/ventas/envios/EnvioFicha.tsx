import { numeroOfEnvio } from '~/domain/ventas/envios/envio';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Dato, Datos } from '~/ui/Datos';
import { Direccion } from '~/ui/Direccion';
import { EmptyState } from '~/ui/Blocks';
import { TablaCaja } from '~/ui/TablaCaja';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Negados } from '~/ui/Rechazado';
import { Telefono } from '~/ui/Telefono';
import type { EnvioAbierto } from './record';
import { Rastreo } from './Rastreo';

/** 'Datos del Cliente' of a shipment, on every list of shipments. */
export function EnvioFicha({ ficha: envio, cambio }: DentroProps<EnvioAbierto>) {
  return (
    <Ficha que="Envío" numero={numeroOfEnvio(envio.marketId)}>
      {cambio && <Cambio editando={false} quien={null} />}
      <Negados negados={envio.negados} />
      <h3>Datos del Cliente</h3>
      <Datos>
        <Dato de="Guía">
          {envio.paqueteria && `${envio.paqueteria} `}
          <Rastreo envio={envio} />
        </Dato>
        <Dato de="Recibe">{envio.nombreReceptor}</Dato>
        <Dato de="Teléfono">
          <Telefono valor={envio.telefono} />
        </Dato>
        <Dato de={envio.ocurre ? 'Recoge en sucursal (ocurre)' : 'Dirección'} ancha>
          <Direccion valor={envio.direccion} />
        </Dato>
        {envio.entreCalles && (
          <Dato de="Entre calles" ancha>
            {envio.entreCalles}
          </Dato>
        )}
        <Dato de="Referencia" ancha>
          {envio.referencia}
        </Dato>
      </Datos>
      <h3>Articulos</h3>
      {envio.articulos.length === 0 ? (
        <EmptyState>El envío no tiene artículos.</EmptyState>
      ) : (
        <TablaCaja nombre="Artículos">
          <table className="tabla">
            <thead>
              <tr>
                <th className="num" style={{ width: 80 }}>
                  Cantidad
                </th>
                <th>Descripción</th>
              </tr>
            </thead>
            <tbody>
              {envio.articulos.map(({ id, cantidad, nombre, market, numOrden }) => (
                <tr key={id}>
                  <td className="num">{cantidad}</td>
                  <td>
                    {nombre}
                    <br />
                    <span className="nota">
                      Orden{' '}
                      <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
                        {numOrden}
                      </a>
                    </span>
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
