import { z } from 'zod';
import { enPesos } from '~/core/importe';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { defineCarta } from '~/platform/effects/carta.server';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { readArchivo, storeArchivo } from '~/platform/files/archivos.server';
import type { Trx } from '~db/client.server';
import { NOTA, DIAS_ATRAS_NOTA, SERIE_NOTA } from './notaSencilla';
import { sql } from 'kysely';
import { addDays, civilDay, daysBetween, isCivilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { conceptosOfArticulos, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { CfdiAmountsError } from '~/domain/facturacion/cfdi/importes';
import { requireNotaDraft, requireNotaVista, type NotaDraft, openNotaDraft, saveDatosNota } from './notaDraft.server';
import type { VistoNota, DatosNota } from './forms';
import { drawNota } from './internal/pdfNota.server';
import { requireCodigos } from '~/domain/facturacion/emision/codigosSku.server';

/** The letter with a nota sencilla; its PDF goes with it. */
export const mailNota = defineCarta({
  type: 'nota.mail',
  label: 'Correo con la nota sencilla',
  request: z.object({ notaId: z.string(), emails: z.array(z.string()).min(1) }),
  key: ({ notaId }) => `nota:${notaId}`,
  subjects: ({ notaId }) => [['notaSencilla', notaId]],
  summary: ({ emails }) => ({ emails }),
  async write({ request, db }) {
    const nota = await db
      .selectFrom('notaSencilla')
      .select(['serie', 'folio', 'nombre', 'total', 'pdfId'])
      .where('id', '=', request.notaId)
      .executeTakeFirstOrThrow();
    const pdf = await readArchivo(db, nota.pdfId);
    const folio = `${nota.serie}-${nota.folio}`;
    return {
      to: request.emails,
      subject: `Tu nota ${folio} de ${env().MARCA}`,
      text: [
        `Hola, ${nota.nombre}:`,
        '',
        `Adjuntamos tu nota ${folio} por ${enPesos(nota.total)} MXN, en PDF.`,
        '',
        'Gracias por tu compra.',
        env().MARCA,
      ].join('\n'),
      attachments: [{ filename: `nota-${folio}.pdf`, contentType: 'application/pdf', content: pdf!.contenido }],
    };
  },
  noted: ({ notaId, emails }) => ({
    entidad: 'notaSencilla',
    entidadId: notaId,
    accion: 'correo enviado',
    datos: { destinatarios: emails.length },
  }),
});

/**
 * Accepts the letter once more, to the address of the nota. Returns the living effect while a letter is on its way. Throws NotAllowed when
 * the nota is gone.
 */
export async function resendNotaMail(trx: Trx, notaId: string, usuarioId: string): Promise<Accepted> {
  const nota = z.uuid().safeParse(notaId).success
    ? await trx.selectFrom('notaSencilla').select('email').where('id', '=', notaId).executeTakeFirst()
    : undefined;
  if (!nota) throw new NotAllowed(NOTA, 'La nota ya no existe.');
  return acceptEffect(trx, mailNota, { request: { notaId, emails: [nota.email] }, usuarioId });
}

/** A person's request for the nota of a draft. */
export type CreateNota = {
  fecha: string;
  /** The draft as the screen showed it. */ visto: VistoNota;
  usuario: { id: string; rol: string };
  now: Date;
};

/**
 * Issues a nota and returns its id: takes the next folio, draws the PDF and accepts the letter, all or nothing, so that folios have no
 * gaps. A second call for the same draft returns the first nota. Throws Stale when the draft moved, and NotAllowed for data that are
 * missing or a day that is not allowed.
 */
export async function createNota(
  trx: Trx,
  draftId: string,
  { fecha, visto, usuario, now }: CreateNota,
): Promise<string> {
  const draft = await requireNotaDraft(trx, draftId, usuario, { lock: true });
  if (draft.notaId) return draft.notaId;
  requireNotaVista(draft, visto);
  if (!draft.datos.listos) throw new NotAllowed(NOTA, 'Faltan los datos de la nota. Guárdalos en el paso anterior.');
  requireFecha(fecha, now);
  const { subTotal, iva, total } = totalesOf(draft.articulos);
  const folio = await nextFolio(trx);
  const contenido = await drawNota({
    ...contactOf(draft),
    marca: env().MARCA,
    folio: `${SERIE_NOTA}-${folio}`,
    fecha,
    articulos: draft.articulos,
    subTotal,
    iva,
    total,
  });
  const pdfId = await storeArchivo(trx, {
    nombre: `nota-${SERIE_NOTA}-${folio}.pdf`,
    tipo: 'application/pdf',
    contenido,
  });
  const { id } = await trx
    .insertInto('notaSencilla')
    .values({
      ...contactOf(draft),
      draftId,
      serie: SERIE_NOTA,
      folio,
      fecha,
      articulos: JSON.stringify(draft.articulos),
      subtotal: subTotal,
      iva,
      total,
      pdfId,
      usuarioId: usuario.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await acceptEffect(trx, mailNota, { request: { notaId: id, emails: [draft.datos.email] }, usuarioId: usuario.id });
  await record(trx, {
    usuarioId: usuario.id,
    entidad: 'notaSencilla',
    entidadId: id,
    accion: 'crear',
    datos: { folio: `${SERIE_NOTA}-${folio}`, total, fecha },
  });
  return id;
}

function contactOf({ datos: { colonias: _colonias, aviso: _aviso, listos: _listos, ...contacto } }: NotaDraft) {
  return contacto;
}

function requireFecha(fecha: string, now: Date): void {
  const no = (texto: string) => new NotAllowed(NOTA, texto, { campo: 'fecha' });
  if (!isCivilDay(fecha)) throw no('La fecha de la nota no es una fecha.');
  const hoy = civilDay(now);
  const back = daysBetween(fecha, hoy);
  if (back < 0) throw no('La fecha de la nota no puede ser futura.');
  if (back > DIAS_ATRAS_NOTA) {
    throw no(
      `La fecha de la nota puede ser hoy o hasta ${DIAS_ATRAS_NOTA} días antes: desde ${addDays(hoy, -DIAS_ATRAS_NOTA).split('-').reverse().join('/')}.`,
    );
  }
}

/** The sums of the rows, with the arithmetic of a CFDI, so that a nota and a later factura of the same rows agree. */
function totalesOf(articulos: readonly Articulo[]) {
  try {
    return conceptosOfArticulos(articulos);
  } catch (error) {
    if (!(error instanceof CfdiAmountsError)) throw error;
    throw new NotAllowed(NOTA, 'Los importes de los artículos no cuadran al centavo. Revisa precios y cantidades.', {
      cause: error,
    });
  }
}

/** Takes the next folio. The counter's row is locked until the transaction ends, so notas pass one after the other, and a failed one gives its folio back. */
async function nextFolio(trx: Trx): Promise<number> {
  const { ultimo } = await trx
    .updateTable('contador')
    .set({ ultimo: sql`ultimo + 1` })
    .where('clave', '=', 'notaSencilla')
    .returning('ultimo')
    .executeTakeFirstOrThrow();
  return ultimo;
}

/** Does the three steps of a nota at once, over the same draft and the same checks as the screen. Returns the nota's id; throws as the steps do. */
export async function notaAtOnce(
  trx: Trx,
  { articulos, datos, fecha }: { articulos: Articulo[]; datos: DatosNota; fecha: string },
  usuario: { id: string; rol: string },
  now: Date,
): Promise<string> {
  await requireCodigos(trx, 'Error de llenado.', articulos);
  const id = await openNotaDraft(trx, articulos, usuario.id);
  await saveDatosNota(trx, await requireNotaDraft(trx, id, usuario), datos);
  const { version } = await requireNotaDraft(trx, id, usuario);
  return createNota(trx, id, { fecha, visto: { version, mostrado: {} }, usuario, now });
}
