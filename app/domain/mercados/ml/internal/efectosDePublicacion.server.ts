import { z } from 'zod';
import { Money } from '~/core/money';
import { rowOf } from '~/core/table';
import { type EffectCall, Mismatch } from '~/platform/effects/definition';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Causa } from '~/integrations/mercadolibre/wireItems';
import { isNoPorPublicacion, piezasEn, type PorLugar } from '~/integrations/mercadolibre/wireLugares';
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
import type { Db } from '~db/client.server';
import { rasgosMl } from '../rasgos';
import { askWithCondicion } from './condicion.server';
import { type CuentaMl, faltaDeAlmacen } from './cuentaMl';
import { readCuentaMl, refreshCuentaMl } from './cuentaMl.server';
import { piezasOf, porLeer } from './publicacion';

/** Returns a listing as it stands, with our part of its pieces. `lugares` are its places, where they were just read. */
async function dichaOf(
  ml: MercadolibreWriter,
  cuenta: CuentaMl,
  doc: PublicacionMostrada,
  lugares?: PorLugar,
): Promise<PublicacionDicha> {
  const { titulo, estatus, subestatus, documento } = doc;
  const producto = porLeer(documento, cuenta);
  const suyos = lugares ?? (producto === null ? null : await ml.lugares.leerStock(producto));
  return {
    precio: doc.precio?.toFixed(2) ?? null,
    stock: piezasOf(documento, suyos, cuenta).stock,
    titulo,
    estatus,
    subestatus,
  };
}

/** Changes price, stock, title or status of one listing. Saying the same twice changes nothing at Mercado Libre. */
export const cambiar: ActoDeCambio<PublicacionDicha> = {
  type: 'ml.publicacion',
  label: 'Cambio de una publicación en Mercado Libre',
  connection: 'mercadolibre',
  evidence: PublicacionDichaGuardada,
  unclear: 'find',
  again: true,
  async send({ request, clients, db }) {
    const ml = clients.ml();
    const { stock } = request;
    const cuenta = await readCuentaMl(db);
    if (stock !== null && cuenta.porLugar) return await cambiarPorLugar(ml, db, request, cuenta);
    const conVariantes = request.variantes > 0 ? await ml.publicacion(request.clave) : null;
    let doc: PublicacionMostrada;
    try {
      doc = await enTurno(ml.cambiarPublicacion(request.clave, cuerpoOf(request, conVariantes)));
    } catch (error) {
      if (stock === null || !isNoPorLugar(error)) throw error;
      const ahora = await refreshCuentaMl(db, ml.cuenta);
      if (!ahora.porLugar) throw error;
      return await cambiarPorLugar(ml, db, request, ahora);
    }
    // An account may begin to count by place from one day to the next. Its amounts are then refused, or taken without a change.
    if (stock !== null && doc.stock !== stock) {
      const ahora = await refreshCuentaMl(db, ml.cuenta);
      if (ahora.porLugar) return await cambiarPorLugar(ml, db, request, ahora);
    }
    return await dichaOf(ml, cuenta, doc);
  },
  async find({ request, clients, db }, known) {
    if (known) return known;
    const ml = clients.ml();
    const cuenta = await readCuentaMl(db);
    const doc = await ml.publicacion(request.clave);
    if (!doc) return 'absent';
    // The listing follows its places later than they change.
    const porLugar = request.stock !== null && cuenta.porLugar && doc.productoDeUsuario !== null;
    const lugares = porLugar ? await ml.lugares.leerStock(doc.productoDeUsuario!) : undefined;
    const dicha = await dichaOf(ml, cuenta, doc, lugares);
    return isDicha(dicha, request) ? dicha : 'absent';
  },
  confirm: (_, dicha) => Promise.resolve(dicha),
};

/** Two writes close together are a conflict: the no came before any work, and the same may be told a moment later. */
async function enTurno<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Uncertain && error.details.status === 409)
      throw new Unavailable('Mercado Libre está cambiando esa publicación', {
        status: 409,
        retryAfterMs: 3_000,
        cause: error,
      });
    throw error;
  }
}

/** Tells whether a change was refused for its amount of a listing. */
const isNoPorLugar = (error: unknown): boolean =>
  error instanceof Refused && isNoPorPublicacion(error.details.detail ?? '');

/** Changes a listing of an account that counts pieces by place: the pieces at our store first, since too many of them are sold, then the rest. */
async function cambiarPorLugar(
  ml: MercadolibreWriter,
  db: Db,
  request: CambioDePublicacion,
  conocida: CuentaMl,
): Promise<PublicacionDicha> {
  const cuenta = faltaDeAlmacen(conocida) === null ? conocida : await refreshCuentaMl(db, ml.cuenta);
  const falta = faltaDeAlmacen(cuenta);
  const { almacen } = cuenta;
  if (falta !== null || almacen === null) throw new Refused(falta ?? 'La cuenta ya no cuenta sus piezas por almacén.');
  const antes = await ml.publicacion(request.clave);
  if (!antes) throw new Refused('Mercado Libre ya no tiene la publicación.');
  const { productoDeUsuario: producto } = antes;
  if (producto === null)
    throw new Refused(
      'Mercado Libre no dice de qué producto son sus piezas. Su stock se cambia allá, en Mis depósitos, variante por variante.',
    );
  const piezas = request.stock!;
  const lugares = await ml.lugares.ponerPiezas(producto, almacen, (stock) => {
    const hay = piezasEn(stock, almacen);
    return hay === piezas ? null : { piezas, nueva: hay === null };
  });
  const { precio, titulo, estatus } = request;
  const resto = precio !== null || titulo !== null || estatus !== null;
  const doc = resto
    ? await enTurno(ml.cambiarPublicacion(request.clave, cuerpoOf({ ...request, stock: null }, antes)))
    : ((await ml.publicacion(request.clave)) ?? antes);
  return await dichaOf(ml, cuenta, doc, lugares);
}

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
    const pictures = await upload(call, ml);
    const puesta = await askWithCondicion(
      call.db,
      request.cuerpo,
      (cuerpo) => createOrNo(ml, { ...cuerpo, pictures }),
      (answer) => ('no' in answer ? answer.causas : []),
    );
    if ('no' in puesta) throw puesta.no;
    return puesta;
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
        // The listing follows its places later than they are written.
        stock: 'stock_locations' in cuerpo ? piezasDe(cuerpo) : (item.available_quantity ?? piezasDe(cuerpo)),
        vendido: 0,
        estatus: item.status ?? 'active',
        tipo,
        categoriaId: item.category_id ?? null,
        link: item.permalink ?? null,
      },
    };
  },
};

/** Puts a product on sale, or returns the clear no with its reasons. A no came before any work, so another body may follow it. */
async function createOrNo(
  ml: MercadolibreWriter,
  cuerpo: Record<string, unknown>,
): Promise<{ itemId: string } | { no: Refused; causas: Causa[] }> {
  try {
    return { itemId: (await ml.createItem(cuerpo)).id };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { answer } = error.details;
    return { no: error, causas: Array.isArray(answer) ? (answer as Causa[]) : [] };
  }
}

/** Returns the pieces with which a listing was put on sale. */
function piezasDe({ available_quantity: piezas, stock_locations: lugares }: Record<string, unknown>): number {
  if (!Array.isArray(lugares)) return piezas as number;
  return (lugares as { quantity: number }[]).reduce((sum, { quantity }) => sum + quantity, 0);
}

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
