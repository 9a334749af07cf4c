import { Form, useNavigation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Confirm } from '~/ui/Confirm';
import { Hidden } from '~/ui/useActionForm';
import { PREGUNTAS } from './preguntas';

/** Writes to the suppliers of a sale about its shipment. While one letter is on its way to them no other is asked for. */
export function CorreoProveedor({
  orden,
  numOrden,
  children,
}: {
  orden: string;
  numOrden: string;
  children: ReactNode;
}) {
  const enVuelo = useNavigation().formData?.get('intent') === 'correo';
  return (
    <Form method="post" preventScrollReset>
      <Hidden intent="correo" orden={orden} />
      <Confirm
        plain="boton"
        disabled={enVuelo}
        aria-label={`Correo al proveedor de la orden ${numOrden}`}
        {...PREGUNTAS.correo}
      >
        {children}
      </Confirm>
    </Form>
  );
}
