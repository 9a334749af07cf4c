import { sql } from 'kysely';
import { countUnresolved, unresolved } from '~/domain/effects/resolve.server';
import { facturasPorAtender } from '~/domain/cancelacion/porAtender.server';
import type { Db } from '~db/client.server';

/** The board shows the oldest first, and as many as anybody would decide in a day. */
const MAX = 100;

/** What the menu says beside 'Pendientes': calls nobody can be sure of, and corrections that stay half done. */
export async function countPendientes(db: Db): Promise<number> {
  const [efectos, correcciones] = await Promise.all([countUnresolved(db), facturasPorAtender(db)]);
  return efectos + correcciones.length;
}

/** What a call is about, and where an area shows it. */
export type Asunto = { texto: string; pantalla: string | null };

/** The part of a key after its kind, where it is an id of ours. */
const KEY_ID = sql<
  string | null
>`case when split_part(effect.key, ':', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then split_part(effect.key, ':', 2)::uuid end`;

/**
 * The calls that wait for a person, with what each is about: keys name the sale, the factura, the note, the shipment, the link or the customer
 * (`orden:`, `venta:`, `factura:`, `cancelar:`, `nota:`, `envio:`, `enlace:`, `global:`, `cliente:`, `publico:`), and the request tells whom it went to.
 */
const pendientes = (db: Db) =>
  unresolved(db)
    .innerJoinLateral(
      () =>
        sql<{
          kind: string;
          uid: string | null;
          second: string;
          third: string;
        }>`(select split_part(effect.key, ':', 1) as kind, ${KEY_ID} as uid, split_part(effect.key, ':', 2) as second, split_part(effect.key, ':', 3) as third)`.as(
          'k',
        ),
      (join) => join.onTrue(),
    )
    .leftJoin('factura', (join) => join.onRef('factura.id', '=', 'k.uid'))
    .leftJoin('notaSencilla', (join) => join.onRef('notaSencilla.id', '=', 'k.uid'))
    .leftJoin('enlace', (join) => join.onRef('enlace.id', '=', 'k.uid'))
    .leftJoinLateral(
      () =>
        sql<{ id: string; numOrden: string }>`(
      select id, num_orden from orden where k.kind = 'orden' and id = k.uid
      union all select id, num_orden from orden where k.kind = 'envio' and envio_id = k.uid
      union all select id, num_orden from orden where num_orden = coalesce(case when k.kind in ('orden', 'venta') and k.uid is null then k.third end, enlace.num_orden)
      limit 1)`.as('venta'),
      (join) => join.onTrue(),
    )
    .select([
      'effect.id',
      'effect.type',
      'effect.ref',
      'effect.connection',
      'effect.state',
      'effect.reason',
      'effect.detail',
      'effect.createdAt',
      sql<boolean>`effect.late_evidence is not null`.as('tardia'),
      sql<string | null>`coalesce(effect.late_evidence, effect.result) ->> 'uuid'`.as('uuid'),
      'k.kind',
      'k.second',
      'k.third',
      'factura.id as facturaId',
      'venta.id as ordenId',
      'venta.numOrden',
      sql<string | null>`factura.serie || '-' || factura.folio`.as('folio'),
      sql<string | null>`nota_sencilla.serie || '-' || nota_sencilla.folio`.as('notaFolio'),
      sql<string | null>`effect.request -> 'cfdi' -> 'receptor' ->> 'rfc'`.as('rfc'),
      sql<string | null>`effect.request -> 'cfdi' ->> 'total'`.as('total'),
      sql<
        string | null
      >`(select string_agg(value, ', ') from jsonb_array_elements_text(case when jsonb_typeof(effect.request -> 'emails') = 'array' then effect.request -> 'emails' else '[]' end))`.as(
        'emails',
      ),
    ]);

/** The oldest, and how many there are in all. */
export async function readTablero(db: Db) {
  const rows = await pendientes(db).orderBy('effect.createdAt').limit(MAX).execute();
  return { filas: rows.map(toFila), total: rows.length < MAX ? rows.length : await countUnresolved(db) };
}

/** One that a screen leads to, however many are older; null when it waits for nobody any more. */
export async function readPendiente(db: Db, effectId: string) {
  const row = await pendientes(db).where('effect.id', '=', effectId).executeTakeFirst();
  return row ? toFila(row) : null;
}

type Row = Awaited<ReturnType<ReturnType<typeof pendientes>['execute']>>[number];

function toFila({ kind, second, third, facturaId, folio, notaFolio, ordenId, numOrden, ...row }: Row) {
  return { ...row, asunto: asuntoOf({ kind, second, third, facturaId, folio, notaFolio, ordenId, numOrden }) };
}

type Named = {
  kind: string;
  second: string;
  third: string;
  facturaId: string | null;
  folio: string | null;
  notaFolio: string | null;
  ordenId: string | null;
  numOrden: string | null;
};

function asuntoOf({ kind, second, third, facturaId, folio, notaFolio, ordenId, numOrden }: Named): Asunto {
  if (facturaId) return { texto: `Factura ${folio}`, pantalla: `facturasClientes?ver=${facturaId}` };
  if (notaFolio) return { texto: `Nota ${notaFolio}`, pantalla: 'notasSencillas' };
  if (ordenId) return { texto: `Orden ${numOrden}`, pantalla: `ordenes?ver=${ordenId}` };
  if (kind === 'global') return { texto: `Factura global de ${second}`, pantalla: `facturacionGeneral?mes=${second}` };
  return { texto: [second, third].filter(Boolean).join(' · '), pantalla: null };
}
