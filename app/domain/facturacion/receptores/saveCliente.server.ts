import { NotAllowed } from '~/core/errors';
import { acceptEffect, canonicalJson, hashOf, waitForEffect } from '~/platform/effects/effects.server';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { precheckCliente } from '~/domain/facturacion/cfdi/precheck';
import type { Db, Trx } from '~db/client.server';
import { findClientes } from './clientes.server';
import { requireNoneEnCurso } from './receptor.server';
import { savePacClient } from './internal/savePacClient.server';

/** The tax data of a customer as they are to be kept. */
export type PorGuardar = { rfc: string; razonSocial: string; cp: string; regimen: string; emails: string[] };

/** Time a person who saves waits for the PAC before the page says that the save is still under way. */
const PATIENCE_MS = 4_000;

const OTRA_VENTANA =
  'En este momento se están guardando otros datos de este cliente. Espera unos segundos, busca de nuevo el RFC y revisa lo que quedó antes de guardar.';

/** Throws NotAllowed, at the field in question, for data that the PAC would refuse for certain; CompanyFault without a linked PAC. */
export async function requireGuardable(db: Db, cliente: PorGuardar): Promise<void> {
  const { errores } = precheckCliente(cliente, { lugarExpedicion: (await requireEmisor(db)).cp });
  if (errores[0]) throw new NotAllowed('Error de llenado.', errores[0].texto, { campo: errores[0].campo });
}

/**
 * Accepts the save of a customer at the PAC and here: of the client `uid`, or of a new one. Returns the id of the effect, which is the
 * living one when somebody asked for the very same already. Throws NotAllowed while other data of this customer are being saved, a document
 * of it is being stamped, or its name is taken.
 */
export async function acceptCliente(
  trx: Trx,
  cliente: PorGuardar,
  uid: string | null,
  usuarioId: string | null,
): Promise<string> {
  const request = { cliente, uid };
  await requireNoneEnCurso(trx, 'Error', cliente, uid);
  await requireFreeName(trx, uid, cliente);
  const { id, created } = await acceptEffect(trx, savePacClient, { request, usuarioId });
  if (!created && !(await asksFor(trx, id, request))) throw new NotAllowed('Error', OTRA_VENTANA);
  return id;
}

/** Waits for an accepted save: true when the PAC has it, false while the PAC has not answered. Throws NotAllowed with the PAC's words when it refused. */
export async function waitForCliente(db: Db, effectId: string): Promise<boolean> {
  const effect = await waitForEffect(db, effectId, PATIENCE_MS);
  if (effect?.state === 'refused') throw new NotAllowed('Error', effect.reason ?? 'factura.com no aceptó los datos.');
  return effect?.state === 'done';
}

/**
 * Keeps a customer without a draft: a correction of `uid`, else of the record with that RFC and name, else a new record. Returns as
 * `waitForCliente`; throws as `requireGuardable`, `acceptCliente` and `waitForCliente`.
 */
export async function saveCliente(db: Db, cliente: PorGuardar, usuarioId: string, uid?: string): Promise<boolean> {
  await requireGuardable(db, cliente);
  const effectId = await db
    .transaction()
    .execute(async (trx) =>
      acceptCliente(trx, cliente, uid ?? (await knownUid(trx, cliente.rfc, cliente.razonSocial)), usuarioId),
    );
  return waitForCliente(db, effectId);
}

/** The PAC's id of our record with this RFC and legal name; null when there is none. */
export async function knownUid(db: Db | Trx, rfc: string, razonSocial: string): Promise<string | null> {
  return (await findClientes(db, rfc)).find((cliente) => cliente.razonSocial === razonSocial)?.uid ?? null;
}

/** Tells whether the save under way asks for the very same data; then the second person waits for it too. */
async function asksFor(trx: Trx, effectId: string, request: unknown): Promise<boolean> {
  const { requestHash } = await trx
    .selectFrom('effect')
    .select('requestHash')
    .where('id', '=', effectId)
    .executeTakeFirstOrThrow();
  return requestHash.equals(hashOf(canonicalJson(request)));
}

/** Throws NotAllowed when another record of the RFC has the name: our table could not keep what the PAC would take. */
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
