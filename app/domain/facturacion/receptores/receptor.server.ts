import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { livingAbout, type Living } from '~/platform/effects/subjects.server';
import type { NewClientePac } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import { findClientes } from './clientesFiscales.server';
import { ownUid, savePacClient } from './savePacClient.server';
import type { Receptor } from './savePublicClient.server';

type Elegido = Receptor & { uid: string; /** It came from a stored record. */ registrado: boolean };

/** The same receiver for the SAT, of those with one RFC. */
export const sameReceptor = (known: Omit<Receptor, 'rfc'>, wanted: Omit<Receptor, 'rfc'>) =>
  known.razonSocial === wanted.razonSocial && known.cp === wanted.cp && known.regimen === wanted.regimen;

/**
 * Whether the receiver that was chosen says something else by now, or the PAC is being told so this very moment: it stamps to what its
 * client says then, and a CFDI to another postal code than asked would be alive and nobody's.
 */
export async function receptorCambio(db: Db | Trx, elegido: Elegido): Promise<boolean> {
  const ahora = (await findClientes(db, elegido.rfc)).find(({ uid }) => uid === elegido.uid);
  if (ahora ? !sameReceptor(ahora, elegido) : elegido.registrado) return true;
  const guardando = (await livingAbout(db, ['rfc', elegido.rfc], savePacClient)).filter(
    ({ request: { cliente, uid } }) =>
      uid === null ? cliente.razonSocial === elegido.razonSocial : uid === elegido.uid,
  );
  return (
    guardando.some(({ request: { cliente } }) => !sameReceptor(cliente, elegido)) &&
    !(await publicosOf(db, elegido.rfc)).has(elegido.uid)
  );
}

/** The clients of the PAC that customers typed: no save of staff touches them. */
async function publicosOf(db: Db | Trx, rfc: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('clientePublico').select('uid').where('rfc', '=', rfc).execute();
  return new Set(rows.map(({ uid }) => uid));
}

/** Receivers, in so many shelves: a month of credit notes asks for hundreds of them, and PostgreSQL keeps one lock for each shelf. */
const SHELVES = 64;

/**
 * Who stamps to a receiver and who changes it pass one after the other, each seeing what the first one accepted: many may stamp at once, and
 * one changes alone. By RFC, since a save may not know yet which client of the PAC it will touch.
 */
export async function lockReceptores(trx: Trx, rfcs: readonly string[], para: 'timbrar' | 'cambiar'): Promise<void> {
  const lock = sql.raw(para === 'timbrar' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${lock}(hashtext('receptor'), shelf) from (
    select distinct hashtext(rfc) & ${SHELVES - 1} as shelf from unnest(${[...new Set(rfcs)]}::text[]) rfc order by 1) shelves`.execute(
    trx,
  );
}

/** What any document that is being stamped says of its receiver and its sale; a global is of no one sale. */
const Documento = z.object({
  cfdi: z.object({
    receptor: z.object({
      uid: z.string(),
      rfc: z.string(),
      nombre: z.string(),
      cp: z.string(),
      regimen: z.string(),
    }),
  }),
  numOrden: z.string().optional(),
  ordenIds: z.array(z.string()).optional(),
});
type EnCurso = Living<z.infer<typeof Documento>>;

/**
 * While a document is being stamped to a receiver, or nobody knows whether it was, what the SAT reads of that receiver does not change: it would be
 * refused, or be alive with other data than were asked. How to write to them may change.
 */
export async function requireNadaEnCurso(
  trx: Trx,
  titulo: string,
  cliente: NewClientePac,
  uid: string | null,
): Promise<void> {
  await lockReceptores(trx, [cliente.rfc], 'cambiar');
  const own = await ownUid(trx, uid);
  const documentos = (await livingAbout(trx, ['receptor', cliente.rfc], { request: Documento })).filter(
    ({ request: { cfdi } }) =>
      (own === null ? cfdi.receptor.nombre === cliente.razonSocial : cfdi.receptor.uid === own) &&
      !sameReceptor({ ...cfdi.receptor, razonSocial: cfdi.receptor.nombre }, cliente),
  );
  const publicos = own === null ? await publicosOf(trx, cliente.rfc) : new Set();
  const enCurso = documentos.filter(({ request: { cfdi } }) => !publicos.has(cfdi.receptor.uid));
  const [en] = enCurso;
  if (en) throw new NotAllowed(titulo, textoEnCurso(en, enCurso.length), { asunto: asuntoEnCurso(en) });
}

function textoEnCurso({ type, state, request: { numOrden } }: EnCurso, cuantas: number): string {
  const que =
    type === 'cfdi.global'
      ? 'La factura global'
      : `${type === 'cfdi.notaCredito' ? 'La nota de crédito' : 'La factura'} de la orden ${numOrden ?? ''}`;
  const mas = cuantas === 1 ? '' : `, como ${cuantas === 2 ? 'otra más' : `otras ${cuantas - 1}`} de este cliente,`;
  return state === 'manual'
    ? `${que}${mas} se pidió con los datos de antes y espera una decisión en Pendientes. Resuélvela primero y después corrige el nombre, el código postal o el régimen.`
    : `${que}${mas} se está timbrando con los datos de antes. Espera a que termine y guarda otra vez; si tiene que decir los nuevos, después se sustituye.`;
}

function asuntoEnCurso({ id, type, state, request: { numOrden, ordenIds: [ordenId] = [] } }: EnCurso) {
  if (state === 'manual') return { texto: 'Decidir en Pendientes', pantalla: `pendientes?ver=${id}` };
  if (ordenId === undefined || type === 'cfdi.global') return undefined;
  return { texto: `Ver la orden ${numOrden ?? ''}`, pantalla: `ordenes?ver=${ordenId}` };
}
