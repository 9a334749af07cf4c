import { Form, Link } from '@remix-run/react';
import type { EventBridge } from '~/domain/mercados/amz/eventBridge.server';
import { Dato, Datos } from '~/ui/Datos';
import { Dialog } from '~/ui/Dialog';
import { abrirTo } from './Tarjeta';

/** The name of the card in the address. */
export const EVENT_BRIDGE = 'eventBridge';
const CERRADO = abrirTo(EVENT_BRIDGE);
const ABIERTO = `${CERRADO}&eventBridge=1`;

/** Notices of listings that Amazon may leave at AWS. The dialog says OK only once the name and the bus are both there. */
export function EventBridgeCard({ bridge, abierto }: { bridge: EventBridge; abierto: boolean }) {
  const { nameResource, arn } = bridge;
  return (
    <>
      <p className="nota">
        Avisos de las publicaciones, y de las ventas si hay una cola, por AWS. Es opcional: sin ellos todo se lee igual.
      </p>
      <Form method="post" action={CERRADO} className="botones" preventScrollReset>
        <button className="boton" type="submit" name="intent" value="vincularEB">
          Vincular event bridge
        </button>
        {nameResource !== null && (
          <Link className="boton" to={ABIERTO} preventScrollReset>
            Ver event bridge
          </Link>
        )}
      </Form>
      {abierto && (
        <Dialog titulo="Event bridge" cerrar={CERRADO}>
          <Datos>
            <Dato de="nameResource">{nameResource}</Dato>
            <Dato de="arn">{arn}</Dato>
          </Datos>
          {nameResource === null && <p>Amazon todavía no contesta. Actualiza en unos segundos.</p>}
          {nameResource !== null && arn === null && (
            <p>
              En la consola de AWS, en EventBridge, asocia la fuente <b>{nameResource}</b> con un bus del mismo nombre.
            </p>
          )}
          <div className="botones">
            {nameResource === null && (
              <Link className="boton" to={ABIERTO} reloadDocument>
                Actualizar
              </Link>
            )}
            {nameResource !== null && arn === null && (
              <Form method="post" action={ABIERTO}>
                <input type="hidden" name="nameResource" value={nameResource} />
                <button className="boton" data-tono="acento" type="submit" name="intent" value="asociarEB">
                  Ya lo asocié en AWS
                </button>
              </Form>
            )}
            {nameResource !== null && arn !== null && (
              <Link className="boton" data-tono="acento" to={CERRADO} preventScrollReset>
                OK
              </Link>
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}
