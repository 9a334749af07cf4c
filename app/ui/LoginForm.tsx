import { Anchor, Checkbox } from '@mantine/core';
import { Link } from '@remix-run/react';
import { Boton } from './Boton';
import { forgetOthers } from './escrito';
import { Field, PasswordField } from './Field';
import { ActionForm, useActionForm } from './useActionForm';
import { Hidden } from './useAnswer';
import { useFilled } from './useFilled';

type Fields = { usuario: string; password: string };

/** The form that signs people in, on its own page and on the page of a refused address. The answer is a page of its own either way. */
export function LoginForm({ volver }: { volver?: string | null }) {
  const [filled, { ref, ...watch }] = useFilled('usuario', 'password');
  const form = useActionForm<Fields>('entrar', { elsewhere: true, required: false });
  const { fields, answer } = form;
  // The answer of a wrong password stands on the login page, whose address does not say where the person came from.
  const traido = answer?.initialValue?.volver;

  return (
    <ActionForm
      of={form}
      {...watch}
      formRef={ref}
      action="/login"
      reloadDocument
      data-llenos="usuario password"
      data-quien="usuario"
      className="apilado"
      onSubmit={(event) => forgetOthers(event.currentTarget.usuario.value as string)}
    >
      <Hidden volver={volver ?? (typeof traido === 'string' ? traido : null)} />
      <Field
        field={fields.usuario}
        label="Usuario"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <PasswordField field={fields.password} label="Password" autoComplete="current-password" />
      <Checkbox
        name="recordar"
        value="on"
        defaultChecked={answer?.initialValue ? answer.initialValue.recordar === 'on' : true}
        label="Recordarme"
      />
      <Boton tono="acento" type="submit" ancho disabled={!filled}>
        Entrar
      </Boton>
      <Anchor component={Link} to="/terminosYCondiciones" size="sm" ta="center">
        Olvide mi contraseña
      </Anchor>
    </ActionForm>
  );
}
