import { useArea } from '~/access/useArea';
import { useFichaOf } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import type { ReclamoAbierto } from './abierta';

const { Part: ReclamoFicha, anticipar } = perezoso('ReclamoFicha', async () => ({
  default: (await import('./ReclamoFicha')).ReclamoFicha,
}));

const AUSENTE = {
  titulo: 'El reclamo no existe',
  texto: 'El enlace nombra un reclamo que no está aquí. Puede que se haya copiado incompleto.',
};

/** The panel of a claim. */
export function useFichaOfReclamo(
  lista: { lista: string; corte: string },
  inicial: (ReclamoAbierto & { editar?: null }) | 'ausente' | null,
) {
  return useFichaOf({
    lista,
    area: useArea(),
    inicial,
    que: 'Reclamo',
    ausente: AUSENTE,
    Dentro: ReclamoFicha,
    anticipar,
  });
}
