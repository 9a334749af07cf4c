import { isGenericRfc, isRfc, normalizeRfc } from '~/core/rfc';
import { NotAllowed } from '~/core/errors';
import type { Db, Trx } from '~db/client.server';
import { lookUpRfc } from '~/domain/facturacion/receptores/clientesFiscales.server';
import { clienteVacio, type DraftCliente } from './draft';
import { fromGuardado, saveDraft, type FacturaDraft } from './draft.server';
import {
  acceptCliente,
  waitForCliente,
  knownUid,
  requireGuardable,
} from '~/domain/facturacion/receptores/saveCliente.server';

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
  const { email, email2, ...datos } = escrito;
  const actual = draft.cliente ?? clienteVacio();
  // The third address has no field here: an edit keeps it.
  const emails = [email, ...(email2 ? [email2] : []), ...(actual.modo === 'edicion' ? actual.emails.slice(2) : [])];
  const cliente = { ...datos, emails };
  await requireGuardable(db, cliente);
  const effectId = await db.transaction().execute(async (trx) => {
    // Another RFC is somebody else, not a correction of this one; of a generic RFC so is another name.
    const uid =
      actual.modo === 'edicion' &&
      actual.rfc === datos.rfc &&
      (!isGenericRfc(datos.rfc) || (await isNameOf(trx, actual.uid, datos.razonSocial)))
        ? actual.uid
        : await knownUid(trx, datos.rfc, datos.razonSocial);
    const id = await acceptCliente(trx, cliente, uid, usuarioId);
    await saveDraft(trx, draft, {
      cliente: { ...actual, ...datos, emails, guardando: id, sinPac: false, opciones: [] },
    });
    return id;
  });
  return waitForCliente(db, effectId);
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
