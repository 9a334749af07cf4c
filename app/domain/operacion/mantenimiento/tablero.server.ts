import { sql } from 'kysely';
import { env } from '~/core/env.server';
import type { EffectCatalog, Entidad } from '~/platform/effects/definition';
import {
  countUnresolved,
  decideDesde,
  HUELLA_DE_DECISION,
  summariesOf,
  unresolved,
} from '~/platform/effects/resolve.server';
import { Repetidas } from '~/platform/effects/late.server';
import { facturasPorAtender } from '~/domain/facturacion/cancelacion/porAtender.server';
import { listSinTimbrar } from '~/domain/facturacion/publico/sinTimbrar.server';
import type { Db } from '~db/client.server';

/** The board shows the oldest first, and as many as anybody would decide in a day. */
export const MAX = 100;

/** Counts for the menu what waits in 'Pendientes': calls of uncertain outcome, corrections that stay half done, and facturas that were not stamped. */
export async function countPendientes(db: Db): Promise<number> {
  const [efectos, correcciones, sinTimbrar] = await Promise.all([
    countUnresolved(db),
    facturasPorAtender(db),
    listSinTimbrar(db),
  ]);
  return efectos + correcciones.length + sinTimbrar.length;
}

/** The thing that a call is about, and the screen that shows it. */
export type Asunto = { texto: string; pantalla: string | null };

/** The row of this kind that a call is about; of several, one. */
const rowOf = (entidad: Entidad) => sql`min(entidad_id) filter (where entidad = ${sql.lit(entidad)})`;

/** The calls that wait for a person, with what each is about. */
const pendientes = (db: Db) =>
  unresolved(db)
    .innerJoinLateral(
      () =>
        sql<{
          facturaId: string | null;
          notaId: string | null;
          ordenId: string | null;
          envioId: string | null;
          enlaceId: string | null;
          mes: string | null;
        }>`(select ${rowOf('factura')}::uuid as factura_id, ${rowOf('notaSencilla')}::uuid as nota_id, ${rowOf('orden')}::uuid as orden_id,
            ${rowOf('envio')}::uuid as envio_id, ${rowOf('enlace')}::uuid as enlace_id, ${rowOf('mes')} as mes
          from effect_subject where effect_id = effect.id)`.as('de'),
      (join) => join.onTrue(),
    )
    .leftJoin('factura', 'factura.id', 'de.facturaId')
    .leftJoin('notaSencilla', 'notaSencilla.id', 'de.notaId')
    .leftJoin('enlace', 'enlace.id', 'de.enlaceId')
    .leftJoinLateral(
      () =>
        sql<{ id: string; numOrden: string }>`(
      select id, num_orden from orden where id = de.orden_id
      union all select id, num_orden from orden where envio_id = de.envio_id
      union all select id, num_orden from orden where num_orden = enlace.num_orden and market = enlace.market
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
      sql<
        string | null
      >`coalesce(effect.late_evidence ->> 'uuid', effect.late_evidence ->> 'folio', effect.result ->> 'uuid')`.as(
        'uuid',
      ),
      'effect.lateEvidence',
      HUELLA_DE_DECISION.as('huella'),
      decideDesde(env().EFFECT_PACE).as('decideDesde'),
      sql<boolean>`effect.state = 'manual' and effect.result is null and effect.late_evidence is null`.as('sinRastro'),
      'factura.id as facturaId',
      sql<string | null>`factura.serie || '-' || factura.folio`.as('folio'),
      sql<string | null>`nota_sencilla.serie || '-' || nota_sencilla.folio`.as('notaFolio'),
      'venta.id as ordenId',
      'venta.numOrden',
      'de.mes',
    ]);

/** The oldest, and how many there are in all. */
export async function readTablero(db: Db, catalog: EffectCatalog) {
  const rows = await pendientes(db).orderBy('effect.createdAt').limit(MAX).execute();
  return {
    filas: await toFilas(db, catalog, rows),
    total: rows.length < MAX ? rows.length : await countUnresolved(db),
  };
}

/** The oldest, each in few words. */
export async function listPendientes(
  db: Db,
): Promise<{ id: string; asunto: string; reason: string | null; createdAt: Date }[]> {
  const rows = await pendientes(db).orderBy('effect.createdAt').limit(MAX).execute();
  return rows.map(({ id, reason, createdAt, ref, ...row }) => ({
    id,
    asunto: asuntoOf(row)?.texto ?? ref,
    reason,
    createdAt,
  }));
}

/** Returns the call that a screen leads to, however many are older; null when the call waits for nobody any more. */
export async function readPendiente(db: Db, catalog: EffectCatalog, effectId: string) {
  const rows = await pendientes(db).where('effect.id', '=', effectId).execute();
  const [fila] = await toFilas(db, catalog, rows);
  return fila ?? null;
}

type Row = Awaited<ReturnType<ReturnType<typeof pendientes>['execute']>>[number];

async function toFilas(db: Db, catalog: EffectCatalog, rows: Row[]) {
  const agentes = await agentesOf(
    db,
    rows.filter(({ lateEvidence }) => lateEvidence !== null),
  );
  const summaries = await summariesOf(
    db,
    catalog,
    rows.map(({ id }) => id),
  );
  return rows.map(({ facturaId, folio, notaFolio, ordenId, numOrden, mes, lateEvidence, ...row }) => {
    const { que = '', rfc = null, total = null, emails = [] } = summaries.get(row.id) ?? {};
    return {
      ...row,
      alarma: Repetidas.safeParse(lateEvidence).data ?? null,
      agentes: agentes.filter(({ proveedor }) => proveedor === row.connection),
      asunto: asuntoOf({ facturaId, folio, notaFolio, ordenId, numOrden, mes }) ?? { texto: que, pantalla: null },
      rfc,
      total,
      emails: emails.join(', ') || null,
    };
  });
}

/** The people of a supplier who are written to when something was bought twice there. */
async function agentesOf(db: Db, repetidas: readonly Pick<Row, 'connection'>[]) {
  if (repetidas.length === 0) return [];
  return db
    .selectFrom('agenteVenta')
    .select(['proveedor', 'email', 'telefono', sql<string>`concat_ws(' ', nombre, apellidos)`.as('nombre')])
    .where('activo', '=', true)
    .where('proveedor', 'in', [...new Set(repetidas.map(({ connection }) => connection))])
    .orderBy('email')
    .execute();
}

function asuntoOf({
  facturaId,
  folio,
  notaFolio,
  ordenId,
  numOrden,
  mes,
}: Pick<Row, 'facturaId' | 'folio' | 'notaFolio' | 'ordenId' | 'numOrden' | 'mes'>): Asunto | undefined {
  if (facturaId) return { texto: `Factura ${folio}`, pantalla: `facturasClientes?ver=${facturaId}` };
  if (notaFolio) return { texto: `Nota ${notaFolio}`, pantalla: 'notasSencillas' };
  if (mes) return { texto: `Factura global de ${mes}`, pantalla: `facturacionGeneral?mes=${mes}` };
  if (ordenId) return { texto: `Orden ${numOrden}`, pantalla: `ordenes?ver=${ordenId}` };
  return undefined;
}
