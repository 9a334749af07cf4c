import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import type { Causa } from '~/integrations/mercadolibre/wireItems';

/**
 * The condition of an item, which Mercado Libre moves from the field `condition` to the attribute `ITEM_CONDITION`, without a date. Both are told until one is refused.
 * The one that was not refused is told alone for a week; then both are tried again.
 */
type Forma = 'campo' | 'atributo';
type Cuerpo = Record<string, unknown>;

const ATRIBUTO = 'ITEM_CONDITION';
/** Questions in a row: both, the one that was not refused, and both again where the other was kept wrongly. */
const VECES = 3;

const otra = (forma: Forma): Forma => (forma === 'campo' ? 'atributo' : 'campo');

/** Returns a body that tells the condition in one way alone; in both ways for null. */
function bodyOf(cuerpo: Cuerpo, forma: Forma | null): Cuerpo {
  if (forma === 'campo' && Array.isArray(cuerpo.attributes))
    return { ...cuerpo, attributes: (cuerpo.attributes as { id?: unknown }[]).filter(({ id }) => id !== ATRIBUTO) };
  if (forma !== 'atributo') return cuerpo;
  const { condition: _, ...resto } = cuerpo;
  return resto;
}

/** Returns the way of telling the condition that a refusal is about; null for a refusal about other things. */
function formaEn(causas: readonly Causa[]): Forma | null {
  const dicen = (patron: RegExp) =>
    causas.some(({ codigo, mensaje, referencias }) =>
      [codigo, mensaje, ...referencias].some((uno) => patron.test(uno)),
    );
  if (dicen(/\bITEM_CONDITION\b/)) return 'atributo';
  return dicen(/^item\.condition\b|\[condition\]/) ? 'campo' : null;
}

/** Asks with a body that tells the condition as the account takes it, and keeps what a refusal teaches. `causasOf` returns the reasons of a refusal, none for a yes. */
export async function askWithCondicion<T>(
  db: Db,
  cuerpo: Cuerpo,
  ask: (cuerpo: Cuerpo) => Promise<T>,
  causasOf: (answer: T) => readonly Causa[],
): Promise<T> {
  let forma = await readCondicion(db);
  for (let vez = 1; ; vez++) {
    const answer = await ask(bodyOf(cuerpo, forma));
    const negada = formaEn(causasOf(answer));
    if (negada === null || vez === VECES) return answer;
    // A refusal of the only way that was told, or of a missing one, says that what was kept is wrong.
    forma = forma === null ? otra(negada) : null;
    await noteCondicion(db, forma);
  }
}

const ofCuenta = sql<boolean>`cuenta = (select account from credential where connection = 'mercadolibre')`;

async function readCondicion(db: Db): Promise<Forma | null> {
  const fila = await db
    .selectFrom('mercadolibreCuenta')
    .select('condicion')
    .where(ofCuenta)
    .where('condicionEn', '>', sql<Date>`now() - interval '7 days'`)
    .executeTakeFirst();
  return fila?.condicion ?? null;
}

async function noteCondicion(db: Db, condicion: Forma | null): Promise<void> {
  await db
    .updateTable('mercadolibreCuenta')
    .set({ condicion, condicionEn: condicion === null ? null : sql<Date>`now()` })
    .where(ofCuenta)
    .execute();
}
