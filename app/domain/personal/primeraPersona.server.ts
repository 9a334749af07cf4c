import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Db } from '~db/client.server';
import { newCodigoEscrito } from './internal/codigoEscrito.server';
import { CODIGO_LARGO, inFours } from './segundoFactor';
import { fingerprint } from './internal/token.server';
import type { PrimeraPersona } from './forms';
import { createUsuario } from './usuarios.server';

/** How long a code opens, in minutes, and how many wrong codes end every code that lives. */
const PRIMERA = { minutos: 30, fallos: 5 } as const;

const TITULO = 'No se creó el usuario.';
const YA_HAY = 'Ya existe un usuario: entra con él, o pídele que te agregue.';
const SIN_CODIGO = 'Ese código no es el de ahora. Mira el que escribió npm start, o npm run web, al arrancar.';
const ACABADO =
  'Ese código ya no sirve: vencen a los 30 minutos y a los cinco intentos. Reinicia el servidor para ver otro, o crea el usuario con npm run usuario.';

/**
 * Returns whether the first person is to be made: a server wrote a code, and nobody can sign in yet. The codes are asked first, in a statement of their
 * own, so the login page of a shop with people never waits for the table of people.
 */
export async function isPrimeraOffered(db: Db): Promise<boolean> {
  const code = await db.selectFrom('codigoDePrimera').select('venceEn').limit(1).executeTakeFirst();
  return code !== undefined && (await isWithoutPeople(db));
}

async function isWithoutPeople(db: Db): Promise<boolean> {
  const { rows } = await sql<{ nadie: boolean }>`select not exists (select from usuario) as nadie`.execute(db);
  return rows[0]!.nadie;
}

/**
 * Makes a code by which the first person is made. Returns the code in groups of four, and the minutes for which it opens; null once somebody exists. Whoever starts the server reads it, so whoever makes the
 * first person is at the server. The codes of other processes live on.
 */
export async function offerPrimera(db: Db): Promise<{ codigo: string; minutos: number } | null> {
  if (!(await isWithoutPeople(db))) return null;
  const codigo = newCodigoEscrito(CODIGO_LARGO);
  await db
    .deleteFrom('codigoDePrimera')
    .where('venceEn', '<', sql<Date>`now()`)
    .execute();
  await db
    .insertInto('codigoDePrimera')
    .values({ codigoHash: fingerprint(codigo), venceEn: sql<Date>`now() + make_interval(mins => ${PRIMERA.minutos})` })
    .execute();
  return { codigo: inFours(codigo), minutos: PRIMERA.minutos };
}

/**
 * Makes the first person, who may do everything, and ends every code in the same transaction. Throws `NotAllowed` for a wrong or dead code, which counts, and
 * once somebody exists.
 */
export async function createPrimera(
  db: Db,
  { codigo, ...nuevo }: Omit<PrimeraPersona, 'confirmar'>,
): Promise<{ id: string; version: number }> {
  const creada = await db.transaction().execute(async (trx) => {
    // Two first persons at once wait for each other here.
    const codigos = await trx.selectFrom('codigoDePrimera').selectAll().orderBy('codigoHash').forUpdate().execute();
    const { rows } = await sql<{ nadie: boolean; ahora: Date }>`
      select not exists (select from usuario) as nadie, now() as ahora`.execute(trx);
    const { nadie, ahora } = rows[0]!;
    if (!nadie) throw new NotAllowed(TITULO, YA_HAY);
    const suyo = codigos.find(({ codigoHash }) => codigoHash.equals(fingerprint(codigo)));
    if (!suyo) return 'equivocado' as const;
    if (suyo.venceEn <= ahora || suyo.fallos >= PRIMERA.fallos)
      throw new NotAllowed(TITULO, ACABADO, { campo: 'codigo' });
    const { id } = await createUsuario(trx, null, { ...nuevo, rol: 'sa' });
    await trx.deleteFrom('codigoDePrimera').execute();
    return trx.selectFrom('usuario').select(['id', 'version']).where('id', '=', id).executeTakeFirstOrThrow();
  });
  if (creada !== 'equivocado') return creada;
  await db
    .updateTable('codigoDePrimera')
    .set({ fallos: sql<number>`fallos + 1` })
    .execute();
  throw new NotAllowed(TITULO, SIN_CODIGO, { campo: 'codigo' });
}
