import { Form, Link } from '@remix-run/react';
import { useEffect } from 'react';
import type { Preferencias } from '~/core/aspecto';
import { SALIR } from '~/domain/personal/questions';
import { nombreCompleto, ROL_LABEL, type Usuario } from '~/core/usuario';
import { Confirm } from '~/ui/Confirm';
import { forgetAll } from '~/ui/escrito';
import { Icono } from '~/ui/Icono';
import { Hidden } from '~/ui/useAnswer';
import { openAnew } from '~/ui/otraVersion';
import { followLeave } from '~/ui/salida';
import { useDesplegable } from '~/ui/useDesplegable';
import { Apariencia } from './Apariencia';
import { VER_ATAJOS } from './Teclas';

/** The menu of the person who is signed in. */
export function UsuarioMenu({
  usuario,
  area,
  preferencias,
  simulador,
}: {
  usuario: Usuario;
  area: string;
  preferencias: Preferencias;
  /** Where the demo's sales are made. */ simulador: string;
}) {
  const box = useDesplegable();
  // What this tab keeps goes at once: the login may open late, or without a network not at all.
  useEffect(
    () =>
      followLeave((address) => {
        forgetAll();
        return openAnew(address);
      }),
    [],
  );
  const nombre = nombreCompleto(usuario);
  const iniciales = [usuario.nombre, usuario.apellidos]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
  return (
    <details ref={box} className="desplegable usuario" name="barra">
      <summary aria-label={`Menú de ${nombre}`} title={nombre}>
        <span className="iniciales" aria-hidden="true">
          {iniciales}
        </span>
      </summary>
      <div className="lista">
        <p className="quien">
          <strong>{nombre}</strong>
          {usuario.usuario} · {ROL_LABEL[usuario.rol]}
        </p>
        <Link to={`${area}/datosUsuario`}>
          <Icono nombre="configuracionUsuario" />
          Editar Datos
        </Link>
        <Apariencia area={area} preferencias={preferencias} />
        <button
          type="button"
          className="solo-js"
          aria-keyshortcuts="?"
          onClick={() => document.dispatchEvent(new Event(VER_ATAJOS))}
        >
          <Icono nombre="informacion" />
          Atajos de teclado
        </button>
        <a href={`${area}/descargas/app`}>
          <Icono nombre="descargar" />
          Descargar app
        </a>
        {usuario.rol === 'sa' && (
          <Link to={`${area}/subirApp`}>
            <Icono nombre="subir" />
            Subir app
          </Link>
        )}
        {simulador && (
          <a href={`${simulador}/#mercadolibre`} target="_blank" rel="noopener noreferrer">
            <Icono nombre="bolsa" />
            Simular venta
          </a>
        )}
        <Form method="post" action="/salir">
          <Hidden intent="salir" />
          <Confirm plain="menu" {...SALIR}>
            <Icono nombre="salir" />
            {SALIR.titulo}
          </Confirm>
        </Form>
      </div>
    </details>
  );
}
