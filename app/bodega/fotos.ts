import { MAX_FOTOS } from '~/domain/compras/stock/pieza';
import type { Pieza } from './almacen';
import { shrink } from './foto';
import { h } from './hacer';
import { tell, repaint } from './pantalla';
import { perform } from './porEnviar';
import { puesto } from './puesto';

/**
 * Returns the photographs of a piece, with the camera for the next. `esperan` is the number of photographs not sent
 * yet.
 */
export function retratos({ id, folio, fotos }: Pieza, esperan: number): HTMLElement {
  const quedan = MAX_FOTOS - fotos.length - esperan;
  const archivo = h('input', {
    type: 'file',
    accept: 'image/*',
    capture: 'environment',
    change: () => void take(),
  });
  async function take(): Promise<void> {
    const [file] = archivo.files ?? [];
    const foto = file && (await shrink(file));
    if (!foto) return tell({ tono: 'mal', texto: 'El archivo no es una fotografía.' });
    if (await perform({ que: 'foto', campos: { id }, foto, sobre: folio, dice: `Fotografía de ${folio}` }))
      await repaint();
  }
  return h(
    'section',
    { class: 'fotos', 'aria-label': 'Fotografías' },
    ...fotos.map((foto, at) =>
      h('img', { src: `${puesto.base}/foto/${foto}`, alt: `Fotografía ${at + 1} de ${folio}`, loading: 'lazy' }),
    ),
    quedan > 0 && h('label', { class: 'boton' }, `Fotografiar (quedan ${quedan})`, archivo),
  );
}
