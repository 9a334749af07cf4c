import { Form } from '@remix-run/react';
import { askChangeEstatus, askRemoveSegundoFactorOf } from '~/domain/personal/questions';
import { ROL_LABEL } from '~/core/usuario';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Hidden } from '~/ui/useAnswer';
import type { usuarioOfUrl } from './record';
import { PasswordForm } from './PasswordForm';
import { UsuarioForm } from './UsuarioForm';

export type UsuarioAbierto = NonNullable<Awaited<ReturnType<typeof usuarioOfUrl>>>;

/** The panel of a person of the staff: their data, password, and access. */
export function UsuarioFicha({ ficha, cambio }: DentroProps<UsuarioAbierto>) {
  const { id, usuario, actor, roles, conSegundoFactor } = ficha;
  const { version, activo, visto } = usuario;
  return (
    <Ficha
      que="Usuario"
      numero={usuario.usuario}
      estado={
        <>
          <Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activo' : 'Inactivo'}</Estatus>
          <span>{ROL_LABEL[usuario.rol]}</span>
        </>
      }
      acciones={[
        <Form method="post" preventScrollReset>
          <Hidden intent="estatus" id={id} version={version} activo={!activo} />
          <Confirm plain="boton" {...askChangeEstatus(usuario, !activo)} disabled={id === actor.id}>
            {activo ? 'Desactivar' : 'Activar'}
          </Confirm>
        </Form>,
      ]}
    >
      {cambio && <Cambio editando quien={null} />}
      <h3>Información general</h3>
      <UsuarioForm key={`informacion-${version}`} actor={actor} usuario={usuario} roles={roles} />
      <h3>Cambiar contraseña</h3>
      <PasswordForm
        key={`password-${version}`}
        id={id}
        own={id === actor.id}
        visto={visto}
        usuario={usuario.usuario}
        sesiones={usuario.sesiones}
      />
      {conSegundoFactor && (
        <>
          <h3>Verificación en dos pasos</h3>
          <p>Activa. Quítala si perdió su teléfono y sus códigos de recuperación.</p>
          <Form method="post" preventScrollReset className="botones">
            <Hidden intent="quitarSegundoFactor" id={id} />
            <Confirm plain="boton" {...askRemoveSegundoFactorOf(usuario)} data-tono="mal">
              Quitar la verificación
            </Confirm>
          </Form>
        </>
      )}
    </Ficha>
  );
}
