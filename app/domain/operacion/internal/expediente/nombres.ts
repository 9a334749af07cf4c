import { sinOrillas } from '~/platform/files/tipos';

/** Longest part of a path, ending included: a path of two such parts fits everywhere. */
const LARGEST = 100;

/**
 * Returns a text as one part of a path, fit for any system: one line, no folder, nothing that turns the direction of a text around, and no points or spaces
 * at its ends, so that '..' is no part.
 */
export function parteSegura(texto: string): string {
  const limpio = texto
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ');
  const extension = /\.[a-z0-9]{1,5}$/i.exec(limpio)?.[0] ?? '';
  const base = sinOrillas(limpio.slice(0, limpio.length - extension.length));
  const corta = sinOrillas([...base].slice(0, LARGEST - extension.length).join(''));
  return `${corta === '' ? 'archivo' : corta}${extension}`;
}

/** Returns a giver of paths that gives no path twice, not even in other capitals. */
export function createNombres() {
  const usados = new Set<string>();
  return (...partes: readonly string[]): string => {
    const ruta = partes.map(parteSegura).join('/');
    const [, base = ruta, extension = ''] = /^(.*?)(\.[a-z0-9]{1,5})?$/is.exec(ruta) ?? [];
    for (let n = 1; ; n++) {
      const nombre = n === 1 ? ruta : `${base} (${n})${extension}`;
      if (usados.has(nombre.toLowerCase())) continue;
      usados.add(nombre.toLowerCase());
      return nombre;
    }
  };
}
