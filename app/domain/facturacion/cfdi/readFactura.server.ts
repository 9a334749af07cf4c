import { z } from 'zod';
import type { Db } from '~db/client.server';
import { readArchivo, type Archivo } from '~/platform/files/archivos.server';

/** A factura whole, as its dialog shows it; undefined when there is none by that id. */
export async function readFactura(db: Db, id: string) {
  if (!isId(id)) return undefined;
  const factura = await db
    .selectFrom('factura')
    .leftJoin('usuario', 'usuario.id', 'factura.usuarioId')
    .where('factura.id', '=', id)
    .select([
      'factura.id',
      'tipo',
      'estatus',
      'market',
      'numOrden',
      'uuid',
      'serie',
      'folio',
      'fecha',
      'fechaTimbrado',
      'rfc',
      'razonSocial',
      'cp',
      'regimen',
      'usoCfdi',
      'formaPago',
      'subtotal',
      'iva',
      'total',
      'emails',
      'canceladaEn',
      'usuario.nombre',
      'usuario.apellidos',
    ])
    .executeTakeFirst();
  if (!factura) return undefined;
  const conceptos = await db
    .selectFrom('facturaConcepto')
    .where('facturaId', '=', id)
    .orderBy('posicion')
    .select([
      'posicion',
      'claveProdServ',
      'noIdentificacion',
      'cantidad',
      'claveUnidad',
      'descripcion',
      'valorUnitario',
      'importe',
    ])
    .execute();
  return { ...factura, folio: `${factura.serie}-${factura.folio}`, conceptos };
}

export type FacturaWhole = NonNullable<Awaited<ReturnType<typeof readFactura>>>;

export const FORMATOS = ['xml', 'pdf', 'acuse'] as const;
export type Formato = (typeof FORMATOS)[number];

/**
 * The stored XML or PDF of a factura, or the SAT's receipt of its cancellation, under the name it is downloaded with. Without `archivo` it exists and
 * was not fetched yet.
 */
export async function readFacturaFile(
  db: Db,
  id: string,
  formato: Formato,
): Promise<{ nombre: string; archivo?: Archivo } | undefined> {
  if (!isId(id)) return undefined;
  if (formato === 'acuse') return readAcuse(db, id);
  const factura = await db
    .selectFrom('factura')
    .where('id', '=', id)
    .select(['serie', 'folio', 'xmlId', 'pdfId'])
    .executeTakeFirst();
  if (!factura) return undefined;
  const archivoId = formato === 'xml' ? factura.xmlId : factura.pdfId;
  return {
    nombre: `${factura.serie}-${factura.folio}.${formato}`,
    archivo: archivoId ? await readArchivo(db, archivoId) : undefined,
  };
}

async function readAcuse(db: Db, facturaId: string): Promise<{ nombre: string; archivo?: Archivo } | undefined> {
  const cancelacion = await db
    .selectFrom('cancelacion')
    .innerJoin('factura', 'factura.id', 'cancelacion.facturaId')
    .select(['serie', 'folio', 'acuseId'])
    .where('facturaId', '=', facturaId)
    .where((eb) => eb.or([eb('cancelacion.estado', '=', 'cancelada'), eb('acuseId', 'is not', null)]))
    .orderBy('cancelacion.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!cancelacion) return undefined;
  return {
    nombre: `acuse-${cancelacion.serie}-${cancelacion.folio}.xml`,
    archivo: cancelacion.acuseId ? await readArchivo(db, cancelacion.acuseId) : undefined,
  };
}

const isId = (text: string) => z.uuid().safeParse(text).success;

/** The factura that holds a sale now; undefined when none does. */
export async function facturaOfOrden(db: Db, ordenId: string): Promise<string | undefined> {
  const claim = await db
    .selectFrom('fiscalClaim')
    .select('facturaId')
    .where('ordenId', '=', ordenId)
    .executeTakeFirst();
  return claim?.facturaId ?? undefined;
}
