import { NotAllowed } from '~/core/errors';
import { rowOf, tableOf } from '~/core/table';
import { can, requireRight, type Action } from './actions';
import { mayReadList } from './lists';
import type { Rol } from './screens';

/** The act that makes no lote: the Excel of the list, of the chosen rows alone. */
export const EXCEL = 'excel';

/** The right of an act; without one, who reads the list may do it. */
type Derecho = Action | null;

const DE_ORDENES = {
  hacerPedidos: 'pedidos.operar',
  correo: 'ordenes.operar',
  entregar: 'ordenes.operar',
  [EXCEL]: null,
} as const satisfies Record<string, Derecho>;

const DE_PREGUNTAS = { 'pregunta.responder': 'preguntas.responder', [EXCEL]: null } as const satisfies Record<
  string,
  Derecho
>;

/** Acts that each list offers for several of its rows, in the order of the buttons, each with its right. */
export const LOTES = tableOf<Readonly<Record<string, Derecho>>>({
  ordenes: { facturar: 'ordenes.operar', enlace: 'ordenes.operar', ...DE_ORDENES },
  ordenesActivas: DE_ORDENES,
  ordenesCanceladas: { 'devolucion.noHaLlegado': 'stock.operar', [EXCEL]: null },
  ordenesPorConfirmar: { confirmarPedidos: 'pedidos.operar', [EXCEL]: null },
  ordenesCT: { confirmarPedidos: 'pedidos.operar', [EXCEL]: null },
  stockInterno: {
    codigosQr: null,
    'stock.enRevision': 'stock.operar',
    'stock.disponible': 'stock.operar',
    'stock.enGarantia': 'stock.operar',
    'stock.devueltoProveedor': 'stock.operar',
    'stock.danado': 'stock.operar',
    'stock.baja': 'stock.operar',
    [EXCEL]: null,
  },
  publicaciones: {
    'retenida.aplicar': 'publicaciones.editar',
    'retenida.descartar': 'publicaciones.editar',
    'publicacion.pausar': 'publicaciones.editar',
    'publicacion.activar': 'publicaciones.editar',
    'publicacion.cambiarPrecio': 'publicaciones.editar',
    'publicacion.precio': 'publicaciones.editar',
    'publicacion.precioAnterior': 'publicaciones.editar',
    [EXCEL]: null,
  },
  publicadorML: { 'publicadorML.publicar': 'publicaciones.publicar', [EXCEL]: null },
  'publicadorML.amz': { [EXCEL]: null },
  envios: { [EXCEL]: null },
  enviosPendientes: { [EXCEL]: null },
  preguntas: DE_PREGUNTAS,
  responderPreguntas: DE_PREGUNTAS,
  reclamos: { [EXCEL]: null },
  facturasClientes: { archivos: null, reenviar: 'facturas.reenviar', [EXCEL]: null },
  'facturasClientes.notas': { archivos: null, reenviar: 'facturas.reenviar', [EXCEL]: null },
});

/** Returns the acts that a role may do with several rows of a list. */
export function lotesOf(usuario: { rol: Rol }, lista: string): string[] {
  if (!LOTES[lista] || !mayReadList(usuario, lista)) return [];
  return Object.entries(LOTES[lista]).flatMap(([accion, derecho]) =>
    derecho === null || can(usuario, derecho) ? [accion] : [],
  );
}

/** Throws NotAllowed for an act that the list does not offer this person. A person who reads the list and lacks the right of the act is told so. */
export function requireAccion(usuario: { rol: Rol }, lista: string, hacer: string): void {
  const derecho = rowOf(LOTES[lista] ?? {}, hacer);
  if (derecho) requireRight(usuario, derecho);
  if (!lotesOf(usuario, lista).includes(hacer)) throw new NotAllowed('Aviso', 'Esta lista no tiene esa acción.');
}
