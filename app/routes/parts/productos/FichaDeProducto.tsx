import { useArea } from '~/access/useArea';
import { useFichaDe } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import type { ProductoAbierto } from './abierta';

const { Part: ProductoFicha, anticipar } = perezoso('ProductoFicha', async () => ({
  default: (await import('./ProductoFicha')).ProductoFicha,
}));
const AUSENTE = { titulo: 'No se encontro un producto', texto: 'El enlace nombra un producto que no está aquí.' };

/** The panel of a product, beside whatever found it. */
export function useFichaDeProducto(corte: string, inicial: ProductoAbierto | 'ausente' | null) {
  const area = useArea();
  return useFichaDe({
    lista: { lista: 'productos', corte },
    area,
    inicial,
    que: 'Producto',
    ausente: AUSENTE,
    Dentro: ProductoFicha,
    anticipar,
  });
}
