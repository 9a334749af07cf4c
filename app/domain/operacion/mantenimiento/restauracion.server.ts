import { sql } from 'kysely';
import { addDays, civilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { folioOf } from '~/domain/facturacion/cfdi/timbrado.server';
import { pauseConnection } from '~/platform/connections/pause.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { EffectCatalog } from '~/platform/effects/definition';
import { doubtOpenEffects } from '~/platform/effects/restored.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { Db } from '~db/client.server';
import {
  cancelHere,
  keepPorAdoptar,
  monthsBetween,
  pendienteOf,
  takeAll,
  type LectorDeCfdis,
  type Pendiente,
} from './internal/cfdisDelPac.server';

export type Respaldo = { nombre: string; sabeHasta: Date };

/**
 * Marks a database that came back from a backup, before anybody works with it: the database knows nothing of the time since `sabeHasta`. Every connection
 * is paused. An effect that waited to be sent may have been sent since: it is looked for first, and people decide about one that cannot be found.
 */
export async function markRestaurada(db: Db, catalog: EffectCatalog, { nombre, sabeHasta }: Respaldo): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('restauracion').values({ respaldo: nombre, sabeHasta }).execute();
    for (const { kind } of CONNECTIONS.all()) if (CONNECTIONS.isKind(kind)) await pauseConnection(trx, kind);
    await sql`update connection set paused_at = now()`.execute(trx);
    await sql`update empresa set activo = false, version = version + 1 where conexion is not null and activo`.execute(
      trx,
    );
    await doubtOpenEffects(trx, catalog);
    // Of workers that are gone with the machine.
    await sql`delete from worker_heartbeat`.execute(trx);
    await sql`select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker._private_jobs where locked_by is not null))`.execute(
      trx,
    );
    await record(trx, {
      usuarioId: null,
      entidad: 'mantenimiento',
      entidadId: 'restauracion',
      accion: 'restaurar',
      datos: { respaldo: nombre, sabeHasta },
    });
  });
}

export type Conciliacion = {
  conocidas: number;
  /** UUID of the documents that were taken, and of those whose cancellation was. */
  adoptadas: string[];
  canceladas: string[];
  /** Documents that nobody here can explain: their folio, the reason, and the cure. */
  inexplicadas: string[];
};

/**
 * Reads the PAC's months since the backup, with the days before it, and takes what is there and not here: facturas, globals and credit notes by their reference, and
 * cancellations, also of documents of earlier months. Nothing is sent. What cannot be told apart is named, for people, and the sales it may charge wait.
 */
export async function reconcilePac(db: Db, pac: LectorDeCfdis, now = new Date()): Promise<Conciliacion> {
  const last = await db
    .selectFrom('restauracion')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(() => new Error('esta base no volvió de un respaldo'));
  const { conocidas, desconocidas, canceladas } = await readPac(db, pac, { sabeHasta: last.sabeHasta, now });
  const pendientes: Pendiente[] = canceladas.map(({ id, ...cfdi }) => ({
    cfdi,
    adopt: () => cancelHere(db, pac, { ...cfdi, id }),
  }));
  for (const cfdi of desconocidas) pendientes.push(await pendienteOf(db, pac, cfdi));
  const motivos = await takeAll(pendientes);
  const done = (of: readonly CfdiPac[]) => of.filter(({ uuid }) => !motivos.has(uuid)).map(({ uuid }) => uuid);
  const result: Conciliacion = {
    conocidas,
    adoptadas: done(desconocidas),
    canceladas: done(canceladas),
    inexplicadas: pendientes.flatMap(({ cfdi }) => {
      const motivo = motivos.get(cfdi.uuid);
      return motivo === undefined ? [] : [`${folioOf(cfdi)} (${cfdi.uuid}): ${motivo}`];
    }),
  };
  const porAdoptar = pendientes.filter(({ cfdi }) => motivos.has(cfdi.uuid) && !cfdi.cancelada);
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('cfdiPorAdoptar').execute();
    await keepPorAdoptar(trx, porAdoptar);
    const all = (before: unknown, found: string[]) => JSON.stringify([...new Set([...(before as string[]), ...found])]);
    await trx
      .updateTable('restauracion')
      .set({
        conciliadaEn: sql<Date>`now()`,
        adoptadas: all(last.adoptadas, result.adoptadas),
        canceladas: all(last.canceladas, result.canceladas),
        inexplicadas: JSON.stringify(result.inexplicadas),
      })
      .where('id', '=', last.id)
      .execute();
  });
  return result;
}

type Leido = { conocidas: number; desconocidas: CfdiPac[]; canceladas: (CfdiPac & { id: string })[] };

/**
 * A document that the SAT still lets be cancelled may be of this year or of the one before, so their months are read for cancellations. A document that is not here and was
 * stamped before the backup was never ours.
 */
async function readPac(db: Db, pac: LectorDeCfdis, { sabeHasta, now }: { sabeHasta: Date; now: Date }): Promise<Leido> {
  const since = addDays(civilDay(sabeHasta), -4);
  const facturas = await db.selectFrom('factura').select(['id', 'uuid', 'estatus', 'fechaTimbrado']).execute();
  const here = new Map(facturas.map((factura) => [factura.uuid, factura]));
  const vigentes = facturas.flatMap(({ estatus, fechaTimbrado }) =>
    estatus === 'cancelada' ? [] : [civilDay(fechaTimbrado)],
  );
  const oldest = vigentes.reduce((first, day) => (day < first ? day : first), since);
  const cancelable = `${Number(since.slice(0, 4)) - 1}-01-01`;
  const read: Leido = { conocidas: 0, desconocidas: [], canceladas: [] };
  for (const month of monthsBetween(oldest > cancelable ? oldest : cancelable, civilDay(now))) {
    for await (const cfdi of pac.cfdisOfMonth(month)) {
      const known = here.get(cfdi.uuid);
      if (known) read.conocidas += 1;
      if (known?.estatus === 'vigente' && cfdi.cancelada) read.canceladas.push({ ...cfdi, id: known.id });
      if (!known && month >= since.slice(0, 7)) read.desconocidas.push(cfdi);
    }
  }
  return read;
}
