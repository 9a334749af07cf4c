import { useArea } from '~/access/useArea';
import { useFichaOf } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import type { PedidoAbierto } from './abierta';

const { Part: PedidoFicha, anticipar } = perezoso('PedidoFicha', async () => ({
  default: (await import('./PedidoFicha')).PedidoFicha,
}));

const AUSENTE = {
  titulo: 'El pedido no existe',
  texto: 'El enlace nombra un pedido que no está aquí. Puede que se haya copiado incompleto.',
};

/** The panel of a pedido, on any list that shows pedidos. */
export function useFichaOfPedido(lista: { lista: string; corte: string }, inicial: PedidoAbierto | 'ausente' | null) {
  return useFichaOf({
    lista,
    area: useArea(),
    inicial,
    que: 'Pedido',
    ausente: AUSENTE,
    Dentro: PedidoFicha,
    anticipar,
  });
}
