/** A state of a list under a name. It is an address: its query holds all there is to it. */
export type Vista = {
  id: string;
  nombre: string;
  consulta: string;
  /** Whom it is shared with. */ roles: string[];
  /** The roles that begin with it. */ iniciales: string[];
  /** Whether who looks may change it. */ editable: boolean;
};

/** What a list is without any view. */
export const SIN_VISTA = 'todas';

/** What every list says of itself in its address; a list adds its own filters. */
export const CAMPOS = ['q', 'orden', 'desde', 'hasta', 'rango', 'cols', 'densidad'];

/** What an address says of a list, in one order, so that two that say the same are the same. */
export function estadoOf(search: string, campos: readonly string[]): string {
  const params = [...new URLSearchParams(search)].filter(([name, value]) => campos.includes(name) && value !== '');
  return new URLSearchParams(params.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString();
}

/** The address of a view beside what else this address says, as which of its lists a screen shows. An open row is of the list that is left. */
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
