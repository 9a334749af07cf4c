import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Anchor, Button, Checkbox } from '@mantine/core';
import { Form, Link, useNavigation } from '@remix-run/react';
import { z } from 'zod';
import type { Answer } from '~/core/submission';
import { Field, PasswordField } from './Field';
import { FormErrors } from './FormErrors';
import { useFilled } from './useFilled';

export const Credenciales = z.object({
  usuario: z
    .string({ error: 'Este dato es requerido' })
    .trim()
    .min(1, 'Este dato es requerido')
    .max(100, 'Usuario no valido'),
  password: z
    .string({ error: 'Este dato es requerido' })
    .min(1, 'Este dato es requerido')
    .max(200, 'Contraseña no valida'),
  recordar: z.stringbool().optional(),
  volver: z.string().max(500).optional(),
});

type Props = { volver?: string | null; answer?: Answer | null };

export function LoginForm({ volver, answer }: Props) {
  const busy = useNavigation().state !== 'idle';
  const [filled, watch] = useFilled('usuario', 'password');
  const [form, fields] = useForm({
    id: 'login',
    lastResult: answer,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: Credenciales }),
    shouldRevalidate: 'onInput',
  });

  return (
    <Form {...getFormProps(form)} {...watch} method="post" action="/login" className="apilado">
      <FormErrors form={form} answer={answer} />
      {volver && <input type="hidden" name="volver" value={volver} />}
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
      <Button type="submit" fullWidth disabled={!filled || busy}>
        Entrar
      </Button>
      <Anchor component={Link} to="/terminosYCondiciones" size="sm" ta="center">
        Olvide mi contraseña
      </Anchor>
    </Form>
  );
}
