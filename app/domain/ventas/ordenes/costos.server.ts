import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { importeEscrito } from '~/core/escrito';
import { Dia, Huella, opcional, REQUERIDO, SiNo, Texto } from '~/core/fields';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import { listFields } from '~/core/listFields';
import type { Money } from '~/core/money';
import { writeDias } from '~/core/periodo';
import { ZONA_HORARIA } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { contains, defineList } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';
import { enqueue } from '~db/queue/catalog.server';
import { DONDE_VALE } from './costos';

/** Longest SKU of a sale, in characters. */
const MAX_SKU = 200;

/**
 * Cost of a piece with VAT, in pesos, from a day on. Without a cost the product has none from that day on. `soloAlmacen`: only for sales that leave from
 * the marketplace's warehouse.
 */
export const CostoPropioForm = z.object({
  sku: Texto(MAX_SKU),
  huella: Huella,
  desde: Dia(),
  costo: opcional(importeEscrito(REQUERIDO, 'El costo no es válido.', { min: '0.01', max: '99999999.99' })),
  soloAlmacen: SiNo,
});

const TITULO = 'Costo propio';
const writeDia = (dia: string) => writeDias({ desde: dia, hasta: dia });

/** A typed cost. `costo` is null where the cost is unknown from that day on. */
type Escrito = {
  id: string;
  desde: string;
  costo: Money | null;
  soloAlmacen: boolean;
  usuario: string | null;
  escritoEn: Date;
};

/** What is known of the cost of a product that nobody orders for a sale. */
export type CostoDeSku = {
  /** As its last sale, or its listing, writes it. */
  sku: string;
  titulo: string;
  /** The rows that people typed, the one of the latest day first; of one day the last typed first. */
  filas: Escrito[];
  huella: string;
  /** A supplier takes orders for it: then a typed cost is for what lies with the marketplace. */
  sePide: boolean;
};

/** SQL: a supplier takes orders for what an `articulo` names. Our own brand ('propio') is a row among suppliers, and takes none. */
const SE_PIDE = (proveedor: string) =>
  sql<boolean>`exists (select from proveedor surte where surte.value = lower(${sql.ref(proveedor)}) and surte.value <> 'propio' and surte.crear_pedido)`;

/** Reads the typed costs of a product by its SKU, however its letters are written; null for a SKU that no sale, listing or row has. */
export async function readCosto(db: Db | Trx, sku: string): Promise<CostoDeSku | null> {
  const { rows } = await sql<{ sku: string; titulo: string; sePide: boolean }>`
    select * from (
      (select 1 as orden, a.sku, a.nombre as titulo, ${SE_PIDE('a.proveedor')} as se_pide
        from articulo a where lower(a.sku) = lower(${sku}) order by a.orden_id desc limit 1)
      union all
      (select 2, p.sku, p.titulo, ${SE_PIDE('p.proveedor')} from publicacion p where lower(p.sku) = lower(${sku}) limit 1)
      union all
      (select 3, c.sku, c.sku, false from costo_propio c where c.sku = lower(${sku}) limit 1)
    ) uno order by orden limit 1`.execute(db);
  if (!rows[0]) return null;
  const filas = await db
    .selectFrom('costoPropio')
    .leftJoin('usuario', 'usuario.id', 'costoPropio.escritoPor')
    .select(['costoPropio.id', 'desde', 'costo', 'soloAlmacen', 'escritoEn', 'usuario.usuario'])
    .where('sku', '=', sql<string>`lower(${sku})`)
    .orderBy('desde', 'desc')
    .orderBy('costoPropio.id', 'desc')
    .execute();
  const ultima = filas.reduce((last, { id }) => (id > last ? id : last), '');
  return { ...rows[0], filas, huella: `${filas.length} ${ultima}`.trim() };
}

/** Returns the question before a cost is saved: which sales it moves, and which stay as they are. */
export async function askCosto(
  db: Db,
  { sku, desde, costo, soloAlmacen }: z.output<typeof CostoPropioForm>,
): Promise<Question> {
  const { rows } = await sql<{ abiertas: number; liquidadas: number; fijas: number }>`
    select count(*) filter (where l.certeza <> 'conocida' and o.liquidado is null)::int as abiertas,
      count(*) filter (where l.certeza <> 'conocida' and o.liquidado is not null)::int as liquidadas,
      count(*) filter (where l.certeza = 'conocida' and exists (
        select from asiento s where s.orden_id = o.id and s.renglon like 'propio:%'))::int as fijas
    from orden o join libro_venta l on l.orden_id = o.id left join envio e on e.id = o.envio_id
    where o.id in (select orden_id from articulo where lower(sku) = lower(${sku}))
      and o.fecha_creacion >= (${desde}::date)::timestamp at time zone ${sql.lit(ZONA_HORARIA)}
      and (${!soloAlmacen} or e.tipo_logistico = 'fulfillment')`.execute(db);
  const { abiertas, liquidadas, fijas } = rows[0]!;
  const ventas = (n: number) => (n === 1 ? '1 venta' : `${n} ventas`);
  return {
    titulo: TITULO,
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: [
      `${sku}: ${costo === null ? 'sin costo' : `${enPesos(costo)} por pieza`} desde el ${writeDia(desde)}.`,
      abiertas > 0 && `${ventas(abiertas)} sin liquidar se ${abiertas === 1 ? 'calcula' : 'calculan'} de nuevo.`,
      liquidadas > 0 &&
        costo !== null &&
        `${ventas(liquidadas)} ya ${liquidadas === 1 ? 'liquidada toma' : 'liquidadas toman'} este costo y ya no ${liquidadas === 1 ? 'cambia' : 'cambian'}.`,
      fijas > 0 && `${ventas(fijas)} con su costo ya fijo no ${fijas === 1 ? 'cambia' : 'cambian'}.`,
    ]
      .filter(Boolean)
      .join(' '),
  };
}

/**
 * Writes the cost of a product from a day on, and has the sales reckoned that are not known yet. Throws `Stale` when a row was typed since the screen showed
 * them, and `NotAllowed` at `sku` for one that nothing has.
 */
export async function saveCosto(
  trx: Trx,
  { sku, huella, desde, costo, soloAlmacen }: z.output<typeof CostoPropioForm>,
  usuarioId: string | null,
): Promise<void> {
  await lockName(trx, 'costo', sku.toLowerCase());
  const antes = await readCosto(trx, sku);
  if (!antes) throw new NotAllowed(TITULO, 'Ninguna venta ni publicación tiene ese SKU.', { campo: 'sku' });
  if (antes.huella !== huella)
    throw new Stale({
      cambios: antes.filas
        .slice(0, 1)
        .map((fila) => ({ campo: `Desde el ${writeDia(fila.desde)}`, mio: '—', suyo: writeCosto(fila.costo) })),
      marcas: { huella: antes.huella },
    });
  const { sku: escrito } = await trx
    .insertInto('costoPropio')
    .values({ sku: sql<string>`lower(${sku})`, desde, costo, soloAlmacen, escritoPor: usuarioId })
    .returning('sku')
    .executeTakeFirstOrThrow();
  await record(trx, {
    usuarioId,
    entidad: 'costo',
    entidadId: antes.sku,
    accion: 'escribir costo propio',
    datos: { desde, costo, donde: DONDE_VALE(soloAlmacen) },
  });
  await enqueue(trx, 'libro.asentar', { sku: escrito });
}

const writeCosto = (costo: Money | null) => (costo === null ? 'Sin costo' : enPesos(costo.toFixed(2)));

/** Days of sales that are looked through for products without a cost. */
const DIAS = 91;
/** Products that are named at most. */
const MAX_SIN_COSTO = 50;

/** A product that nobody orders for a sale, and whose cost nobody typed. */
export type SinCosto = { sku: string; titulo: string; ventas: number; piezas: number };

/** Returns the products whose sales of three months have no cost, and which no supplier is asked for: those of the marketplace's warehouse and of our own brand. Most sales first. */
export async function listSinCosto(db: Db): Promise<{ filas: SinCosto[]; todos: number }> {
  const { rows } = await sql<SinCosto & { todos: number }>`
    select max(a.sku) as sku, (array_agg(a.nombre order by a.orden_id desc))[1] as titulo,
      count(distinct o.id)::int as ventas, sum(a.cantidad)::int as piezas, count(*) over ()::int as todos
    from libro_venta l
      join orden o on o.id = l.orden_id join articulo a on a.orden_id = o.id left join envio e on e.id = o.envio_id
    where l.certeza <> 'conocida' and 'costo' = any(l.falta) and l.fecha > now() - make_interval(days => ${DIAS})
      and o.clase not in ('cancelada', 'devuelta') and a.sku <> ''
      and (e.tipo_logistico = 'fulfillment' or not ${SE_PIDE('a.proveedor')})
    group by lower(a.sku) order by ventas desc, lower(a.sku) limit ${MAX_SIN_COSTO}`.execute(db);
  return { filas: rows.map(({ todos: _, ...fila }) => fila), todos: rows[0]?.todos ?? 0 };
}

const SORTS = ['desde', 'sku', 'costo', 'escrito'] as const;
const TITULO_DE = sql<string | null>`(
  select a.nombre from articulo a where lower(a.sku) = costo_propio.sku order by a.orden_id desc limit 1)`;

/** 'Costos propios': each cost that somebody typed, with its first day. */
export const costosList = defineList({
  lista: 'costosPropios',
  titulo: 'Costos propios',
  todas: 'Todos',
  filtro: z.object(listFields(SORTS, '-desde')),
  id: 'costoPropio.id',
  idsGrow: true,
  sorts: {
    desde: sql.ref('costoPropio.desde'),
    sku: sql`${sql.ref('costoPropio.sku')} collate "C"`,
    costo: sql.ref('costoPropio.costo'),
    escrito: sql.ref('costoPropio.escritoEn'),
  },
  matches: (db, { q }) =>
    db.selectFrom('costoPropio').$if(q !== '', (costos) => costos.where(contains('costoPropio.busqueda', q))),
  rows: (db) =>
    db
      .selectFrom('costoPropio')
      .leftJoin('usuario', 'usuario.id', 'costoPropio.escritoPor')
      .select([
        'costoPropio.id',
        'costoPropio.sku',
        'costoPropio.desde',
        'costoPropio.costo',
        'costoPropio.soloAlmacen',
        'costoPropio.escritoEn',
        'usuario.usuario',
        TITULO_DE.as('titulo'),
      ]),
  totales: (costos) => costos.select(({ fn }) => fn.count<number>('costoPropio.sku').distinct().as('productos')),
  excel: {
    hoja: 'Costos propios',
    columnas: [
      { header: 'Desde', tipo: 'texto', ancho: 12, valor: (costo) => costo.desde },
      { header: 'SKU', tipo: 'texto', ancho: 30, valor: (costo) => costo.sku },
      { header: 'Producto', tipo: 'texto', ancho: 60, valor: (costo) => costo.titulo },
      { header: 'Costo con IVA', tipo: 'pesos', valor: (costo) => costo.costo },
      { header: 'Vale para', tipo: 'texto', ancho: 36, valor: (costo) => DONDE_VALE(costo.soloAlmacen) },
      { header: 'Escrito', tipo: 'fechaHora', valor: (costo) => costo.escritoEn },
      { header: 'Usuario', tipo: 'texto', ancho: 18, valor: (costo) => costo.usuario },
    ],
  },
});
