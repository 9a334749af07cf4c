import type { NombreIcono } from '~/core/nombreIcono';
import sprite from './iconos.svg?no-inline';

/** A drawing of the sprite, in the colour of the text around it. The drawing is silent: words stand beside it or name its button. */
export function Icono({ nombre }: { nombre: NombreIcono }) {
  return (
    <svg className="icono" aria-hidden="true">
      <use href={`${sprite}#${nombre}`} />
    </svg>
  );
}
