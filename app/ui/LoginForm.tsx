import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Anchor, Button, Checkbox } from '@mantine/core';
import { Form, Link, useNavigation } from '@remix-run/react';
import { useState } from 'react';
import { z } from 'zod';
import type { Answer } from '~/core/submission';
import { Field, PasswordField } from './Field';
import { FormErrors } from './FormErrors';
import { useHydrated } from './useHydrated';

export const Credenciales = z.object({
  usuario: z.string({ error: 'Este dato es requerido' }).trim().min(1, 'Este dato es requerido').max(100, 'Usuario no valido'),
  password: z.string({ error: 'Este dato es requerido' }).min(1, 'Este dato es requerido').max(200, 'Contraseña no valida'),
  recordar: z.stringbool().optional(),
  volver: z.string().max(500).optional(),
});

type Props = { volver?: string | null; answer?: Answer | null };

export function LoginForm({ volver, answer }: Props) {
  const hydrated = useHydrated();
  const busy = useNavigation().state !== 'idle';
  const [filled, setFilled] = useState(false);
  const [form, fields] = useForm({
    id: 'login',
    lastResult: answer,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: Credenciales }),
  });
  const look = (element: HTMLFormElement) => {
    const typed = new FormData(element);
    setFilled(String(typed.get('usuario') ?? '').trim() !== '' && typed.get('password') !== '');
  };

  return (
    <Form
      {...getFormProps(form)}
      method="post"
      action="/login"
      className="apilado"
      onInput={(event) => look(event.currentTarget)}
      onFocus={(event) => look(event.currentTarget)}
    >
      <FormErrors form={form} answer={answer} />
      {volver && <input type="hidden" name="volver" value={volver} />}
      <Field field={fields.usuario} label="Usuario" autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus />
      <PasswordField field={fields.password} label="Password" autoComplete="current-password" />
      <Checkbox name="recordar" value="on" defaultChecked={answer?.initialValue ? answer.initialValue.recordar === 'on' : true} label="Recordarme" />
      <Button type="submit" fullWidth disabled={hydrated && (!filled || busy)}>Entrar</Button>
      <Anchor component={Link} to="/terminosYCondiciones" size="sm" ta="center">Olvide mi contraseña</Anchor>
    </Form>
  );
}
