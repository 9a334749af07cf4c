import type { ReactNode } from 'react';
import { useLocation } from '@remix-run/react';
import { diferida } from '~/ui/diferida';
import { Asked, Refusal } from '~/ui/useAnswer';
import type { DialogosAbiertos } from './dialogos';
import './orden.css';

const ProveedorFacturaDialog = diferida('ProveedorFacturaDialog', () =>
  import('~/routes/compras/facturas/ProveedorFacturaDialog').then(
    ({ ProveedorFacturaDialog }) => ProveedorFacturaDialog,
  ),
);

type Props = Partial<Pick<DialogosAbiertos, 'deProveedor'>> & { children: ReactNode };

/** What is asked by a button alone. */
const SIN_CAMPOS = [
  'entregar',
  'enlace',
  'correo',
  'revocarEnlace',
  'reintentar',
  'comprarGuia',
  'cancelarGuia',
  'revisarReembolso',
];

/**
 * What surrounds a list of sales: the question its action asks back, the invoices of suppliers that the address opens, the refusal of what was asked.
 */
export function OrdenesAround({ deProveedor, children }: Props) {
  const { search } = useLocation();
  return (
    <>
      {!deProveedor && <Asked cancelar={search || '?'} />}
      {children}
      {deProveedor && <ProveedorFacturaDialog abierta={deProveedor} />}
      {SIN_CAMPOS.map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
    </>
  );
}
