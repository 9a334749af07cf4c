import { z } from 'zod';
import { readArchivo, type Archivo } from '~/platform/files/archivos.server';
import { isTipo, TIPOS } from '~/platform/files/tipos';
import type { Db, Trx } from '~db/client.server';
import type { Comprobante } from './internal/comprobante';

const Lectura = z.object({
  fecha: z.string().nullable(),
  total: z.string().nullable(),
  claveRastreo: z.string().nullable(),
  banco: z.string().nullable(),
}) satisfies z.ZodType<Comprobante>;

/** The papers of these payments, the oldest first; one that several share is told of each. */
export async function archivosOfPagos(db: Db | Trx, pagos: readonly string[]) {
  if (pagos.length === 0) return [];
  const found = await db
    .selectFrom('pagoArchivo')
    .innerJoin('archivo', 'archivo.id', 'pagoArchivo.archivoId')
    .innerJoin('pago', 'pago.id', 'pagoArchivo.pagoId')
    .leftJoin('usuario', 'usuario.id', 'pagoArchivo.usuarioId')
    .select([
      'pagoArchivo.pagoId',
      'pagoArchivo.archivoId',
      'pagoArchivo.nombre',
      'pagoArchivo.lectura',
      'pagoArchivo.creadoEn',
      'archivo.tipo',
      'archivo.bytes',
      'pago.folio',
      'usuario.usuario',
    ])
    .where('pagoArchivo.pagoId', 'in', pagos)
    .orderBy('pagoArchivo.creadoEn')
    .orderBy('pagoArchivo.archivoId')
    .orderBy('pagoArchivo.pagoId')
    .execute();
  return found.flatMap(({ tipo, lectura, ...archivo }) =>
    isTipo(tipo)
      ? [{ ...archivo, tipo, clase: TIPOS[tipo].clase, lectura: Lectura.nullable().catch(null).parse(lectura) }]
      : [],
  );
}

export type ArchivoDePago = Awaited<ReturnType<typeof archivosOfPagos>>[number];

/** The payments of a sale, each with its papers. */
export async function pagosOfOrden(db: Db | Trx, ordenId: string) {
  const pagos = await db
    .selectFrom('pagoOrden')
    .innerJoin('pago', 'pago.id', 'pagoOrden.pagoId')
    .leftJoin('usuario', 'usuario.id', 'pago.usuarioId')
    .select(['pago.id', 'pago.folio', 'pago.proveedor', 'pago.creadoEn', 'usuario.usuario'])
    .where('pagoOrden.ordenId', '=', ordenId)
    .orderBy('pago.creadoEn')
    .orderBy('pago.id')
    .execute();
  const archivos = await archivosOfPagos(
    db,
    pagos.map(({ id }) => id),
  );
  return pagos.map((pago) => ({ ...pago, archivos: archivos.filter(({ pagoId }) => pagoId === pago.id) }));
}

/** One file of a payment, by the name it has there; undefined when it is not of that payment. */
export async function findArchivoOfPago(
  db: Db,
  pagoId: string,
  archivoId: string,
): Promise<{ archivo: Archivo; nombre: string } | undefined> {
  const suyo = await db
    .selectFrom('pagoArchivo')
    .select('nombre')
    .where('pagoId', '=', pagoId)
    .where('archivoId', '=', archivoId)
    .executeTakeFirst();
  const archivo = suyo && (await readArchivo(db, archivoId));
  return archivo && { archivo, nombre: suyo.nombre };
}
