import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { record } from '~/platform/bitacora.server';
import { defineEffect, StillWorking, TurnedDown } from '~/platform/effects/definition';
import { MERCADOS } from '~/domain/mercados/mercados';
import { findFuente } from '~/domain/mercados/registro.server';
import { Refused } from '~/integrations/errors';
import type { AnuncioMostrado } from '~/integrations/amazon/write.server';
import type { Db } from '~db/client.server';
import { formularioGuardado, publicadorOf } from './categorias.server';
import { Pedida, terminado } from './internal/pedida.server';

const TIPO = 'amz.publicar';
const CONEXION = 'amazon';
/** A page of its own takes some minutes, and at times a day. What is there by then is listed as it is. */
const SE_ESPERA_MS = 900_000;

const Cuerpo = z.object({
  productType: z.string(),
  requirements: z.enum(['LISTING', 'LISTING_OFFER_ONLY']),
  attributes: z.record(z.string(), z.unknown()),
});

const market = () => {
  const fuente = findFuente(CONEXION);
  if (!fuente) throw new Error(`no hay mercado de ${CONEXION}`);
  return fuente.market;
};

/**
 * Puts a product on sale at Amazon, under its sku: there is one listing for each, so saying it again corrects it and never doubles it. Amazon takes it in and works on it by itself:
 * how it ended is what the listing and its errors say.
 */
export const publicarAmz = defineEffect({
  type: TIPO,
  label: 'Publicación en Amazon',
  connection: CONEXION,
  request: Pedida,
  evidence: z.object({ submissionId: z.string().nullable(), en: z.string() }),
  key: ({ productoId }) => `producto:${productoId}`,
  ref: ({ sku }) => sku,
  subjects: ({ productoId }) => [['producto', productoId]],
  summary: ({ titulo, sku }) => ({ que: `${titulo} (${sku})` }),
  unclear: 'find',
  byHand: { says: 'done', evidence: { submissionId: null, en: new Date(0).toISOString() } },
  async send({ request, clients, db }) {
    const { publicaciones } = clients.amz();
    // One that is for sale is there; one that is not is what has to be corrected.
    if (aLaVenta(await publicaciones.mostrada(request.sku))) return recibo(null);
    try {
      const { submissionId } = await publicaciones.poner(request.sku, Cuerpo.parse(request.cuerpo));
      return recibo(submissionId);
    } catch (error) {
      if (error instanceof Refused && Array.isArray(error.details.answer))
        await note(db, request, error.details.answer);
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    return (await clients.amz().publicaciones.mostrada(request.sku)) ? recibo(null) : 'absent';
  },
  async confirm({ request, clients, db }, { en }) {
    const hay = await clients.amz().publicaciones.mostrada(request.sku);
    if (hay && hay.errores.length > 0 && !aLaVenta(hay)) {
      await note(db, request, hay.errores);
      throw new TurnedDown(hay.porque);
    }
    const seAgoto = Date.now() - Date.parse(en) > SE_ESPERA_MS * env().EFFECT_PACE;
    if (!hay || (!aLaVenta(hay) && !seAgoto))
      throw new StillWorking('Amazon la recibió y todavía no la pone a la venta');
    return hay;
  },
  async settle(trx, effect, { asin, tipo, precio, stock, titulo, estatus }) {
    const { productoId, proveedor, sku, seguir } = effect.request;
    const mostrada = {
      marketId: asin,
      titulo,
      precio,
      stock,
      estatus,
      categoriaId: tipo,
      link: asin && `https://www.amazon.com.mx/dp/${encodeURIComponent(asin)}`,
    };
    await enCreacion(trx.updateTable('publicacion').set(mostrada), sku).execute();
    const { id } = await trx
      .insertInto('publicacion')
      .values({
        market: market(),
        clave: sku,
        sku,
        proveedor,
        productoId,
        ...mostrada,
        fechaCreacion: sql<Date>`now()`,
        autoSync: seguir,
      })
      .onConflict((conflict) =>
        conflict.columns(['market', 'clave']).doUpdateSet({ productoId, proveedor, sku, autoSync: seguir }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await record(trx, {
      usuarioId: effect.usuarioId,
      entidad: 'publicacion',
      entidadId: id,
      accion: 'publicar',
      datos: { dicho: asin ?? sku },
    });
    await terminado(trx, effect, { market: market(), type: TIPO });
  },
  async release(trx, { request: { productoId, sku } }, razon) {
    await enCreacion(trx.deleteFrom('publicacion'), sku).execute();
    await trx
      .updateTable('publicacionBorrador')
      .set({
        problemas: sql`case when problemas = '[]'::jsonb then ${JSON.stringify([{ campo: null, texto: razon }])}::jsonb else problemas end`,
      })
      .where('market', '=', market())
      .where('productoId', '=', productoId)
      .execute();
  },
});

/** The line that stands for it until Amazon shows it. */
const enCreacion = <Q extends { where(columna: string, es: '=', valor: string): Q }>(query: Q, sku: string): Q =>
  query
    .where('market', '=', market())
    .where('clave', '=', sku)
    .where('estatus', '=', MERCADOS[market()].publicaciones.creandose ?? '');

const recibo = (submissionId: string | null) => ({ submissionId, en: new Date().toISOString() });
const aLaVenta = (hay: AnuncioMostrado | null): boolean => hay?.aLaVenta === true;

/** Why it was not taken, for whoever corrects it. */
async function note(db: Db, { productoId }: z.output<typeof Pedida>, problemas: unknown): Promise<void> {
  const borrador = await db
    .selectFrom('publicacionBorrador')
    .select('categoriaId')
    .where('market', '=', market())
    .where('productoId', '=', productoId)
    .executeTakeFirst();
  const formulario = borrador?.categoriaId ? await formularioGuardado(db, market(), borrador.categoriaId) : null;
  await db
    .updateTable('publicacionBorrador')
    .set({ problemas: JSON.stringify(publicadorOf(db, market()).explicar(problemas, formulario)) })
    .where('market', '=', market())
    .where('productoId', '=', productoId)
    .execute();
}
