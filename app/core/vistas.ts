/** A saved state of a list. The query string `consulta` holds the whole state. */
export type Vista = {
  id: string;
  nombre: string;
  consulta: string;
  /** Roles that share the view. */
  roles: string[];
  /** Roles for which the list opens with this view. */
  iniciales: string[];
  /** True when the person who looks may change the view. */
  editable: boolean;
};

/** Id in an address of the list without any view. */
export const SIN_VISTA = 'todas';

/** Fields of the address that every list has; a list adds its own filters. */
export const CAMPOS = ['q', 'orden', 'desde', 'hasta', 'rango', 'cols', 'densidad'];

/**
 * Returns the state of a list in an address, with its fields in a fixed order, so that equal states are equal texts.
 */
export function estadoOf(search: string, campos: readonly string[]): string {
  const params = [...new URLSearchParams(search)].filter(([name, value]) => campos.includes(name) && value !== '');
  return new URLSearchParams(params.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString();
}

/**
 * Returns the address of a view. Other fields of the address stay, for example the list that a screen shows. The open
 * row and the page go, because both belong to the list before.
 */
export function direccionOf(
  search: string,
  campos: readonly string[],
  vista: Pick<Vista, 'id' | 'consulta'> | null,
): string {
  const gone = new Set([...campos, 'vista', 'pagina', 'ver', 'panel']);
  const kept = [...new URLSearchParams(search)].filter(([name]) => !gone.has(name));
  const own = vista ? [['vista', vista.id], ...new URLSearchParams(vista.consulta)] : [];
  return `?${new URLSearchParams([...kept, ...(own as [string, string][])]).toString()}`;
}
