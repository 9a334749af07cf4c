import { Form, Link } from '@remix-run/react';
import type { Wire } from '~/core/list';
import type { OrdenPropia } from '~/domain/ventas/envios/propios.server';
import type { EnlaceFila } from '~/domain/facturacion/enlaces/enlaces.server';
import { Panel } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { Copiar } from '~/routes/facturacion/enlaces/Copiar';
import { EnlacesEnvio } from './EnlacesEnvio';
import './envios.css';

type Props = {
  orden: Wire<OrdenPropia>;
  enlaces: Wire<EnlaceFila>[];
  cerrar: string;
};

/** 'Enlace de datos de envío': makes a link for the customer, and tells the state of earlier links. */
export function EnlaceDialog({ orden, enlaces, cerrar }: Props) {
  const creado = useAnswer('enlaceEnvio')?.resultado as { url: string } | undefined;
  return (
    <Dialog titulo={`Enlace de datos de envío · Orden ${orden.numOrden}`} cerrar={cerrar}>
      <Refusal of="enlaceEnvio" />
      {creado ? (
        <Panel tono="ok" titulo="Enlace creado">
          Cópialo ahora y mándalo al cliente: por seguridad no se vuelve a mostrar.
          <Copiar texto={creado.url} etiqueta="Enlace de datos de envío" />
        </Panel>
      ) : (
        <p className="nota sobre-campos">
          El cliente dice en él a dónde mandar su compra, a domicilio o a una sucursal, hasta que el paquete salga.
        </p>
      )}
      <EnlacesEnvio enlaces={enlaces} numOrden={orden.numOrden} puedeRevocar />
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cerrar
        </Link>
        <Form method="post" preventScrollReset>
          <Hidden intent="enlaceEnvio" orden={orden.id} />
          <button type="submit" className="boton" data-tono="acento">
            {creado ? 'Crear otro enlace' : 'Crear enlace'}
          </button>
        </Form>
      </div>
    </Dialog>
  );
}
