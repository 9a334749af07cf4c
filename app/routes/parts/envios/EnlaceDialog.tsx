import { Form, Link } from '@remix-run/react';
import type { Wire } from '~/core/list';
import type { OrdenPropia } from '~/domain/envios/propios.server';
import type { EnlaceFila } from '~/domain/enlaces/enlaces.server';
import { Panel } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { Copiar } from '~/routes/facturacion/enlaces/Copiar';
import type { PropioAnswer } from './actOnPropio.server';
import { EnlacesEnvio } from './EnlacesEnvio';
import './envios.css';

type Props = {
  orden: Wire<OrdenPropia>;
  enlaces: Wire<EnlaceFila>[];
  answer: PropioAnswer | undefined;
  cerrar: string;
};

/** 'Enlace de datos de envío': makes one to send to the customer, and says what became of those there are. */
export function EnlaceDialog({ orden, enlaces, answer, cerrar }: Props) {
  const creado = answer?.creado;
  return (
    <Dialog titulo={`Enlace de datos de envío · Orden ${orden.numOrden}`} cerrar={cerrar}>
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
      <EnlacesEnvio enlaces={enlaces} puedeRevocar />
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cerrar
        </Link>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="orden" value={orden.id} />
          <button type="submit" name="intent" value="enlaceEnvio" className="boton" data-tono="acento">
            {creado ? 'Crear otro enlace' : 'Crear enlace'}
          </button>
        </Form>
      </div>
    </Dialog>
  );
}
