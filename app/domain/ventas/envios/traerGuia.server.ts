import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { FormatoDeEtiqueta } from '~/core/formatoDeEtiqueta';
import { NotAllowed } from '~/core/errors';
import { type Market, MARKETS } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { livingAbout } from '~/platform/effects/subjects.server';
import { type Archivo, readArchivo, storeArchivo } from '~/platform/files/archivos.server';
import type { ActoDeImprimir } from '~/domain/mercados/efectos';
import { perMarket } from '~/domain/mercados/registro.server';
import type { Db, Trx } from '~db/client.server';
import { sinGuia } from './guia';

const TITULO = 'Error al traer la guía.';
const TIPO_ZPL = 'application/zpl';

/** Brings the label of a shipment that its marketplace prints, and keeps the file. Asking again brings the same label, so a lost answer is asked for once more. */
const defineImpresion = (acto: ActoDeImprimir) =>
  defineEffect({
    type: acto.type,
    label: acto.label,
    connection: acto.connection,
    request: z.object({
      envioId: z.string(),
      market: z.enum(MARKETS),
      marketId: z.string(),
      /** Whether the label is wanted in ZPL too. */
      zpl: z.boolean().optional(),
    }),
    evidence: z.object({
      archivoId: z.string(),
      zplId: z.string().nullish(),
      numero: z.string(),
      paqueteria: z.string(),
    }),
    key: ({ envioId }) => `envio:${envioId}`,
    subjects: ({ envioId }) => [['envio', envioId]],
    summary: ({ marketId }) => ({ que: `Envío ${marketId}` }),
    unclear: 'repeat',
    sinMirada: 'Solo lee la guía que ya existe.',
    again: true,
    stillWanted: async (trx, { envioId }) => void (await requireImprimible(trx, envioId)),
    async send(call) {
      const { envioId, marketId } = call.request;
      const { contenido, zpl, numero, paqueteria } = await acto.fetch(call);
      return {
        archivoId: (await findGuia(call.db, envioId, contenido)) ?? (await saveGuia(call.db, marketId, contenido)),
        zplId: zpl && (await saveZpl(call.db, marketId, zpl)),
        numero,
        paqueteria,
      };
    },
    confirm: async (_call, evidence) => evidence,
    async settle(trx, { request: { envioId }, usuarioId }, { archivoId, zplId = null, numero, paqueteria }) {
      const { sha256 } = await trx
        .selectFrom('archivo')
        .select('sha256')
        .where('id', '=', archivoId)
        .executeTakeFirstOrThrow();
      // The same label in ZPL, where the PDF was kept before.
      if (zplId !== null)
        await trx
          .updateTable('guia')
          .set({ zplId })
          .where('envioId', '=', envioId)
          .where('sha256', '=', sha256)
          .execute();
      const { numInsertedOrUpdatedRows = 0n } = await trx
        .insertInto('guia')
        .values({ envioId, archivoId, zplId, sha256, numero, paqueteria })
        .onConflict((conflict) =>
          // The file was deleted after its period, and the label was asked for once more.
          conflict
            .columns(['envioId', 'sha256'])
            .doUpdateSet({ archivoId, zplId, creadaEn: sql<Date>`now()` })
            .where('guia.archivoId', 'is', null),
        )
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows > 0n)
        await record(trx, {
          usuarioId,
          entidad: 'envio',
          entidadId: envioId,
          accion: 'traer la guía',
          datos: { dicho: [paqueteria, numero].join(' ') },
        });
    },
  });

/** The effects that bring a label that the marketplace prints, by marketplace. */
export const impresiones = perMarket(({ imprimirGuia }) => imprimirGuia, defineImpresion);

const saveGuia = (db: Db, marketId: string, contenido: Buffer) =>
  storeArchivo(db, { nombre: `guia-${marketId}.pdf`, tipo: 'application/pdf', contenido });

const saveZpl = (db: Db, marketId: string, contenido: Buffer) =>
  storeArchivo(db, { nombre: `guia-${marketId}.zpl`, tipo: TIPO_ZPL, contenido });

/** Returns the file of a label with the same bytes; undefined when the label was not kept yet. */
async function findGuia(db: Db, envioId: string, contenido: Buffer): Promise<string | undefined> {
  const kept = await db
    .selectFrom('guia')
    .select('archivoId')
    .where('envioId', '=', envioId)
    .where('sha256', '=', createHash('sha256').update(contenido).digest())
    .executeTakeFirst();
  return kept?.archivoId ?? undefined;
}

const readEnvio = (db: Db | Trx, envioId: string) =>
  db
    .selectFrom('envio')
    .select(['market', 'marketId', 'estatus', 'subestatus', 'modo', 'tipoLogistico'])
    .where('id', '=', envioId)
    .executeTakeFirst();

async function requireImprimible(trx: Trx, envioId: string): Promise<{ market: Market; marketId: string }> {
  const envio = await readEnvio(trx, envioId);
  if (!envio) throw new NotAllowed(TITULO, 'La orden no tiene un envío.');
  const falta = sinGuia(envio.market, envio);
  if (falta) throw new NotAllowed(TITULO, falta.porque);
  return { market: envio.market, marketId: envio.marketId };
}

async function isImprimible(trx: Trx, envioId: string): Promise<boolean> {
  const envio = await readEnvio(trx, envioId);
  return envio !== undefined && sinGuia(envio.market, envio) === null;
}

/** Tells whether a person prints labels in ZPL. */
async function printsZpl(db: Db | Trx, usuarioId: string | null): Promise<boolean> {
  const chosen =
    usuarioId === null
      ? undefined
      : await db.selectFrom('preferencia').select('etiquetas').where('usuarioId', '=', usuarioId).executeTakeFirst();
  return chosen?.etiquetas === 'zpl';
}

/**
 * Asks for the label of a shipment, in ZPL too for a person who prints in ZPL. Whoever asks twice finds the first effect. Throws NotAllowed when the marketplace
 * prints no label of the shipment.
 */
export async function requestGuia(trx: Trx, envioId: string, usuarioId: string | null): Promise<Accepted> {
  const envio = await requireImprimible(trx, envioId);
  const zpl = await printsZpl(trx, usuarioId);
  return acceptEffect(trx, impresiones.require(envio.market), {
    request: { envioId, ...envio, ...(zpl && { zpl }) },
    usuarioId,
  });
}

/** A label that can be printed, in the format of who prints: `zpl` is false for the PDF. */
type GuiaPorImprimir = { id: string; numero: string; zpl: boolean };

/**
 * Returns the label to print, of whatever marketplace, for a person; null while there is none, once its file was deleted, and while its ZPL is on its way to
 * a person who prints in ZPL. A label that its marketplace gives in no ZPL is printed as PDF.
 */
export async function guiaPorImprimir(
  db: Db | Trx,
  envioId: string,
  usuarioId: string,
): Promise<GuiaPorImprimir | null> {
  const guia = await readGuia(db, envioId);
  if (!guia?.archivoId) return null;
  const { id, numero } = guia;
  if (!(await printsZpl(db, usuarioId))) return { id, numero, zpl: false };
  if (guia.zplId) return { id, numero, zpl: true };
  const bringing = impresiones.of(guia.market);
  const [under] = bringing ? await livingAbout(db, ['envio', envioId], bringing) : [];
  return under && under.state !== 'manual' ? null : { id, numero, zpl: false };
}

/** Returns the label to print now, and asks for one that is not here in the format of the person; null while it is on its way. */
export async function takeGuia(trx: Trx, envioId: string, usuarioId: string): Promise<GuiaPorImprimir | null> {
  const guia = await guiaPorImprimir(trx, envioId, usuarioId);
  if (guia && (guia.zpl || !(await printsZpl(trx, usuarioId)) || !(await isImprimible(trx, envioId)))) return guia;
  await requestGuia(trx, envioId, usuarioId);
  return null;
}

/** Returns the file of a label that stands; undefined when no label has that id in the format, or the file was deleted after its period. */
export async function readGuiaFile(
  db: Db,
  id: string,
  formato: FormatoDeEtiqueta,
): Promise<{ nombre: string; archivo: Archivo } | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const guia = await db
    .selectFrom('guia')
    .select(['archivoId', 'zplId'])
    .where('id', '=', id)
    .where('anuladaEn', 'is', null)
    .executeTakeFirst();
  const archivoId = formato === 'zpl' ? guia?.zplId : guia?.archivoId;
  const archivo = archivoId ? await readArchivo(db, archivoId) : undefined;
  return archivo && { nombre: archivo.nombre, archivo };
}

/** Returns the newest label of a shipment that stands; undefined while there is none. `archivoId` is its PDF, null once the file was deleted after its period. */
export async function readGuia(db: Db | Trx, envioId: string) {
  return db
    .selectFrom('guia')
    .innerJoin('envio', 'envio.id', 'guia.envioId')
    .select([
      'guia.id',
      'guia.archivoId',
      'guia.zplId',
      'guia.numero',
      'guia.paqueteria',
      'guia.creadaEn',
      'envio.market',
    ])
    .where('guia.envioId', '=', envioId)
    .where('guia.anuladaEn', 'is', null)
    .orderBy('guia.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
