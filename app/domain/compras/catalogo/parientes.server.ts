import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import type { EnAlmacen } from '~/integrations/proveedores/cara';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import type { Db, Trx } from '~db/client.server';
import type { Moneda } from '~db/columns';
import { distanciaOf, estadoOfCp } from './internal/cercania';
import { caducada, existenciaDe, precioDe } from './columnas.server';

/**
 * A product that is the same piece at another supplier. Two products count as one when they share a GTIN, or when brand and manufacturer's model are equal and not both
 * have GTINs. Two different GTINs mean two pieces. The match is a proposal: the word of a person outranks it.
 */
export type Pariente = {
  id: string;
  proveedor: string;
  label: string;
  idProveedor: string;
  modelo: string | null;
  nombre: string | null;
  /** Null when a person said that the two are one. */
  por: 'gtin' | 'modelo' | null;
  precio: Money | null;
  moneda: Moneda | null;
  /** Pesos without VAT, at that supplier's own rate; null without a price or a rate. */
  pesos: Money | null;
  precioDe: Date | null;
  existencia: number | null;
  existenciaDe: Date | null;
  caducada: boolean;
  seVende: boolean;
  almacenes: EnAlmacen[];
  /** Kilometres from the nearest warehouse with stock to the destination; null when either place is unknown. */
  km: number | null;
};

/** Word of a person about a pair: whether the two are one. Null for all other pairs. */
const dicho = sql<
  boolean | null
>`(select igual from producto_par where uno = least(a.id, producto.id) and otro = greatest(a.id, producto.id))`;

const mismoGtin = sql<boolean>`exists (select from unnest(a.llaves) l where l like 'g%' and l = any(producto.llaves))`;
const dosGtines = sql<boolean>`(cardinality(a.gtins) > 0 and cardinality(producto.gtins) > 0)`;

/** Returns the product and its equals at other suppliers, the cheapest that can be bought first. `cp` is the postal code of the destination. */
export async function listParientes(db: Db | Trx, productoId: string, cp?: string | null): Promise<Pariente[]> {
  const { rows } = await sql<Omit<Pariente, 'km'>>`
    with a as (select id, llaves, gtins from producto where id = ${productoId}),
      candidato as (
        select p.id from a join producto p on p.llaves && a.llaves
        union select case when uno = a.id then otro else uno end
          from a join producto_par on igual and (uno = a.id or otro = a.id)
        union select id from a)
    select producto.id, producto.proveedor, v.label, producto.id_proveedor, producto.modelo, producto.nombre,
      case when ${dicho} is not null then null when ${mismoGtin} then 'gtin' else 'modelo' end as por,
      oferta.precio, oferta.moneda,
      round(oferta.precio * case oferta.moneda when 'MXN' then 1 else ${tipoCambio} end, 6) as pesos,
      ${precioDe} as precio_de, oferta.existencia, ${existenciaDe} as existencia_de, ${caducada} as caducada,
      producto.en_venta and producto.ausente_desde is null as se_vende,
      coalesce(oferta.almacenes, '[]'::jsonb) as almacenes
    from candidato
    join producto using (id)
    cross join a
    join proveedor v on v.value = producto.proveedor
    left join oferta on oferta.producto_id = producto.id
    where producto.id = a.id or coalesce(${dicho}, ${mismoGtin} or not ${dosGtines})
    order by (producto.en_venta and producto.ausente_desde is null and coalesce(oferta.existencia, 0) > 0) desc,
      pesos nulls last, producto.id
    limit 50`.execute(db);
  const estado = cp ? estadoOfCp(cp) : null;
  return rows.map((row) => ({ ...row, km: estado === null ? null : kmOf(row.almacenes, estado) }));
}

/** Kilometres from the nearest warehouse that has some. */
function kmOf(almacenes: readonly EnAlmacen[], estado: string): number | null {
  const known = almacenes
    .filter(({ cantidad }) => cantidad > 0)
    .flatMap(({ nombre, almacen }) => distanciaOf(nombre ?? almacen, estado) ?? []);
  return known.length > 0 ? Math.min(...known) : null;
}

/** Returns the ids of the cheapest, the nearest and the freshest offer among those that can be bought now; null where no offer tells. */
export function mejoresOf(parientes: readonly Pariente[]) {
  const hay = parientes.filter(
    ({ seVende, caducada: vieja, existencia }) => seVende && !vieja && (existencia ?? 0) > 0,
  );
  const first = <T>(values: readonly T[], before: (a: T, b: T) => boolean) =>
    values.reduce<T | null>((best, one) => (best === null || before(one, best) ? one : best), null);
  const conPrecio = hay.flatMap((one) => (one.pesos ? [{ ...one, pesos: one.pesos }] : []));
  const conKm = hay.flatMap((one) => (one.km === null ? [] : [{ ...one, km: one.km }]));
  return {
    barato: first(conPrecio, (a, b) => a.pesos.compare(b.pesos) < 0)?.id ?? null,
    cercano: first(conKm, (a, b) => a.km < b.km)?.id ?? null,
    fresco: first(hay, (a, b) => (a.existenciaDe ?? 0) > (b.existenciaDe ?? 0))?.id ?? null,
  };
}

/**
 * Keeps the word of a person about two products: one piece, two pieces, or (null) no word, so that their keys decide again. Throws `NotAllowed` when
 * a product is gone or the two are the same row.
 */
export async function declarePar(
  trx: Trx,
  { uno, otro, igual }: { uno: string; otro: string; igual: boolean | null },
  usuarioId: string,
): Promise<void> {
  if (uno === otro) throw new NotAllowed('Error de actualización.', 'Es el mismo producto.');
  const [a, b] = [uno, otro].sort() as [string, string];
  const known = await trx.selectFrom('producto').select('id').where('id', 'in', [a, b]).execute();
  if (known.length < 2) throw new NotAllowed('Error de actualización.', 'Uno de los productos ya no existe.');
  if (igual === null) await trx.deleteFrom('productoPar').where('uno', '=', a).where('otro', '=', b).execute();
  else
    await trx
      .insertInto('productoPar')
      .values({ uno: a, otro: b, igual, usuarioId })
      .onConflict((conflict) => conflict.columns(['uno', 'otro']).doUpdateSet({ igual, usuarioId, en: sql`now()` }))
      .execute();
  const datos = { otro: b, igual };
  await record(trx, { usuarioId, entidad: 'producto', entidadId: a, accion: 'pieza', datos });
}

/** Tells whether a postal code belongs to a state, so that distances to it can be told. */
export const isKnownCp = (cp: string): boolean => estadoOfCp(cp) !== null;
