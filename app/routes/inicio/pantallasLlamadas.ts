import { entradasOf, otrasPantallasOf, type MenuEntry } from '~/access/menu';
import type { Rol } from '~/access/screens';

/** Returns the screens of a role whose name has every word of a text, without accents and capitals; all screens for an empty text. */
export function pantallasLlamadas(rol: Rol, texto: string): MenuEntry[] {
  const words = plain(texto).split(/\s+/);
  return [...entradasOf(rol), ...otrasPantallasOf(rol)].filter(({ label }) =>
    words.every((word) => plain(label).includes(word)),
  );
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
