import { sql } from 'kysely';
import { z } from 'zod';
import { Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { Anotacion, Regla } from './conciliacionForm';
import { DEPOSITO_DIFIERE, VENTA_DIFIERE } from './internal/difiere.server';
import { NOMBRE_DE_SUELTO } from './internal/gatherSueltos.server';

/** Returns the rule of differences: `tolerancia` in pesos, and `dias` after which a report that did not come is late. */
export async function readRegla(db: Db | Trx) {
  return await db.selectFrom('conciliacionRegla').select(['tolerancia', 'dias', 'version']).executeTakeFirstOrThrow();
}

/** Saves the tolerance, with a line of the audit trail. Throws Stale when the rule moved since the screen showed it. */
export async function saveRegla(trx: Trx, { tolerancia, version }: Regla, usuarioId: string): Promise<void> {
  const saved = await trx
    .updateTable('conciliacionRegla')
    .set({ tolerancia, version: sql<number>`version + 1` })
    .where('version', '=', version)
    .executeTakeFirst();
  if (saved.numUpdatedRows === 0n) throw new Stale();
  await record(trx, {
    usuarioId,
    entidad: 'conciliacionRegla',
    entidadId: 'tolerancia',
    accion: 'editar',
    datos: { tolerancia },
  });
}

/**
 * Writes the note on a difference, with a line of the audit trail. The first person and date of asking stay until the mark is taken away. Throws Stale
 * when the row moved since the screen showed it.
 */
export async function note(
  trx: Trx,
  que: 'conciliacion' | 'deposito',
  { id, version, motivo, reclamado }: Anotacion,
  usuarioId: string,
): Promise<void> {
  const fields = {
    motivo: motivo || null,
    reclamadoEn: reclamado ? sql<Date>`coalesce(reclamado_en, now())` : null,
    reclamadoPor: reclamado ? sql<string>`coalesce(reclamado_por, ${usuarioId}::uuid)` : null,
    version: sql<number>`version + 1`,
  };
  const saved =
    que === 'conciliacion'
      ? await trx
          .updateTable('conciliacion')
          .set(fields)
          .where('ordenId', '=', id)
          .where('version', '=', version)
          .executeTakeFirst()
      : await trx
          .updateTable('deposito')
          .set(fields)
          .where('id', '=', id)
          .where('version', '=', version)
          .executeTakeFirst();
  if (saved.numUpdatedRows === 0n) throw new Stale();
  await record(trx, {
    usuarioId,
    entidad: que,
    entidadId: id,
    accion: 'anotar',
    datos: { motivo, reclamado: reclamado === '1' },
  });
}

/** Most movements that a panel shows. */
const MOVIMIENTOS = 200;

const movimientos = (db: Db | Trx) =>
  db
    .selectFrom('movimiento as m')
    .leftJoin('orden', 'orden.id', 'm.ordenId')
    .leftJoin('suelto', (on) =>
      on
        .onRef('suelto.market', '=', 'm.market')
        .on('m.ordenId', 'is', null)
        .on('m.concepto', '<>', 'reserva')
        .on('suelto.clave', '=', NOMBRE_DE_SUELTO),
    )
    .select(['m.id', 'm.concepto', 'm.importe', 'm.fecha', 'm.detalle', 'm.ordenId', 'orden.numOrden'])
    .select('suelto.id as sueltoId')
    .orderBy('m.fecha')
    .orderBy('m.id')
    .limit(MOVIMIENTOS);

/** Returns a deposit with its movements by concept and line by line, at most `MOVIMIENTOS` lines; null when no deposit has that id. */
export async function readDeposito(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return null;
  const deposito = await db
    .selectFrom('deposito')
    .leftJoin('usuario', 'usuario.id', 'deposito.reclamadoPor')
    .selectAll('deposito')
    .select('usuario.usuario as quien')
    .select(DEPOSITO_DIFIERE.as('difiere'))
    .where('deposito.id', '=', id)
    .executeTakeFirst();
  if (!deposito) return null;
  const [conceptos, lineas] = await Promise.all([
    db
      .selectFrom('movimiento')
      .select(['concepto', sql<number>`count(*)::int`.as('cuantos'), sql<string>`sum(importe)`.as('importe')])
      .where('depositoId', '=', id)
      .groupBy('concepto')
      .orderBy('concepto')
      .execute(),
    movimientos(db).where('m.depositoId', '=', id).execute(),
  ]);
  return { ...deposito, conceptos, lineas };
}

/** Returns a deposit with the sum of each sale in it, the largest first, and of what is of no sale; null when no deposit has that id. */
export async function readVentasDeDeposito(db: Db | Trx, id: string) {
  const deposito = await readDeposito(db, id);
  if (!deposito) return null;
  const sumas = await db
    .selectFrom('movimiento')
    .leftJoin('orden', 'orden.id', 'movimiento.ordenId')
    .select(['movimiento.ordenId', 'orden.numOrden', sql<Money>`sum(movimiento.importe)`.as('importe')])
    .where('movimiento.depositoId', '=', id)
    .groupBy(['movimiento.ordenId', 'orden.numOrden'])
    .orderBy(sql`sum(movimiento.importe)`, 'desc')
    .orderBy('movimiento.ordenId')
    .execute();
  return {
    ...deposito,
    ventas: sumas.flatMap(({ ordenId, numOrden, importe }) =>
      ordenId ? [{ ordenId, numOrden: numOrden!, importe }] : [],
    ),
    sinVenta: sumas.find(({ ordenId }) => ordenId === null)?.importe ?? Money.zero,
  };
}

/** Returns a reconciled sale: expected and real figures, and at most `MOVIMIENTOS` movements; null when the sale has none. */
export async function readConciliada(db: Db | Trx, ordenId: string) {
  if (!z.uuid().safeParse(ordenId).success) return null;
  const venta = await db
    .selectFrom('conciliacion')
    .innerJoin('orden', 'orden.id', 'conciliacion.ordenId')
    .leftJoin('deposito', 'deposito.id', 'conciliacion.depositoId')
    .leftJoin('usuario', 'usuario.id', 'conciliacion.reclamadoPor')
    .selectAll('conciliacion')
    .select(['orden.numOrden', 'orden.titulo', 'deposito.fecha as depositadaEn', 'usuario.usuario as quien'])
    .select(VENTA_DIFIERE.as('difiere'))
    .where('conciliacion.ordenId', '=', ordenId)
    .executeTakeFirst();
  if (!venta) return null;
  const lineas = await movimientos(db).where('m.ordenId', '=', ordenId).execute();
  return { ...venta, lineas };
}
