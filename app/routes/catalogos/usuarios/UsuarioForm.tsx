import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import type { z } from 'zod';
import { answerTo, type Answer } from '~/core/submission';
import { PASSWORD_RULE } from '~/domain/cuentas/password';
import { ROL_LABEL, type Rol, type Usuario } from '~/domain/cuentas/usuario';
import { InformacionDeUsuario, NewUsuario } from '~/domain/cuentas/usuarioForm';
import { Confirm } from '~/ui/Confirm';
import { Field, PasswordField, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFilled } from '~/ui/useFilled';

export const GUARDAR = { titulo: 'Guardar información', texto: '¿Esta seguro que desea guardar la información?' };
export const CAMBIAR = { titulo: 'Cambiar contraseña', texto: '¿Esta seguro que desea cambiar la contraseña?' };

type Fields = Partial<{
  nombre: string;
  apellidos: string;
  usuario: string;
  email: string;
  rol: string;
  password: string;
  confirmar: string;
}>;
type Props = { actor: Usuario; usuario?: Usuario & { version: number }; roles: Rol[]; answer?: Answer; cerrar: string };

/** One form for a new user, who needs a password at once, and for the information of one who exists. */
export function UsuarioForm({ actor, usuario, roles, answer, cerrar }: Props) {
  const mine = answerTo('usuario', answer);
  const general = ['nombre', 'apellidos', 'usuario', 'email'];
  const [filled, watch] = useFilled(...general, ...(usuario ? [] : ['password', 'confirmar']));
  const schema: z.ZodType<Fields> = usuario ? InformacionDeUsuario : NewUsuario;
  const check = (formData: FormData) => parseWithZod(formData, { schema });
  const [form, fields] = useForm<Fields>({
    id: 'usuario',
    lastResult: mine,
    defaultValue: usuario ?? { rol: 'admin' },
    onValidate: ({ formData }) => check(formData),
    shouldRevalidate: 'onInput',
  });
  const ownRol = usuario?.id === actor.id;

  return (
    <Form {...getFormProps(form)} {...watch} method="post" className="apilado" preventScrollReset>
      <FormErrors form={form} answer={mine} />
      <input type="hidden" name="accion" value={usuario ? 'informacion' : 'agregar'} />
      {usuario && <input type="hidden" name="id" value={usuario.id} />}
      {usuario && <input type="hidden" name="version" value={usuario.version} />}
      {usuario && ownRol && <input type="hidden" name="rol" value={usuario.rol} />}
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
          <PasswordField
            field={fields.password}
            label="Contraseña"
            description={PASSWORD_RULE}
            autoComplete="new-password"
            inputWrapperOrder={['label', 'input', 'error', 'description']}
          />
          <PasswordField field={fields.confirmar} label="Confirmar Contraseña" autoComplete="new-password" />
        </div>
      )}
      <div className="botones">
        {usuario ? (
          <Confirm
            {...GUARDAR}
            disabled={!filled}
            ready={(element) => check(new FormData(element)).status === 'success'}
          >
            Guardar información
          </Confirm>
        ) : (
          <>
            <Button component={Link} to={cerrar} variant="default">
              Cancelar
            </Button>
            <Button type="submit" disabled={!filled}>
              Aceptar
            </Button>
          </>
        )}
      </div>
    </Form>
  );
}
