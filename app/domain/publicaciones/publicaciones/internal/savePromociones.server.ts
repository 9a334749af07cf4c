import { type RawBuilder, sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import { PISO } from '~/domain/compras/precios/precio';
import { readQuedarias } from '~/domain/compras/precios/precios.server';
import type { PromocionLeida } from '~/domain/mercados/publicacion';
import type { Db, Trx } from '~db/client.server';
import { ingresoOf, seAplica } from '../promocion';

/** Time for which a reading holds before the next one, by whether a promotion runs or is about to. A price that moves is asked about sooner. */
const CON_PROMOCION = '6 hours';
const SIN_PROMOCION = '1 day';

/** Keeps the promotions of a listing, which were asked for at `desde`, and judges them. A newer reading stays. */
export async function saveLectura(
  trx: Trx,
  id: string,
  { promociones, excluida }: { promociones: readonly PromocionLeida[]; excluida: boolean | null },
  desde: Date,
): Promise<void> {
  const otraVez = promociones.some(({ estado }) => seAplica(estado)) ? CON_PROMOCION : SIN_PROMOCION;
  const { rows } = await sql`
    insert into publicacion_promociones as t (publicacion_id, excluida, excluida_en, leida_en, pedir_en)
    values (${id}, ${excluida}, case when ${excluida}::boolean is not null then ${desde}::timestamptz end, ${desde}, now() + ${otraVez}::interval)
    on conflict (publicacion_id) do update set leida_en = excluded.leida_en, pedir_en = excluded.pedir_en, error = null, error_en = null, negada = 0,
      excluida = coalesce(excluded.excluida, t.excluida), excluida_en = coalesce(excluded.excluida_en, t.excluida_en)
    where t.leida_en is null or t.leida_en <= excluded.leida_en returning publicacion_id`.execute(trx);
  if (rows.length === 0) return;
  await sql`delete from publicacion_promocion where publicacion_id = ${id} and clave <> all(${promociones.map(({ clave }) => clave)}::text[])`.execute(
    trx,
  );
  for (const una of promociones) {
    const correDesde = seAplica(una.estado) ? desde : null;
    await sql`
      insert into publicacion_promocion as t (publicacion_id, clave, tipo, promocion, nombre, estado, palabra, precio, original, pone, ponemos, desde, hasta, solo_alla, corre_desde)
      values (${id}, ${una.clave}, ${una.tipo}, ${una.promocion}, ${una.nombre}, ${una.estado}, ${una.palabra}, ${una.precio?.toPostgres() ?? null},
        ${una.original?.toPostgres() ?? null}, ${una.pone?.toPostgres() ?? null}, ${una.ponemos?.toPostgres() ?? null}, ${una.desde}, ${una.hasta}, ${una.soloAlla}, ${correDesde})
      on conflict (publicacion_id, clave) do update set tipo = excluded.tipo, promocion = excluded.promocion, nombre = excluded.nombre, estado = excluded.estado,
        palabra = excluded.palabra, precio = excluded.precio, original = excluded.original, pone = excluded.pone, ponemos = excluded.ponemos, desde = excluded.desde,
        hasta = excluded.hasta, solo_alla = excluded.solo_alla, corre_desde = case when excluded.corre_desde is not null then coalesce(t.corre_desde, excluded.corre_desde) end`.execute(
      trx,
    );
  }
  await judgePromociones(trx, sql`p.id = ${id}`);
}

type Fila = {
  id: string;
  market: Market;
  productoId: string | null;
  precio: Money | null;
  original: Money | null;
  pone: Money | null;
  ponemos: Money | null;
};

const SIN_PRECIO = 'El mercado no dice a qué precio.';

/**
 * Judges the promotions that run or are about to, of the listings (`p`) of a condition: what a sale would leave, and whether that is below our floor. Without a known cost
 * nothing is judged. A promotion that takes nothing off our income is not below it. An invitation is not judged: nobody sells at it.
 */
export async function judgePromociones(db: Db | Trx, cuales: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<Fila>`
    select m.id, p.market, p.producto_id, m.precio, m.original, m.pone, m.ponemos
    from publicacion_promocion m join publicacion p on p.id = m.publicacion_id
    where ${cuales} and p.ausente_desde is null and m.corre_desde is not null order by m.id`.execute(db);
  const conPrecio = rows.flatMap(({ precio, ...una }) =>
    precio === null ? [] : [{ ...una, precio, ...ingresoOf({ ...una, precio }) }],
  );
  const quedarias = await readQuedarias(
    db,
    conPrecio.map(({ productoId, market, ingreso }) => ({ productoId, market, precio: ingreso })),
  );
  const juicios = conPrecio.map(({ id, ingreso, original, estima }, at) => {
    const quedaria = quedarias[at]!;
    if ('porque' in quedaria)
      return { id, ingreso, queda: null, margen: null, bajo: null, estima, porque: quedaria.porque };
    const baja = original === null || ingreso.compare(original) < 0;
    const bajo = baja && quedaria.margen.compare(PISO) < 0;
    return { id, ingreso, ...quedaria, bajo, estima: [...quedaria.estima, ...estima], porque: null };
  });
  const sinPrecio = rows.filter(({ precio }) => precio === null);
  const filas = [
    ...juicios.map((uno) => ({
      ...uno,
      ingreso: uno.ingreso.toPostgres(),
      queda: uno.queda?.toPostgres() ?? null,
      margen: uno.margen?.toPostgres() ?? null,
    })),
    ...sinPrecio.map(({ id }) => ({
      id,
      ingreso: null,
      queda: null,
      margen: null,
      bajo: null,
      estima: [],
      porque: SIN_PRECIO,
    })),
  ];
  await sql`
    update publicacion_promocion m set ingreso = j.ingreso, queda = j.queda, margen = j.margen, bajo = j.bajo, estima = j.estima, porque = j.porque
    from jsonb_to_recordset(${JSON.stringify(filas)}::jsonb) as j (id uuid, ingreso numeric, queda numeric, margen numeric, bajo boolean, estima text[], porque text)
    where m.id = j.id and (m.ingreso, m.queda, m.margen, m.bajo, m.estima, m.porque) is distinct from (j.ingreso, j.queda, j.margen, j.bajo, j.estima, j.porque)`.execute(
    db,
  );
  await sql`
    update publicacion_promocion m set ingreso = null, queda = null, margen = null, bajo = null, estima = '{}', porque = null
    from publicacion p where p.id = m.publicacion_id and ${cuales} and m.corre_desde is null and (m.ingreso is not null or m.porque is not null)`.execute(
    db,
  );
}
