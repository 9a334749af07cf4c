import { Form, Link, useNavigation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { type Destinatario, faltaCorreo } from '~/domain/compras/directorio/proveedor';
import { Confirm } from '~/ui/Confirm';
import { usePantalla } from '~/ui/Pantallas';
import { Hidden } from '~/ui/useAnswer';
import { askSendCorreo } from './questions';

/** Writes to the suppliers of a sale about its shipment. While one letter is under way no second one can be sent. */
export function CorreoProveedor({
  orden,
  destinatarios,
  children,
}: {
  orden: { id: string; numOrden: string; envio: string | null };
  destinatarios: readonly Destinatario[];
  children: ReactNode;
}) {
  const agentes = usePantalla('agentesVentas');
  const falta = faltaCorreo(destinatarios);
  const enVuelo = useNavigation().formData?.get('intent') === 'correo';
  if (falta && agentes)
    return (
      <Link className="boton" to={agentes}>
        {falta}
      </Link>
    );
  return (
    <Form method="post" preventScrollReset>
      <Hidden intent="correo" orden={orden.id} />
      <Confirm
        plain="boton"
        disabled={enVuelo}
        aria-label={`Correo al proveedor de la orden ${orden.numOrden}`}
        {...askSendCorreo(orden, destinatarios)}
      >
        {children}
      </Confirm>
    </Form>
  );
}
