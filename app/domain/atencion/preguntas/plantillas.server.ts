import { sql } from 'kysely';
import type { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { desconocidas, VARIABLES } from './plantilla';
import type { NuevaPlantilla, PlantillaEditada } from './preguntaForm';

const TITULO = 'Error de actualización.';

/** Lists every template of an answer, by name. */
export const listPlantillas = (db: Db | Trx) =>
  db.selectFrom('plantilla').select(['id', 'nombre', 'texto', 'version']).orderBy('nombre').orderBy('id').execute();

/** Returns the name of a template; null when there is none. */
export const nombreOfPlantilla = async (db: Db, id: string): Promise<string | null> =>
  (await db.selectFrom('plantilla').select('nombre').where('id', '=', id).executeTakeFirst())?.nombre ?? null;

export type Plantilla = Awaited<ReturnType<typeof listPlantillas>>[number];

/** Adds a template, with a line of the audit trail. Throws NotAllowed for a variable that does not exist, and for a taken name. */
export async function createPlantilla(trx: Trx, plantilla: z.output<typeof NuevaPlantilla>, usuarioId: string) {
  requireConocidas(plantilla.texto);
  const row = await trx
    .insertInto('plantilla')
    .values(plantilla)
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) throw repetida();
  await record(trx, { usuarioId, entidad: 'plantilla', entidadId: row.id, accion: 'agregar', datos: plantilla });
}

/** Saves a template, with a line of the audit trail. Throws Stale when the row moved, and NotAllowed as `createPlantilla` or when the template is gone. */
export async function savePlantilla(
  trx: Trx,
  { plantilla: id, version, nombre, texto }: z.output<typeof PlantillaEditada>,
  usuarioId: string,
) {
  requireConocidas(texto);
  await lock(trx, id, version);
  const otra = await trx
    .selectFrom('plantilla')
    .select('id')
    .where(sql<boolean>`f_norm(nombre) = f_norm(${nombre})`)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (otra) throw repetida();
  await trx
    .updateTable('plantilla')
    .set({ nombre, texto, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await record(trx, { usuarioId, entidad: 'plantilla', entidadId: id, accion: 'editar', datos: { nombre, texto } });
}

/** Deletes a template, with a line of the audit trail. Throws Stale when the row moved, and NotAllowed when the template is gone. */
export async function removePlantilla(
  trx: Trx,
  { plantilla: id, version }: { plantilla: string; version: number },
  usuarioId: string,
) {
  const { nombre } = await lock(trx, id, version);
  await trx.deleteFrom('plantilla').where('id', '=', id).execute();
  await record(trx, { usuarioId, entidad: 'plantilla', entidadId: id, accion: 'eliminar', datos: { nombre } });
}

async function lock(trx: Trx, id: string, version: number) {
  const row = await trx
    .selectFrom('plantilla')
    .select(['nombre', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotAllowed(TITULO, 'La plantilla ya no existe.');
  if (row.version !== version) throw new Stale();
  return row;
}

const repetida = () => new NotAllowed(TITULO, 'Ya hay una plantilla con ese nombre.', { campo: 'nombre' });

function requireConocidas(texto: string) {
  const otras = desconocidas(texto);
  if (otras.length > 0)
    throw new NotAllowed(
      TITULO,
      `No hay una variable ${otras.map((nombre) => `{${nombre}}`).join(', ')}. Hay: ${Object.keys(VARIABLES)
        .map((nombre) => `{${nombre}}`)
        .join(', ')}.`,
      { campo: 'texto' },
    );
}
