import { Link } from '@remix-run/react';
import { ROL_LABEL, type Rol, type Usuario } from '~/core/usuario';
import { askSaveInformacion } from '~/domain/personal/questions';
import { Boton } from '~/ui/Boton';
import { Confirm } from '~/ui/Confirm';
import { Visto } from '~/ui/Choque';
import { Field, PasswordField, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';
import { PasswordNuevo } from './PasswordNuevo';

type Fields = Partial<{
  nombre: string;
  apellidos: string;
  usuario: string;
  email: string;
  rol: string;
  password: string;
  confirmar: string;
}>;
type Props = {
  actor: Usuario;
  usuario?: Usuario & { version: number; sesiones: number };
  roles: Rol[];
  /** Where a new one is left for without being saved. */
  cerrar?: string;
};

/** The form of a new user, who needs a password at once, or of an existing user's data. */
export function UsuarioForm({ actor, usuario, roles, cerrar }: Props) {
  const general = ['nombre', 'apellidos', 'usuario', 'email'];
  const [filled, { ref, ...watch }] = useFilled(...general, ...(usuario ? [] : ['password', 'confirmar']));
  const form = useActionForm<Fields>(usuario ? 'informacion' : 'agregar', {
    defaultValue: usuario ?? { rol: 'admin' },
  });
  const { fields, ready } = form;
  const ownRol = usuario?.id === actor.id;

  return (
    <ActionForm of={form} {...watch} formRef={ref} className="apilado">
      {usuario && <Hidden id={usuario.id} rol={ownRol ? usuario.rol : null} />}
      {usuario && <Visto of={form} marcas={{ version: usuario.version }} />}
      <div className="campos">
        <Field field={fields.nombre} label="Nombre" autoComplete="off" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
        <Field field={fields.usuario} label="Usuario" autoComplete="off" autoCapitalize="none" spellCheck={false} />
        <Field field={fields.email} label="Email" type="email" autoComplete="off" />
        <SelectField
          field={fields.rol}
          label="Rol"
          data={roles.map((rol) => ({ value: rol, label: ROL_LABEL[rol] }))}
          disabled={ownRol}
        />
      </div>
      {!usuario && (
        <div className="campos">
          <PasswordNuevo field={fields.password} usuario={String(fields.usuario.value ?? '')} />
          <PasswordField field={fields.confirmar} label="Confirmar Contraseña" autoComplete="new-password" />
        </div>
      )}
      <div className="botones">
        {usuario ? (
          <Confirm {...askSaveInformacion(usuario, form.form.value ?? {}, usuario)} disabled={!filled} ready={ready}>
            Guardar información
          </Confirm>
        ) : (
          <>
            {cerrar !== undefined && (
              <Link className="boton grande" to={cerrar}>
                Cancelar
              </Link>
            )}
            <Boton tono="acento" type="submit" disabled={!filled}>
              Aceptar
            </Boton>
          </>
        )}
      </div>
    </ActionForm>
  );
}
