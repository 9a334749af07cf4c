import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { type Market, MARKETS } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { type Archivo, readArchivo, storeArchivo } from '~/platform/files/archivos.server';
import type { ActoDeImprimir } from '~/domain/mercados/efectos';
import { perMarket } from '~/domain/mercados/registro.server';
import type { Db, Trx } from '~db/client.server';
import { sinGuia } from './guia';

const TITULO = 'Error al traer la guía.';

/** Brings the label of a shipment that its marketplace prints, and keeps the file. Asking again brings the same label, so a lost answer is asked for once more. */
const defineImpresion = (acto: ActoDeImprimir) =>
  defineEffect({
    type: acto.type,
    label: acto.label,
    connection: acto.connection,
    request: z.object({ envioId: z.string(), market: z.enum(MARKETS), marketId: z.string() }),
    evidence: z.object({ archivoId: z.string(), numero: z.string(), paqueteria: z.string() }),
    key: ({ envioId }) => `envio:${envioId}`,
    subjects: ({ envioId }) => [['envio', envioId]],
    summary: ({ marketId }) => ({ que: `Envío ${marketId}` }),
    unclear: 'repeat',
    sinMirada: 'Solo lee la guía que ya existe.',
    again: true,
    stillWanted: async (trx, { envioId }) => void (await requireImprimible(trx, envioId)),
    async send(call) {
      const { envioId, marketId } = call.request;
      const { contenido, numero, paqueteria } = await acto.fetch(call);
      return {
        archivoId: (await findGuia(call.db, envioId, contenido)) ?? (await saveGuia(call.db, marketId, contenido)),
        numero,
        paqueteria,
      };
    },
    confirm: async (_call, evidence) => evidence,
    async settle(trx, { request: { envioId }, usuarioId }, { archivoId, numero, paqueteria }) {
      const { sha256 } = await trx
        .selectFrom('archivo')
        .select('sha256')
        .where('id', '=', archivoId)
        .executeTakeFirstOrThrow();
      const { numInsertedOrUpdatedRows = 0n } = await trx
        .insertInto('guia')
        .values({ envioId, archivoId, sha256, numero, paqueteria })
        .onConflict((conflict) =>
          // The file was deleted after its period, and the label was asked for once more.
          conflict
            .columns(['envioId', 'sha256'])
            .doUpdateSet({ archivoId, creadaEn: sql<Date>`now()` })
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

async function requireImprimible(trx: Trx, envioId: string): Promise<{ market: Market; marketId: string }> {
  const envio = await trx
    .selectFrom('envio')
    .select(['market', 'marketId', 'estatus', 'subestatus', 'modo', 'tipoLogistico'])
    .where('id', '=', envioId)
    .executeTakeFirst();
  if (!envio) throw new NotAllowed(TITULO, 'La orden no tiene un envío.');
  const falta = sinGuia(envio.market, envio);
  if (falta) throw new NotAllowed(TITULO, falta.porque);
  return { market: envio.market, marketId: envio.marketId };
}

/** Asks for the label of a shipment. Whoever asks twice finds the first effect. Throws NotAllowed when the marketplace prints no label of the shipment. */
export async function requestGuia(trx: Trx, envioId: string, usuarioId: string | null): Promise<Accepted> {
  const envio = await requireImprimible(trx, envioId);
  return acceptEffect(trx, impresiones.require(envio.market), { request: { envioId, ...envio }, usuarioId });
}

/** Returns the file of a label that stands; undefined when no label has that id, or the file was deleted after its period. */
export async function readGuiaFile(db: Db, id: string): Promise<{ nombre: string; archivo: Archivo } | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const guia = await db
    .selectFrom('guia')
    .select('archivoId')
    .where('id', '=', id)
    .where('anuladaEn', 'is', null)
    .executeTakeFirst();
  const archivo = guia?.archivoId ? await readArchivo(db, guia.archivoId) : undefined;
  return archivo && { nombre: archivo.nombre, archivo };
}

/** Returns the newest label of a shipment that stands; undefined while there is none. `archivoId` is null once its file was deleted after its period. */
export async function readGuia(db: Db | Trx, envioId: string) {
  return db
    .selectFrom('guia')
    .select(['id', 'archivoId', 'numero', 'paqueteria', 'creadaEn'])
    .where('envioId', '=', envioId)
    .where('anuladaEn', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
