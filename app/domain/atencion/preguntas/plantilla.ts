import { rowOf } from '~/core/table';

/** Variables of a template, each with its label in the list of variables. */
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

/** Returns a template with the known variables filled in. An unknown variable stays as it was written, to be seen and filled by hand. */
export function fill(texto: string, variables: Variables): string {
  return texto.replace(NOMBRADA, (escrita, nombre: string) => {
    const valor = rowOf(variables, nombre);
    return valor ?? escrita;
  });
}

/** Returns the names between braces that no template knows. */
export const desconocidas = (texto: string): string[] => [
  ...new Set(
    [...texto.matchAll(NOMBRADA)].map(([, nombre]) => nombre!).filter((nombre) => !Object.hasOwn(VARIABLES, nombre)),
  ),
];

/** Returns the variables that are left to be filled by hand. Other words between braces are the writer's own. */
export const faltantes = (texto: string): string[] => [
  ...new Set(
    [...texto.matchAll(NOMBRADA)].flatMap(([todo, nombre]) => (Object.hasOwn(VARIABLES, nombre!) ? [todo] : [])),
  ),
];

/** Returns the refusal of a text with variables left; null when the text is whole. */
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
