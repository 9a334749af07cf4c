import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { daysBetween, civilDay } from '~/core/time';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { contains } from '~/platform/lists/list.server';
import type { Db } from '~db/client.server';
import type { CatalogoSat } from '~db/columns';
import { enqueue } from '~db/queue/catalog.server';
import { FORMAS_PAGO, REGIMENES, SAT_SNAPSHOT, UNIDADES, USOS, type Clave } from './sat';

/** Our name of each catalogue, with the PAC's. */
const PAC_NAMES = {
  usos: 'UsoCfdi',
  regimenes: 'RegimenFiscal',
  formasPago: 'FormaPago',
  unidades: 'ClaveUnidad',
  productos: 'ClaveProductServ',
} as const satisfies Record<CatalogoSat, string>;

/** Keys that rules and forms know without the PAC. None is a product key: the SAT has tens of thousands of those. */
const OWN_KEYS: Record<CatalogoSat, readonly Clave[]> = {
  usos: USOS,
  regimenes: REGIMENES,
  formasPago: FORMAS_PAGO,
  unidades: UNIDADES,
  productos: [],
};

/**
 * Days after which a copy, or the constants, are old. Catalogues are read daily; the constants stand in for an old copy until they are old too.
 */
const COPY_FRESH_DAYS = 3;
const CONSTANTS_FRESH_DAYS = 180;
const RETRY_MS = 3_600_000;

/** The notice of a catalogue that is old. */
const SIN_CARGAR = {
  usos: 'Error usosCFDI.',
  regimenes: 'Error al obtener los regimenes fiscales.',
  formasPago: 'Error al obtener las formas de pago.',
} as const;

/** The part of the PAC's client that the refresh reads with. */
export type CatalogueReader = {
  catalogue(name: (typeof PAC_NAMES)[CatalogoSat]): Promise<{ key: string; name: string }[]>;
};

/** Brings every catalogue and returns those that were read. A catalogue that cannot be read keeps its last copy; all are asked for again in an hour. */
export async function refreshCatalogos(db: Db, pac: CatalogueReader): Promise<CatalogoSat[]> {
  const read: CatalogoSat[] = [];
  for (const catalogo of Object.keys(PAC_NAMES) as CatalogoSat[]) {
    try {
      await replaceClaves(db, catalogo, await pac.catalogue(PAC_NAMES[catalogo]));
      read.push(catalogo);
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
      log.warn('un catálogo del SAT no se pudo leer del PAC', { catalogo, error: error.message });
      await noteRead(db, catalogo, { error: error.message });
    }
  }
  if (read.length < Object.keys(PAC_NAMES).length) await enqueue(db, 'catalogos.refresh', {}, { waitMs: RETRY_MS });
  return read;
}

/** Makes our copy equal to the PAC's list. Throws UnexpectedShape on an empty list, so a bad answer empties no catalogue. */
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
    await sql`insert into sat_clave as known (catalogo, clave, texto) select ${catalogo}, *
      from unnest(${ids}::text[], ${textos}::text[])
      on conflict (catalogo, clave) do update set texto = excluded.texto where known.texto <> excluded.texto`.execute(
      trx,
    );
    await noteRead(trx, catalogo, { error: null });
  });
}

async function noteRead(db: Db, catalogo: CatalogoSat, { error }: { error: string | null }): Promise<void> {
  const when = error === null && { leidoEn: sql<Date>`now()` };
  await db
    .insertInto('satCatalogo')
    .values({ catalogo, error, ...when })
    .onConflict((conflict) => conflict.column('catalogo').doUpdateSet({ error, intentoEn: sql<Date>`now()`, ...when }))
    .execute();
}

/** The keys of a catalogue as people read them: ours with the PAC's words, then the keys that only the PAC has. Rules stay with the constants. */
export async function readClaves(db: Db, catalogo: Exclude<CatalogoSat, 'productos'>): Promise<Clave[]> {
  const rows = await db
    .selectFrom('satClave')
    .select(['clave as id', 'texto'])
    .where('catalogo', '=', catalogo)
    .orderBy('clave')
    .execute();
  const words = new Map(rows.map(({ id, texto }) => [id, texto]));
  const own = OWN_KEYS[catalogo];
  return [
    ...own.map(({ id, texto }) => ({ id, texto: words.get(id) ?? texto })),
    ...rows.filter(({ id }) => !own.some((one) => one.id === id)),
  ];
}

/** Product keys whose key begins with `q`, or whose text has its words in any order, without accents. Fewer than two characters find nothing. */
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

/** The notices a form shows for those catalogues whose last read failed, or of which neither our copy nor the constants are fresh. */
export async function catalogNotices(
  db: Db,
  catalogos: (keyof typeof SIN_CARGAR)[],
  now = new Date(),
): Promise<string[]> {
  if (catalogos.length === 0) return [];
  const rows = await db
    .selectFrom('satCatalogo')
    .select(['catalogo', 'leidoEn', 'error'])
    .where('catalogo', 'in', catalogos)
    .execute();
  const conConstantes = daysBetween(SAT_SNAPSHOT, civilDay(now)) <= CONSTANTS_FRESH_DAYS;
  const isKnown = (row: (typeof rows)[number] | undefined) =>
    row?.error == null &&
    (conConstantes || (row?.leidoEn != null && now.getTime() - row.leidoEn.getTime() <= COPY_FRESH_DAYS * 86_400_000));
  return catalogos
    .filter((catalogo) => !isKnown(rows.find((row) => row.catalogo === catalogo)))
    .map((catalogo) => SIN_CARGAR[catalogo]);
}
