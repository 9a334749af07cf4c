import { sql } from 'kysely';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { defineEffect, type EffectCall, Mismatch } from '~/platform/effects/definition';
import { readArchivo } from '~/platform/files/archivos.server';
import { publicadoPor } from '~/domain/mercados/mercados';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Db } from '~db/client.server';
import { formularioGuardado, publicadorOf } from './categorias.server';
import { Pedida, terminado } from './internal/pedida.server';
import { TIPO_LABEL } from './publicador';

const MARKET = publicadoPor('publicadorML');
const TIPO = 'ml.publicar';

/**
 * Puts a product on sale at Mercado Libre, once. Its sku is the reference: whoever does not know whether it was done looks for it among what the seller has. It is never sent
 * again by itself, since the search may know of a listing later than it exists.
 */
export const publicarMl = defineEffect({
  type: TIPO,
  label: 'Publicación en Mercado Libre',
  connection: 'mercadolibre',
  request: Pedida,
  evidence: z.object({ itemId: z.string() }),
  key: ({ productoId, tipo }) => `producto:${productoId}:${tipo}`,
  ref: ({ sku, tipo }) => `${sku} ${tipo}`,
  subjects: ({ productoId }) => [['producto', productoId]],
  summary: ({ titulo, tipo, cuerpo }) => ({
    que: `${titulo} (${TIPO_LABEL[tipo]})`,
    ...(typeof cuerpo.price === 'number' && { total: cuerpo.price.toFixed(2) }),
  }),
  unclear: 'find',
  byHand: { says: 'folio', evidence: (itemId) => ({ itemId }) },
  async send(call) {
    const { request, clients } = call;
    const ml = clients.ml();
    const antes = await antesOfNada(suya(ml, request), 'No se supo si ya está publicada');
    if (antes) return { itemId: antes };
    try {
      const { id } = await ml.createItem({ ...request.cuerpo, pictures: await upload(call, ml) });
      return { itemId: id };
    } catch (error) {
      if (error instanceof Refused && Array.isArray(error.details.answer)) await note(call.db, request, error);
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const itemId = await suya(clients.ml(), request);
    return itemId ? { itemId } : 'absent';
  },
  mayRepeat: () =>
    Promise.resolve(
      'Mercado Libre no contestó y la publicación no aparece con este SKU. Búscala en la cuenta antes de pedirla otra vez.',
    ),
  async confirm({ request, clients }, { itemId }) {
    const ml = clients.ml();
    const item = await ml.item(itemId);
    if (!item) throw new Uncertain(`Mercado Libre todavía no muestra ${itemId}`);
    const suyo = item.attributes.find(({ id }) => id === 'SELLER_SKU')?.value_name;
    if (suyo && suyo !== request.sku) throw new Mismatch([`SKU: ${suyo} en vez de ${request.sku}`], { itemId });
    return { item, sinDescripcion: await describir(ml, itemId, request.descripcion) };
  },
  async settle(trx, effect, { item, sinDescripcion }) {
    const { productoId, proveedor, sku, tipo, titulo, cuerpo, seguir } = effect.request;
    const precio = item.price ?? (cuerpo.price as number);
    const { id } = await trx
      .insertInto('publicacion')
      .values({
        market: MARKET,
        clave: item.id,
        marketId: item.id,
        sku,
        proveedor,
        productoId,
        titulo: item.title ?? titulo,
        precio: precio.toFixed(2),
        stock: item.available_quantity ?? (cuerpo.available_quantity as number),
        vendido: 0,
        estatus: item.status ?? 'active',
        tipo,
        categoriaId: item.category_id ?? null,
        link: item.permalink ?? null,
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
      datos: { dicho: [`${TIPO_LABEL[tipo]}, ${item.id}`, sinDescripcion].filter(Boolean).join('. ') },
    });
    await terminado(trx, effect, { market: MARKET, type: TIPO });
  },
  async release(trx, effect, reason) {
    await trx
      .updateTable('publicacionBorrador')
      .set({
        problemas: sql`case when problemas = '[]'::jsonb then ${JSON.stringify([{ campo: null, texto: reason }])}::jsonb else problemas end`,
      })
      .where('market', '=', MARKET)
      .where('productoId', '=', effect.request.productoId)
      .execute();
  },
});

/** The living listing of this kind with this sku, where there is one. */
async function suya(ml: MercadolibreWriter, { sku, tipo }: Pedida): Promise<string | undefined> {
  for (const id of await ml.itemsBySku(sku)) {
    const item = await ml.item(id);
    if (item && item.status !== 'closed' && item.listing_type_id === tipo) return id;
  }
  return undefined;
}

/** Nothing is on sale yet: whatever became of this step, it may be tried again. */
async function antesOfNada<T>(step: Promise<T>, que: string): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof Uncertain || error instanceof UnexpectedShape)
      throw new Unavailable(`${que} (${error.message})`, { cause: error });
    throw error;
  }
}

/** Pictures of ours go first; the others are fetched by the marketplace. */
async function upload({ request, db }: EffectCall<Pedida>, ml: MercadolibreWriter) {
  const fotos: ({ id: string } | { source: string })[] = [];
  for (const { archivoId, url } of request.imagenes) {
    const archivo = archivoId === null ? undefined : await readArchivo(db, archivoId);
    fotos.push(archivo ? { id: await antesOfNada(ml.uploadPicture(archivo), 'La foto no subió') } : { source: url });
  }
  return fotos;
}

/** A text that is not taken keeps nothing from being on sale: it is told. */
async function describir(ml: MercadolibreWriter, itemId: string, descripcion: string | null): Promise<string | null> {
  if (descripcion === null) return null;
  try {
    await ml.describeItem(itemId, descripcion);
    return null;
  } catch (error) {
    if (error instanceof Refused) return `Sin descripción: ${error.message}`;
    throw error;
  }
}

/** Why it was not taken, for whoever corrects it. */
async function note(db: Db, { productoId, cuerpo }: Pedida, error: Refused): Promise<void> {
  const formulario = await formularioGuardado(db, MARKET, String(cuerpo.category_id));
  const problemas = publicadorOf(db, MARKET).explicar(error.details.answer, formulario);
  await db
    .updateTable('publicacionBorrador')
    .set({ problemas: JSON.stringify(problemas) })
    .where('market', '=', MARKET)
    .where('productoId', '=', productoId)
    .execute();
}
