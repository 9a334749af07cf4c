import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useRouteLoaderData } from '@remix-run/react';
import type { z } from 'zod';
import { env } from '~/core/env.server';
import { enPesos, parseImporte } from '~/core/importe';
import { Puerta, PuertaPorMensaje } from '~/domain/facturacion/publico/forms';
import { openDoor, POR_MENSAJE, sendEnlaceToOwner } from '~/domain/facturacion/publico/puerta.server';
import { definePublicActions, outcome } from '~/http/actions.server';
import type { loader as rootLoader } from '~/root';
import { Boton } from '~/ui/Boton';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { useAnswer } from '~/ui/useAnswer';

export const meta: MetaFunction = () => [{ title: 'Factura tu compra' }];

/** Answers Retry-After where the person has to wait. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export function loader() {
  return { tienda: env().LANDING_URL !== '' };
}

export const action = definePublicActions(() => null, {
  facturar: {
    schema: Puerta,
    run: async (db, puerta, _, { ip }) => outcome({ to: `/facturacion/${await openDoor(db, { ...puerta, ip })}` }),
  },
  /** The message for a person without tries left, or with an amount that matches no sale. */
  mensaje: {
    schema: PuertaPorMensaje,
    run: async (db, { numOrden }, _, { ip }) => {
      await sendEnlaceToOwner(db, { numOrden, ip });
      return outcome({ resultado: POR_MENSAJE });
    },
  },
});

/** Returns the amount as the server read it, so that a person who pasted another figure sees the difference. */
function entendido(escrito: string | undefined): string | undefined {
  const lectura = parseImporte(escrito ?? '');
  return lectura.clase === 'importe' ? `Entendimos ${enPesos(lectura.importe)}.` : undefined;
}

export default function Inicio() {
  const { tienda } = useLoaderData<typeof loader>();
  const root = useRouteLoaderData<typeof rootLoader>('root');
  const form = useActionForm<z.input<typeof Puerta>>('facturar', {
    required: { numOrden: true, monto: true },
  });
  const { fields } = form;
  const resultado = useAnswer('facturar')?.resultado;
  return (
    <div className="columna">
      <ActionForm of={form} className="hoja apilado">
        <h1>Factura tu compra</h1>
        <p>Escribe el número de tu compra y lo que pagaste por ella, con centavos, como aparecen en el marketplace.</p>
        <Field field={fields.numOrden} label="No. Orden" inputMode="numeric" autoComplete="off" />
        <Field
          field={fields.monto}
          label="Monto pagado"
          inputMode="decimal"
          autoComplete="off"
          placeholder="1,298.00"
          description={entendido(fields.monto.value)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Boton tono="acento" type="submit" ancho>
          Facturar
        </Boton>
        <Boton type="submit" name="intent" value="mensaje" ancho formNoValidate>
          Enviarme el enlace por mensaje
        </Boton>
        {typeof resultado === 'string' && (
          <p className="panel" role="status">
            {resultado}
          </p>
        )}
      </ActionForm>
      <p className="nota pie-publico">
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
