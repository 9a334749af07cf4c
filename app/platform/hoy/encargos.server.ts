import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';

/**
 * A thing of a queue, by its id. The queue tells what waits; `encargo` keeps what people said about it: its owner, and until when it is put aside.
 */
type Cual = { cola: string; cosa: string };

/** The owner of a thing. */
export type Dueno = { id: string; nombre: string };
/** A thing that was put aside, with the reason and the name of who did. */
export type Pospuesta = Cual & { hasta: Date; motivo: string; por: string | null };

const nombre = (tabla: string) =>
  sql<string>`trim(${sql.ref(`${tabla}.nombre`)} || ' ' || ${sql.ref(`${tabla}.apellidos`)})`;

/** Lists the things of all queues that are put aside now. */
export async function listPospuestas(db: Db, ahora: Date): Promise<Pospuesta[]> {
  const rows = await db
    .selectFrom('encargo')
    .leftJoin('usuario', 'usuario.id', 'encargo.pospuestaPor')
    .select(['cola', 'cosa', 'pospuestaHasta as hasta', 'motivo', nombre('usuario').as('por')])
    .where('pospuestaHasta', '>', ahora)
    .execute();
  return rows.map(({ hasta, motivo, ...row }) => ({ ...row, hasta: hasta!, motivo: motivo ?? '' }));
}

/** Returns the owners of these things, by `claveOf`; things without an owner are left out. */
export async function duenosOf(db: Db, cuales: readonly Cual[]): Promise<Map<string, Dueno>> {
  if (cuales.length === 0) return new Map();
  const rows = await db
    .selectFrom('encargo')
    .innerJoin('usuario', 'usuario.id', 'encargo.duenoId')
    .select(['cola', 'cosa', 'usuario.id', nombre('usuario').as('nombre')])
    .where(
      sql<boolean>`(cola, cosa) in (
        select * from unnest(${cuales.map(({ cola }) => cola)}::text[], ${cuales.map(({ cosa }) => cosa)}::text[]))`,
    )
    .execute();
  return new Map(rows.map(({ cola, cosa, ...dueno }) => [claveOf({ cola, cosa }), dueno]));
}

/** Returns the one text that names a thing among all queues. */
export const claveOf = ({ cola, cosa }: Cual) => `${cola}:${cosa}`;

/** Makes this person the owner of a thing. Throws `NotAllowed` when the owner is neither the one that the screen showed (`de`) nor this person. */
export async function takeEncargo(trx: Trx, cual: Cual, de: string | null, usuarioId: string): Promise<void> {
  await lock(trx, cual);
  const dueno = (await duenosOf(trx, [cual])).get(claveOf(cual));
  if (dueno && dueno.id !== de && dueno.id !== usuarioId)
    throw new NotAllowed('Hoy', `${dueno.nombre} lo tomó mientras lo veías.`);
  await write(trx, cual, { duenoId: usuarioId });
  await tell(trx, cual, usuarioId, 'tomar');
}

/**
 * Gives a thing to another person, and returns who that is. Throws `NotAllowed` unless they are active and have one of `roles`, which may open the
 * screen.
 */
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

/** Takes the owner off a thing. */
export async function releaseEncargo(trx: Trx, cual: Cual, usuarioId: string): Promise<void> {
  await write(trx, cual, { duenoId: null });
  await tell(trx, cual, usuarioId, 'soltar');
}

/** Puts a thing aside until `hasta`; from then on it is shown again by itself. */
export async function postponeEncargo(
  trx: Trx,
  cual: Cual,
  { hasta, motivo }: { hasta: Date; motivo: string },
  usuarioId: string,
): Promise<void> {
  await write(trx, cual, { pospuestaHasta: hasta, motivo, pospuestaPor: usuarioId });
  await tell(trx, cual, usuarioId, 'posponer', { hasta: hasta.toISOString(), motivo });
}

/** Brings a thing back that was put aside. */
export async function resumeEncargo(trx: Trx, cual: Cual, usuarioId: string): Promise<void> {
  await write(trx, cual, { pospuestaHasta: null, motivo: null, pospuestaPor: null });
  await tell(trx, cual, usuarioId, 'reanudar');
}

/** Lists the people who may be given a thing, by name. */
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

/** Locks the row of a thing, and writes it first if there is none: two who take the same thing come one after the other. */
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
