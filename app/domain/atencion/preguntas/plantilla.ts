/** What a template may say of the listing that is asked about, and how people read it in the list of variables. */
export const VARIABLES = {
  titulo: 'Titulo de la publicación',
  marca: 'Marca',
  modelo: 'Modelo',
  sku: 'SKU',
  existencia: 'Piezas del proveedor',
  enlace: 'Link de la publicación',
  tienda: 'Nombre de la tienda',
} as const;

export type Variables = Partial<Record<keyof typeof VARIABLES, string | null>>;

const NOMBRADA = /\{\s*(\p{L}+)\s*\}/gu;

/** A template with what is known filled in. What is not known stays as it was written, to be seen and filled by hand. */
export function fill(texto: string, variables: Variables): string {
  return texto.replace(NOMBRADA, (escrita, nombre: string) => {
    const valor = Object.hasOwn(variables, nombre) ? variables[nombre as keyof Variables] : null;
    return valor ?? escrita;
  });
}

/** Names between braces that no template knows. */
export const desconocidas = (texto: string): string[] => [
  ...new Set(
    [...texto.matchAll(NOMBRADA)].map(([, nombre]) => nombre!).filter((nombre) => !Object.hasOwn(VARIABLES, nombre)),
  ),
];

/** What is left to be filled by hand. Other words between braces are somebody's own. */
export const faltantes = (texto: string): string[] => [
  ...new Set(
    [...texto.matchAll(NOMBRADA)].flatMap(([todo, nombre]) => (Object.hasOwn(VARIABLES, nombre!) ? [todo] : [])),
  ),
];

/** What keeps a text with such a gap from leaving; null when it is whole. */
export function faltaLlenar(texto: string): string | null {
  const huecos = faltantes(texto);
  return huecos.length === 0 ? null : `Falta llenar ${huecos.join(', ')}.`;
}

/** The question C before a template goes. */
export const askRemove = (nombre: string) => ({
  titulo: 'Eliminar plantilla',
  texto: '¿Esta seguro que desea eliminar la plantilla?',
  hechos: nombre,
  destruye: true,
});
