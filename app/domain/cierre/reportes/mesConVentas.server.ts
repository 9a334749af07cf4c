import { sql } from 'kysely';
import { civilDay, mesBefore, monthRange } from '~/core/time';
import type { Db } from '~db/client.server';

/** Returns the month with which a report opens, as '2026-11': the current one, or the one before it while only that one has sales. */
export async function readMesConVentas(db: Db, now = new Date()): Promise<string> {
  const mes = civilDay(now).slice(0, 7);
  const [este, anterior] = [hasVentas(mes), hasVentas(mesBefore(mes))];
  const { rows } = await sql<{ antes: boolean }>`select not ${este} and ${anterior} as antes`.execute(db);
  return rows[0]!.antes ? mesBefore(mes) : mes;
}

function hasVentas(mes: string) {
  const { from, to } = monthRange(mes);
  return sql`exists (select from orden where fecha_creacion >= ${from} and fecha_creacion < ${to})`;
}
