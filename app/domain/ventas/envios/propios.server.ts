import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { COLUMNAS_PROPIO, huellaOf } from '~/domain/ventas/ordenes/datosEnvio.server';
import type { Db, Trx } from '~db/client.server';
import { isViva } from './envio';

export const TITULO = 'Error de actualización.';
const AJENO = 'El marketplace lleva este envío y sus datos no se cambian aquí.';

/** The query of a shipment with the columns that people may write. */
export const readEnvioPropio = (db: Db | Trx, envioId: string) =>
  db
    .selectFrom('envio')
    .where('id', '=', envioId)
    .select(['id', 'market', 'marketId', 'modo', 'direccionMercado', 'direccionDifiere', ...COLUMNAS_PROPIO]);
export type EnvioPropio = Awaited<ReturnType<ReturnType<typeof readEnvioPropio>['executeTakeFirstOrThrow']>>;

const ventas = (db: Db | Trx) =>
  db
    .selectFrom('orden')
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .select([
      'orden.id',
      'orden.market',
      'orden.marketId',
      'orden.numOrden',
      'orden.titulo',
      'orden.fechaCreacion',
      'orden.estatus',
      'orden.situacion',
      'orden.clase',
      'orden.envioId',
      sql<boolean>`${sql.ref('orden.envioPropio')} or coalesce(${sql.ref('envio.propio')}, false)`.as('esPropio'),
    ]);
type Venta = Awaited<ReturnType<ReturnType<typeof ventas>['executeTakeFirstOrThrow']>>;

/** Reads a sale with its shipment, if somebody began one, whoever carries it; undefined when there is no such sale. */
async function readVenta(db: Db | Trx, ordenId: string) {
  if (!z.uuid().safeParse(ordenId).success) return undefined;
  return withEnvio(db, await ventas(db).where('orden.id', '=', ordenId).executeTakeFirst());
}

/** Reads a sale that we send ourselves; undefined for any other sale. */
export async function readPropio(db: Db | Trx, ordenId: string) {
  const orden = await readVenta(db, ordenId);
  return orden?.esPropio ? orden : undefined;
}

/** Reads it by the number of the sale. Of a cart the first sale that lives is read. */
export async function readPropioOfNumero(db: Db | Trx, numOrden: string) {
  const found = await ventas(db)
    .where('orden.numOrden', '=', numOrden)
    .where('orden.envioPropio', '=', true)
    .orderBy(sql`clase in ('cancelada', 'devuelta')`)
    .orderBy('orden.marketId')
    .limit(1)
    .executeTakeFirst();
  return withEnvio(db, found);
}

/** Reads it by its shipment: by our id, or by the marketplace's number. */
export async function readPropioOfEnvio(
  db: Db | Trx,
  { id, marketId }: { id?: string | undefined; marketId?: string | undefined },
) {
  if (id === undefined && marketId === undefined) return undefined;
  const found = await ventas(db)
    .$if(id !== undefined, (suyas) => suyas.where('envio.id', '=', id!))
    .$if(marketId !== undefined, (suyas) => suyas.where('envio.marketId', '=', marketId!))
    .orderBy(sql`clase in ('cancelada', 'devuelta')`)
    .orderBy('orden.marketId')
    .limit(1)
    .executeTakeFirst();
  return withEnvio(db, found);
}

async function withEnvio(db: Db | Trx, orden: Venta | undefined) {
  if (!orden) return undefined;
  const envio = orden.envioId === null ? null : await readEnvioPropio(db, orden.envioId).executeTakeFirstOrThrow();
  return { ...orden, envio, huella: huellaOf(envio) };
}

export type OrdenPropia = NonNullable<Awaited<ReturnType<typeof readPropio>>>;

/** Reads a sale that we send ourselves. Throws NotAllowed when the sale is gone, or the marketplace carries it. */
export async function requirePropio(db: Db | Trx, ordenId: string): Promise<OrdenPropia> {
  const orden = await readVenta(db, ordenId);
  if (!orden) throw new NotAllowed(TITULO, 'La orden ya no existe.');
  if (!orden.esPropio) throw new NotAllowed(TITULO, AJENO);
  return orden;
}

/** Throws NotAllowed for a sale whose shipment may not change any more. */
export function requireViva(orden: Pick<OrdenPropia, 'clase' | 'estatus' | 'situacion'>): void {
  if (!isViva(orden)) throw new NotAllowed(TITULO, 'La orden fue cancelada y su envío ya no se cambia.');
}
