import type { ReactNode } from 'react';
import { useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { Asked, Refusal, useAsked } from '~/ui/useAnswer';
import { ProveedorFacturaDialog } from '../proveedores/ProveedorFacturaDialog';
import type { DialogosAbiertos } from './dialogos';
import { OrdenDialog } from './OrdenDialog';
import './orden.css';

type Props = Pick<DialogosAbiertos, 'abierta'> &
  Partial<Pick<DialogosAbiertos, 'deProveedor'>> & { area: string; children: ReactNode };

/** What is asked by a button alone. */
const SIN_CAMPOS = ['entregar', 'enlace', 'correo', 'revocarEnlace', 'reintentar'];

/**
 * What surrounds a list of sales: the question its action asks back, the dialog that the address opens, the refusal of what was asked. A
 * screen without `deProveedor` has the dialog of the sale alone.
 */
export function OrdenesAround({ abierta, deProveedor, area, children }: Props) {
  const { search } = useLocation();
  const asked = useAsked();
  return (
    <>
      {!deProveedor && <Asked cancelar={search || '?'} />}
      {children}
      {deProveedor && <ProveedorFacturaDialog abierta={deProveedor} />}
      {abierta && !deProveedor && !asked && (
        <OrdenDialog
          key={abierta.id}
          orden={abierta}
          cerrar={withParams(search, { ver: null, editar: null })}
          area={area}
          conProveedor={deProveedor !== undefined}
        />
      )}
      {SIN_CAMPOS.map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
    </>
  );
}
