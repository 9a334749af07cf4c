import { sql } from 'kysely';
import { expect } from 'vitest';
import { Repetidas } from '~/platform/effects/late.server';
import { unresolved } from '~/platform/effects/resolve.server';
import type { Db } from '~db/client.server';
import type { SandboxClient } from '../../support/sandboxClient';

/** `envios` counts the calls to stamp that may have reached the PAC, those it said no to among them. */
export type Known = { timbres: number; facturas: number; rechazadas: number; tablero: number; envios: number };

async function stampEffects(db: Db) {
  const { rows } = await sql<{
    id: string;
    ref: string;
    state: string;
    envios: number;
    finds: number;
    reason: string | null;
    numOrden: string;
    total: string;
    rfc: string;
    watched: boolean;
  }>`
    select id, ref, state, finds, reason,
      (select count(*)::int from effect_attempt s where s.effect_id = effect.id and s.kind = 'send' and s.phase = 'started' and not exists (
        select from effect_attempt e where e.effect_id = s.effect_id and e.owner = s.owner and e.phase = 'ended' and e.outcome in ('not-sent', 'account'))) as envios, request ->> 'numOrden' as num_orden, request #>> '{cfdi,total}' as total, request #>> '{cfdi,receptor,rfc}' as rfc,
      look_again_at is not null or late_evidence is not null as watched
    from effect where type = 'cfdi.stamp'`.execute(db);
  return rows;
}

/**
 * What must hold after every run, whatever happened in it: no sale with two CFDI, no CFDI there that is not known here, none here
 * that is not there, and no doubt that people cannot see.
 */
export async function expectNothingUnknown(
  db: Db,
  sandbox: SandboxClient,
  /** A second CFDI of a sale may live while the board names it. */
  { repetidas = 'none' }: { repetidas?: 'none' | 'told' } = {},
): Promise<Known> {
  const [stamps, facturas, effects, claims, board] = await Promise.all([
    sandbox.facturacom.stamped(),
    db
      .selectFrom('factura')
      .select(['id', 'uuid', 'uid', 'effectId', 'numOrden', 'rfc', 'total', 'serie', 'folio', 'estatus'])
      .execute(),
    stampEffects(db),
    db.selectFrom('fiscalClaim').select(['ordenId', 'effectId', 'facturaId']).execute(),
    unresolved(db).selectAll().execute(),
  ]);
  const told = new Set(
    repetidas === 'none'
      ? []
      : board.flatMap(({ lateEvidence }) => {
          const alarma = Repetidas.safeParse(lateEvidence).data;
          // Of those of which none is known, all but one.
          return alarma ? alarma.repetidas.slice(alarma.vigente ? 0 : 1).map(({ uuid }) => uuid) : [];
        }),
  );
  const live = stamps.filter(({ estado, type, UUID }) => estado !== 'cancelada' && type === 'I' && !told.has(UUID));
  const numOrdenOf = new Map(effects.map(({ ref, numOrden }) => [ref, numOrden]));
  const sales = live.map(({ NumOrder }) => numOrdenOf.get(NumOrder) ?? NumOrder);
  expect(
    sales.filter((numOrden, at) => sales.indexOf(numOrden) !== at),
    'sales with more than one live CFDI',
  ).toEqual([]);

  const known = new Set(facturas.map(({ uuid }) => uuid));
  const open = effects.filter(({ state }) => ['queued', 'sending', 'unknown', 'manual'].includes(state));
  // A no after a call that nobody answered: what arrives late is looked for, and shown.
  const openRefs = new Set([...open, ...effects.filter(({ watched }) => watched)].map(({ ref }) => ref));
  expect(
    stamps.filter(
      ({ UUID, NumOrder, estado }) =>
        !known.has(UUID) && !openRefs.has(NumOrder) && !told.has(UUID) && estado !== 'cancelada',
    ),
    'stamped there, unknown here',
  ).toEqual([]);

  const there = new Map(stamps.map((stamp) => [stamp.UUID, stamp]));
  const asHere = facturas.map((factura) => ({
    UUID: factura.uuid,
    uid: factura.uid,
    RFC: factura.rfc,
    total: factura.total.toFixed(2),
    serie: factura.serie,
    folio: factura.folio,
    NumOrder: refOf(factura.effectId),
  }));
  expect(
    asHere.map(({ UUID }) => {
      const { uid, RFC, total, serie, folio, NumOrder } = there.get(UUID) ?? {};
      return { UUID, uid, RFC, total, serie, folio, NumOrder };
    }),
    'the PAC says the same',
  ).toEqual(asHere);
  function refOf(effectId: string) {
    return effects.find(({ id }) => id === effectId)?.ref;
  }

  const wanted = new Map(effects.map((effect) => [effect.id, effect]));
  expect(
    facturas.filter(
      ({ effectId, total, rfc }) =>
        wanted.get(effectId)?.total !== total.toFixed(2) || wanted.get(effectId)?.rfc !== rfc,
    ),
    'stamped as asked',
  ).toEqual([]);
  const stampedBy = new Set(facturas.map(({ effectId }) => effectId));
  expect(
    effects.filter(({ id, state }) => (state === 'done') !== stampedBy.has(id)),
    'done means a factura, and only done',
  ).toEqual([]);

  await expectClaims(db, claims, new Set(open.map(({ id }) => id)));
  const onBoard = new Set(board.map(({ id }) => id));
  expect(
    open.filter(({ id }) => !onBoard.has(id)),
    'unresolved and not on the board',
  ).toEqual([]);

  return {
    timbres: live.length,
    facturas: facturas.length,
    rechazadas: effects.filter(({ state }) => state === 'refused').length,
    tablero: open.length,
    envios: effects.reduce((sum, { envios }) => sum + envios, 0),
  };
}

/** A claim belongs to a factura or to a stamp that may still become one; a living factura holds every orden it covers. */
async function expectClaims(
  db: Db,
  claims: { ordenId: string; effectId: string; facturaId: string | null }[],
  open: Set<string>,
) {
  expect(
    claims.filter(({ facturaId, effectId }) => facturaId === null && !open.has(effectId)),
    'claims of nobody',
  ).toEqual([]);
  const { rows } = await sql<{ folio: number; ordenId: string }>`
    select f.folio, fo.orden_id from factura f join factura_orden fo on fo.factura_id = f.id
    left join fiscal_claim c on c.orden_id = fo.orden_id and c.factura_id = f.id and c.effect_id = f.effect_id
    where f.estatus <> 'cancelada' and c.orden_id is null`.execute(db);
  expect(rows, 'facturas that do not hold their ordenes').toEqual([]);
}

/** How many calls began and never came to an end that somebody wrote down: their process died, or its database did. */
export async function interrupted(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from effect_attempt s join effect e on e.id = s.effect_id
    where s.phase = 'started' and e.type = 'cfdi.stamp'
      and not exists (select from effect_attempt d where d.effect_id = s.effect_id and d.owner = s.owner and d.phase = 'ended')`.execute(
    db,
  );
  return rows[0]!.n;
}
