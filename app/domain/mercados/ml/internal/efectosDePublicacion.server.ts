import { z } from 'zod';
import { Money } from '~/core/money';
import { rowOf } from '~/core/table';
import { type EffectCall, Mismatch } from '~/platform/effects/definition';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { CambioDeItem, MercadolibreWriter, PublicacionMostrada } from '~/integrations/mercadolibre/write.server';
import type {
  ActoDeCambio,
  ActoDeCategoria,
  ActoDePublicar,
  CambioDePublicacion,
  PorPoner,
  PublicacionDicha,
} from '../../efectos';
import { isDicha, PublicacionDichaGuardada } from '../../internal/publicacionDicha';
import { rasgosMl } from '../rasgos';

const dichaOf = ({ precio, stock, titulo, estatus, subestatus }: PublicacionMostrada): PublicacionDicha => ({
  precio: precio?.toFixed(2) ?? null,
  stock,
  titulo,
  estatus,
  subestatus,
});

/** Changes price, stock, title or status of one listing. Saying the same twice changes nothing at Mercado Libre. */
export const cambiar: ActoDeCambio<PublicacionDicha> = {
  type: 'ml.publicacion',
  label: 'Cambio de una publicación en Mercado Libre',
  connection: 'mercadolibre',
  evidence: PublicacionDichaGuardada,
  unclear: 'find',
  again: true,
  async send({ request, clients }) {
    const ml = clients.ml();
    const conVariantes = request.variantes > 0 ? await ml.publicacion(request.clave) : null;
    const body = cuerpoOf(request, conVariantes);
    try {
      return dichaOf(await ml.cambiarPublicacion(request.clave, body));
    } catch (error) {
      // A 409 means two writes close together: the no came before any work, and the same may be told a moment later.
      if (error instanceof Uncertain && error.details.status === 409)
        throw new Unavailable('Mercado Libre está cambiando esa publicación', {
          status: 409,
          retryAfterMs: 3_000,
          cause: error,
        });
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const doc = await clients.ml().publicacion(request.clave);
    if (!doc) return 'absent';
    const dicha = dichaOf(doc);
    return isDicha(dicha, request) ? dicha : 'absent';
  },
  confirm: (_, dicha) => Promise.resolve(dicha),
};

/** Returns the body of a change. Of a listing with variants every variant is named, as it stands there now: one that is not named is deleted. */
function cuerpoOf(
  { precio, stock, titulo, estatus }: CambioDePublicacion,
  doc: PublicacionMostrada | null,
): CambioDeItem {
  const price = precio === null ? undefined : Number(Money.of(precio).toFixed(2));
  const resto = { ...(titulo !== null && { title: titulo }), ...(estatus !== null && { status: estatus }) };
  const variantes = doc?.variantes ?? [];
  if (variantes.length === 0)
    return { ...(price !== undefined && { price }), ...(stock !== null && { available_quantity: stock }), ...resto };
  if (stock !== null && variantes.length > 1)
    throw new Refused('Tiene varias variantes: su stock se cambia en Mercado Libre, variante por variante.');
  return {
    variations: variantes.map((id) => ({
      id: Number(id),
      ...(price !== undefined && { price }),
      ...(stock !== null && { available_quantity: stock }),
    })),
    ...resto,
  };
}

/**
 * Puts a product on sale, once for each kind. The sku is the reference: an unclear answer is looked up among the seller's listings. Nothing is
 * sent again by itself, since the search may know of a listing later than it exists.
 */
export const publicar: ActoDePublicar<{ itemId: string }> = {
  type: 'ml.publicar',
  label: 'Publicación en Mercado Libre',
  connection: 'mercadolibre',
  evidence: z.object({ itemId: z.string() }),
  porTipo: true,
  summary: ({ titulo, tipo, cuerpo }) => ({
    que: `${titulo} (${labelOf(tipo)})`,
    ...(typeof cuerpo.price === 'number' && { total: cuerpo.price.toFixed(2) }),
  }),
  unclear: 'find',
  byHand: { says: 'folio', evidence: (itemId) => ({ itemId }) },
  async send(call) {
    const { request, clients } = call;
    const ml = clients.ml();
    const before = await beforeAnything(findListing(ml, request), 'No se supo si ya está publicada');
    if (before) return { itemId: before };
    const { id } = await ml.createItem({ ...request.cuerpo, pictures: await upload(call, ml) });
    return { itemId: id };
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const itemId = await findListing(clients.ml(), request);
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
    const sinDescripcion = await describe(ml, itemId, request.descripcion);
    const { cuerpo, tipo, titulo } = request;
    return {
      clave: item.id,
      dicho: [`${labelOf(tipo)}, ${item.id}`, sinDescripcion].filter(Boolean).join('. '),
      mostrada: {
        marketId: item.id,
        titulo: item.title ?? titulo,
        precio: (item.price ?? (cuerpo.price as number)).toFixed(2),
        stock: item.available_quantity ?? (cuerpo.available_quantity as number),
        vendido: 0,
        estatus: item.status ?? 'active',
        tipo,
        categoriaId: item.category_id ?? null,
        link: item.permalink ?? null,
      },
    };
  },
};

const labelOf = (tipo: string) => rowOf(rasgosMl.publicaciones.tipos, tipo) ?? '';

/** Returns the living listing of this kind with this sku; undefined while there is none. */
async function findListing(ml: MercadolibreWriter, { sku, tipo }: PorPoner): Promise<string | undefined> {
  for (const id of await ml.itemsBySku(sku)) {
    const item = await ml.item(id);
    if (item && item.status !== 'closed' && item.listing_type_id === tipo) return id;
  }
  return undefined;
}

/** Runs a step before anything is on sale: an unclear end of the step is Unavailable, so the step is tried again. */
async function beforeAnything<T>(step: Promise<T>, que: string): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof Uncertain || error instanceof UnexpectedShape)
      throw new Unavailable(`${que} (${error.message})`, { cause: error });
    throw error;
  }
}

/** Uploads the pictures that we keep; the marketplace fetches the others by their addresses. */
async function upload({ request, db }: EffectCall<PorPoner>, ml: MercadolibreWriter) {
  const fotos: ({ id: string } | { source: string })[] = [];
  for (const { archivoId, url } of request.imagenes) {
    const archivo = archivoId === null ? undefined : await readArchivo(db, archivoId);
    fotos.push(archivo ? { id: await beforeAnything(ml.uploadPicture(archivo), 'La foto no subió') } : { source: url });
  }
  return fotos;
}

/** Writes the description, and returns why it was not taken. A description keeps nothing from being on sale. */
async function describe(ml: MercadolibreWriter, itemId: string, descripcion: string | null): Promise<string | null> {
  if (descripcion === null) return null;
  try {
    await ml.describeItem(itemId, descripcion);
    return null;
  } catch (error) {
    if (error instanceof Refused) return `Sin descripción: ${error.message}`;
    throw error;
  }
}

/** Moves a listing to another category, with the answers that the category asks for. */
export const moverCategoria: ActoDeCategoria = {
  type: 'ml.categoria',
  label: 'Cambio de categoría en Mercado Libre',
  connection: 'mercadolibre',
  async send({ request: { clave, cuerpo, categoriaId }, clients }) {
    const item = await clients.ml().changeItem(clave, cuerpo);
    return item.category_id ?? categoriaId;
  },
};
