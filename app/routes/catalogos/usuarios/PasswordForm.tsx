import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Form } from '@remix-run/react';
import type { z } from 'zod';
import { answerTo, type Answer } from '~/core/submission';
import { PASSWORD_MAX, PASSWORD_RULE } from '~/domain/cuentas/password';
import { Confirm } from '~/ui/Confirm';
import { PasswordField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFilled } from '~/ui/useFilled';

type Fields = { password: string; confirmar: string };
type Props = {
  schema: z.ZodType<Fields>;
  answer?: Answer;
  id?: string;
  /** Whose it is, for the browser's own keeper of passwords. */ usuario: string;
  pregunta: { titulo: string; texto: string };
};

/** 'Cambiar contraseña', of one's own or (with `id`) of another. Its question without JavaScript is a checkbox: a password does not travel through a page. */
export function PasswordForm({ schema, answer, id, usuario, pregunta }: Props) {
  const mine = answerTo('password', answer);
  const [filled, watch] = useFilled('password', 'confirmar');
  const check = (formData: FormData) => parseWithZod(formData, { schema });
  const [form, fields] = useForm<Fields>({
    id: 'password',
    lastResult: mine,
    onValidate: ({ formData }) => check(formData),
    shouldRevalidate: 'onInput',
  });

  return (
    <Form {...getFormProps(form)} {...watch} method="post" className="apilado" preventScrollReset>
      <FormErrors form={form} answer={mine} />
      {id && <input type="hidden" name="id" value={id} />}
      <input type="hidden" name="accion" value="password" />
      <input type="text" defaultValue={usuario} autoComplete="username" readOnly hidden />
      <div className="campos">
        <PasswordField
          field={fields.password}
          label="Contraseña"
          description={PASSWORD_RULE}
          maxLength={PASSWORD_MAX * 2}
          autoComplete="new-password"
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        <PasswordField field={fields.confirmar} label="Confirmar Contraseña" autoComplete="new-password" />
      </div>
      <noscript>
        <label>
          <input type="checkbox" name="confirmado" value="1" required /> {pregunta.texto}
        </label>
      </noscript>
      <div className="botones">
        <Confirm
          {...pregunta}
          disabled={!filled}
          ready={(element) => check(new FormData(element)).status === 'success'}
        >
          Cambiar contraseña
        </Confirm>
      </div>
    </Form>
  );
}
