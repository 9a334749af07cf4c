import { sql } from 'kysely';
import { expect } from 'vitest';
import { unresolved } from '~/platform/effects/resolve.server';
import type { Db } from '~db/client.server';
import type { SandboxClient } from '../../support/sandboxClient';

/**
 * What must hold after any run with globals, facturas and credit notes: the PAC has what we have; no sale is in two living documents,
 * but for one that passed from a stamped global to its customer's factura and stands in Refacturacion; no credit note twice.
 */
export async function expectMonthInOrder(db: Db, sandbox: SandboxClient) {
  const [stamps, facturas, board] = await Promise.all([
    sandbox.facturacom.stamped(),
    db
      .selectFrom('factura')
      .innerJoin('effect', 'effect.id', 'factura.effectId')
      .select(['uuid', 'tipo', 'estatus', 'effect.ref', 'factura.total'])
      .execute(),
    unresolved(db).selectAll().execute(),
  ]);
  const key = (uuid: string, ref: string, total: string, estado: string) => `${uuid} ${ref} ${total} ${estado}`;
  expect(
    stamps.map((stamp) => key(stamp.UUID, stamp.NumOrder, stamp.total, stamp.estado)).toSorted(),
    'the PAC and we say the same',
  ).toEqual(
    facturas.map((factura) => key(factura.uuid, factura.ref, factura.total.toFixed(2), factura.estatus)).toSorted(),
  );

  const { rows: twice } = await sql<{ numOrden: string; documentos: string }>`
    select o.num_orden, string_agg(f.serie || '-' || f.folio || ' ' || f.tipo, ', ') as documentos
    from factura_orden fo join factura f on f.id = fo.factura_id join orden o on o.id = fo.orden_id
    where f.estatus <> 'cancelada' and f.tipo <> 'notaCredito'
    group by o.id, o.num_orden having count(*) > 1
      and not (count(*) = 2 and exists (select from refacturacion r where r.orden_id = o.id and r.factura_id is not null))`.execute(
    db,
  );
  expect(twice, 'sales in two living documents').toEqual([]);

  const { rows: loose } = await sql<{ id: string }>`
    select o.id from orden o join fiscal_claim c on c.orden_id = o.id join effect e on e.id = c.effect_id
    where (c.factura_id is null) <> (e.state in ('queued', 'sending', 'unknown', 'manual')) or e.state in ('refused', 'cancelled')`.execute(
    db,
  );
  expect(loose, 'claims of nobody').toEqual([]);

  const { rows: over } = await sql<{ folio: number }>`
    select f.folio from factura f join nota_credito_orden n on n.factura_id = f.id group by f.id having sum(n.importe) > f.total`.execute(
    db,
  );
  expect(over, 'credited more than charged').toEqual([]);
  const { rows: unequal } = await sql<{ folio: number }>`
    select nota.folio from factura nota join nota_credito_orden n on n.nota_id = nota.id where nota.estatus <> 'cancelada' group by nota.id having sum(n.importe) <> nota.total`.execute(
    db,
  );
  expect(unequal, 'credit notes of another amount than what they take back').toEqual([]);
  const live = stamps.filter(({ estado }) => estado !== 'cancelada');
  expect(board).toEqual([]);
  return {
    globales: facturas.filter(({ tipo, estatus }) => tipo === 'global' && estatus !== 'cancelada').length,
    individuales: facturas.filter(({ tipo, estatus }) => tipo === 'individual' && estatus !== 'cancelada').length,
    notas: live.filter(({ type }) => type === 'E').length,
  };
}
