import { UnexpectedShape } from '~/integrations/errors';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { log } from '~/core/log.server';
import { readArchivo } from '~/platform/files/archivos.server';
import type { Db } from '~db/client.server';
import type { MetodoDePago } from '~db/columns';
import { cfdiRecibido, columnsOfImpuestos } from './internal/cfdiRecibido';

/** Documents that are looked up at once. */
const LOTE = 50;

/**
 * Reads the taxes and the way of payment of the documents that were kept before these were read, the oldest first. Each is written by itself, so a run that ends early is taken up
 * by the next one. A document that cannot be read says why, and is read no more. Returns how many were read.
 */
export async function readImpuestosPendientes(db: Db, signal?: AbortSignal): Promise<number> {
  let cuantos = 0;
  for (let lote = await pendientes(db); lote.length > 0 && !signal?.aborted; lote = await pendientes(db))
    for (const { id, archivoId, lugar, sinImpuestos } of lote) {
      if (signal?.aborted) break;
      const leidos = await leidosIn(db, archivoId);
      await db
        .updateTable('proveedorCfdi')
        .set(lugar === null && sinImpuestos === null ? leidos : { metodoPago: leidos.metodoPago })
        .where('id', '=', id)
        .where('metodoPago', 'is', null)
        .execute();
      cuantos++;
    }
  if (cuantos > 0) log.info('impuestos de facturas de proveedores leídos', { facturas: cuantos });
  return cuantos;
}

const pendientes = (db: Db) =>
  db
    .selectFrom('proveedorCfdi')
    .select(['id', 'archivoId', 'lugar', 'sinImpuestos'])
    .where('metodoPago', 'is', null)
    .orderBy('id')
    .limit(LOTE)
    .execute();

type Leidos = { metodoPago: MetodoDePago } & ReturnType<typeof columnsOfImpuestos>;
const ilegible = (motivo: string): Leidos => ({ metodoPago: 'sinDecir', sinImpuestos: motivo });

async function leidosIn(db: Db, archivoId: string): Promise<Leidos> {
  const archivo = await readArchivo(db, archivoId);
  try {
    const read = cfdiRecibido(new Date()).safeParse(readCfdiXml(Buffer.from(archivo!.contenido)));
    if (!read.success) return ilegible(read.error.issues[0]!.message);
    const { metodoPago, impuestos } = read.data;
    return { metodoPago, ...columnsOfImpuestos(impuestos) };
  } catch (error) {
    if (!(error instanceof UnexpectedShape)) throw error;
    return ilegible('Su XML no se puede leer.');
  }
}
