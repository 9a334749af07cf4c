import type { ReactNode } from 'react';
import { useActionData, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import type { Answer } from '~/core/submission';
import { ConfirmStep } from '~/ui/Confirm';
import { ErrorDialog } from '~/ui/ErrorDialog';
import type { OrdenAbierta } from './openOrden.server';
import { OrdenDialog } from './OrdenDialog';

/** What surrounds a list of sales: the question its action asks back, the dialog of the open sale, the refusal of what was asked. */
export function OrdenesAround({ abierta, area, children }: { abierta: OrdenAbierta | null; area: string; children: ReactNode }) {
  const answer = useActionData() as Answer | undefined;
  const { search } = useLocation();
  const refusal = answer?.formId === undefined ? answer?.error?.['']?.[0] : undefined;
  return (
    <>
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar={search || '?'} />}
      {children}
      {abierta && !answer?.confirmar && <OrdenDialog key={abierta.id} orden={abierta} cerrar={withParams(search, { ver: null, editar: null })} area={area} answer={answer} />}
      {refusal && <ErrorDialog key={answer?.id} titulo={answer?.titulo ?? 'Error.'} texto={refusal} />}
    </>
  );
}
