import { NotAllowed } from '~/core/errors';
import type { Trx } from '~db/client.server';
import { textOfClaim, findClaim } from './facturables.server';
import { sql, type RawBuilder } from 'kysely';

/** The ordenes of one stamp. */
type Claims = {
  ordenIds: string[];
  effectId: string;
  /** The factura that the new one replaces. */ sustituidaId: string | undefined;
};

/**
 * Claims ordenes for a stamp. A sale is in one living document at a time: the row of `fiscal_claim` of each of its ordenes names it, and
 * nothing is stamped without that row. Ordenes of a stamped global pass from it to the stamp. Those of a factura that is being replaced
 * stay its own until the new one is stamped, so a refusal changes nothing. Throws NotAllowed when another document took an orden since it
 * was read.
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
    other ? textOfClaim(other) : 'Otra persona está facturando esta orden. Búscala de nuevo.',
  );
}

/** Gives the claims of a stamp to its stamped document. Throws when one is missing: nothing is written then, and people are told. */
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
 * Passes ordenes from their stamped global to the stamp of their customer's factura. The row of `refacturacion` says what the global owes
 * from then on: a credit note for the sale, which 'Notas de Credito' of Refacturacion issues. A factura that is refused or cancelled gives
 * the sale back (`freeClaims`).
 */
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
  // A row that is there belongs to a cancelled factura whose credit note is not known to stand; this factura takes its place.
  await trx
    .insertInto('refacturacion')
    .values(passed.map(({ ordenId, globalId }) => ({ ordenId, globalId, effectId })))
    .onConflict((same) => same.columns(['ordenId', 'globalId']).doUpdateSet({ effectId, facturaId: null }))
    .execute();
  return passed.map(({ ordenId }) => ordenId);
}

/** Names the stamped factura in its rows of `refacturacion`; from then on the sale is in the list of that name. */
export async function settleRefacturacion(trx: Trx, effectId: string, facturaId: string): Promise<void> {
  await trx.updateTable('refacturacion').set({ facturaId }).where('effectId', '=', effectId).execute();
}

type DeNota = { facturaId: string; ordenId: string; parcial: boolean };
/** A document that got sales back, and how many. */
export type Devuelta = { facturaId: string; ventas: number };

/**
 * The documents that charge for an orden, as `fo` and `f`. A factura charges until it is cancelled, and a standing credit note of the whole
 * takes the sale out of it. A note that is being stamped or cancelled may come out either way: meanwhile its factura holds the sale.
 */
const EN_PIE = sql`factura_orden fo
      join factura f on f.id = fo.factura_id and f.estatus <> 'cancelada' and not exists (
        select from nota_credito_orden n join factura nota on nota.id = n.nota_id and nota.estatus = 'vigente'
        where n.factura_id = fo.factura_id and n.orden_id = fo.orden_id and not n.parcial
      )`;
/** Order of preference among several: the customer's own first, and of those the latest. */
const PREFERRED = sql`fo.orden_id, (f.tipo = 'individual') desc, f.fecha_timbrado desc`;

/**
 * Lets go the sales of a document that was refused or cancelled. Each passes to the document that still charges for it (the factura that
 * was replaced, the global it had been in) and is free without one. Returns the number of free ordenes and the documents that got sales
 * back.
 */
export async function freeClaims(trx: Trx, effectId: string): Promise<{ libres: number; devueltas: Devuelta[] }> {
  await sql`select 1 from refacturacion where effect_id = ${effectId} order by id for update`.execute(trx);
  // A second statement sees a credit note that was accepted while the first one waited for the rows.
  const { rows: devueltas } = await sql<Devuelta>`
    with en_pie as (
      select distinct on (fo.orden_id) fo.orden_id, f.id, f.tipo, f.effect_id
      from ${EN_PIE}
      where fo.orden_id in (select orden_id from fiscal_claim where effect_id = ${effectId})
        and f.effect_id <> ${effectId}
      order by ${PREFERRED}
    ), given as (
      update fiscal_claim c
      set kind = en_pie.tipo, effect_id = en_pie.effect_id, factura_id = en_pie.id, claimed_at = now()
      from en_pie where c.orden_id = en_pie.orden_id
      returning en_pie.id
    )
    select id as factura_id, count(*)::int as ventas from given group by id`.execute(trx);
  // The global still owes its note while the customer has another factura of the sale.
  await sql`
    update refacturacion r set effect_id = c.effect_id, factura_id = c.factura_id
    from fiscal_claim c
    where r.effect_id = ${effectId} and c.orden_id = r.orden_id
      and c.kind = 'individual' and c.effect_id <> ${effectId}`.execute(trx);
  await sql`
    delete from refacturacion r
    where r.effect_id = ${effectId} and not exists (
      select from nota_credito_orden n where n.factura_id = r.global_id and n.orden_id = r.orden_id and not n.parcial
    )`.execute(trx);
  const libres = await trx.deleteFrom('fiscalClaim').where('effectId', '=', effectId).returning('ordenId').execute();
  return { libres: libres.length, devueltas };
}

/** Gives ordenes without a claim to the document that charges for them, where there is one. */
export async function holdClaims(trx: Trx, ordenIds: string[]): Promise<void> {
  if (ordenIds.length === 0) return;
  await sql`insert into fiscal_claim (orden_id, kind, effect_id, factura_id)
    select distinct on (fo.orden_id) fo.orden_id, f.tipo, f.effect_id, f.id from ${EN_PIE}
    where fo.orden_id = any(${ordenIds}::uuid[]) order by ${PREFERRED}
    on conflict (orden_id) do nothing`.execute(trx);
}

/**
 * Settles a credit note that stands: a sale that its factura held until then is free, or passes to its other document. A note of a part
 * leaves the sale where it is.
 */
export async function letGoOfNota(trx: Trx, notaId: string): Promise<void> {
  await lockRefacturacion(trx, sql`select orden_id from nota_credito_orden where nota_id = ${notaId}`);
  const { rows } = await sql<{ ordenId: string }>`
    delete from fiscal_claim c using nota_credito_orden n, refacturacion r
    where n.nota_id = ${notaId} and not n.parcial and r.orden_id = n.orden_id and r.global_id = n.factura_id
      and c.orden_id = n.orden_id and c.factura_id = n.factura_id
    returning c.orden_id`.execute(trx);
  await holdClaims(
    trx,
    rows.map(({ ordenId }) => ordenId),
  );
}

/**
 * Undoes a credit note that was refused or cancelled: its factura charges for the sales again, and a global owes another note for those
 * that a customer's factura holds. A note of a part never let a sale go.
 */
export async function undoNota(trx: Trx, acreditadas: readonly DeNota[]): Promise<void> {
  const ventas = acreditadas.filter(({ parcial }) => !parcial);
  if (ventas.length === 0) return;
  const [facturaIds, ordenIds] = [ventas.map(({ facturaId }) => facturaId), ventas.map(({ ordenId }) => ordenId)];
  const pairs = sql`unnest(${facturaIds}::uuid[], ${ordenIds}::uuid[]) p (factura_id, orden_id)`;
  await lockRefacturacion(trx, sql`select unnest(${ordenIds}::uuid[])`);
  await sql`delete from refacturacion r using ${pairs}
    where r.global_id = p.factura_id and r.orden_id = p.orden_id
      and not exists (select from fiscal_claim c where c.orden_id = r.orden_id and c.effect_id = r.effect_id)`.execute(
    trx,
  );
  await holdClaims(trx, ordenIds);
  await holdClaims(
    trx,
    ventas.map(({ ordenId }) => ordenId),
  );
  await sql`insert into refacturacion (orden_id, global_id, effect_id, factura_id)
    select c.orden_id, g.id, c.effect_id, c.factura_id from ${pairs}
      join factura g on g.id = p.factura_id and g.tipo = 'global' and g.estatus <> 'cancelada'
      join fiscal_claim c on c.orden_id = p.orden_id and c.kind = 'individual'
    on conflict (orden_id, global_id) do update
      set effect_id = excluded.effect_id, factura_id = excluded.factura_id`.execute(trx);
}

/**
 * Locks rows of `refacturacion`. A note and a factura of the same sale may end at once: the second waits here, and its next statement sees
 * what the first wrote.
 */
async function lockRefacturacion(trx: Trx, ordenIds: RawBuilder<unknown>): Promise<void> {
  await sql`select 1 from refacturacion where orden_id in (${ordenIds}) order by id for update`.execute(trx);
}

/** Locks the ordenes of a credit note and returns their ids, in the order in which invoicing locks them. Nobody claims them until the transaction ends. */
export async function lockOrdenesOfNota(trx: Trx, notaId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orden where id in (select orden_id from nota_credito_orden where nota_id = ${notaId})
      order by fecha_creacion, market_id for no key update`.execute(trx);
  return rows.map(({ id }) => id);
}
