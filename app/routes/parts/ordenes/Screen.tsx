import type { ReactNode } from 'react';
import { useActionData, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import type { Answer } from '~/core/submission';
import { ConfirmStep } from '~/ui/Confirm';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { ProveedorFacturaDialog } from '../proveedores/ProveedorFacturaDialog';
import type { DialogosAbiertos } from './openOrden.server';
import { OrdenDialog } from './OrdenDialog';
import './orden.css';

type Props = Pick<DialogosAbiertos, 'abierta'> &
  Partial<Pick<DialogosAbiertos, 'deProveedor'>> & { area: string; children: ReactNode };

/**
 * What surrounds a list of sales: the question its action asks back, the dialog that the address opens, the refusal of what was asked. A
 * screen without `deProveedor` has the dialog of the sale alone.
 */
export function OrdenesAround({ abierta, deProveedor, area, children }: Props) {
  const answer = useActionData() as Answer | undefined;
  const { search } = useLocation();
  const refusal = answer?.formId === undefined ? answer?.error?.['']?.[0] : undefined;
  const asking = deProveedor ? undefined : answer?.confirmar;
  return (
    <>
      {asking && <ConfirmStep pending={asking} cancelar={search || '?'} />}
      {children}
      {deProveedor && <ProveedorFacturaDialog abierta={deProveedor} answer={answer} />}
      {abierta && !deProveedor && !asking && (
        <OrdenDialog
          key={abierta.id}
          orden={abierta}
          cerrar={withParams(search, { ver: null, editar: null })}
          area={area}
          answer={answer}
          conProveedor={deProveedor !== undefined}
        />
      )}
      {refusal && <ErrorDialog key={answer?.id} titulo={answer?.titulo ?? 'Error.'} texto={refusal} />}
    </>
  );
}
