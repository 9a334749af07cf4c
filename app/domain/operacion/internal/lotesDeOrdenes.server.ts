import { enPesos } from '~/core/importe';
import { isViva } from '~/domain/ventas/envios/envio';
import { acceptEnlaceByMessage } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { cuantas, type Nombres } from '~/platform/batches/batch';
import type { Accion, FilaVista } from '~/platform/batches/prepared.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { mayBeEntregada } from '~/domain/ventas/ordenes/activas';
import { changeToEntregado } from '~/domain/ventas/ordenes/changeToEntregado.server';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import { rows } from '~/domain/ventas/ordenes/listOrdenes.server';
import { destinatariosOf, type Directorio } from '~/domain/compras/directorio/proveedor';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { sendProveedorMail } from '~/domain/compras/directorio/mailProveedor.server';
import type { Trx } from '~db/client.server';

const NOMBRES: Nombres = { una: 'orden', muchas: 'ordenes', clave: 'No. Orden', titulo: 'Título' };

/** Reason against the second of two orders of one cart: the buyer reads one message. */
const MISMA_VENTA = 'Va con otra orden del mismo carrito.';

const read = (trx: Trx, ids: readonly string[]) =>
  rows(trx)
    .select('orden.version')
    .where('orden.id', 'in', [...ids])
    .execute();
type Venta = Awaited<ReturnType<typeof read>>[number];

/** Returns the sales of these ids in the order in which they were chosen, each with the reason against the act, if any. */
const look =
  (impedimentoDe: (venta: Venta, ahora: Date, directorio: Directorio) => string | null) =>
  async (trx: Trx, ids: readonly string[], ahora: Date): Promise<FilaVista[]> => {
    const directorio = await readDirectorio(trx);
    return (await read(trx, ids)).map((venta) => ({
      id: venta.id,
      clave: venta.numOrden,
      titulo: venta.titulo,
      importe: venta.pagado,
      visto: String(venta.version),
      impedimento: impedimentoDe(venta, ahora, directorio),
    }));
  };

async function lock(trx: Trx, id: string): Promise<string | undefined> {
  const orden = await trx.selectFrom('orden').select('version').where('id', '=', id).forUpdate().executeTakeFirst();
  return orden && String(orden.version);
}

/** Writes to the suppliers of many sales. */
export const correoAProveedores: Accion = {
  accion: 'correo',
  boton: 'Correo al proveedor',
  nombres: NOMBRES,
  pregunta: (n) => ({
    titulo: 'Enviar correo',
    texto: '¿Está seguro que desea enviar el correo?',
    hechos: `Se escribe a los proveedores de ${cuantas(n, 'orden', 'ordenes')}.`,
  }),
  hecho: 'Se envio el correo.',
  fallo: 'Error al enviar el correo.',
  look: look((venta, _ahora, directorio) => {
    if (venta.envio === null) return 'La orden no tiene un envío.';
    if (!isViva(venta)) return 'La orden fue cancelada o devuelta: al proveedor no se le escribe por ella.';
    const destinatarios = destinatariosOf(directorio, venta.proveedores);
    if (destinatarios.length === 0) return 'Los artículos de la orden no son de ningún proveedor del catálogo.';
    const sinCorreo = destinatarios.find(({ emails }) => emails.length === 0);
    return sinCorreo ? `${sinCorreo.label} no tiene agentes activos ni un correo.` : null;
  }),
  lock,
  apply: async (trx, id, { usuarioId, batchId }) =>
    (await sendProveedorMail(trx, id, usuarioId, batchId)).map((carta) => carta.id),
};

/** Sends the link for the factura to the buyers of many sales, one message for each cart. */
export const enlaceAClientes: Accion = {
  accion: 'enlace',
  boton: 'Enviar link al cliente',
  nombres: NOMBRES,
  pregunta: (n, suma) => ({
    titulo: 'Enviar link',
    texto: '¿Está seguro que desea enviar el link al cliente?',
    hechos: `Lo ${n === 1 ? 'recibe 1 comprador' : `reciben los compradores de ${cuantas(n, 'venta', 'ventas')}`} como mensaje, por ${enPesos(suma.toFixed(2))} en total.`,
  }),
  hecho: 'Se envio el link al cliente.',
  fallo: 'Error al enviar el link.',
  async look(trx, ids, ahora) {
    const filas = await miraEnlaces(trx, ids, ahora);
    const ventas = new Set<string>();
    const byId = new Map(filas.map((fila) => [fila.id, fila]));
    return [...new Set(ids)].flatMap((id) => {
      const fila = byId.get(id);
      if (!fila) return [];
      const repetida = ventas.has(fila.clave);
      ventas.add(fila.clave);
      return [repetida ? { ...fila, impedimento: MISMA_VENTA } : fila];
    });
  },
  lock,
  async apply(trx, id, { usuarioId, batchId }) {
    const { numOrden } = await trx
      .selectFrom('orden')
      .select('numOrden')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return [await acceptEnlaceByMessage(trx, numOrden, usuarioId, batchId)];
  },
};

const miraEnlaces = look((venta) => {
  if (!MERCADOS[venta.market].mensajes) return 'Solo las ventas de Mercado Libre reciben mensajes desde aquí.';
  if (venta.meliResale) return 'Esta venta la factura el mercado y aquí no se factura.';
  if (venta.clase === 'cancelada' || venta.clase === 'devuelta') return 'La orden fue cancelada o devuelta.';
  return venta.reclamada === null ? null : 'La venta ya está facturada o en proceso de facturarse.';
});

/** Calls many sales delivered. */
export const cambioAEntregado: Accion = {
  accion: 'entregar',
  boton: 'Cambiar a Entregado',
  nombres: NOMBRES,
  pregunta: (n) => ({
    titulo: 'Cambio de estatus',
    texto: '¿Está seguro que desea cambiar el estatus de la orden a Entregado?',
    hechos: `Cambia el estatus de ${cuantas(n, 'orden', 'ordenes')}.`,
  }),
  hecho: 'Se realizo el cambio de estatus.',
  fallo: 'Error al realizar el cambio de estatus.',
  look: look((venta, ahora) => {
    if (venta.estatus !== 'enPreparacion') return `La orden está en estatus ${estatusLabel(venta.estatus)}.`;
    return mayBeEntregada(venta, ahora) ? null : 'La orden todavía no cumple 48 horas en preparación.';
  }),
  lock,
  async apply(trx, id, { usuarioId }) {
    await changeToEntregado(trx, id, usuarioId);
    return [];
  },
};
