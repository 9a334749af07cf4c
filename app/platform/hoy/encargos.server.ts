import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';

/** Whose a thing is, and until when nobody wants to see it. What waits is told by its room; this is what people said about it. */
type Cual = { cola: string; cosa: string };

export type Dueno = { id: string; nombre: string };
export type Pospuesta = Cual & { hasta: Date; motivo: string; por: string | null };

const nombre = (tabla: string) =>
  sql<string>`trim(${sql.ref(`${tabla}.nombre`)} || ' ' || ${sql.ref(`${tabla}.apellidos`)})`;

/** What is put aside now, of every kind. */
export async function listPospuestas(db: Db, ahora: Date): Promise<Pospuesta[]> {
  const rows = await db
    .selectFrom('encargo')
    .leftJoin('usuario', 'usuario.id', 'encargo.pospuestaPor')
    .select(['cola', 'cosa', 'pospuestaHasta as hasta', 'motivo', nombre('usuario').as('por')])
    .where('pospuestaHasta', '>', ahora)
    .execute();
  return rows.map(({ hasta, motivo, ...row }) => ({ ...row, hasta: hasta!, motivo: motivo ?? '' }));
}

/** Whose these things are, by `clave`; what is nobody's is left out. */
export async function duenosOf(db: Db, cuales: readonly Cual[]): Promise<Map<string, Dueno>> {
  if (cuales.length === 0) return new Map();
  const rows = await db
    .selectFrom('encargo')
    .innerJoin('usuario', 'usuario.id', 'encargo.duenoId')
    .select(['cola', 'cosa', 'usuario.id', nombre('usuario').as('nombre')])
    .where(
      sql<boolean>`(cola, cosa) in (select * from unnest(${cuales.map(({ cola }) => cola)}::text[], ${cuales.map(({ cosa }) => cosa)}::text[]))`,
    )
    .execute();
  return new Map(rows.map(({ cola, cosa, ...dueno }) => [claveOf({ cola, cosa }), dueno]));
}

export const claveOf = ({ cola, cosa }: Cual) => `${cola}:${cosa}`;

/** Mine from now on. Refused when it is somebody else's than the screen said. */
export async function takeEncargo(trx: Trx, cual: Cual, de: string | null, usuarioId: string): Promise<void> {
  await lock(trx, cual);
  const dueno = (await duenosOf(trx, [cual])).get(claveOf(cual));
  if (dueno && dueno.id !== de && dueno.id !== usuarioId)
    throw new NotAllowed('Hoy', `${dueno.nombre} lo tomó mientras lo veías.`);
  await write(trx, cual, { duenoId: usuarioId });
  await tell(trx, cual, usuarioId, 'tomar');
}

/** Somebody else's. Whoever gets it works here and may open where it is seen to. */
export async function giveEncargo(
  trx: Trx,
  cual: Cual,
  a: string,
  roles: readonly string[],
  usuarioId: string,
): Promise<Dueno> {
  const quien = await trx
    .selectFrom('usuario')
    .select(['id', nombre('usuario').as('nombre')])
    .where('id', '=', a)
    .where('activo', '=', true)
    .where('rol', 'in', roles as never)
    .executeTakeFirst();
  if (!quien) throw new NotAllowed('Hoy', 'Esa persona no puede atenderlo.', { campo: 'usuario' });
  await lock(trx, cual);
  await write(trx, cual, { duenoId: quien.id });
  await tell(trx, cual, usuarioId, 'dar', { a: quien.id });
  return quien;
}

/** Nobody's again. */
export async function releaseEncargo(trx: Trx, cual: Cual, usuarioId: string): Promise<void> {
  await write(trx, cual, { duenoId: null });
  await tell(trx, cual, usuarioId, 'soltar');
}

/** Out of sight until then. It comes back by itself. */
export async function postponeEncargo(
  trx: Trx,
  cual: Cual,
  { hasta, motivo }: { hasta: Date; motivo: string },
  usuarioId: string,
): Promise<void> {
  await write(trx, cual, { pospuestaHasta: hasta, motivo, pospuestaPor: usuarioId });
  await tell(trx, cual, usuarioId, 'posponer', { hasta: hasta.toISOString(), motivo });
}

export async function resumeEncargo(trx: Trx, cual: Cual, usuarioId: string): Promise<void> {
  await write(trx, cual, { pospuestaHasta: null, motivo: null, pospuestaPor: null });
  await tell(trx, cual, usuarioId, 'reanudar');
}

/** Who may be given a thing, by name. */
export async function listQuienes(db: Db, roles: readonly string[]): Promise<Dueno[]> {
  return db
    .selectFrom('usuario')
    .select(['id', nombre('usuario').as('nombre')])
    .where('activo', '=', true)
    .where('rol', 'in', roles as never)
    .orderBy('nombre')
    .orderBy('id')
    .execute();
}

type Change = {
  duenoId?: string | null;
  pospuestaHasta?: Date | null;
  motivo?: string | null;
  pospuestaPor?: string | null;
};

/** Two who take the same thing wait for each other here. */
async function lock(trx: Trx, cual: Cual) {
  await trx
    .insertInto('encargo')
    .values(cual)
    .onConflict((on) => on.doNothing())
    .execute();
  await trx
    .selectFrom('encargo')
    .select('cola')
    .where('cola', '=', cual.cola)
    .where('cosa', '=', cual.cosa)
    .forUpdate()
    .execute();
}

async function write(trx: Trx, cual: Cual, change: Change) {
  const now = { ...change, actualizadoEn: sql<Date>`now()` };
  await trx
    .insertInto('encargo')
    .values({ ...cual, ...now })
    .onConflict((on) => on.columns(['cola', 'cosa']).doUpdateSet(now))
    .execute();
}

const tell = (trx: Trx, cual: Cual, usuarioId: string, accion: string, datos?: Record<string, unknown>) =>
  record(trx, { usuarioId, entidad: 'encargo', entidadId: claveOf(cual), accion, ...(datos && { datos }) });
