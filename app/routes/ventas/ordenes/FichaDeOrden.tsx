import { useLocation } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { useFichaOf } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import { ABRE, ORDEN_AUSENTE } from '~/routes/compras/facturas/textos';
import type { OrdenAbierta } from './dialogos';

const { Part: OrdenFicha, anticipar } = perezoso('OrdenFicha', async () => ({
  default: (await import('./OrdenFicha')).OrdenFicha,
}));

/** The panel of a sale, on any list that shows sales. The invoices of its suppliers take its place while they are open. */
export function useFichaOfOrden(lista: { lista: string; corte: string }, inicial: OrdenAbierta | null) {
  const area = useArea();
  const { search } = useLocation();
  const ficha = useFichaOf({
    lista,
    area,
    inicial,
    que: 'Orden',
    ausente: ORDEN_AUSENTE,
    Dentro: OrdenFicha,
    anticipar,
  });
  return new URLSearchParams(search).has(ABRE) ? null : ficha;
}
