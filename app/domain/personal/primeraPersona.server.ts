import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { keyring } from '~/platform/connections/credentials.server';
import type { Db } from '~db/client.server';
import { lockName } from '~db/locks.server';
import { codigoEscritoOf } from './internal/codigoEscrito.server';
import { CODIGO_LARGO, inFours } from './segundoFactor';
import { fingerprint } from './internal/token.server';
import type { PrimeraPersona } from './forms';
import { createUsuario } from './usuarios.server';

/** How long a code opens, in minutes, how many wrong codes end it, and the minutes below which it is not told again. */
const PRIMERA = { minutos: 30, fallos: 5, menos: 2 } as const;

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
 * Offers the code by which the first person is made. Returns it in groups of four, and the minutes for which it opens; null once somebody exists. Whoever starts the server reads it, so whoever makes the
 * first person is at the server. One code lives at a time: a process that starts beside another, or again, writes the same one, and another only when that one is dead.
 */
export async function offerPrimera(db: Db): Promise<{ codigo: string; minutos: number } | null> {
  return db.transaction().execute(async (trx) => {
    // Processes that start at once take turns here.
    await lockName(trx, 'primera');
    if (!(await isWithoutPeople(trx))) return null;
    const vivo = await trx
      .selectFrom('codigoDePrimera')
      .select([
        'codigoHash',
        sql<string>`(extract(epoch from vence_en) * 1000000)::bigint::text`.as('vence'),
        sql<number>`floor(extract(epoch from vence_en - now()) / 60)::int`.as('minutos'),
      ])
      .where('venceEn', '>', sql<Date>`now() + make_interval(mins => ${PRIMERA.menos})`)
      .where('fallos', '<', PRIMERA.fallos)
      .orderBy('venceEn', 'desc')
      .limit(1)
      .executeTakeFirst();
    // Other keys, or an older version, wrote a code that this process cannot tell again.
    const dicho = vivo && codigoOf(vivo.vence);
    if (dicho && vivo.codigoHash.equals(fingerprint(dicho))) return { codigo: inFours(dicho), minutos: vivo.minutos };
    const { rows } = await sql<{ vence: string }>`
      select (extract(epoch from now() + make_interval(mins => ${PRIMERA.minutos})) * 1000000)::bigint::text as vence`.execute(
      trx,
    );
    const { vence } = rows[0]!;
    const codigo = codigoOf(vence);
    await trx.deleteFrom('codigoDePrimera').execute();
    await trx
      .insertInto('codigoDePrimera')
      .values({
        codigoHash: fingerprint(codigo),
        venceEn: sql<Date>`'epoch'::timestamptz + ${vence}::bigint * interval '1 microsecond'`,
      })
      .execute();
    return { codigo: inFours(codigo), minutos: PRIMERA.minutos };
  });
}

/** Returns the code that dies at an instant (in microseconds), which only the keys of the installation tell: the table has its fingerprint. */
function codigoOf(vence: string): string {
  const { current, keys } = keyring();
  return codigoEscritoOf(
    createHmac('sha256', keys.get(current)!).update(`primera persona ${vence}`).digest().subarray(0, CODIGO_LARGO),
  );
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
