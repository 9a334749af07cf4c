import { Form } from '@remix-run/react';
import type { Rechazo } from '~/core/rechazo';
import type { MensajeSinSalir } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { Fecha } from '~/ui/Fecha';
import { Rechazado } from '~/ui/Rechazado';
import { TablaCaja } from '~/ui/TablaCaja';

type Props = {
  mensajes: (Omit<MensajeSinSalir, 'fecha'> & { fecha: Date | string; rechazo: Rechazo | null })[];
  area: string;
};

/** Messages with a link that the marketplace refused, each with its reason and the remaining ways to send it. */
export function SinSalir({ mensajes, area }: Props) {
  if (mensajes.length === 0) return null;
  return (
    <section className="hoja" aria-labelledby="sin-salir">
      <h2 id="sin-salir">Mensajes que no salieron</h2>
      <p className="nota sobre-tabla">
        Mercado Libre no dejó pasar el mensaje con el enlace y el cliente se quedó sin él. Envíalo por correo o copia un
        enlace nuevo; lo que se puede reintentar también tiene su botón.
      </p>
      <TablaCaja nombre="Mensajes que no salieron" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Fecha</th>
              <th>No. Orden</th>
              <th>Motivo</th>
              <th>
                <span className="oculto">Administración</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {mensajes.map(({ numOrden, fecha, motivo, automatico, temporal, rechazo }) => (
              <tr key={numOrden}>
                <td>
                  <Fecha valor={fecha} />
                </td>
                <td className="sin-corte">{numOrden}</td>
                <td>
                  {rechazo ? <Rechazado rechazo={rechazo} /> : motivo}
                  {temporal && automatico && (
                    <span className="nota"> Se reintenta solo mientras la venta sea reciente.</span>
                  )}
                </td>
                <td>
                  <div className="acciones">
                    <a
                      className="boton"
                      href={`${area}/enlaces?numOrden=${numOrden}`}
                      aria-label={`Correo o copiar enlace de la orden ${numOrden}`}
                    >
                      Correo o copiar
                    </a>
                    <Form method="post" action={`${area}/enlaces?numOrden=${numOrden}`}>
                      <button
                        type="submit"
                        className="boton"
                        name="intent"
                        value="mensaje"
                        aria-label={`Reintentar el mensaje de la orden ${numOrden}`}
                      >
                        Reintentar
                      </button>
                    </Form>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}
