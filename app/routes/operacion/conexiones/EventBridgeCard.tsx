import { Form, Link } from '@remix-run/react';
import type { EventBridge } from '~/domain/mercados/amz/eventBridge.server';
import { Dato, Datos } from '~/ui/Datos';
import { Dialog } from '~/ui/Dialog';

/** Notices of listings that Amazon may leave at AWS. The dialog says OK only once the name and the bus are both there. */
export function EventBridgeCard({ bridge, abierto }: { bridge: EventBridge; abierto: boolean }) {
  const { nameResource, arn } = bridge;
  return (
    <section className="hoja" aria-labelledby="titulo-event-bridge">
      <h2 id="titulo-event-bridge">Event bridge de Amazon</h2>
      <p className="nota">
        Avisos de las publicaciones, y de las ventas si hay una cola, por AWS. Es opcional: sin ellos todo se lee igual.
      </p>
      <Form method="post" className="botones" preventScrollReset>
        <button className="boton" type="submit" name="intent" value="vincularEB">
          Vincular event bridge
        </button>
        {nameResource !== null && (
          <Link className="boton" to="?eventBridge=1" preventScrollReset>
            Ver event bridge
          </Link>
        )}
      </Form>
      {abierto && (
        <Dialog titulo="Event bridge" cerrar="?">
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
              <Link className="boton" to="?eventBridge=1" reloadDocument>
                Actualizar
              </Link>
            )}
            {nameResource !== null && arn === null && (
              <Form method="post">
                <input type="hidden" name="nameResource" value={nameResource} />
                <button className="boton" data-tono="acento" type="submit" name="intent" value="asociarEB">
                  Ya lo asocié en AWS
                </button>
              </Form>
            )}
            {nameResource !== null && arn !== null && (
              <Link className="boton" data-tono="acento" to="?" preventScrollReset>
                OK
              </Link>
            )}
          </div>
        </Dialog>
      )}
    </section>
  );
}
