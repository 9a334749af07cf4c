import { NotAllowed } from '~/core/errors';
import { ROLES, type Rol } from './screens';

/** Rights smaller than a screen, each with its roles. The button reads the row, and the action reads it again. */
const ACTIONS = {
  'usuarios.editar': ['sa', 'admin'],
  'usuarios.segundoFactor': ['sa'],
  'cuenta.password': ROLES,
  'cuenta.segundoFactor': ROLES,
  'cuenta.sesiones': ROLES,
  'cuenta.tokens': ROLES,
  'ganchos.editar': ['sa'],
  'conexiones.llaves': ['sa', 'admin'],
  'conexiones.sincronizar': ['sa', 'admin'],
  'facturas.reenviar': ['sa', 'admin'],
  'facturas.cancelar': ['sa', 'admin'],
  'facturas.seguir': ['sa', 'admin'],
  'facturas.expediente': ['sa', 'admin', 'cont'],
  'mes.facturar': ['sa'],
  'mes.acreditar': ['sa', 'admin'],
  'plataformas.subir': ['sa', 'admin'],
  'conciliacion.anotar': ['sa', 'admin'],
  'ordenes.operar': ['sa', 'admin', 'user'],
  'ordenes.reintentar': ['sa', 'admin'],
  'costos.editar': ['sa', 'admin'],
  'listas.compartir': ['sa', 'admin'],
  'pagos.operar': ['sa', 'admin'],
  'pedidos.operar': ['sa', 'admin', 'user'],
  'pendientes.resolver': ['sa', 'admin'],
  'plantillas.editar': ['sa', 'admin'],
  'preguntas.responder': ['sa', 'admin', 'user'],
  'productos.editar': ['sa', 'admin', 'user'],
  'publicaciones.publicar': ['sa', 'admin', 'user'],
  'reclamos.atender': ['sa', 'admin'],
  'productos.leer': ['sa', 'admin', 'user', 'aux'],
  'stock.operar': ['sa', 'admin', 'user'],
  'stock.ordenar': ['sa', 'admin'],
  'publicaciones.editar': ['sa', 'admin', 'user'],
  'publicaciones.leer': ['sa', 'admin', 'user', 'aux'],
  'publicaciones.detener': ['sa', 'admin'],
  'proveedores.editar': ['sa', 'admin'],
  'proveedorFacturas.agregar': ['sa', 'admin', 'user'],
  'proveedorFacturas.editar': ['sa', 'admin'],
} as const satisfies Record<string, readonly Rol[]>;

export type Action = keyof typeof ACTIONS;

/** Rights that a computer left open must not give: the person gave a password or a code a moment ago, or gives it now. */
const PROVEN: ReadonlySet<Action> = new Set([
  'usuarios.editar',
  'usuarios.segundoFactor',
  'cuenta.segundoFactor',
  'cuenta.sesiones',
  'cuenta.tokens',
  'ganchos.editar',
  'cuenta.password',
  'conexiones.llaves',
  'facturas.cancelar',
]);

export const needsProof = (action: Action): boolean => PROVEN.has(action);

export function can(usuario: { rol: Rol }, action: Action): boolean {
  const roles: readonly Rol[] = ACTIONS[action];
  return roles.includes(usuario.rol);
}

export function requireRight(usuario: { rol: Rol }, action: Action): void {
  if (!can(usuario, action))
    throw new NotAllowed('Error de autenticación.', 'El rol de este usuario no puede hacer este cambio.');
}
