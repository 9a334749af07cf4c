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
