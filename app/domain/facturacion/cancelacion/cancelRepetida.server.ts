import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { defineEffect, type AcceptedEffect } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { markSeen, Repetidas } from '~/platform/effects/late.server';
import type { Trx } from '~db/client.server';
import { cancelacionEnSat } from './internal/cancelCfdi.server';

const Request = z.object({
  /** The effect whose alarm names the repeated CFDI. */
  effectId: z.string(),
  folio: z.string(),
  uid: z.string(),
  uuid: z.string(),
  motivo: z.literal('02'),
  folioSustituto: z.null(),
  /** The sales for which the CFDI was stamped. */
  ventas: z.array(z.tuple([z.enum(['orden', 'venta']), z.string()])).default([]),
});
type Request = z.infer<typeof Request>;

/** Cancels the second CFDI of a sale, which a late call left at the PAC. The alarm of the effect ends with the last of them. */
export const cancelRepetida = defineEffect({
  ...cancelacionEnSat<Request>(),
  type: 'cfdi.cancelRepetida',
  label: 'Cancelación de CFDI repetido',
  request: Request,
  key: ({ uuid }) => `repetida:${uuid}`,
  subjects: ({ ventas }) => ventas,
  summary: ({ folio }) => ({ que: `CFDI repetido ${folio}` }),
  async settle(trx, effect, { estado, respuesta }) {
    if (estado === 'cancelada') await dropRepetida(trx, effect);
    else await noteRespuesta(trx, effect, `Se pidió su cancelación: ${respuesta}`);
  },
  release: (trx, effect, reason) => noteRespuesta(trx, effect, `No se canceló: ${reason}`),
});

/**
 * 'Cancelar la repetida': accepts the cancellation of one CFDI that an alarm names, and returns the id of its effect. Throws NotAllowed
 * when the alarm no longer names it.
 */
export async function acceptCancelRepetida(
  trx: Trx,
  { effectId, uuid, usuarioId }: { effectId: string; uuid: string; usuarioId: string },
): Promise<string> {
  const alarma = await lockAlarma(trx, effectId);
  const repetida = alarma?.repetidas.find((one) => one.uuid === uuid);
  if (!repetida) throw new NotAllowed('Aviso', 'Esta solicitud ya no espera una decisión. Vuelve a cargar la página.');
  const { folio, uid } = repetida;
  const { id } = await acceptEffect(trx, cancelRepetida, {
    usuarioId,
    request: { effectId, folio, uid, uuid, motivo: '02', folioSustituto: null, ventas: await ventasOf(trx, effectId) },
  });
  await keep(trx, effectId, { ...alarma!, repetidas: withRespuesta(alarma!, uuid, 'Se está cancelando.') });
  await record(trx, {
    usuarioId,
    entidad: 'effect',
    entidadId: effectId,
    accion: 'cancelar la repetida',
    datos: { folio, uuid, ...(alarma!.vigente && { vigente: alarma!.vigente.folio }) },
  });
  return id;
}

/** The sales of the effect that has the alarm; the repeated CFDI is of the same sales. */
async function ventasOf(trx: Trx, effectId: string): Promise<Request['ventas']> {
  const subjects = await trx
    .selectFrom('effectSubject')
    .select(['entidad', 'entidadId'])
    .where('effectId', '=', effectId)
    .where('entidad', 'in', ['orden', 'venta'])
    .orderBy('entidad')
    .orderBy('entidadId')
    .execute();
  return subjects.map(({ entidad, entidadId }) => [entidad as 'orden' | 'venta', entidadId]);
}

async function lockAlarma(trx: Trx, effectId: string): Promise<Repetidas | undefined> {
  const row = await trx
    .selectFrom('effect')
    .select('lateEvidence')
    .where('id', '=', effectId)
    .forUpdate()
    .executeTakeFirst();
  return Repetidas.safeParse(row?.lateEvidence).data;
}

/**
 * Takes the cancelled CFDI out of the alarm. The alarm ends when none is left beside the one that stands; with one left and none known to
 * stand, a search decides about it.
 */
async function dropRepetida(trx: Trx, { request: { effectId, folio, uuid }, usuarioId }: AcceptedEffect<Request>) {
  const alarma = await lockAlarma(trx, effectId);
  if (!alarma) return;
  const repetidas = alarma.repetidas.filter((one) => one.uuid !== uuid);
  const over = repetidas.length <= (alarma.vigente ? 0 : 1);
  await keep(trx, effectId, over ? null : { ...alarma, uuid: repetidas[0]!.uuid, repetidas });
  // A list of the PAC may still show what it has cancelled, and a look tells of nothing twice.
  await markSeen(trx, effectId, over ? alarma.repetidas.map((one) => one.uuid) : [uuid]);
  await record(trx, {
    usuarioId,
    entidad: 'effect',
    entidadId: effectId,
    accion: 'repetida cancelada',
    datos: { folio, uuid },
  });
}

async function noteRespuesta(trx: Trx, { request: { effectId, uuid } }: AcceptedEffect<Request>, respuesta: string) {
  const alarma = await lockAlarma(trx, effectId);
  if (alarma) await keep(trx, effectId, { ...alarma, repetidas: withRespuesta(alarma, uuid, respuesta) });
}

const withRespuesta = ({ repetidas }: Repetidas, uuid: string, respuesta: string) =>
  repetidas.map((one) => (one.uuid === uuid ? { ...one, respuesta } : one));

const keep = (trx: Trx, effectId: string, alarma: Repetidas | null) =>
  trx
    .updateTable('effect')
    .set({ lateEvidence: alarma === null ? null : sql`${JSON.stringify(alarma)}::jsonb` })
    .where('id', '=', effectId)
    .execute();
