import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { daysBetween, civilDay } from '~/core/time';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { contains } from '~/platform/lists/list.server';
import type { Db } from '~db/client.server';
import type { CatalogoSat } from '~db/columns';
import { enqueue } from '~db/queue/catalog.server';
import { FORMAS_PAGO, REGIMENES, SAT_SNAPSHOT, UNIDADES, USOS, type Clave } from './sat';

/** Our name of a catalogue, and the PAC's. */
const DEL_PAC = {
  usos: 'UsoCfdi',
  regimenes: 'RegimenFiscal',
  formasPago: 'FormaPago',
  unidades: 'ClaveUnidad',
  productos: 'ClaveProductServ',
} as const satisfies Record<CatalogoSat, string>;

/** What rules and forms know without the PAC. Of product keys there are tens of thousands, and none here. */
const PROPIOS: Record<CatalogoSat, readonly Clave[]> = {
  usos: USOS,
  regimenes: REGIMENES,
  formasPago: FORMAS_PAGO,
  unidades: UNIDADES,
  productos: [],
};

/**
 * Catalogues are read daily. A copy that was not read for so many days is old, and the constants stand in for it
 * until they are old too.
 */
const COPY_FRESH_DAYS = 3;
const CONSTANTS_FRESH_DAYS = 180;
const RETRY_MS = 3_600_000;

/** What a person reads of a list that could not be read. */
const SIN_CARGAR = {
  usos: 'Error usosCFDI.',
  regimenes: 'Error al obtener los regimenes fiscales.',
  formasPago: 'Error al obtener las formas de pago.',
} as const;

/** What the refresh reads with: the half of the PAC's client that changes nothing. */
export type LectorDeCatalogos = {
  catalogue(name: (typeof DEL_PAC)[CatalogoSat]): Promise<{ key: string; name: string }[]>;
};

/** Brings every catalogue; one that cannot be read keeps its last copy and is asked for again in an hour. Returns those that were read. */
export async function refreshCatalogos(db: Db, pac: LectorDeCatalogos): Promise<CatalogoSat[]> {
  const leidos: CatalogoSat[] = [];
  for (const catalogo of Object.keys(DEL_PAC) as CatalogoSat[]) {
    try {
      await replaceClaves(db, catalogo, await pac.catalogue(DEL_PAC[catalogo]));
      leidos.push(catalogo);
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
      log.warn('un catálogo del SAT no se pudo leer del PAC', { catalogo, error: error.message });
      await note(db, catalogo, { error: error.message });
    }
  }
  if (leidos.length < Object.keys(DEL_PAC).length) await enqueue(db, 'catalogos.refresh', {}, { waitMs: RETRY_MS });
  return leidos;
}

/** Our copy says what the PAC's list says. An empty list is no list. */
async function replaceClaves(db: Db, catalogo: CatalogoSat, claves: { key: string; name: string }[]): Promise<void> {
  const known = new Map(
    claves.map(({ key, name }) => [key.trim(), name.trim()]).filter(([key, name]) => key !== '' && name !== '') as [
      string,
      string,
    ][],
  );
  if (known.size === 0) throw new UnexpectedShape('el catálogo llegó vacío');
  await db.transaction().execute(async (trx) => {
    const [ids, textos] = [[...known.keys()], [...known.values()]];
    await sql`delete from sat_clave where catalogo = ${catalogo} and clave <> all(${ids}::text[])`.execute(trx);
    await sql`insert into sat_clave as known (catalogo, clave, texto) select ${catalogo}, * from unnest(${ids}::text[], ${textos}::text[])
      on conflict (catalogo, clave) do update set texto = excluded.texto where known.texto <> excluded.texto`.execute(
      trx,
    );
    await note(trx, catalogo, { error: null });
  });
}

async function note(db: Db, catalogo: CatalogoSat, { error }: { error: string | null }): Promise<void> {
  const read = error === null && { leidoEn: sql<Date>`now()` };
  await db
    .insertInto('satCatalogo')
    .values({ catalogo, error, ...read })
    .onConflict((conflict) => conflict.column('catalogo').doUpdateSet({ error, intentoEn: sql<Date>`now()`, ...read }))
    .execute();
}

/** A catalogue as people read it: ours with the PAC's words, then what only the PAC has. Rules stay with the constants. */
export async function readClaves(db: Db, catalogo: Exclude<CatalogoSat, 'productos'>): Promise<Clave[]> {
  const rows = await db
    .selectFrom('satClave')
    .select(['clave as id', 'texto'])
    .where('catalogo', '=', catalogo)
    .orderBy('clave')
    .execute();
  const words = new Map(rows.map(({ id, texto }) => [id, texto]));
  const own = PROPIOS[catalogo];
  return [
    ...own.map(({ id, texto }) => ({ id, texto: words.get(id) ?? texto })),
    ...rows.filter(({ id }) => !own.some((one) => one.id === id)),
  ];
}

/** Product keys by the beginning of the key, or by words of the text in any order and without their accents. */
export async function searchProductos(db: Db, q: string, limit = 20): Promise<Clave[]> {
  const text = q.trim();
  if (text.length < 2) return [];
  return db
    .selectFrom('satClave')
    .select(['clave as id', 'texto'])
    .where('catalogo', '=', 'productos')
    .$if(/^\d+$/.test(text), (claves) => claves.where('clave', 'like', `${text}%`))
    .$if(!/^\d+$/.test(text), (claves) => claves.where(contains('satClave.busqueda', text)))
    .orderBy(sql`char_length(texto)`)
    .orderBy('clave')
    .limit(limit)
    .execute();
}

/** What a form has to say when neither our copy nor the constants of a catalogue are fresh. */
export async function catalogNotices(
  db: Db,
  catalogos: (keyof typeof SIN_CARGAR)[],
  now = new Date(),
): Promise<string[]> {
  if (catalogos.length === 0 || daysBetween(SAT_SNAPSHOT, civilDay(now)) <= CONSTANTS_FRESH_DAYS) return [];
  const rows = await db
    .selectFrom('satCatalogo')
    .select(['catalogo', 'leidoEn'])
    .where('catalogo', 'in', catalogos)
    .execute();
  const isFresh = (leidoEn: Date | null | undefined) =>
    leidoEn != null && now.getTime() - leidoEn.getTime() <= COPY_FRESH_DAYS * 86_400_000;
  return catalogos
    .filter((catalogo) => !isFresh(rows.find((row) => row.catalogo === catalogo)?.leidoEn))
    .map((catalogo) => SIN_CARGAR[catalogo]);
}
