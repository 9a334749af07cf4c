import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { redirect, type ActionFunctionArgs, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData, useNavigation, useRouteLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import type { Answer } from '~/core/submission';
import { invalid, refused } from '~/http/submit.server';
import { openDoor } from '~/domain/publico/publicoPuerta.server';
import type { loader as rootLoader } from '~/root';
import { Field } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: 'Factura tu compra' }];

/** How long to wait, when one has to. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

const REQUERIDO = 'Este dato es requerido';
const Puerta = z.object({
  numOrden: z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(40, 'El número de orden es más corto.'),
  monto: z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(20, 'El monto es más corto.'),
});

export function loader() {
  return { tienda: env().LANDING_URL !== '' };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseWithZod(await request.formData(), { schema: Puerta });
  if (submission.status !== 'success') return invalid(submission);
  try {
    return redirect(`/facturacion/${await openDoor(db(), { ...submission.value, ip: context.ip })}`);
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return refused(submission, error);
  }
}

export default function Inicio() {
  const { tienda } = useLoaderData<typeof loader>();
  const root = useRouteLoaderData<typeof rootLoader>('root');
  const answer = useActionData<typeof action>() as Answer | undefined;
  const busy = useNavigation().state !== 'idle';
  const [form, fields] = useForm({
    id: 'puerta',
    lastResult: answer,
    constraint: { numOrden: { required: true }, monto: { required: true } },
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema: Puerta }),
  });
  return (
    <div className="angosta apilado" style={{ paddingTop: '4vh' }}>
      <Form method="post" {...getFormProps(form)} className="hoja apilado">
        <FormErrors form={form} answer={answer} />
        <h1>Factura tu compra</h1>
        <p>Escribe el número de tu compra y lo que pagaste por ella, con centavos, como aparecen en el marketplace.</p>
        <Field field={fields.numOrden} label="No. Orden" inputMode="numeric" autoComplete="off" />
        <Field
          field={fields.monto}
          label="Monto pagado"
          inputMode="decimal"
          autoComplete="off"
          placeholder="1,298.00"
        />
        <Button type="submit" fullWidth loading={busy}>
          Facturar
        </Button>
      </Form>
      <p className="nota" style={{ textAlign: 'center' }}>
        {tienda && (
          <>
            <Link to="/landing" reloadDocument>
              Ir a la tienda
            </Link>{' '}
            ·{' '}
          </>
        )}
        ¿Trabajas en {root?.marca}? <Link to="/login">Entrar</Link>
      </p>
    </div>
  );
}
