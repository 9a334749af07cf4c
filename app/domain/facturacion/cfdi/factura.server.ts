import { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import { enPesos } from '~/core/importe';
import { readArchivo, type Archivo, storeArchivo } from '~/platform/files/archivos.server';
import type { Clients } from '~/platform/connections/registry.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import { setTimeout as wait } from 'node:timers/promises';
import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { pacienciaOf } from '~/core/paciencia.server';
import { connectPacReader } from './emisor.server';
import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { defineCarta } from '~/platform/effects/carta.server';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';

/** A factura whole, with its concepts, as its dialog shows it; undefined when there is none by that id. */
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

/** The files of a factura: XML, PDF, and the SAT's receipt of its cancellation. */
export const FORMATOS = ['xml', 'pdf', 'acuse'] as const;
export type Formato = (typeof FORMATOS)[number];

/** A stored file of a factura with its name for a download. Without `archivo` the file exists and was not fetched yet; undefined when there is none. */
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

/** The id of the factura that holds an orden now; undefined when none does. */
export async function facturaOfOrden(db: Db, ordenId: string): Promise<string | undefined> {
  const claim = await db
    .selectFrom('fiscalClaim')
    .select('facturaId')
    .where('ordenId', '=', ordenId)
    .executeTakeFirst();
  return claim?.facturaId ?? undefined;
}

/** The PDF of a factura: ours when it was fetched before, else the PAC's, which is kept. Throws as the PAC's client does. */
export async function ensurePdf(
  db: Db,
  pac: Pick<FacturacomReader, 'downloadPdf'>,
  facturaId: string,
): Promise<Archivo> {
  const factura = await db
    .selectFrom('factura')
    .select(['uid', 'pdfId', 'serie', 'folio'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  if (factura.pdfId) return (await readArchivo(db, factura.pdfId))!;
  const contenido = await pac.downloadPdf(factura.uid);
  const id = await db.transaction().execute(async (trx) => {
    const stored = await storeArchivo(trx, {
      nombre: `${factura.serie}-${factura.folio}.pdf`,
      tipo: 'application/pdf',
      contenido,
    });
    await trx.updateTable('factura').set({ pdfId: stored }).where('id', '=', facturaId).execute();
    return stored;
  });
  return (await readArchivo(db, id))!;
}

/** The SAT's receipt of a cancellation: ours when it was fetched before, else the PAC's, which is kept. Throws as the PAC's client does. */
export async function ensureAcuse(
  db: Db,
  pac: Pick<FacturacomReader, 'downloadAcuse'>,
  facturaId: string,
): Promise<Archivo> {
  const { id, acuseId, uid, serie, folio } = await db
    .selectFrom('cancelacion')
    .innerJoin('factura', 'factura.id', 'cancelacion.facturaId')
    .select(['cancelacion.id', 'acuseId', 'uid', 'serie', 'folio'])
    .where('facturaId', '=', facturaId)
    .where('cancelacion.estado', '=', 'cancelada')
    .orderBy('cancelacion.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  if (acuseId) return (await readArchivo(db, acuseId))!;
  const contenido = await pac.downloadAcuse(uid);
  const stored = await db.transaction().execute(async (trx) => {
    const archivoId = await storeArchivo(trx, {
      nombre: `acuse-${serie}-${folio}.xml`,
      tipo: 'application/xml',
      contenido,
    });
    await trx.updateTable('cancelacion').set({ acuseId: archivoId }).where('id', '=', id).execute();
    return archivoId;
  });
  return (await readArchivo(db, stored))!;
}

/**
 * The PDF for a letter or message that is about to leave. Throws Unavailable when the PAC has none now: nothing left yet, so the effect
 * tries later without a doubt.
 */
export async function pdfToSend(db: Db, clients: Clients, facturaId: string): Promise<Archivo> {
  try {
    return await ensurePdf(db, await clients.pac(), facturaId);
  } catch (error) {
    if (error instanceof Refused && error.details.account) throw error;
    throw new Unavailable('El PDF de la factura todavía no está disponible en el PAC.', { cause: error });
  }
}

/**
 * A file of a factura with its name for a download; undefined when there is none. A file that was never fetched is asked of the PAC now,
 * and kept. Throws NotAllowed when the PAC is slow or has none.
 */
export async function fetchFactura(
  db: Db,
  id: string,
  formato: Formato,
): Promise<{ nombre: string; archivo: Archivo } | undefined> {
  const stored = await readFacturaFile(db, id, formato);
  if (!stored) return undefined;
  const archivo = stored.archivo ?? (formato === 'xml' ? undefined : await bring(db, id, formato));
  return archivo && { nombre: stored.nombre, archivo };
}

const NOMBRE = { pdf: 'PDF', acuse: 'acuse de cancelación' } as const;

/** Time a person waits for a file of the PAC. A later file is kept all the same, for the next request. */
const PATIENCE_MS = 1_800;

/** The files that are being fetched now: a second click waits for the same file. */
const coming = new Map<string, Promise<Archivo>>();

async function bring(db: Db, id: string, formato: keyof typeof NOMBRE): Promise<Archivo> {
  const file = `${formato} ${id}`;
  const asked = coming.get(file) ?? start(file, ask(db, id, formato));
  const late = new AbortController();
  try {
    const archivo = await Promise.race([asked, wait(pacienciaOf(PATIENCE_MS), undefined, { signal: late.signal })]);
    if (archivo) return archivo;
    throw new NotAllowed(
      'Error al cargar la factura',
      `El PAC está tardando en entregar el ${NOMBRE[formato]}. En cuanto llegue se guarda aquí: inténtalo otra vez en unos segundos.`,
    );
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused)) throw error;
    throw new NotAllowed(
      'Error al cargar la factura',
      `El ${NOMBRE[formato]} todavía no está disponible en el PAC, por favor intentalo más tarde.`,
      { cause: error },
    );
  } finally {
    late.abort();
  }
}

function start(file: string, asked: Promise<Archivo>): Promise<Archivo> {
  coming.set(file, asked);
  asked
    .catch((error: unknown) => log.warn('el PAC no entregó un archivo', { archivo: file, error: String(error) }))
    .finally(() => void coming.delete(file));
  return asked;
}

async function ask(db: Db, id: string, formato: keyof typeof NOMBRE): Promise<Archivo> {
  const pac = await connectPacReader(db);
  return formato === 'pdf' ? ensurePdf(db, pac, id) : ensureAcuse(db, pac, id);
}

/** The factura that a credit note takes back from, also when the note is cancelled. Throws when the note names none. */
export async function origenOfNota(db: Db | Trx, notaId: string): Promise<{ id: string; folio: string; uuid: string }> {
  const { rows } = await sql<{ id: string; folio: string; uuid: string }>`
    select f.id, f.serie || '-' || f.folio as folio, f.uuid
    from factura n join factura f on f.id = n.origen_id where n.id = ${notaId}`.execute(db);
  if (!rows[0]) throw new Error(`the credit note ${notaId} does not name its factura`);
  return rows[0];
}

/** The credit notes of a factura that are not cancelled, newest first, `limit` at most. */
export async function notasOf(
  db: Db | Trx,
  facturaId: string,
  limit: number,
): Promise<{ id: string; folio: string }[]> {
  const { rows } = await sql<{ id: string; folio: string }>`
    select distinct f.id, f.serie || '-' || f.folio as folio from nota_credito_orden n
      join factura f on f.id = n.nota_id
    where n.factura_id = ${facturaId} and f.estatus <> 'cancelada' order by f.id desc limit ${limit}`.execute(db);
  return rows;
}

const TITULO = 'Error al enviar el correo.';

/**
 * The letter with a factura, or with a credit note that names its factura; PDF and XML go with it. A customer without a factura is worse than one with
 * two letters, so the letter goes again after an unclear answer.
 */
export const mailFactura = defineCarta({
  type: 'factura.mail',
  label: 'Correo con la factura',
  request: z.object({ facturaId: z.string(), emails: z.array(z.string()).min(1) }),
  key: ({ facturaId }) => `factura:${facturaId}`,
  subjects: ({ facturaId }) => [['factura', facturaId]],
  summary: ({ emails }) => ({ emails }),
  again: true,
  async write({ request, clients, db }) {
    const factura = await letterOf(db, request.facturaId);
    const [xml, pdf] = [
      await readArchivo(db, factura.xmlId),
      (await pdfToSend(db, clients, request.facturaId)).contenido,
    ];
    return {
      to: request.emails,
      subject: `Tu ${factura.origen ? 'nota de crédito' : 'factura'} ${factura.folio} de ${env().MARCA}`,
      text: textOf(factura),
      attachments: [
        { filename: `${factura.folio}.pdf`, contentType: 'application/pdf', content: pdf },
        { filename: `${factura.folio}.xml`, contentType: 'application/xml', content: xml!.contenido },
      ],
    };
  },
  noted: ({ facturaId, emails }) => ({
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'correo enviado',
    datos: { destinatarios: emails.length },
  }),
});

type Letter = {
  folio: string;
  numOrden: string | null;
  total: string;
  uuid: string;
  xmlId: string;
  /** The factura of a credit note. */ origen: { folio: string; uuid: string } | null;
};

async function letterOf(db: Db | Trx, facturaId: string): Promise<Letter> {
  const { serie, folio, total, tipo, ...factura } = await db
    .selectFrom('factura')
    .select(['serie', 'folio', 'numOrden', 'total', 'uuid', 'xmlId', 'tipo'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  return {
    ...factura,
    folio: `${serie}-${folio}`,
    total: total.toString(),
    origen: tipo === 'notaCredito' ? await origenOfNota(db, facturaId) : null,
  };
}

function textOf({ folio, numOrden, total, uuid, origen }: Letter): string {
  const orden = numOrden ? ` de la orden ${numOrden}` : '';
  const cuerpo = origen
    ? [
        `Adjuntamos la nota de crédito ${folio} por ${enPesos(total)} MXN, en PDF y XML: devuelve ese importe de tu factura ${origen.folio}${orden}.`,
        '',
        `Folio fiscal: ${uuid}`,
        `Folio fiscal de la factura: ${origen.uuid}`,
      ]
    : [`Adjuntamos tu factura ${folio}${orden} por ${enPesos(total)} MXN, en PDF y XML.`, '', `Folio fiscal: ${uuid}`];
  return ['Hola:', '', ...cuerpo, '', 'Gracias por tu compra.', env().MARCA].join('\n');
}

/**
 * Accepts the letter once more, to the addresses of the factura. Returns the living effect while a letter is on its way. Throws NotAllowed
 * without the factura or an address.
 */
export async function resendFacturaMail(
  trx: Trx,
  facturaId: string,
  usuarioId: string | null,
  batchId: string | null = null,
): Promise<Accepted> {
  const factura = await trx.selectFrom('factura').select(['emails']).where('id', '=', facturaId).executeTakeFirst();
  if (!factura) throw new NotAllowed(TITULO, 'La factura ya no existe.');
  if (factura.emails.length === 0) throw new NotAllowed(TITULO, 'La factura no tiene un correo de contacto.');
  return acceptEffect(trx, mailFactura, { request: { facturaId, emails: factura.emails }, usuarioId, batchId });
}
