import { Form, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { Hidden } from '../useAnswer';
import type { AccionDeFila } from './acciones';

/** The acts on a row as a part of the page, for browsers without JavaScript; the server asks before an act. */
export function MenuPedido({ nombre, acciones, fila }: { nombre: string; acciones: AccionDeFila[]; fila: string }) {
  const { search } = useLocation();
  const cerrar = withParams(search, { menu: null });
  return (
    <section className="emergente menu-pedido" id="menu-fila" data-abierto aria-label={`Acciones de ${nombre}`}>
      <h2>Acciones de {nombre}</h2>
      {acciones.map((accion) =>
        'href' in accion ? (
          <a
            key={accion.texto}
            className="boton"
            data-tono={accion.tono}
            href={accion.href}
            download={accion.download}
            aria-label={accion.nombre}
          >
            {accion.texto}
          </a>
        ) : (
          <Form key={accion.texto} method="post" action={cerrar} preventScrollReset>
            <Hidden {...accion.envia} />
            <button type="submit" className="boton" data-tono={accion.tono} aria-label={accion.nombre}>
              {accion.texto}
            </button>
          </Form>
        ),
      )}
      <a className="boton" href={`${cerrar}#${fila}`}>
        Cerrar
      </a>
    </section>
  );
}
