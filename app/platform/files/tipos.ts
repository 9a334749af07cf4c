/** What is taken as a paper of a payment, told by what a file holds and never by its name. */
export const MAX_ARCHIVO_MB = 20;

export const TIPOS = {
  'image/jpeg': { clase: 'imagenes', extension: 'jpg' },
  'image/png': { clase: 'imagenes', extension: 'png' },
  'image/webp': { clase: 'imagenes', extension: 'webp' },
  'application/pdf': { clase: 'pdf', extension: 'pdf' },
  'application/xml': { clase: 'xml', extension: 'xml' },
} as const;

export type TipoDeArchivo = keyof typeof TIPOS;
export type ClaseDeArchivo = (typeof TIPOS)[TipoDeArchivo]['clase'];

/** In the order of their tabs. */
export const CLASES: readonly { clase: ClaseDeArchivo; label: string }[] = [
  { clase: 'imagenes', label: 'Imágenes' },
  { clase: 'pdf', label: 'PDF' },
  { clase: 'xml', label: 'XML' },
];

/** What a browser offers to choose from. */
export const ACEPTA = '.jpg,.jpeg,.png,.webp,.pdf,.xml,image/jpeg,image/png,image/webp,application/pdf,text/xml';

export const isTipo = (tipo: string): tipo is TipoDeArchivo => Object.hasOwn(TIPOS, tipo);

const LARGEST = 120;

const isOrilla = (letra: string | undefined) => letra === '.' || letra?.trim() === '';

/** Without the points and spaces it begins and ends with. */
function sinOrillas(texto: string): string {
  let [desde, hasta] = [0, texto.length];
  while (desde < hasta && isOrilla(texto[desde])) desde++;
  while (hasta > desde && isOrilla(texto[hasta - 1])) hasta--;
  return texto.slice(desde, hasta);
}

/** The name a person gave it, as a file of its kind may be called anywhere: one line, no folder, the ending of what it is. */
export function nombreOfArchivo(nombre: string, tipo: TipoDeArchivo): string {
  const { extension } = TIPOS[tipo];
  const base = nombre
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Also what turns the direction of a text around, so that an ending cannot look like another.
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '');
  const corto = [...sinOrillas(base)].slice(0, LARGEST).join('').trim();
  return `${corto === '' ? 'archivo' : corto}.${extension}`;
}
