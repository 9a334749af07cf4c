import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { acceptEffect, LIVE_STATES } from '~/platform/effects/effects.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import type { Trx } from '~db/client.server';
import { confirmarEnCt } from './internal/confirmarEnCt.server';
import { sendCorreo } from './internal/correo.server';
import { ordenesOf, sendGuia } from './internal/guia.server';
import { readProveedorParaPedir, sendPedido } from './internal/createPedido.server';
import { lockPedido, movePedido, notePedido } from './internal/movePedido.server';
import { porQueNo } from './internal/venta.server';
import { ESTADO_LABEL, isVivo, ERROR_CONFIRMAR, ERROR_QUITAR } from './pedido';

type Vista = { id: string; version: number };

/** Locks the pedido until the transaction ends. Throws `Stale` when it is no longer what the screen showed. */
async function lockVisto(trx: Trx, { id, version }: Vista, titulo: string) {
  const pedido = await lockPedido(trx, id);
  if (!pedido) throw new NotAllowed(titulo, 'El pedido ya no existe.');
  if (pedido.version !== version)
    throw new Stale(
      {
        cambios: [{ campo: 'Estado', mio: 'como se veía', suyo: ESTADO_LABEL[pedido.estado] }],
        marcas: { version: pedido.version },
      },
      { titulo, texto: 'El pedido cambió mientras lo veías.' },
    );
  return pedido;
}

/**
 * 'Confirmar pedido': sends a draft, or gives an order its second step. Throws `Stale` when the pedido moved, and `NotAllowed` when there is nothing
 * to confirm, the supplier objected to it, or the sale ended.
 */
export async function confirmPedido(trx: Trx, vista: Vista, usuarioId: string): Promise<void> {
  const pedido = await lockVisto(trx, vista, ERROR_CONFIRMAR);
  if (pedido.estado === 'borrador') return sendPedido(trx, pedido.id, usuarioId);
  const suyo = await readProveedorParaPedir(trx, pedido.proveedor);
  if (pedido.estado !== 'solicitado' || suyo?.capacidades?.confirmar !== 'api' || pedido.folioProveedor === null)
    throw new NotAllowed(
      ERROR_CONFIRMAR,
      `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: no hay nada que confirmar.`,
    );
  if (pedido.errores.length > 0)
    throw new NotAllowed(ERROR_CONFIRMAR, `${suyo.label} lo tomó con errores: ${pedido.errores.join('; ')}.`);
  const ordenIds = await ordenesOf(trx, pedido.id);
  const ordenes = await trx
    .selectFrom('orden')
    .select(['clase', 'estatus', 'situacion'])
    .where('id', 'in', ordenIds)
    .execute();
  const no = porQueNo(ordenes);
  if (no) throw new NotAllowed(ERROR_CONFIRMAR, no);
  await acceptEffect(trx, confirmarEnCt, {
    request: { pedidoId: pedido.id, ordenIds, numOrden: pedido.numOrden, folio: pedido.folioProveedor },
    usuarioId,
  });
  await notePedido(trx, pedido.id, { detalle: null });
}

/**
 * Takes a pedido off the list. A draft, and an order that lapses unless confirmed, end here; a dead one is just hidden. Throws `NotAllowed` when the
 * supplier has or may have it, and `Stale` when it moved.
 */
export async function discardPedido(trx: Trx, vista: Vista, usuarioId: string): Promise<void> {
  const pedido = await lockVisto(trx, vista, ERROR_QUITAR);
  const descartadoEn = sql<Date>`now()`;
  await requireNadaEnCurso(trx, pedido.id, ERROR_QUITAR);
  if (!isVivo(pedido.estado)) return notePedido(trx, pedido.id, { descartadoEn });
  const vence = pedido.estado === 'solicitado' && pedido.venceEn !== null;
  if (pedido.estado !== 'borrador' && !vence)
    throw new NotAllowed(
      ERROR_QUITAR,
      `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: el proveedor puede tenerlo.`,
    );
  await movePedido(trx, pedido.id, 'cancelado', {
    usuarioId,
    detalle: vence ? 'Se quitó sin confirmar: el proveedor lo deja vencer.' : 'Se quitó antes de pedirse.',
    set: { descartadoEn, revisarEn: null, venceEn: null },
  });
  await recordOf(trx, pedido, usuarioId, 'quitar el pedido');
}

/**
 * Notes that a person cancelled the pedido with its supplier; no API does that. Throws `NotAllowed` when a call about it is open or its state allows
 * no cancelling, and `Stale` when it moved.
 */
export async function cancelPedido(
  trx: Trx,
  { motivo, ...vista }: Vista & { motivo: string },
  usuarioId: string,
): Promise<void> {
  const titulo = 'Error al cancelar el pedido.';
  const pedido = await lockVisto(trx, vista, titulo);
  await requireNadaEnCurso(trx, pedido.id, titulo);
  if (
    !(await movePedido(trx, pedido.id, 'cancelado', {
      usuarioId,
      detalle: motivo,
      set: { revisarEn: null, venceEn: null },
    }))
  )
    throw new NotAllowed(titulo, `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: ya no se cancela.`);
  await recordOf(trx, pedido, usuarioId, 'cancelar el pedido');
}

/**
 * Keeps the folio that a supplier told by letter or telephone, and returns ours: the order is confirmed with it. Throws `NotAllowed` when the pedido awaits no folio or
 * another one has it, and `Stale` when it moved.
 */
export async function noteFolio(
  trx: Trx,
  { folio, ...vista }: Vista & { folio: string },
  usuarioId: string,
): Promise<string> {
  const titulo = 'Error al guardar el folio.';
  const pedido = await lockVisto(trx, vista, titulo);
  const otro = await trx
    .selectFrom('pedido')
    .select('folio')
    .where('proveedor', '=', pedido.proveedor)
    .where('folioProveedor', '=', folio)
    .where('id', '<>', pedido.id)
    .executeTakeFirst();
  if (otro) throw new NotAllowed(titulo, `Ese folio ya es del pedido ${otro.folio}.`, { campo: 'folio' });
  const set = { folioProveedor: folio, confirmadoEn: sql<Date>`now()` };
  if (pedido.via !== 'correo' || !(await movePedido(trx, pedido.id, 'confirmado', { usuarioId, set })))
    throw new NotAllowed(titulo, `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: no espera un folio.`);
  await recordOf(trx, pedido, usuarioId, 'anotar el folio del pedido', { folio });
  await sendGuia(trx, pedido.id, usuarioId);
  return pedido.folio;
}

/** Sends another letter about a pedido that was written already. Throws `NotAllowed` when its state allows none, and `Stale` when it moved. */
export async function resendCorreo(trx: Trx, vista: Vista, usuarioId: string): Promise<void> {
  const pedido = await lockVisto(trx, vista, 'Error al enviar el correo.');
  const clase = pedido.via === 'correo' ? 'pedido' : 'guia';
  if (['borrador', 'enviando', 'incierto'].includes(pedido.estado) || !isVivo(pedido.estado))
    throw new NotAllowed('Error al enviar el correo.', `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}.`);
  await sendCorreo(trx, pedido.id, clase, { usuarioId, reenviar: true });
}

/** Throws `NotAllowed` while a call about the pedido is under way or waits for people on the board. */
async function requireNadaEnCurso(trx: Trx, pedidoId: string, titulo: string): Promise<void> {
  const { n } = await effectsAbout(trx, ['pedido', pedidoId])
    .where('effect.state', 'in', LIVE_STATES)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (Number(n) > 0)
    throw new NotAllowed(
      titulo,
      'Hay una solicitud de este pedido sin terminar. Espera a que acabe, o decídela en Pendientes.',
    );
}

const recordOf = (
  trx: Trx,
  { numOrden, proveedor }: { numOrden: string; proveedor: string },
  usuarioId: string,
  accion: string,
  datos: Record<string, string> = {},
) => record(trx, { usuarioId, entidad: 'orden', entidadId: numOrden, accion, datos: { proveedor, ...datos } });

/**
 * Moves the confirmed pedidos of some sales to invoiced once a person wrote down the supplier's invoice. Some suppliers never tell of an invoice
 * themselves.
 */
export async function noteFacturado(
  trx: Trx,
  { proveedor, folio }: { proveedor: string; folio: string },
  usuarioId: string,
): Promise<void> {
  const pedidos = await trx
    .selectFrom('pedido')
    .innerJoin('pedidoLinea', 'pedidoLinea.pedidoId', 'pedido.id')
    .innerJoin('proveedorFactura', (join) =>
      join
        .onRef('proveedorFactura.ordenId', '=', 'pedidoLinea.ordenId')
        .onRef('proveedorFactura.proveedor', '=', 'pedido.proveedor'),
    )
    .leftJoin('proveedorCfdi', 'proveedorCfdi.id', 'proveedorFactura.cfdiId')
    .where('pedido.proveedor', '=', proveedor)
    .where('proveedorFactura.folio', '=', folio)
    .where('pedido.estado', '=', 'confirmado')
    .select(['pedido.id', 'pedido.guiaEnviadaEn', 'proveedorCfdi.uuid'])
    .distinct()
    .execute();
  for (const { id, guiaEnviadaEn, uuid } of pedidos) {
    const set = { facturaFolio: folio, facturaUuid: uuid, facturaEn: sql<Date>`now()` };
    if ((await movePedido(trx, id, 'facturado', { usuarioId, set })) && guiaEnviadaEn !== null)
      await movePedido(trx, id, 'guiaEnviada', { usuarioId });
  }
}
