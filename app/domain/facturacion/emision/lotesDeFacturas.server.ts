import { enPesos } from '~/core/importe';
import { NotAllowed } from '~/core/errors';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { mailFactura, resendFacturaMail, ensurePdf } from '~/domain/facturacion/cfdi/factura.server';
import { LIVE_STATES } from '~/platform/effects/effects.server';
import { cuantas, type Nombres } from '~/platform/batches/batch';
import type { Accion, FilaVista } from '~/platform/batches/prepared.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Trx, Db } from '~db/client.server';
import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import { streamZip, textoDeWindows, type Entrada } from '~/platform/files/zip.server';

const NOMBRES: Nombres = { una: 'factura', muchas: 'facturas', clave: 'Folio', titulo: 'Razón social' };

const read = (trx: Trx, ids: readonly string[]) =>
  trx
    .selectFrom('factura')
    .select(['id', 'serie', 'folio', 'rfc', 'razonSocial', 'total', 'estatus', 'emails'])
    .select((is) =>
      is
        .exists(
          is
            .selectFrom('effectSubject')
            .innerJoin('effect', 'effect.id', 'effectSubject.effectId')
            .where('entidad', '=', 'factura')
            .whereRef('entidadId', '=', is.cast<string>('factura.id', 'text'))
            .where('effect.type', '=', mailFactura.type)
            .where('effect.state', 'in', LIVE_STATES),
        )
        .as('enCamino'),
    )
    .where('id', 'in', [...ids])
    .execute();
type Factura = Awaited<ReturnType<typeof read>>[number];

const vistoOf = ({ estatus, emails }: Pick<Factura, 'estatus' | 'emails'>) => [estatus, ...emails].join(' ');

const look =
  (impedimentoOf: (factura: Factura) => string | null) =>
  async (trx: Trx, ids: readonly string[]): Promise<FilaVista[]> =>
    (await read(trx, ids)).map((factura) => ({
      id: factura.id,
      clave: `${factura.serie}-${factura.folio}`,
      titulo: `${factura.razonSocial} (${factura.rfc})`,
      importe: factura.total,
      visto: vistoOf(factura),
      impedimento: impedimentoOf(factura),
    }));

/** The bulk act that sends the letter of each factura again. */
export const correoAClientes: Accion = {
  accion: 'reenviar',
  boton: 'Reenviar correo',
  nombres: NOMBRES,
  pregunta: (n, suma) => ({
    titulo: 'Reenviar correo',
    texto: '¿Está seguro que desea enviar el correo?',
    hechos: `Cada cliente recibe su PDF y su XML: ${cuantas(n, 'factura', 'facturas')} por ${enPesos(suma.toFixed(2))} en total.`,
  }),
  hecho: 'Se envio el correo.',
  fallo: 'Error al enviar el correo.',
  look: look(({ estatus, emails, enCamino }) => {
    if (estatus !== 'vigente') return 'La factura está cancelada o en proceso de cancelarse.';
    if (emails.length === 0) return 'La factura no tiene un correo de contacto.';
    return enCamino ? 'El correo de esta factura ya va en camino.' : null;
  }),
  async lock(trx, id) {
    const factura = await trx
      .selectFrom('factura')
      .select(['estatus', 'emails'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return factura && vistoOf(factura);
  },
  apply: async (trx, id, { usuarioId, batchId }) => [(await resendFacturaMail(trx, id, usuarioId, batchId)).id],
};

/** Number of PDFs in a row without an answer of the PAC after which the rest is not asked for: each would wait as long. */
const MOST_SILENCES = 3;
const PATIENCE_MS = 15_000;

/** The bulk act that makes one file of PDFs and XMLs. PDFs that we lack are fetched from the PAC first; those it does not hand over are named in the file. */
export const pdfYXml: Accion = {
  accion: 'archivos',
  boton: 'PDF y XML (zip)',
  nombres: NOMBRES,
  hecho: 'El archivo está listo.',
  fallo: 'Faltan algunos PDF; el archivo los nombra.',
  look: look(() => null),
  bring(db) {
    let silences = 0;
    return async (id) => {
      const { pdfId } = await db.selectFrom('factura').select('pdfId').where('id', '=', id).executeTakeFirstOrThrow();
      if (pdfId) return;
      if (silences >= MOST_SILENCES) throw new NotAllowed('Error al cargar la factura', SIN_RESPUESTA);
      try {
        await ensurePdf(db, await connectPacReader(db, { timeoutMs: PATIENCE_MS }), id);
        silences = 0;
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape))
          throw error;
        if (error instanceof Unavailable) silences += 1;
        throw new NotAllowed(
          'Error al cargar la factura',
          error instanceof Unavailable ? SIN_RESPUESTA : 'El PAC no entregó el PDF de esta factura.',
          { cause: error },
        );
      }
    };
  },
};

const SIN_RESPUESTA = 'El PAC no respondió cuando se le pidió el PDF.';

const FALTANTES = 'Faltantes.txt';

/** A text without the characters that some system forbids in names of files. '&' and 'Ñ' of an RFC are allowed. */
const nameOf = (text: string) => text.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-');

/**
 * Streams the PDFs and XMLs of a bulk act as one ZIP. A missing PDF is named in a list inside, with the reason. Undefined when this person asked for no such
 * file.
 */
export async function streamLote(
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
  const facturas = await facturasOf(db, lote.id);
  return {
    nombre: `Facturas (${facturas.length}).zip`,
    lista: lote.lista,
    contenido: streamZip(db, entradasOf(facturas)),
  };
}

const facturasOf = (db: Db, loteId: string) =>
  db
    .selectFrom('loteFila')
    .leftJoin('factura', 'factura.id', 'loteFila.filaId')
    .select(['clave', 'loteFila.motivo', 'rfc', 'xmlId', 'pdfId', 'fechaTimbrado'])
    .where('loteId', '=', loteId)
    .orderBy('posicion')
    .execute();

async function* entradasOf(facturas: Awaited<ReturnType<typeof facturasOf>>): AsyncGenerator<Entrada> {
  const faltan: string[] = [];
  for (const { clave, motivo, rfc, xmlId, pdfId, fechaTimbrado } of facturas)
    for (const [extension, archivoId] of [['pdf', pdfId] as const, ['xml', xmlId] as const]) {
      const nombre = `${nameOf([clave, rfc].filter(Boolean).join(' '))}.${extension}`;
      if (archivoId) yield { nombre, archivoId, ...(fechaTimbrado && { fecha: fechaTimbrado }) };
      else faltan.push(`${nombre}: ${motivo ?? 'Todavía no está disponible en el PAC.'}`);
    }
  if (faltan.length > 0)
    yield { nombre: FALTANTES, texto: [textoDeWindows(['Estos archivos no están aquí:', '', ...faltan])] };
}
