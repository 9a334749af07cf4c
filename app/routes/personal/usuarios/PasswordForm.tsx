import { askChangePassword } from '~/domain/personal/questions';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { PasswordField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';
import { PasswordNuevo } from './PasswordNuevo';

type Fields = { passwordActual?: string; password: string; confirmar: string };
type Props = {
  id?: string;
  /** The person's own password: the current one is asked for. */ own?: boolean;
  /** The account's name, for the browser's password manager. */ usuario: string;
  visto: { version: number; mostrado: string };
  /** The number of the person's sessions. */ sesiones: number;
};

/**
 * 'Cambiar contraseña', the person's own or (with `id`) another person's. Without JavaScript the question is a checkbox, since a password does not travel
 * through a page.
 */
export function PasswordForm({ id, own = false, usuario, visto, sesiones }: Props) {
  const [filled, { ref, ...watch }] = useFilled(...(own ? ['passwordActual'] : []), 'password', 'confirmar');
  const form = useActionForm<Fields>('password');
  const { fields, ready } = form;
  const question = askChangePassword(usuario, { sesiones, propia: own });

  return (
    <ActionForm of={form} {...watch} formRef={ref} className="apilado">
      <Hidden id={id} />
      <Visto of={form} marcas={visto} />
      <input type="text" defaultValue={usuario} autoComplete="username" readOnly hidden />
      {own && (
        <PasswordField
          field={fields.passwordActual}
          label="Contraseña actual"
          required
          withAsterisk={false}
          autoComplete="current-password"
        />
      )}
      <div className="campos">
        <PasswordNuevo field={fields.password} usuario={usuario} />
        <PasswordField field={fields.confirmar} label="Confirmar Contraseña" autoComplete="new-password" />
      </div>
      <noscript>
        <label>
          <input type="checkbox" name="confirmado" value="1" required /> {question.texto} {question.hechos}
        </label>
      </noscript>
      <div className="botones">
        <Confirm {...question} disabled={!filled} ready={ready}>
          Cambiar contraseña
        </Confirm>
      </div>
    </ActionForm>
  );
}
