import { sql } from 'kysely';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import type { Clients } from '~/platform/connections/registry.server';
import { defineEffect, each, type EffectCall } from '~/platform/effects/definition';
import { Refused } from '~/integrations/errors';
import { sendGuia } from './guia.server';
import { notePedido, movePedido, REVISAR } from './movePedido.server';
import { requireVentaViva } from './venta.server';

const Solicitud = z.object({
  pedidoId: z.string(),
  ordenIds: z.array(z.string()),
  numOrden: z.string(),
  folio: z.string(),
});
type Solicitud = z.output<typeof Solicitud>;

/** `dice` is the supplier's own word for the state of the order. */
const Evidencia = z.object({ dice: z.string() });

/**
 * Second step of an order at CT, which makes CT invoice. The status is read first, and the step goes only while CT says that the order waits for it.
 * After a lost answer the status is read again. While it still says waiting nobody can tell what happened, so people decide whether to confirm again.
 */
export const confirmarEnCt = defineEffect({
  type: 'pedido.confirmar.ct',
  label: 'Confirmación a CT',
  connection: 'ct',
  request: Solicitud,
  evidence: Evidencia,
  byHand: { says: 'done', evidence: { dice: 'Confirmado por una persona' } },
  key: ({ pedidoId }) => `pedido:${pedidoId}`,
  subjects: ({ pedidoId, ordenIds }) => [['pedido', pedidoId], ...each('orden', ordenIds)],
  summary: ({ folio, numOrden }) => ({ que: `Confirmación del pedido ${folio} de la venta ${numOrden}` }),
  unclear: 'find',
  async ready({ db, request: { ordenIds } }) {
    await requireVentaViva(db, ordenIds);
  },
  async send({ request: { folio }, clients }) {
    const antes = await readFolio(clients, folio);
    if (antes.hecho) return { dice: antes.dice };
    if (antes.espera) await clients.ct().confirmar(folio);
    else throw new Refused(`CT dice «${antes.dice}» del pedido ${folio}: no se confirmó.`);
    return { dice: 'Confirmado' };
  },
  async find({ request: { folio }, clients }: EffectCall<Solicitud>, known) {
    if (known) return known;
    const { hecho, dice } = await readFolio(clients, folio);
    return hecho ? { dice } : 'absent';
  },
  mayRepeat: () =>
    Promise.resolve(
      'CT no contestó si lo confirmó, y todavía no lo da por confirmado. Decide si se confirma otra vez.',
    ),
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { pedidoId, numOrden, folio }, usuarioId }) {
    const set = { confirmadoEn: sql<Date>`now()`, venceEn: null, revisarEn: REVISAR };
    // The status may have told of the invoice before.
    if (!(await movePedido(trx, pedidoId, 'confirmado', { usuarioId, set }))) await notePedido(trx, pedidoId, set);
    await record(trx, {
      usuarioId,
      entidad: 'orden',
      entidadId: numOrden,
      accion: 'confirmar el pedido',
      datos: { proveedor: 'ct', folio },
    });
    await sendGuia(trx, pedidoId, usuarioId);
  },
  async release(trx, { request: { pedidoId } }, motivo) {
    await notePedido(trx, pedidoId, { detalle: motivo, revisarEn: sql<Date>`now()` });
  },
});

async function readFolio(clients: Clients, folio: string) {
  const estatus = await clients.ct().mirar.estatus(folio);
  if (!estatus) throw new Refused(`CT ya no conoce el pedido ${folio}.`);
  const { estado, dice } = estatus;
  return { dice, hecho: estado === 'confirmado' || estado === 'facturado', espera: estado === 'solicitado' };
}
