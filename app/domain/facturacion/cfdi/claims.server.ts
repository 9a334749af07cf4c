import { NotAllowed } from '~/core/errors';
import type { Trx } from '~db/client.server';
import { enOtroDocumento, findClaim } from './facturables.server';
import { sql, type RawBuilder } from 'kysely';

/** A sale is in one living document: the row of fiscal_claim of each of its ordenes says which. Nothing is stamped without them. */

type Claims = {
  ordenIds: string[];
  effectId: string;
  /** The factura that is being replaced. */ sustituidaId: string | undefined;
};

/**
 * Ordenes of a stamped global pass from it. Those of a factura that is being replaced stay its own until the new one is stamped: a stamp
 * that is refused then changes nothing. The rest had no document. One that another document took since it was looked at stops it all.
 */
export async function claimOrdenes(trx: Trx, { ordenIds, effectId, sustituidaId }: Claims): Promise<void> {
  await claimForRefacturacion(trx, ordenIds, effectId);
  await trx
    .insertInto('fiscalClaim')
    .values(ordenIds.map((ordenId) => ({ ordenId, kind: 'individual', effectId })))
    .onConflict((conflict) => conflict.column('ordenId').doNothing())
    .execute();
  const held = await trx
    .selectFrom('fiscalClaim')
    .select(['ordenId', 'effectId', 'facturaId'])
    .where('ordenId', 'in', ordenIds)
    .execute();
  const ours = held.filter(
    (claim) => claim.effectId === effectId || (sustituidaId !== undefined && claim.facturaId === sustituidaId),
  );
  if (ours.length === ordenIds.length) return;
  const other = await findClaim(
    trx,
    ordenIds.filter((ordenId) => !ours.some((claim) => claim.ordenId === ordenId)),
    { sustituidaId },
  );
  throw new NotAllowed(
    'Facturación',
    other ? enOtroDocumento(other) : 'Otra persona está facturando esta orden. Búscala de nuevo.',
  );
}

/** The document is stamped: each orden it asked for is held by it, or nothing of it is written and people are told. */
export async function settleClaims(
  trx: Trx,
  { ordenIds, effectId, facturaId }: { ordenIds: string[]; effectId: string; facturaId: string },
): Promise<void> {
  const held = await trx
    .updateTable('fiscalClaim')
    .set({ facturaId })
    .where('effectId', '=', effectId)
    .returning('ordenId')
    .execute();
  const ours = new Set(held.map(({ ordenId }) => ordenId));
  const missing = ordenIds.filter((ordenId) => !ours.has(ordenId));
  if (missing.length > 0)
    throw new Error(
      `stamped without a claim on ${missing.length} of ${ordenIds.length} ordenes: ${missing.slice(0, 5).join(', ')}`,
    );
}

/**
 * A sale that was in a stamped global and whose customer asks for a factura. Its claim passes from the global to that factura, and the
 * row that stays says what the global owes: a credit note for the sale, which 'Notas de Credito' of Refacturacion issues. A factura that is
 * refused or cancelled gives it back (freeClaims).
 */

/** Passes the claims of these ordenes from their stamped global to the stamp `effectId`. Returns the ordenes it passed; the rest had no global. */
export async function claimForRefacturacion(trx: Trx, ordenIds: string[], effectId: string): Promise<string[]> {
  if (ordenIds.length === 0) return [];
  const passed = await trx
    .updateTable('fiscalClaim as claim')
    .from('factura')
    .set({ kind: 'individual', effectId, facturaId: null, claimedAt: new Date() })
    .whereRef('factura.id', '=', 'claim.facturaId')
    .where('factura.estatus', '=', 'vigente')
    .where('claim.ordenId', 'in', ordenIds)
    .where('claim.kind', '=', 'global')
    .returning(['claim.ordenId', 'factura.id as globalId'])
    .execute();
  if (passed.length === 0) return [];
  // A row that stayed belongs to a cancelled factura whose credit note is not known to stand. This factura takes its place.
  await trx
    .insertInto('refacturacion')
    .values(passed.map(({ ordenId, globalId }) => ({ ordenId, globalId, effectId })))
    .onConflict((same) => same.columns(['ordenId', 'globalId']).doUpdateSet({ effectId, facturaId: null }))
    .execute();
  return passed.map(({ ordenId }) => ordenId);
}

/** The customer's factura is stamped: from now on the sale is in the list. */
export async function settleRefacturacion(trx: Trx, effectId: string, facturaId: string): Promise<void> {
  await trx.updateTable('refacturacion').set({ facturaId }).where('effectId', '=', effectId).execute();
}

/**
 * When a sale is free of its document: when no standing factura charges for it. A factura stands until it is cancelled, and a standing credit note
 * takes the sale out of it. A note that is being stamped, or cancelled, may come out either way: meanwhile its factura holds the sale.
 */

type DeNota = { facturaId: string; ordenId: string };
export type Devuelta = { facturaId: string; ventas: number };

/** The documents that stand for an orden, as `fo` and `f`. */
const EN_PIE = sql`factura_orden fo join factura f on f.id = fo.factura_id and f.estatus <> 'cancelada'
      and not exists (select from nota_credito_orden n join factura nota on nota.id = n.nota_id and nota.estatus = 'vigente'
        where n.factura_id = fo.factura_id and n.orden_id = fo.orden_id)`;
/** Of several, the customer's own, and the last of those. */
const PREFERRED = sql`fo.orden_id, (f.tipo = 'individual') desc, f.fecha_timbrado desc`;

/**
 * The document of this effect was refused or cancelled. Each of its sales passes to the document that still stands for it: the factura it
 * replaced, the global it had been in. What it leaves is free.
 */
export async function freeClaims(trx: Trx, effectId: string): Promise<{ libres: number; devueltas: Devuelta[] }> {
  await sql`select 1 from refacturacion where effect_id = ${effectId} order by id for update`.execute(trx);
  // Another statement, another look: a credit note may have been accepted while this waited for the rows.
  const { rows: devueltas } = await sql<Devuelta>`
    with en_pie as (
      select distinct on (fo.orden_id) fo.orden_id, f.id, f.tipo, f.effect_id from ${EN_PIE}
      where fo.orden_id in (select orden_id from fiscal_claim where effect_id = ${effectId}) and f.effect_id <> ${effectId}
      order by ${PREFERRED}
    ), given as (
      update fiscal_claim c set kind = en_pie.tipo, effect_id = en_pie.effect_id, factura_id = en_pie.id, claimed_at = now()
      from en_pie where c.orden_id = en_pie.orden_id returning en_pie.id
    )
    select id as factura_id, count(*)::int as ventas from given group by id`.execute(trx);
  // While the customer has another factura of a sale, the global still owes its note.
  await sql`update refacturacion r set effect_id = c.effect_id, factura_id = c.factura_id from fiscal_claim c
    where r.effect_id = ${effectId} and c.orden_id = r.orden_id and c.kind = 'individual' and c.effect_id <> ${effectId}`.execute(
    trx,
  );
  await sql`delete from refacturacion r
    where r.effect_id = ${effectId} and not exists (select from nota_credito_orden n where n.factura_id = r.global_id and n.orden_id = r.orden_id)`.execute(
    trx,
  );
  const libres = await trx.deleteFrom('fiscalClaim').where('effectId', '=', effectId).returning('ordenId').execute();
  return { libres: libres.length, devueltas };
}

/** Sales that nobody holds pass to the document that stands for them, if there is one. */
export async function holdClaims(trx: Trx, ordenIds: string[]): Promise<void> {
  if (ordenIds.length === 0) return;
  await sql`insert into fiscal_claim (orden_id, kind, effect_id, factura_id)
    select distinct on (fo.orden_id) fo.orden_id, f.tipo, f.effect_id, f.id from ${EN_PIE}
    where fo.orden_id = any(${ordenIds}::uuid[]) order by ${PREFERRED}
    on conflict (orden_id) do nothing`.execute(trx);
}

/** A credit note stands: a sale that its global held only until this was known is free. */
export async function letGoOfNota(trx: Trx, notaId: string): Promise<void> {
  await lockRefacturacion(trx, sql`select orden_id from nota_credito_orden where nota_id = ${notaId}`);
  const { rows } = await sql<{ ordenId: string }>`
    delete from fiscal_claim c using nota_credito_orden n, refacturacion r
    where n.nota_id = ${notaId} and r.orden_id = n.orden_id and r.global_id = n.factura_id and c.orden_id = n.orden_id and c.factura_id = n.factura_id
    returning c.orden_id`.execute(trx);
  await holdClaims(
    trx,
    rows.map(({ ordenId }) => ordenId),
  );
}

/** A credit note was refused or cancelled: its factura charges for those sales again, and a global owes another note for those a customer's factura holds. */
export async function undoNota(trx: Trx, ventas: readonly DeNota[]): Promise<void> {
  if (ventas.length === 0) return;
  const pairs = sql`unnest(${ventas.map(({ facturaId }) => facturaId)}::uuid[], ${ventas.map(({ ordenId }) => ordenId)}::uuid[]) p (factura_id, orden_id)`;
  await lockRefacturacion(trx, sql`select unnest(${ventas.map(({ ordenId }) => ordenId)}::uuid[])`);
  await sql`delete from refacturacion r using ${pairs}
    where r.global_id = p.factura_id and r.orden_id = p.orden_id
      and not exists (select from fiscal_claim c where c.orden_id = r.orden_id and c.effect_id = r.effect_id)`.execute(
    trx,
  );
  await holdClaims(
    trx,
    ventas.map(({ ordenId }) => ordenId),
  );
  await sql`insert into refacturacion (orden_id, global_id, effect_id, factura_id)
    select c.orden_id, g.id, c.effect_id, c.factura_id from ${pairs}
      join factura g on g.id = p.factura_id and g.tipo = 'global' and g.estatus <> 'cancelada'
      join fiscal_claim c on c.orden_id = p.orden_id and c.kind = 'individual'
    on conflict (orden_id, global_id) do update set effect_id = excluded.effect_id, factura_id = excluded.factura_id`.execute(
    trx,
  );
}

/** A note and the factura of its customer may end at once: whoever comes second waits here, and its next statement sees what the first left. */
async function lockRefacturacion(trx: Trx, ordenIds: RawBuilder<unknown>): Promise<void> {
  await sql`select 1 from refacturacion where orden_id in (${ordenIds}) order by id for update`.execute(trx);
}

/** Holds the ordenes of a credit note as invoicing them does, and in its order: nobody claims them while it is decided who may. */
export async function lockOrdenesOfNota(trx: Trx, notaId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orden where id in (select orden_id from nota_credito_orden where nota_id = ${notaId}) order by fecha_creacion, market_id for no key update`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}
