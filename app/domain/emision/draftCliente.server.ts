import { isGenericRfc, isRfc, normalizeRfc } from '~/core/rfc';
import { NotAllowed } from '~/core/errors';
import { acceptEffect, canonicalJson, hashOf, waitForEffect } from '~/domain/effects/effects.server';
import type { Db, Trx } from '~db/client.server';
import { findClientes, lookUpRfc } from '~/domain/receptores/clientesFiscales.server';
import { clienteVacio, type DraftCliente } from './draft';
import { fromGuardado, saveDraft, type FacturaDraft } from './draft.server';
import { requireEmisor } from '~/domain/cfdi/emisor.server';
import { precheckCliente } from '~/domain/cfdi/precheck';
import { requireNadaEnCurso } from '~/domain/receptores/receptor.server';
import { savePacClient } from '~/domain/receptores/savePacClient.server';

/** How long a page waits for the PAC before it says that it is still waiting. */
const PATIENCE_MS = 4_000;

/** Step 2, an RFC was typed: one record fills the form, several are offered, none leaves it to be typed. */
export async function lookUpCliente(db: Db, draft: FacturaDraft, text: string): Promise<void> {
  const rfc = normalizeRfc(text);
  if (!isRfc(rfc)) throw new NotAllowed('Error de llenado.', 'RFC No Valido', { campo: 'rfc' });
  const { clientes, origen, sinPac } = await lookUpRfc(db, rfc);
  const cliente: DraftCliente =
    clientes.length === 1
      ? fromGuardado(rfc, clientes[0]!, clientes, origen)
      : { ...clienteVacio(), rfc, opciones: clientes, sinPac };
  await saveDraft(db, draft, { cliente });
}

/** One of several legal names of the RFC. */
export async function chooseCliente(db: Db, draft: FacturaDraft, uid: string): Promise<void> {
  const opciones = draft.cliente?.opciones ?? [];
  const chosen = opciones.find((opcion) => opcion.uid === uid);
  if (!chosen || !draft.cliente)
    throw new NotAllowed('Error', 'Esa razón social ya no está en la lista. Busca el RFC de nuevo.');
  await saveDraft(db, draft, { cliente: fromGuardado(draft.cliente.rfc, chosen, opciones, 'registro') });
}

const OTRA_VENTANA =
  'En este momento se están guardando otros datos de este cliente. Espera unos segundos, busca de nuevo el RFC y revisa lo que quedó antes de guardar.';

export type ClienteEscrito = {
  rfc: string;
  razonSocial: string;
  cp: string;
  regimen: string;
  email: string;
  email2?: string;
};

/**
 * Keeps the customer at the PAC and here. True when it is done, false while the PAC has not answered: the page then waits. What
 * the PAC refuses comes back as NotAllowed with its own words.
 */
export async function beginSaveCliente(
  db: Db,
  draft: FacturaDraft,
  escrito: ClienteEscrito,
  usuarioId: string | null,
): Promise<boolean> {
  const emisor = await requireEmisor(db);
  const { email, email2, ...datos } = escrito;
  const actual = draft.cliente ?? clienteVacio();
  // The third address has no field here: an edit keeps it.
  const emails = [email, ...(email2 ? [email2] : []), ...(actual.modo === 'edicion' ? actual.emails.slice(2) : [])];
  const { errores } = precheckCliente({ ...datos, emails }, { lugarExpedicion: emisor.cp });
  if (errores[0]) throw new NotAllowed('Error de llenado.', errores[0].texto, { campo: errores[0].campo });
  const effectId = await db.transaction().execute(async (trx) => {
    // Another RFC is somebody else, not a correction of this one; of a generic RFC so is another name.
    const uid =
      actual.modo === 'edicion' &&
      actual.rfc === datos.rfc &&
      (!isGenericRfc(datos.rfc) || (await isNameOf(trx, actual.uid, datos.razonSocial)))
        ? actual.uid
        : await knownUid(trx, datos.rfc, datos.razonSocial);
    const request = { cliente: { ...datos, emails }, uid };
    await requireNadaEnCurso(trx, 'Error', request.cliente, uid);
    await requireFreeName(trx, uid, datos);
    const { id, created } = await acceptEffect(trx, savePacClient, { request, usuarioId });
    if (!created && !(await asksFor(trx, id, request))) throw new NotAllowed('Error', OTRA_VENTANA);
    await saveDraft(trx, draft, {
      cliente: { ...actual, ...datos, emails, guardando: id, sinPac: false, opciones: [] },
    });
    return id;
  });
  const effect = await waitForEffect(db, effectId, PATIENCE_MS);
  if (effect?.state === 'refused') throw new NotAllowed('Error', effect.reason ?? 'factura.com no aceptó los datos.');
  return effect?.state === 'done';
}

/** Whether the save that is under way says the very same: then this draft waits for it too. */
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
  { rfc, razonSocial }: Pick<ClienteEscrito, 'rfc' | 'razonSocial'>,
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

async function isNameOf(trx: Trx, uid: string | null, razonSocial: string): Promise<boolean> {
  if (uid === null) return false;
  const known = await trx
    .selectFrom('clienteFiscal')
    .select('id')
    .where('uid', '=', uid)
    .where('razonSocial', '=', razonSocial)
    .executeTakeFirst();
  return known !== undefined;
}

async function knownUid(db: Db | Trx, rfc: string, razonSocial: string): Promise<string | null> {
  return (await findClientes(db, rfc)).find((cliente) => cliente.razonSocial === razonSocial)?.uid ?? null;
}
