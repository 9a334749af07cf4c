import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { ZipFile } from 'yazl';
import { readArchivo } from '~/platform/files/archivos.server';
import type { Db } from '~db/client.server';
import { pdfYXml } from './lotesDeFacturas.server';

const FALTANTES = 'Faltantes.txt';
/** Of files that can be read again by any program of any system. */
const MODE = 0o100644;

/** What a name of a file may not hold anywhere. An RFC may hold '&' and 'Ñ', which it may. */
const enNombre = (text: string) => text.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-');

type Falta = { nombre: string; motivo: string };

/**
 * The PDF and XML of the facturas of a lote as one file, written while it is taken: each is read when its turn comes, so memory holds one of them. A PDF that
 * the PAC has not handed over is named in a list inside, with the reason. Undefined when this person asked for no such file.
 */
export async function streamZip(
  db: Db,
  loteId: string,
  usuarioId: string,
): Promise<{ nombre: string; lista: string; contenido: Readable } | undefined> {
  const lote = await db
    .selectFrom('lote')
    .select(['id', 'lista'])
    .where(sql<boolean>`id::text = ${loteId}`)
    .where('usuarioId', '=', usuarioId)
    .where('accion', '=', pdfYXml.accion)
    .where('pedidoEn', 'is not', null)
    .executeTakeFirst();
  if (!lote) return undefined;
  const facturas = await db
    .selectFrom('loteFila')
    .leftJoin('factura', 'factura.id', 'loteFila.filaId')
    .select(['clave', 'loteFila.motivo', 'rfc', 'xmlId', 'pdfId', 'fechaTimbrado'])
    .where('loteId', '=', lote.id)
    .orderBy('posicion')
    .execute();
  const zip = new ZipFile();
  const contenido = zip.outputStream as Readable;
  zip.on('error', (error) => contenido.destroy(error as Error));
  const faltan: Falta[] = [];
  for (const { clave, motivo, rfc, xmlId, pdfId, fechaTimbrado } of facturas) {
    const nombre = enNombre([clave, rfc].filter(Boolean).join(' '));
    const options = { mode: MODE, ...(fechaTimbrado && { mtime: fechaTimbrado }) };
    for (const [extension, archivoId] of [['pdf', pdfId] as const, ['xml', xmlId] as const])
      if (archivoId)
        // A PDF is compressed already.
        zip.addReadStream(readFile(db, archivoId), `${nombre}.${extension}`, {
          ...options,
          compress: extension === 'xml',
        });
      else faltan.push({ nombre: `${nombre}.${extension}`, motivo: motivo ?? 'Todavía no está disponible en el PAC.' });
  }
  if (faltan.length > 0) zip.addBuffer(Buffer.from(listaOf(faltan)), FALTANTES, { mode: MODE });
  zip.end();
  return { nombre: `Facturas (${facturas.length}).zip`, lista: lote.lista, contenido };
}

/** Begins to read when somebody reads it. */
function readFile(db: Db, archivoId: string): Readable {
  return Readable.from(
    (async function* () {
      const archivo = await readArchivo(db, archivoId);
      if (!archivo) throw new Error(`el archivo ${archivoId} ya no está`);
      yield archivo.contenido;
    })(),
    { objectMode: false },
  );
}

/** With the lines and the mark by which Windows reads its accents. */
function listaOf(faltan: readonly Falta[]): string {
  const lineas = faltan.map(({ nombre, motivo }) => `${nombre}: ${motivo}`);
  return `\ufeff${['Estos archivos no están aquí:', '', ...lineas, ''].join('\r\n')}`;
}
