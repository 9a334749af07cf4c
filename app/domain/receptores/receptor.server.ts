import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { LIVE_STATES } from '~/domain/effects/effects.server';
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
  const { rows } = await sql<{ cliente: Receptor }>`
    select request -> 'cliente' as cliente from effect
    where type = ${savePacClient.type} and state = any(${[...LIVE_STATES]})
      and (request ->> 'uid' = ${elegido.uid} or (request ->> 'uid' is null and key = ${savePacClient.key({ cliente: { ...elegido, emails: [] }, uid: null })}))
      and not exists (select from cliente_publico where uid = ${elegido.uid})`.execute(db);
  return rows.some(({ cliente }) => !sameReceptor(cliente, elegido));
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

type EnCurso = {
  id: string;
  type: string;
  state: string;
  numOrden: string | null;
  ordenId: string | null;
  cuantas: number;
};

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
  const {
    rows: [en],
  } = await sql<EnCurso>`
    select e.id, e.type, e.state, e.request ->> 'numOrden' as num_orden, e.request #>> '{ordenIds,0}' as orden_id, count(*) over ()::int as cuantas
    from effect e cross join lateral (select e.request #> '{cfdi,receptor}' as receptor offset 0) r
    where e.state = any(${[...LIVE_STATES]}) and e.type like 'cfdi.%' and r.receptor is not null
      and case when ${own}::text is null
        then r.receptor ->> 'rfc' = ${cliente.rfc} and r.receptor ->> 'nombre' = ${cliente.razonSocial} and not exists (select from cliente_publico p where p.uid = r.receptor ->> 'uid')
        else r.receptor ->> 'uid' = ${own} end
      and (r.receptor ->> 'rfc', r.receptor ->> 'nombre', r.receptor ->> 'cp', r.receptor ->> 'regimen') is distinct from
        (${cliente.rfc}, ${cliente.razonSocial}, ${cliente.cp}, ${cliente.regimen})
    order by (e.state = 'manual') desc, e.id limit 1`.execute(trx);
  if (en) throw new NotAllowed(titulo, textoEnCurso(en), { asunto: asuntoEnCurso(en) });
}

function textoEnCurso({ type, state, numOrden, cuantas }: EnCurso): string {
  const que =
    type === 'cfdi.global'
      ? 'La factura global'
      : `${type === 'cfdi.notaCredito' ? 'La nota de crédito' : 'La factura'} de la orden ${numOrden ?? ''}`;
  const mas = cuantas === 1 ? '' : `, como ${cuantas === 2 ? 'otra más' : `otras ${cuantas - 1}`} de este cliente,`;
  return state === 'manual'
    ? `${que}${mas} se pidió con los datos de antes y espera una decisión en Pendientes. Resuélvela primero y después corrige el nombre, el código postal o el régimen.`
    : `${que}${mas} se está timbrando con los datos de antes. Espera a que termine y guarda otra vez; si tiene que decir los nuevos, después se sustituye.`;
}

function asuntoEnCurso({ id, type, state, numOrden, ordenId }: EnCurso) {
  if (state === 'manual') return { texto: 'Decidir en Pendientes', pantalla: `pendientes?ver=${id}` };
  if (ordenId === null || type === 'cfdi.global') return undefined;
  return { texto: `Ver la orden ${numOrden ?? ''}`, pantalla: `ordenes?ver=${ordenId}` };
}
