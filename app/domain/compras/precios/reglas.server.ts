import { z } from 'zod';
import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { Stale } from '~/core/errors';
import { DineroGuardado } from '~/core/fields';
import { type Market, MARKETS, PRECIO_DE, type PrecioKey, precioKeyOf, PRECIOS } from '~/core/market';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { gananciaOf, type Ganancias, type ReglasDePrecio, type Fraccion } from './precio';
import { readTasas } from '~/domain/ventas/ordenes/tasas.server';
import { claveOfTarifa, COMISION, type Tarifa } from '~/domain/ventas/ordenes/tarifa';
import { lockName } from '~db/locks.server';
import { type RawBuilder, sql } from 'kysely';

/** Kept rates of a marketplace, in its row of `ajuste`. Without a row the default commission holds, and without a withholding that of the law. */
const Guardada = z.object({
  comision: DineroGuardado,
  retencionIva: DineroGuardado.optional(),
  retencionIsr: DineroGuardado.optional(),
});
type Guardada = z.infer<typeof Guardada>;
const TASAS = ['comision', 'retencionIva', 'retencionIsr'] as const;
const ETIQUETAS_TARIFA = {
  comision: 'Comisión por omisión (%)',
  retencionIva: 'IVA que retiene (%)',
  retencionIsr: 'ISR que retiene (%)',
} as const;

/** Returns all mark-ups of suppliers and the rates of all marketplaces. */
export async function readReglas(db: Db | Trx): Promise<ReglasDePrecio> {
  const rows = await db.selectFrom('ganancia').select(['proveedor', 'market', 'tipo', 'ganancia']).execute();
  const ganancias: Record<string, Partial<Record<PrecioKey, Fraccion>>> = {};
  for (const { proveedor, market, tipo, ganancia } of rows)
    (ganancias[proveedor] ??= {})[precioKeyOf(market, tipo)] = ganancia;
  return { ganancias, tarifas: await readTarifas(db) };
}

/** Returns the rates that hold today at each marketplace. Once the law's are over, the last ones go on. */
async function readTarifas(db: Db | Trx): Promise<Record<Market, Tarifa>> {
  const [guardadas, { hoy: ley }] = [await readGuardadas(db), await readTasas(db)];
  const tarifas = MARKETS.map((market) => {
    const { comision, retencionIva = ley.iva, retencionIsr = ley.isr } = guardadas[market];
    return [market, { comision, comisionDe: COMISION.comisionDe, retencionIva, retencionIsr }] as const;
  });
  return Object.fromEntries(tarifas) as Record<Market, Tarifa>;
}

async function readGuardadas(db: Db | Trx): Promise<Record<Market, Guardada>> {
  const rows = await db
    .selectFrom('ajuste')
    .select(['clave', 'valor'])
    .where('clave', 'in', MARKETS.map(claveOfTarifa))
    .execute();
  const guardadas = MARKETS.map((market) => {
    const row = rows.find(({ clave }) => clave === claveOfTarifa(market));
    return [market, row ? Guardada.parse(row.valor) : { comision: COMISION.comision }] as const;
  });
  return Object.fromEntries(guardadas) as Record<Market, Guardada>;
}

/** Returns the mark-ups that some products have of their own. */
export async function readPropias(db: Db | Trx, productos: readonly string[]): Promise<ReadonlyMap<string, Ganancias>> {
  const propias = new Map<string, Partial<Record<PrecioKey, Fraccion>>>();
  if (productos.length === 0) return propias;
  const rows = await db
    .selectFrom('gananciaProducto')
    .select(['productoId', 'market', 'tipo', 'ganancia'])
    .where('productoId', 'in', productos)
    .execute();
  for (const { productoId, market, tipo, ganancia } of rows)
    propias.set(productoId, { ...propias.get(productoId), [precioKeyOf(market, tipo)]: ganancia });
  return propias;
}

/** Builds a text for each price. */
export const escritasOf = (textOf: (key: PrecioKey) => string) =>
  Object.fromEntries(PRECIOS.map((key) => [key, textOf(key)])) as Record<PrecioKey, string>;

/** Returns the mark-ups of a supplier as its form shows them, without trailing zeros; '' for a kind that follows the first of its marketplace. */
export const gananciasEscritas = (reglas: ReglasDePrecio, proveedor: string): Record<PrecioKey, string> =>
  escritasOf((key) =>
    PRECIO_DE[key].tipo === '' || reglas.ganancias[proveedor]?.[key]
      ? enFraccion(gananciaOf(reglas, proveedor, key))
      : '',
  );

/** Returns a fraction as '0.5'. */
export const enFraccion = (fraccion: Fraccion) => fraccion.toShort();

/** Returns the mark of the mark-ups that a screen shows. */
export const huellaOfGanancias = (escritas: Record<PrecioKey, string>) => PRECIOS.map((key) => escritas[key]).join('·');

/** The name of each price beside a value of it. */
export const ETIQUETAS = escritasOf((key) => PRECIO_DE[key].label);

/** Mark-ups as a caller writes them. A caller who does not know Premium leaves it as it is, and null makes it follow Clásica. */
export type Escritas = Record<Market, string> & { premium?: string | null };
export type CambioGanancias = Escritas & { huella: string };

const despuesOf = (antes: Record<PrecioKey, string>, escritas: Escritas): Record<PrecioKey, string> =>
  escritasOf((key) => (escritas[key] === undefined ? antes[key] : (escritas[key] ?? '')));

/** Saves the mark-ups of a supplier; products with a mark-up of their own keep it. Throws `Stale` when they moved since the screen showed them. */
export async function saveGanancias(
  trx: Trx,
  proveedor: string,
  { huella, ...escritas }: CambioGanancias,
  usuarioId: string | null,
): Promise<void> {
  await trx
    .selectFrom('proveedor')
    .select('value')
    .where('value', '=', proveedor)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const antes = gananciasEscritas(await readReglas(trx), proveedor);
  const despues = despuesOf(antes, escritas);
  const marca = huellaOfGanancias(antes);
  if (huella !== marca)
    throw new Stale({
      cambios: cambiosEntre(withEtiquetas(ETIQUETAS, despues), withEtiquetas(ETIQUETAS, antes)),
      marcas: { huella: marca },
    });
  const suyas = PRECIOS.filter((key) => despues[key] !== '');
  await trx
    .insertInto('ganancia')
    .values(
      suyas.map((key) => ({
        proveedor,
        market: PRECIO_DE[key].market,
        tipo: PRECIO_DE[key].tipo,
        ganancia: despues[key],
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['proveedor', 'market', 'tipo'])
        .doUpdateSet((eb) => ({ ganancia: eb.ref('excluded.ganancia') })),
    )
    .execute();
  for (const key of PRECIOS)
    if (despues[key] === '')
      await trx
        .deleteFrom('ganancia')
        .where('proveedor', '=', proveedor)
        .where('market', '=', PRECIO_DE[key].market)
        .where('tipo', '=', PRECIO_DE[key].tipo)
        .execute();
  await record(trx, {
    usuarioId,
    entidad: 'proveedor',
    entidadId: proveedor,
    accion: 'ganancia',
    datos: { antes, despues },
  });
}

/** Rates of a marketplace as people write them, in percent. An empty withholding is that of the law. */
export type TarifaEscrita = Record<(typeof TASAS)[number], string>;

/** '2.5' for 0.025. */
const enCien = (fraccion: Fraccion) => fraccion.times(100).toShort();

const escritaOf = (guardada: Partial<Record<(typeof TASAS)[number], Fraccion>>): TarifaEscrita =>
  Object.fromEntries(TASAS.map((tasa) => [tasa, guardada[tasa] ? enCien(guardada[tasa]) : ''])) as TarifaEscrita;

/** Returns the rates of each marketplace as their form shows them. */
export async function readTarifasEscritas(db: Db | Trx): Promise<Record<Market, TarifaEscrita>> {
  const guardadas = await readGuardadas(db);
  return Object.fromEntries(MARKETS.map((market) => [market, escritaOf(guardadas[market])])) as Record<
    Market,
    TarifaEscrita
  >;
}

/** Returns the mark of the rates that a screen shows. */
export const huellaOfTarifa = (escrita: TarifaEscrita) => TASAS.map((tasa) => escrita[tasa]).join('·');

export type CambioTarifa = Record<keyof TarifaEscrita, string | null> & {
  comision: string;
  market: Market;
  huella: string;
};

/**
 * Saves the rates that are taken off at a marketplace when nothing better is known of a product. Prices stay; only the told margin changes. Throws
 * `Stale` when the rates moved since the screen showed them.
 */
export async function saveTarifa(
  trx: Trx,
  { market, huella, ...porcentajes }: CambioTarifa,
  usuarioId: string | null,
): Promise<void> {
  await lockName(trx, 'tarifas');
  const antes = (await readTarifasEscritas(trx))[market];
  const tasas = TASAS.flatMap((tasa) => {
    const porcentaje = porcentajes[tasa];
    return porcentaje ? [[tasa, Money.of(porcentaje).dividedBy(100)] as const] : [];
  });
  const despues = escritaOf(Object.fromEntries(tasas));
  if (huella !== huellaOfTarifa(antes))
    throw new Stale({
      cambios: cambiosEntre(withEtiquetas(ETIQUETAS_TARIFA, despues), withEtiquetas(ETIQUETAS_TARIFA, antes)),
      marcas: { huella: huellaOfTarifa(antes) },
    });
  const valor = JSON.stringify(Object.fromEntries(tasas.map(([tasa, fraccion]) => [tasa, fraccion.toFixed(6)])));
  await trx
    .insertInto('ajuste')
    .values({ clave: claveOfTarifa(market), valor })
    .onConflict((conflict) => conflict.column('clave').doUpdateSet({ valor, actualizadoEn: new Date() }))
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'ajuste',
    entidadId: claveOfTarifa(market),
    accion: 'guardar',
    datos: { antes, despues },
  });
  // What is estimated by these rates is estimated anew.
  await enqueue(trx, 'libro.asentar', { market });
}

/** Effect of other mark-ups on the products of a supplier for one kind of listing. */
export type Movimiento = {
  key: PrecioKey;
  /** Mark-ups that hold before and after. */
  de: string;
  a: string;
  /** Products whose price moves. Those with a mark-up of their own are not among them. */
  mueven: number;
  /** Listings there that follow such a product. */
  publicaciones: number;
  /** Products with a mark-up of their own there. */
  propios: number;
  /** Products priced in dollars without a rate: no sale price before or after. */
  sinCambio: number;
  /** Mean price of the moving products. */
  antes: Money | null;
  despues: Money | null;
};

/** Sale price in SQL, for a whole catalogue in one statement: the same rule as `precioOfVenta`. Null where there is no price. */
const precioSql = (ganancia: RawBuilder<unknown>) =>
  sql`ceil(
    o.precio * case o.moneda when 'MXN' then 1 else coalesce(c.tipo_cambio, o.tipo_cambio) end * 1.16 * (1 + ${ganancia})
    + coalesce(p.costo_envio, 0))`;

/** Returns the mark-up that holds for a kind: an empty one is that of its marketplace's first kind. */
const vigenteOf = (escritas: Record<PrecioKey, string>, key: PrecioKey) =>
  escritas[key] || escritas[PRECIO_DE[key].market];

/** Counts the effect of other mark-ups before they are saved. `siguen` is the condition on listings (`p`) that take their price from us. */
export async function countMovimientos(
  db: Db | Trx,
  proveedor: string,
  antes: Record<PrecioKey, string>,
  escritas: Escritas,
  siguen: RawBuilder<boolean>,
): Promise<Movimiento[]> {
  const despues = despuesOf(antes, escritas);
  const moved = PRECIOS.filter((key) => vigenteOf(antes, key) !== vigenteOf(despues, key));
  return await Promise.all(
    moved.map(async (key) => {
      const { market, tipo } = PRECIO_DE[key];
      const [de, a] = [vigenteOf(antes, key), vigenteOf(despues, key)];
      const { rows } = await sql<Omit<Movimiento, 'key' | 'de' | 'a'>>`
        with seguidas as (
          select p.producto_id, count(*) as seguidas from publicacion p
          where p.proveedor = ${proveedor} and p.market = ${market} and ${siguen}
            and (coalesce(p.tipo, '') = 'gold_pro') = ${tipo !== ''}
          group by p.producto_id),
        precios as (
          select ${precioSql(sql`${de}::numeric`)} as era,
            ${precioSql(sql`${a}::numeric`)} as sera,
            g.producto_id is not null as propio, u.seguidas
          from producto p
          join oferta o on o.producto_id = p.id
          left join catalogo_proveedor c on c.proveedor = p.proveedor
          left join lateral (select producto_id from ganancia_producto
            where producto_id = p.id and market = ${market} and tipo in ('', ${tipo}) limit 1) g on true
          left join seguidas u on u.producto_id = p.id
          where p.proveedor = ${proveedor} and p.ausente_desde is null and o.precio is not null)
        select count(*) filter (where not propio and era <> sera)::int as mueven,
          count(*) filter (where propio)::int as propios,
          count(*) filter (where era is null)::int as sin_cambio,
          coalesce(sum(seguidas) filter (where not propio and era <> sera), 0)::int as publicaciones,
          avg(era) filter (where not propio and era <> sera) as antes,
          avg(sera) filter (where not propio and era <> sera) as despues
        from precios`.execute(db);
      return { key, de, a, ...rows[0]! };
    }),
  );
}
