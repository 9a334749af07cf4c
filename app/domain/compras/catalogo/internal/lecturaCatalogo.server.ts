import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Money } from '~/core/money';
import type { Item, Tramo } from '~/integrations/proveedores/cara';
import { readCrudos } from '~/integrations/proveedores/paginas';
import type { Db, Trx } from '~db/client.server';
import type { FallaDeLectura } from '~db/columns';
import { cambioOf, savePrecios, saveProductos, findUnchanged } from './saveProductos.server';
import { lockCatalogo } from './lockCatalogo.server';

/** Kinds of reads: everything that a supplier sells, or only price and stock of all of it. */
export const TIPOS = ['completa', 'precios'] as const;
export type Tipo = (typeof TIPOS)[number];

/** Minutes between the starts of two reads, and after a read that failed. */
const CADA_MIN: Readonly<Record<Tipo, { completa: number; fallida: number }>> = {
  completa: { completa: 360, fallida: 60 },
  precios: { completa: 30, fallida: 30 },
};
/** Hours after which an open read is given up: its first pages are too old to say anything. */
const VIEJA_H = 24;
/** Minutes for which a worker owns a read. One stretch with its wait takes less. */
const DUENO_MIN = 10;
/** Share of the listed products that has to come before missing ones are marked. Below it, people are asked. */
const CREIBLE = 0.8;
/** Number of complete reads in a row without a product until it counts as gone. One read may miss a product whose page moved meanwhile. */
const AUSENCIAS = 2;
const EJEMPLOS = 5;
/** Minutes until the next try after an error of ours. Each further error makes the wait three times as long. */
const NUESTRA_MIN = 10;
const NUESTRA_MAX_MIN = 360;

export type Lectura = {
  id: string;
  proveedor: string;
  tipo: Tipo;
  dueno: string;
  sigue: string | null;
  tramos: number;
};

/** Returns the open read, or starts a new one when its time has come. Null while another worker owns it, or when nothing is due. */
export async function takeLectura(db: Db, proveedor: string, tipo: Tipo = 'completa'): Promise<Lectura | null> {
  const dueno = randomUUID();
  const cada = CADA_MIN[tipo];
  return await db.transaction().execute(async (trx) => {
    await sql`insert into catalogo_proveedor (proveedor) values (${proveedor}) on conflict do nothing`.execute(trx);
    await sql`
      update lectura_catalogo set termino_en = now(), error = 'Se interrumpió', dueno = null, dueno_hasta = null
      where proveedor = ${proveedor} and tipo = ${tipo} and termino_en is null
        and empezo_en < now() - make_interval(hours => ${VIEJA_H})
        and coalesce(dueno_hasta, '-infinity') < now()`.execute(trx);
    const reposo = sql`make_interval(mins => case when completa then ${cada.completa}::int else ${cada.fallida}::int end)`;
    await sql`
      insert into lectura_catalogo (proveedor, tipo)
      select ${proveedor}, ${tipo} where not exists (
        select from lectura_catalogo
        where proveedor = ${proveedor} and tipo = ${tipo} and (termino_en is null or empezo_en > now() - ${reposo}))
      on conflict (proveedor, tipo) where termino_en is null do nothing`.execute(trx);
    const { rows } = await sql<Lectura>`
      update lectura_catalogo set dueno = ${dueno}, dueno_hasta = now() + make_interval(mins => ${DUENO_MIN}),
        error = null, falla = null, espera_hasta = null
      where proveedor = ${proveedor} and tipo = ${tipo} and termino_en is null
        and coalesce(dueno_hasta, '-infinity') < now()
        and coalesce(espera_hasta, '-infinity') <= now()
      returning id, proveedor, tipo, dueno, sigue, tramos`.execute(trx);
    return rows[0] ?? null;
  });
}

/** Writes a stretch together with the place where the next one begins. Returns false when another worker has taken over this read. */
export async function saveTramo(db: Db, lectura: Lectura, tramo: Tramo): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const held = await trx
      .updateTable('lecturaCatalogo')
      .set({ duenoHasta: sql<Date>`now() + make_interval(mins => ${DUENO_MIN})` })
      .where('id', '=', lectura.id)
      .where('dueno', '=', lectura.dueno)
      .where('tramos', '=', lectura.tramos)
      .executeTakeFirst();
    if (held.numUpdatedRows === 0n) return false;
    const { iguales, leidos } = await readTramo(trx, lectura, tramo);
    const cambio = findLastCambio(tramo);
    const save = lectura.tipo === 'completa' ? saveProductos : savePrecios;
    const { escritos, negados } = await save(trx, lectura.proveedor, leidos.items);
    const ids = [...new Set([...iguales, ...leidos.items.map(({ idProveedor }) => idProveedor)])];
    const ilegibles = [...tramo.ilegibles, ...leidos.ilegibles, ...negados];
    const rastros = [...tramo.rastros, ...leidos.rastros];
    if (cambio) await saveTipoCambio(trx, lectura.proveedor, cambio.tipoCambio!, cambio.existencia.leidaEn);
    await sql`insert into catalogo_visto (lectura_id, tramo, ids, rastros)
      values (${lectura.id}, ${lectura.tramos}, ${ids}::text[], ${rastros}::text[])`.execute(trx);
    await sql`
      update lectura_catalogo set sigue = ${tramo.sigue}, tramos = tramos + 1, fallas = 0,
        vistos = vistos + ${ids.length}, escritos = escritos + ${escritos}, ilegibles = ilegibles + ${ilegibles.length},
        total = coalesce(${tramo.total}::int, total),
        ejemplos = (ejemplos || ${ilegibles.slice(0, EJEMPLOS)}::text[])[1:${sql.lit(EJEMPLOS)}]
      where id = ${lectura.id}`.execute(trx);
    if (tramo.sigue === null) await finishLectura(trx, lectura);
    return true;
  });
}

/**
 * Reads the rows that differ from the kept ones; `iguales` are the keys of the others. Reads of prices alone keep no print, so all of their rows are
 * read.
 */
async function readTramo(trx: Trx, { proveedor, tipo }: Lectura, { crudos, itemOf }: Tramo) {
  if (tipo === 'precios') return { iguales: [], leidos: readCrudos(crudos, itemOf) };
  await lockCatalogo(trx, proveedor);
  const guardados = await findUnchanged(trx, proveedor, crudos);
  const leidos = readCrudos(
    crudos.filter(({ clave }) => clave === null || !guardados.has(clave)),
    itemOf,
  );
  return { iguales: [...guardados], leidos };
}

/**
 * Returns the last row that tells a rate of exchange. A rate is no part of a row's print, so the row is read for it alone. Each way of writing a rate
 * is tried once.
 */
function findLastCambio({ crudos, itemOf }: Tramo): Item | undefined {
  const vistos = new Set<string>();
  for (const crudo of crudos.toReversed()) {
    const dicho = cambioOf(crudo.raw);
    if (dicho === null || vistos.has(dicho)) continue;
    vistos.add(dicho);
    const [item] = readCrudos([crudo], itemOf).items;
    if (item?.tipoCambio && !item.tipoCambio.isZero()) return item;
  }
  return undefined;
}

/** Keeps the supplier's own rate of exchange. A rate that did not move is not written again by each stretch. */
export async function saveTipoCambio(db: Db | Trx, proveedor: string, pesos: Money, en: Date): Promise<void> {
  await sql`
    with leido as (select ${pesos.toPostgres()}::numeric as pesos, least(${en}, now()) as en)
    update catalogo_proveedor c set tipo_cambio = leido.pesos, tipo_cambio_en = leido.en
    from leido
    where c.proveedor = ${proveedor}
      and (c.tipo_cambio is distinct from leido.pesos
        or c.tipo_cambio_en < leido.en - interval '10 minutes')`.execute(db);
}

/** Rows of one statement, far below the time that a statement may take. */
const LOTE_DE_CAMBIO = 1_000;

/**
 * Gives offers in dollars the rate that their supplier has now. A rate moves each day while prices stay, so most offers are not written by a read.
 */
export async function matchTipoCambio(db: Db, proveedor: string): Promise<void> {
  const distinto = sql`o.moneda = 'USD' and c.tipo_cambio is not null and o.tipo_cambio is distinct from c.tipo_cambio`;
  const { rows } = await sql<{ hay: boolean }>`
    select exists (
      select from producto p
      join oferta o on o.producto_id = p.id
      join catalogo_proveedor c on c.proveedor = p.proveedor
      where p.proveedor = ${proveedor} and ${distinto}) as hay`.execute(db);
  for (let last: string | null = rows[0]!.hay ? '' : null; last !== null;) {
    const desde: string = last;
    last = await db.transaction().execute(async (trx) => {
      await lockCatalogo(trx, proveedor);
      const lote = await sql<{ last: string | null }>`
        with lote as materialized (
            select id, id_proveedor from producto
            where proveedor = ${proveedor} and id_proveedor > ${desde}
            order by id_proveedor limit ${LOTE_DE_CAMBIO}),
          puesto as (
            update oferta o set tipo_cambio = c.tipo_cambio
            from lote l, catalogo_proveedor c
            where o.producto_id = l.id and c.proveedor = ${proveedor} and ${distinto})
        select max(id_proveedor) as last from lote`.execute(trx);
      return lote.rows[0]!.last;
    });
  }
}

/** Keys that a read met. */
const visto = (lectura: string) =>
  sql`(select distinct unnest(ids) as id from catalogo_visto where lectura_id = ${lectura})`;

/**
 * Tells whether a product may be one of the rows that could not be read: its key or model stands somewhere in such a row. A product like that is not taken
 * for gone.
 */
const dudoso = (lectura: string) =>
  sql`exists (
    select from catalogo_visto d
    where d.lectura_id = ${lectura} and (p.id_proveedor = any(d.rastros) or p.modelo = any(d.rastros)))`;

/**
 * Ends a read. Products that it met are as fresh as its start; the others stay as fresh as they were. After a read of a whole catalogue, an unmet
 * product counts as missing, and a product missing twice in a row is marked as gone. When too few products came, none is marked and people are asked.
 */
async function finishLectura(trx: Trx, { id, proveedor, tipo }: Lectura) {
  // All met keys are compared with all kept ones. After a first read the planner has no statistics of either table and would choose a nested loop.
  await sql`set local enable_nestloop = off`.execute(trx);
  const { rows } = await sql<{ vistos: number; listados: number; encontrados: number; dudosos: number }>`
    with visto as materialized ${visto(id)}
    select (select count(*) from visto)::int as vistos,
      count(*)::int as listados,
      count(v.id)::int as encontrados,
      count(*) filter (where v.id is null and ${dudoso(id)})::int as dudosos
    from producto p
    left join visto v on v.id = p.id_proveedor
    where p.proveedor = ${proveedor} and p.ausente_desde is null`.execute(trx);
  const { vistos, listados, encontrados, dudosos } = rows[0]!;
  const faltan = listados - encontrados - dudosos;
  const poco = encontrados + dudosos < listados * CREIBLE;
  const completa = vistos > 0 && !poco;
  await setAges(trx, { id, proveedor });
  const { marcados, porMarcar } =
    tipo === 'completa' ? await countAusencias(trx, { id, proveedor }, { completa, faltan }) : SIN_MARCAR;
  const error =
    vistos === 0
      ? 'No llegó ningún producto.'
      : poco && tipo === 'completa'
        ? `Llegaron ${encontrados} de los ${listados} productos que había: no se marcó ninguno como ausente.`
        : null;
  await sql`
    update lectura_catalogo set termino_en = now(), completa = ${completa}, error = ${error}, vistos = ${vistos},
      ausentes = ${marcados}, por_marcar = ${porMarcar}, dueno = null, dueno_hasta = null
    where id = ${id}`.execute(trx);
  // A read that waits for a decision keeps the keys it met. An older decision is made obsolete by this read.
  await sql`
    delete from catalogo_visto v using lectura_catalogo l
    where l.id = v.lectura_id and l.proveedor = ${proveedor} and l.tipo = ${tipo} and l.termino_en is not null
      and (l.id <> ${id} or ${porMarcar}::int is null)`.execute(trx);
}

const SIN_MARCAR = { marcados: 0, porMarcar: null };

async function setAges(trx: Trx, { id, proveedor }: Pick<Lectura, 'id' | 'proveedor'>) {
  await sql`
    with visto as materialized ${visto(id)},
      lectura as (
        select l.empezo_en, c.fresca_de, c.fresca_de is null or l.empezo_en > c.fresca_de as nueva
        from lectura_catalogo l
        join catalogo_proveedor c on c.proveedor = l.proveedor
        where l.id = ${id}),
      cambia as (
        select p.id, case
            when v.id is null and l.nueva and p.visto_hasta is null then coalesce(l.fresca_de, p.creado_en)
            when v.id is null then p.visto_hasta
            when l.nueva then null
            when p.visto_hasta < l.empezo_en then l.empezo_en
            else p.visto_hasta end as hasta
        from producto p
        cross join lectura l
        left join visto v on v.id = p.id_proveedor
        where p.proveedor = ${proveedor})
    update producto p set visto_hasta = c.hasta
    from cambia c
    where c.id = p.id and p.visto_hasta is distinct from c.hasta`.execute(trx);
  await sql`
    update catalogo_proveedor c set fresca_de = greatest(c.fresca_de, l.empezo_en)
    from lectura_catalogo l
    where l.id = ${id} and c.proveedor = l.proveedor`.execute(trx);
}

async function countAusencias(
  trx: Trx,
  { id, proveedor }: Pick<Lectura, 'id' | 'proveedor'>,
  { completa, faltan }: { completa: boolean; faltan: number },
): Promise<{ marcados: number; porMarcar: number | null }> {
  await sql`update producto p set ausencias = 0, ausente_desde = null from ${visto(id)} v
    where p.proveedor = ${proveedor} and p.id_proveedor = v.id and p.ausencias > 0`.execute(trx);
  if (!completa) return { marcados: 0, porMarcar: faltan > 0 ? faltan : null };
  const { rows } = await sql<{ marcado: boolean }>`update producto p set ausencias = p.ausencias + 1,
      ausente_desde = case when p.ausencias + 1 >= ${AUSENCIAS} then now() end
    where p.proveedor = ${proveedor} and p.ausente_desde is null and not ${dudoso(id)}
      and not exists (select from ${visto(id)} v where v.id = p.id_proveedor)
    returning p.ausente_desde is not null as marcado`.execute(trx);
  return { marcados: rows.filter(({ marcado }) => marcado).length, porMarcar: null };
}

/** Marks the products that a shrunken catalogue did not list, after a person said that they are gone. Returns how many. */
export async function markUnlisted(trx: Trx, { id, proveedor }: Pick<Lectura, 'id' | 'proveedor'>) {
  await lockCatalogo(trx, proveedor);
  const { numAffectedRows } =
    await sql`update producto p set ausencias = greatest(p.ausencias, ${AUSENCIAS}), ausente_desde = now()
    where p.proveedor = ${proveedor} and p.ausente_desde is null and not ${dudoso(id)}
      and not exists (select from ${visto(id)} v where v.id = p.id_proveedor)`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Lets go of a read that did not get to its end. With `esperaMs` the read stays open and continues later from its place; without it, the read is
 * over. After an error of ours the wait grows each time, since the same data will most likely fail again.
 */
export async function releaseLectura(
  db: Db,
  { id, dueno }: Pick<Lectura, 'id' | 'dueno'>,
  { error, falla, esperaMs }: { error: string | null; falla?: FallaDeLectura; esperaMs: number | null },
) {
  const nuestra = falla === 'nuestra';
  await db
    .updateTable('lecturaCatalogo')
    .set({
      error,
      falla: falla ?? null,
      dueno: null,
      duenoHasta: null,
      ...(nuestra && { fallas: sql<number>`least(fallas + 1, 1000)` }),
      ...(nuestra
        ? {
            esperaHasta: sql<Date>`now() + make_interval(mins => least(${NUESTRA_MAX_MIN}, ${NUESTRA_MIN} * 3 ^ least(fallas, 9))::int)`,
          }
        : esperaMs === null
          ? { terminoEn: sql<Date>`now()` }
          : { esperaHasta: sql<Date>`now() + make_interval(secs => ${esperaMs / 1000})` }),
    })
    .where('id', '=', id)
    .where('dueno', '=', dueno)
    .execute();
}
