import { sql } from 'kysely';
import { z } from 'zod';
import { direccionCompuesta } from '~/domain/ventas/ordenes/datosEnvio';
import { CAMPOS } from '~/domain/ventas/ordenes/datosEnvio.server';
import type { Db, Trx } from '~db/client.server';

/** Reads 'Datos del Cliente': the receiver of a shipment, the address, and the articles inside; undefined when no shipment has that id. */
export async function readEnvio(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const envio = await db
    .selectFrom('envio')
    .where('id', '=', id)
    .select(['id', 'marketId', 'estatus', 'subestatus', 'ocurre', 'paqueteriaUrl', 'calleA', 'calleB', ...CAMPOS])
    .executeTakeFirst();
  if (!envio) return undefined;
  const articulos = await db
    .selectFrom('orden')
    .innerJoin('articulo', 'articulo.ordenId', 'orden.id')
    .where('orden.envioId', '=', id)
    .select([
      'articulo.id',
      'articulo.cantidad',
      'articulo.nombre',
      'orden.id as ordenId',
      'orden.market',
      'orden.numOrden',
    ])
    .orderBy(sql`${sql.ref('orden.marketId')} collate "C"`)
    .orderBy('articulo.posicion')
    .execute();
  const {
    id: envioId,
    marketId,
    estatus,
    subestatus,
    ocurre,
    paqueteria,
    paqueteriaUrl,
    guia,
    nombreReceptor,
    telefono,
    referencia,
    calleA,
    calleB,
  } = envio;
  return {
    id: envioId,
    marketId,
    estatus,
    subestatus,
    ocurre,
    paqueteria,
    paqueteriaUrl,
    guia,
    nombreReceptor,
    telefono,
    referencia,
    articulos,
    direccion: direccionCompuesta(envio),
    entreCalles: [calleA, calleB].filter(Boolean).join(' y ') || null,
  };
}

export type EnvioAbierto = NonNullable<Awaited<ReturnType<typeof readEnvio>>>;

/** Returns the receiver, the address and the contents of shipments, by their id. */
export async function datosDeEnvios(db: Db | Trx, ids: readonly string[]) {
  const filas = await db
    .selectFrom('envio')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .select([
      'id',
      'cobrado',
      'nombreReceptor',
      'apellidos',
      'telefono',
      'calle',
      'numeroE',
      'numeroI',
      'calleA',
      'calleB',
      'referencia',
      'colonia',
      'cp',
      'ciudad',
      'municipio',
      sql<{ _id: string; marketId: string; numOrden: string }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('_id', o.id, 'marketId', o.market_id, 'numOrden', o.num_orden) order by o.market_id)
        from orden o where o.envio_id = envio.id), '[]')`.as('ordenes'),
      sql<{ quantity: number; description: string }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('quantity', a.cantidad, 'description', a.nombre) order by o.market_id, a.posicion)
        from orden o join articulo a on a.orden_id = o.id where o.envio_id = envio.id), '[]')`.as('articulos'),
    ])
    .execute();
  return new Map(filas.map((fila) => [fila.id, fila]));
}
