import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { addDays, civilDay, daysBetween, isCivilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { acceptEffect } from '~/platform/effects/effects.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { Trx } from '~db/client.server';
import { conceptosOfArticulos, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { CfdiAmountsError } from '~/domain/facturacion/cfdi/cfdi';
import { mailNota } from './mailNota.server';
import { requireNotaDraft, requireNotaVista, type NotaDraft } from './notaDraft.server';
import type { VistoNota } from './notaForm';
import { DIAS_ATRAS_NOTA, NOTA, SERIE_NOTA } from './notaSencilla';
import { drawNota } from './internal/pdfNota.server';

export type CreateNota = {
  fecha: string;
  /** The draft as it was reviewed. */ visto: VistoNota;
  usuario: { id: string; rol: string };
  now: Date;
};

/**
 * Issues a note: takes the next folio, draws the PDF and asks for the letter, all or nothing, so that folios have no gaps. A second call for the
 * same draft returns the note of the first.
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

/** The same arithmetic as a CFDI, so that a note and a later factura of the same items agree. */
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

/** The row of the counter is held until the transaction ends: notes pass one after the other, and one that fails gives its folio back. */
async function nextFolio(trx: Trx): Promise<number> {
  const { ultimo } = await trx
    .updateTable('contador')
    .set({ ultimo: sql`ultimo + 1` })
    .where('clave', '=', 'notaSencilla')
    .returning('ultimo')
    .executeTakeFirstOrThrow();
  return ultimo;
}
