import { useArea } from '~/access/useArea';
import { useFichaOf } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import type { CotizacionAbierta } from './abierta';

const { Part: CotizacionFicha, anticipar } = perezoso('CotizacionFicha', async () => ({
  default: (await import('./CotizacionFicha')).CotizacionFicha,
}));

const AUSENTE = {
  titulo: 'La orden no existe',
  texto: 'El enlace nombra una orden que no está aquí. Puede que se haya copiado incompleto.',
};

/** The panel of a sale's quotation. */
export function useFichaOfCotizacion(
  lista: { lista: string; corte: string },
  inicial: CotizacionAbierta | 'ausente' | null,
) {
  return useFichaOf({
    lista,
    area: useArea(),
    inicial,
    que: 'Orden',
    ausente: AUSENTE,
    Dentro: CotizacionFicha,
    anticipar,
  });
}
