import { Form } from '@remix-run/react';
import { MERCADOS } from '~/domain/mercados/mercados';
import { isViva } from '~/domain/ventas/envios/envio';
import { direccionCompuesta } from '~/domain/ventas/ordenes/datosEnvio';
import { Panel } from '~/ui/Blocks';
import { Dato, Datos } from '~/ui/Datos';
import { Direccion } from '~/ui/Direccion';
import { Telefono } from '~/ui/Telefono';
import { Hidden } from '~/ui/useAnswer';
import type { OrdenAbierta } from './record';

type Props = { orden: OrdenAbierta; envio: NonNullable<OrdenAbierta['envio']>; decide: boolean };

/** The address that the marketplace has now, beside the one that a person wrote here, and the choice between them. */
export function DireccionAjena({ orden, envio, decide }: Props) {
  if (!envio.ajena || !isViva(orden)) return null;
  const tienda = MERCADOS[orden.market].label;
  const { direccion, huella } = envio.ajena;
  return (
    <Panel tono="aviso" titulo={`La dirección cambió en ${tienda}`}>
      <p>Alguien escribió aquí otra dirección, y es la que se usa. {tienda} tiene ahora:</p>
      <Datos>
        <Dato de="Recibe">{direccion.nombreReceptor}</Dato>
        <Dato de="Teléfono">
          <Telefono valor={direccion.telefono} />
        </Dato>
        <Dato de="Dirección" ancha>
          <Direccion valor={direccionCompuesta({ ...direccion, paqueteria: null, guia: null })} />
        </Dato>
        <Dato de="Referencia" ancha>
          {direccion.referencia}
        </Dato>
      </Datos>
      {decide && (
        <Form method="post" className="botones" preventScrollReset>
          <Hidden intent="direccion" orden={orden.id} huella={envio.huella} ajena={huella} />
          <button type="submit" className="boton" name="decision" value="dejar">
            Dejar la de aquí
          </button>
          <button type="submit" className="boton" name="decision" value="tomar">
            Usar la de {tienda}
          </button>
        </Form>
      )}
    </Panel>
  );
}
