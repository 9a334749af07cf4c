import { NotAllowed } from '~/core/errors';
import { acceptEffect, canonicalJson, hashOf, waitForEffect } from '~/platform/effects/effects.server';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { precheckCliente } from '~/domain/facturacion/cfdi/precheck';
import type { Db, Trx } from '~db/client.server';
import { findClientes } from './clientes.server';
import { requireNadaEnCurso } from './receptor.server';
import { savePacClient } from './internal/savePacClient.server';

export type PorGuardar = { rfc: string; razonSocial: string; cp: string; regimen: string; emails: string[] };

/** How long whoever saves waits for the PAC before they are told that it is still at it. */
const PATIENCE_MS = 4_000;

const OTRA_VENTANA =
  'En este momento se están guardando otros datos de este cliente. Espera unos segundos, busca de nuevo el RFC y revisa lo que quedó antes de guardar.';

/** Refuses what the PAC would refuse for certain, at its field. */
export async function requireGuardable(db: Db, cliente: PorGuardar): Promise<void> {
  const { errores } = precheckCliente(cliente, { lugarExpedicion: (await requireEmisor(db)).cp });
  if (errores[0]) throw new NotAllowed('Error de llenado.', errores[0].texto, { campo: errores[0].campo });
}

/** Asks for a customer to be kept at the PAC and here: of `uid`, or a new one. Returns the effect, which may be one that asks for the very same already. */
export async function acceptCliente(
  trx: Trx,
  cliente: PorGuardar,
  uid: string | null,
  usuarioId: string | null,
): Promise<string> {
  const request = { cliente, uid };
  await requireNadaEnCurso(trx, 'Error', cliente, uid);
  await requireFreeName(trx, uid, cliente);
  const { id, created } = await acceptEffect(trx, savePacClient, { request, usuarioId });
  if (!created && !(await asksFor(trx, id, request))) throw new NotAllowed('Error', OTRA_VENTANA);
  return id;
}

/** True when it is done, false while the PAC has not answered. What the PAC refuses comes back in its own words. */
export async function waitForCliente(db: Db, effectId: string): Promise<boolean> {
  const effect = await waitForEffect(db, effectId, PATIENCE_MS);
  if (effect?.state === 'refused') throw new NotAllowed('Error', effect.reason ?? 'factura.com no aceptó los datos.');
  return effect?.state === 'done';
}

/** Keeps a customer that no draft is about: a correction of `uid`, else of who has that name already, else a new one. */
export async function saveCliente(db: Db, cliente: PorGuardar, usuarioId: string, uid?: string): Promise<boolean> {
  await requireGuardable(db, cliente);
  const effectId = await db
    .transaction()
    .execute(async (trx) =>
      acceptCliente(trx, cliente, uid ?? (await knownUid(trx, cliente.rfc, cliente.razonSocial)), usuarioId),
    );
  return waitForCliente(db, effectId);
}

export async function knownUid(db: Db | Trx, rfc: string, razonSocial: string): Promise<string | null> {
  return (await findClientes(db, rfc)).find((cliente) => cliente.razonSocial === razonSocial)?.uid ?? null;
}

/** Whether the save that is under way says the very same: then whoever asks waits for it too. */
async function asksFor(trx: Trx, effectId: string, request: unknown): Promise<boolean> {
  const { requestHash } = await trx
    .selectFrom('effect')
    .select('requestHash')
    .where('id', '=', effectId)
    .executeTakeFirstOrThrow();
  return requestHash.equals(hashOf(canonicalJson(request)));
}

/** Two records of an RFC never end with one name: ours could not keep what the PAC had taken. */
async function requireFreeName(
  trx: Trx,
  uid: string | null,
  { rfc, razonSocial }: Pick<PorGuardar, 'rfc' | 'razonSocial'>,
): Promise<void> {
  if (uid === null) return;
  const other = await trx
    .selectFrom('clienteFiscal')
    .select('id')
    .where('rfc', '=', rfc)
    .where('razonSocial', '=', razonSocial)
    .where('uid', 'is distinct from', uid)
    .executeTakeFirst();
  if (other)
    throw new NotAllowed(
      'Error de llenado.',
      'Ese RFC ya tiene otro registro con esa Razón Social. Busca de nuevo el RFC y elígelo.',
      { campo: 'razonSocial' },
    );
}
