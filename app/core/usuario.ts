/** Roles of the staff, the widest right first. */
export const ROLES = ['sa', 'admin', 'user', 'aux', 'cont'] as const;
export type Rol = (typeof ROLES)[number];

/** Name of each role as people read the name. */
export const ROL_LABEL: Record<Rol, string> = {
  sa: 'Super Usuario',
  admin: 'Administrador',
  user: 'Usuario',
  aux: 'Auxiliar',
  cont: 'Contador',
};

/** The person who is signed in. The password hash never leaves `domain/personal`. */
export type Usuario = {
  id: string;
  usuario: string;
  nombre: string;
  apellidos: string;
  email: string;
  rol: Rol;
  activo: boolean;
};

/** Returns whether the text is a role. */
export function isRol(text: string | undefined): text is Rol {
  return ROLES.some((rol) => rol === text);
}

/** Returns the address of the area that a path lies in ('/sa'); '' for a path outside every area. */
export function areaOf(pathname: string): string {
  const [, first] = pathname.split('/');
  return isRol(first) ? `/${first}` : '';
}

/** Reads a role. Older data and the old API write `sa` as 'su'. */
export function parseRol(text: string): Rol | undefined {
  if (text === 'su') return 'sa';
  return isRol(text) ? text : undefined;
}

/** Returns first and last names with a space between. */
export function nombreCompleto({ nombre, apellidos }: Pick<Usuario, 'nombre' | 'apellidos'>): string {
  return `${nombre} ${apellidos}`.trim();
}

/**
 * Returns the roles that `actor` may give: sa gives any role, admin gives admin and user. The present role of the
 * person is always allowed to admin, so an edit can keep the role; sa is the exception.
 */
export function assignableRoles(actor: Pick<Usuario, 'rol'>, current?: Rol): Rol[] {
  if (actor.rol === 'sa') return [...ROLES];
  if (actor.rol !== 'admin') return [];
  const roles: Rol[] = ['admin', 'user'];
  return current && current !== 'sa' && !roles.includes(current) ? [...roles, current] : roles;
}

/** Returns whether `actor` may see and change `target`. Only sa sees or changes an sa. */
export function mayManage(actor: Pick<Usuario, 'rol'>, target: Pick<Usuario, 'rol'>): boolean {
  return actor.rol === 'sa' || (actor.rol === 'admin' && target.rol !== 'sa');
}
