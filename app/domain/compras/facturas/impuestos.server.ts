import { UnexpectedShape } from '~/integrations/errors';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { log } from '~/core/log.server';
import { readArchivo } from '~/platform/files/archivos.server';
import type { Db } from '~db/client.server';
import { cfdiRecibido, columnsOfImpuestos, type CfdiRecibido } from './internal/cfdiRecibido';

/** Documents that are looked up at once. */
const LOTE = 50;

/**
 * Reads the taxes of the documents that were kept before taxes were read, the oldest first. Each is written by itself, so a run that ends early is taken up
 * by the next one. A document that cannot be read says why, and is read no more. Returns how many were read.
 */
export async function readImpuestosPendientes(db: Db, signal?: AbortSignal): Promise<number> {
  let leidos = 0;
  for (let lote = await pendientes(db); lote.length > 0 && !signal?.aborted; lote = await pendientes(db))
    for (const { id, archivoId } of lote) {
      if (signal?.aborted) break;
      await db
        .updateTable('proveedorCfdi')
        .set(columnsOfImpuestos(await impuestosIn(db, archivoId)))
        .where('id', '=', id)
        .where('lugar', 'is', null)
        .execute();
      leidos++;
    }
  if (leidos > 0) log.info('impuestos de facturas de proveedores leídos', { facturas: leidos });
  return leidos;
}

const pendientes = (db: Db) =>
  db
    .selectFrom('proveedorCfdi')
    .select(['id', 'archivoId'])
    .where('lugar', 'is', null)
    .where('sinImpuestos', 'is', null)
    .orderBy('id')
    .limit(LOTE)
    .execute();

async function impuestosIn(db: Db, archivoId: string): Promise<CfdiRecibido['impuestos']> {
  const archivo = await readArchivo(db, archivoId);
  try {
    const read = cfdiRecibido(new Date()).safeParse(readCfdiXml(Buffer.from(archivo!.contenido)));
    return read.success ? read.data.impuestos : { motivo: read.error.issues[0]!.message };
  } catch (error) {
    if (!(error instanceof UnexpectedShape)) throw error;
    return { motivo: 'Su XML no se puede leer.' };
  }
}
