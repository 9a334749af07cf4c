import { sql } from 'kysely';
import type { z } from 'zod';
import { choqueOfFila } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import type { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db, Trx } from '~db/client.server';
import { caducada, existenciaDe, frescuraMin } from './columnas.server';
import { FRESCURA_MIN, isCaducada } from './internal/frescura';
import type { ReglaDeFrescura } from './forms';

const LecturaVista = [
  'id',
  'tipo',
  'empezoEn',
  'terminoEn',
  'completa',
  'total',
  'vistos',
  'escritos',
  'ilegibles',
  'ejemplos',
  'ausentes',
  'porMarcar',
  'decision',
  'error',
  'falla',
  'fallas',
  'esperaHasta',
] as const;

export type LecturaVista = Awaited<ReturnType<typeof ultimasLecturas>>[number];

/** The last read of each kind of each supplier, or the one under way. `porSegundo` is the number of products it met per second. */
function ultimasLecturas(db: Db) {
  return db
    .selectFrom('lecturaCatalogo')
    .distinctOn(['proveedor', 'tipo'])
    .select(['proveedor', ...LecturaVista])
    .select(
      sql<number>`vistos / greatest(extract(epoch from coalesce(termino_en, now()) - empezo_en), 0.001)::float8`.as(
        'porSegundo',
      ),
    )
    .orderBy('proveedor')
    .orderBy('tipo')
    .orderBy('empezoEn', 'desc')
    .execute();
}

export type FrescuraDeProveedor = {
  proveedor: string;
  label: string;
  /** Products that are known and listed. */
  productos: number;
  /** Start of the last read that ended; null when no read has ended. */
  frescaDe: Date | null;
  frescuraMin: number;
  /** Whether the stock of the whole supplier counts as none. */
  caducada: boolean;
  pausadaDesde: Date | null;
  tipoCambio: Money | null;
  tipoCambioDe: Date | null;
  lecturas: LecturaVista[];
  version: number;
};

/** Returns how fresh the catalogue of each supplier is. Only suppliers whose catalogue we read, or once read, are listed. */
export async function listFrescura(db: Db, ahora = new Date()): Promise<FrescuraDeProveedor[]> {
  const [rows, lecturas] = await Promise.all([
    sql<Omit<FrescuraDeProveedor, 'caducada' | 'lecturas'>>`
      with cuenta as (select proveedor, sum(cuantos) as cuantos from producto_cuenta group by 1)
      select p.value as proveedor, p.label, coalesce(n.cuantos, 0)::int as productos,
        c.fresca_de, coalesce(c.frescura_min, ${FRESCURA_MIN}::int) as frescura_min, z.empezo_en as pausada_desde,
        c.tipo_cambio, c.tipo_cambio_en as tipo_cambio_de, coalesce(c.version, 0) as version
      from proveedor p
      left join catalogo_proveedor c on c.proveedor = p.value
      left join cuenta n on n.proveedor = p.value
      left join catalogo_pausa z on z.proveedor = p.value and z.producto_id is null and z.termino_en is null
      order by p.label`.execute(db),
    ultimasLecturas(db),
  ]);
  return rows.rows
    .filter(({ proveedor, productos }) => productos > 0 || CONNECTIONS.find(proveedor)?.proveedor !== undefined)
    .map((row) => ({
      ...row,
      caducada: row.productos > 0 && isCaducada(row.frescaDe, row.frescuraMin, ahora),
      lecturas: lecturas.filter(({ proveedor }) => proveedor === row.proveedor),
    }));
}

/**
 * Saves the rule of one supplier, about what the screen showed. Products that the rule pauses or brings back change at once. Throws `Stale` when
 * somebody else saved meanwhile, and `NotAllowed` when there is no such supplier.
 */
export async function saveFrescura(
  trx: Trx,
  { proveedor, frescuraMin: minutos, version }: z.infer<typeof ReglaDeFrescura>,
  usuarioId: string,
): Promise<void> {
  const known = await trx.selectFrom('proveedor').select('value').where('value', '=', proveedor).executeTakeFirst();
  if (!known) throw new NotAllowed('Error de actualización.', 'El proveedor no existe.');
  await trx
    .insertInto('catalogoProveedor')
    .values({ proveedor, version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const actual = await trx
    .selectFrom('catalogoProveedor')
    .select(['frescuraMin', 'version'])
    .where('proveedor', '=', proveedor)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (actual.version !== version)
    throw new Stale(choqueOfFila({ frescuraMin: 'Minutos' }, { frescuraMin: minutos }, actual));
  await trx
    .updateTable('catalogoProveedor')
    .set({ frescuraMin: minutos, version: version + 1 })
    .where('proveedor', '=', proveedor)
    .execute();
  const datos = { antes: actual.frescuraMin, minutos };
  await record(trx, { usuarioId, entidad: 'catalogo', entidadId: proveedor, accion: 'frescura', datos });
  await watchFrescura(trx, proveedor);
}

/**
 * Writes down which stock stopped counting and which counts again: all of a supplier whose last read is too old, and single products that its reads
 * no longer meet. While a supplier is paused whole, its products are not told one by one.
 */
export async function watchFrescura(db: Db | Trx, solo?: string): Promise<void> {
  const suyo = solo === undefined ? sql`` : sql`and c.proveedor = ${solo}`;
  await sql`
    with regla as (
      select c.proveedor, c.frescura_min, c.fresca_de,
        c.fresca_de < now() - make_interval(mins => c.frescura_min) as vieja
      from catalogo_proveedor c where c.fresca_de is not null ${suyo}),
    vuelve as (
      update catalogo_pausa z set termino_en = now() from regla r
      where z.proveedor = r.proveedor and z.producto_id is null and z.termino_en is null and not r.vieja)
    insert into catalogo_pausa (proveedor, minutos, dato_de, productos)
    select r.proveedor, r.frescura_min, r.fresca_de, coalesce((
      select sum(n.cuantos) from producto_cuenta n where n.proveedor = r.proveedor and n.existencia = 'con'), 0)
    from regla r where r.vieja
    on conflict (proveedor) where producto_id is null and termino_en is null do nothing`.execute(db);
  const suya = solo === undefined ? sql`` : sql`and producto.proveedor = ${solo}`;
  await sql`
    update catalogo_pausa z set termino_en = now()
    from producto left join oferta on oferta.producto_id = producto.id
    where z.producto_id = producto.id and z.termino_en is null and not ${caducada} ${suya}`.execute(db);
  await sql`
    insert into catalogo_pausa (proveedor, producto_id, minutos, dato_de, productos)
    select producto.proveedor, producto.id, ${frescuraMin}, ${existenciaDe}, 1
    from producto join oferta on oferta.producto_id = producto.id
    where producto.visto_hasta is not null and oferta.existencia > 0 and ${caducada} ${suya}
      and not exists (
        select from catalogo_pausa z
        where z.proveedor = producto.proveedor and z.producto_id is null and z.termino_en is null)
    on conflict (producto_id) where producto_id is not null and termino_en is null do nothing`.execute(db);
}

export type Pausa = Awaited<ReturnType<typeof listPausas>>[number];

/** Returns the pauses of a supplier, the newest first: those of the whole supplier and those of one product. */
export function listPausas(db: Db, proveedor: string, limite = 50) {
  return db
    .selectFrom('catalogoPausa')
    .leftJoin('producto', 'producto.id', 'catalogoPausa.productoId')
    .select([
      'catalogoPausa.id',
      'catalogoPausa.empezoEn',
      'catalogoPausa.terminoEn',
      'catalogoPausa.minutos',
      'catalogoPausa.datoDe',
      'catalogoPausa.productos',
      'catalogoPausa.productoId',
      'producto.modelo',
    ])
    .where('catalogoPausa.proveedor', '=', proveedor)
    .orderBy('catalogoPausa.empezoEn', 'desc')
    .limit(limite)
    .execute();
}
