import type { ReactNode } from 'react';
import { useLocation } from '@remix-run/react';
import { Asked, Refusal } from '~/ui/useAnswer';

/** What is asked by a button alone. */
const SIN_CAMPOS = ['confirmarPedido', 'quitarPedido', 'releerPedido'];

/** What surrounds a list of pedidos: the question its action asks back, and the refusal of what a row asked for. */
export function PedidosAround({ children }: { children: ReactNode }) {
  const { search } = useLocation();
  return (
    <>
      <Asked cancelar={search || '?'} />
      {children}
      {SIN_CAMPOS.map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
    </>
  );
}
