/** Size of the largest file that a person may send, in MB. */
export const MAX_ARCHIVO_MB = 20;

/** Types of files that a person may send, told by what a file holds and never by its name. */
export const TIPOS = {
  'image/jpeg': { clase: 'imagenes', extension: 'jpg' },
  'image/png': { clase: 'imagenes', extension: 'png' },
  'image/webp': { clase: 'imagenes', extension: 'webp' },
  'application/pdf': { clase: 'pdf', extension: 'pdf' },
  'application/xml': { clase: 'xml', extension: 'xml' },
} as const;

export type TipoDeArchivo = keyof typeof TIPOS;
export type ClaseDeArchivo = (typeof TIPOS)[TipoDeArchivo]['clase'];

/** Classes of files, in the order of their tabs. */
export const CLASES: readonly { clase: ClaseDeArchivo; label: string }[] = [
  { clase: 'imagenes', label: 'Imágenes' },
  { clase: 'pdf', label: 'PDF' },
  { clase: 'xml', label: 'XML' },
];

/** Files that a browser offers to choose from (`accept`). */
export const ACEPTA = '.jpg,.jpeg,.png,.webp,.pdf,.xml,image/jpeg,image/png,image/webp,application/pdf,text/xml';

/** Returns whether a content type is one of `TIPOS`. */
export const isTipo = (tipo: string): tipo is TipoDeArchivo => Object.hasOwn(TIPOS, tipo);

/** Longest name, without its ending. */
const LARGEST = 120;

const isOrilla = (letra: string | undefined) => letra === '.' || letra?.trim() === '';

/** Returns a text without the points and spaces at its ends. */
export function sinOrillas(texto: string): string {
  let [desde, hasta] = [0, texto.length];
  while (desde < hasta && isOrilla(texto[desde])) desde++;
  while (hasta > desde && isOrilla(texto[hasta - 1])) hasta--;
  return texto.slice(desde, hasta);
}

/** Returns the name that a person gave to a file, made fit for any system: one line, no folder, and the ending of its type. */
export function nombreOfArchivo(nombre: string, tipo: TipoDeArchivo): string {
  const { extension } = TIPOS[tipo];
  const base = nombre
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Marks that turn the direction of a text around go too, so that one ending cannot look like another.
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '');
  const corto = [...sinOrillas(base)].slice(0, LARGEST).join('').trim();
  return `${corto === '' ? 'archivo' : corto}.${extension}`;
}
