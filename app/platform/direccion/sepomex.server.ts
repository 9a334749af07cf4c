import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Db, Trx } from '~db/client.server';

/** Second line of the official file CPdescarga.txt (Latin-1); the first is a legal notice. */
const HEADER =
  'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado|d_ciudad|d_CP|c_estado|c_oficina|c_CP|c_tipo_asenta|c_mnpio|id_asenta_cpcons|d_zona|c_cve_ciudad';
const FIELDS = HEADER.split('|').length;
const BATCH = 10_000;

/** Counts of a load: settlements and codes of the file, and settlements that came, changed or went. */
export type SepomexCargado = {
  asentamientos: number;
  codigos: number;
  nuevos: number;
  cambiados: number;
  retirados: number;
};

type Asentamiento = {
  cp: string;
  asentamiento: string;
  tipo: string;
  municipio: string;
  ciudad: string;
  estado: string;
};

/**
 * Loads SEPOMEX's official file into our table, all or nothing. A second run of the same file changes nothing; settlements that a newer file lacks
 * are removed. Throws `NotAllowed`, with the line, for a file that is not SEPOMEX's; and, unless `menor` says that it is meant, for a file with
 * less than half of the postal codes that stand.
 */
export async function loadSepomex(db: Db, path: string, { menor = false } = {}): Promise<SepomexCargado> {
  return db.transaction().execute(async (trx) => {
    await sql`
      create temp table sepomex (
        cp text, asentamiento text, tipo text, municipio text, ciudad text, estado text) on commit drop`.execute(trx);
    let batch: Asentamiento[] = [];
    let asentamientos = 0;
    const flush = async () => {
      asentamientos += batch.length;
      await insertBatch(trx, batch);
      batch = [];
    };
    for await (const asentamiento of readSepomex(path)) {
      batch.push(asentamiento);
      if (batch.length === BATCH) await flush();
    }
    await flush();
    if (asentamientos === 0) throw unlike(3, 'el archivo no trae ningún asentamiento');
    if (!menor) await requireAsMany(trx);
    return { asentamientos, ...(await replaceTable(trx)) };
  });
}

/** Yields the rows of the file one by one, however long the file is. */
async function* readSepomex(path: string): AsyncGenerator<Asentamiento> {
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(path, { encoding: 'latin1' }),
    crlfDelay: Infinity,
  })) {
    line += 1;
    if (line === 1) continue;
    if (line === 2) {
      if (text.trim() !== HEADER) throw unlike(line, `se esperaba el encabezado «${HEADER}»`);
      continue;
    }
    if (text !== '') yield rowOf(text, line);
  }
  if (line < 2) throw unlike(line + 1, `se esperaba el encabezado «${HEADER}»`);
}

function rowOf(text: string, line: number): Asentamiento {
  const fields = text.split('|').map((field) => field.trim());
  if (fields.length !== FIELDS) throw unlike(line, `trae ${fields.length} columnas y son ${FIELDS}`);
  // An accented letter in UTF-8 read as Latin-1.
  if (/[ÃÂ][\u0080-\u00bf]/.test(text))
    throw unlike(line, 'los acentos están en UTF-8 y el archivo oficial está en Latin-1; usa el original');
  const [cp = '', asentamiento = '', tipo = '', municipio = '', estado = '', ciudad = ''] = fields;
  if (!/^\d{5}$/.test(cp)) throw unlike(line, `«${cp}» no es un código postal de 5 dígitos`);
  if (asentamiento === '' || tipo === '' || municipio === '' || estado === '')
    throw unlike(line, 'falta el asentamiento, su tipo, el municipio o el estado');
  return { cp, asentamiento, tipo, municipio, ciudad, estado };
}

async function insertBatch(trx: Trx, rows: Asentamiento[]): Promise<void> {
  const column = (name: keyof Asentamiento) => sql`${rows.map((row) => row[name])}::text[]`;
  await sql`
    insert into sepomex
    select * from unnest(
      ${column('cp')}, ${column('asentamiento')}, ${column('tipo')},
      ${column('municipio')}, ${column('ciudad')}, ${column('estado')})`.execute(trx);
}

async function requireAsMany(trx: Trx): Promise<void> {
  const {
    rows: [cuantos],
  } = await sql<{ trae: number; hay: number }>`
    select (select count(distinct cp)::int from sepomex) as trae, (select count(distinct cp)::int from codigo_postal) as hay`.execute(
    trx,
  );
  const { trae, hay } = cuantos!;
  if (trae * 2 >= hay) return;
  throw new NotAllowed(
    'SEPOMEX',
    `El archivo trae ${trae} códigos postales y hay ${hay}: los demás se retirarían. El oficial tiene unos 30,000. No se cambió nada; si de verdad es el que se quiere, repite la orden con --menor.`,
  );
}

async function replaceTable(trx: Trx) {
  // Few rows repeat a settlement, and they differ in the city alone: the row with a city stays.
  await sql`create temp table sepomex_unico on commit drop as
    select distinct on (cp, asentamiento, tipo) cp, asentamiento, tipo, municipio, ciudad, estado
    from sepomex
    order by cp, asentamiento, tipo, ciudad desc, municipio`.execute(trx);
  await sql`analyze sepomex_unico`.execute(trx);
  const {
    rows: [gone],
  } = await sql<{ retirados: number }>`
    with gone as (
      delete from codigo_postal known
      where not exists (
        select from sepomex_unico file
        where (file.cp, file.asentamiento, file.tipo) = (known.cp, known.asentamiento, known.tipo))
      returning 1)
    select count(*)::int as retirados from gone`.execute(trx);
  const {
    rows: [written],
  } = await sql<{ nuevos: number; cambiados: number }>`
    with written as (
      insert into codigo_postal as known (cp, asentamiento, tipo, municipio, ciudad, estado, origen)
      select *, 'sepomex' from sepomex_unico
      on conflict (cp, asentamiento, tipo) do update
        set municipio = excluded.municipio, ciudad = excluded.ciudad, estado = excluded.estado, origen = excluded.origen
        where (known.municipio, known.ciudad, known.estado, known.origen)
          is distinct from (excluded.municipio, excluded.ciudad, excluded.estado, excluded.origen)
      returning (xmax = 0) as nueva)
    select count(*) filter (where nueva)::int as nuevos, count(*) filter (where not nueva)::int as cambiados
    from written`.execute(trx);
  const {
    rows: [counted],
  } = await sql<{ codigos: number }>`select count(distinct cp)::int as codigos from sepomex_unico`.execute(trx);
  return { ...counted!, ...written!, ...gone! };
}

const unlike = (line: number, why: string) =>
  new NotAllowed('SEPOMEX', `No es el archivo oficial de SEPOMEX: en la línea ${line}, ${why}.`);
