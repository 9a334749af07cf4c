import { Form } from '@remix-run/react';
import { ESTADO_LABEL, ESTADO_TONO, type EstadoDeStock, PASOS } from '~/domain/compras/stock/pieza';
import { Dialog } from '~/ui/Dialog';
import { Estatus } from '~/ui/Estatus';
import { Hidden, Refusal } from '~/ui/useAnswer';

type Props = { estados: readonly EstadoDeStock[]; puede: boolean; cerrar: string };

/** The table of states in their order, with the states that may follow each. */
export function EstatusDialog({ estados, puede, cerrar }: Props) {
  return (
    <Dialog titulo="Estatus de las piezas" cerrar={cerrar}>
      <Refusal of="adelantarEstado" />
      <ol className="estatus-orden">
        {estados.map((estado, at) => (
          <li key={estado}>
            <div>
              <Estatus tono={ESTADO_TONO[estado]}>{ESTADO_LABEL[estado]}</Estatus>
              <p className="nota">{`Pasa a: ${
                estados
                  .filter((otro) => PASOS[estado].includes(otro))
                  .map((otro) => ESTADO_LABEL[otro])
                  .join(', ') || 'ninguno'
              }`}</p>
            </div>
            {puede && at > 0 && (
              <Form method="post" preventScrollReset>
                <Hidden intent="adelantarEstado" estado={estado} />
                <button type="submit" className="boton" aria-label={`Subir ${ESTADO_LABEL[estado]}`}>
                  Subir
                </button>
              </Form>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
