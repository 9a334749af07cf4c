import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import { env } from '~/core/env.server';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { type Market, MARKETS } from '~/core/market';
import { acceptEffect } from '~/platform/effects/effects.server';
import { MERCADOS, publicadoPor } from '~/domain/mercados/mercados';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { Categoria, Formulario, Rechazo } from '~/domain/mercados/publicador';
import { readCaras } from '~/domain/compras/precios/precios.server';
import type { Db, Trx } from '~db/client.server';
import {
  type Borrador,
  pricesByTipo,
  type Producto,
  readBorrador,
  requireProducto,
  respuestasOf,
  saveBorrador,
  TITULO_ERROR,
} from './borrador.server';
import { oRechazo, publicadorOf, readCategoria, readFormulario } from './categorias.server';
import { reviewImagenes, sourceOf, vigentesOf } from './internal/imagenes.server';
import { puestas } from './internal/puestas.server';
import {
  avisosOfRegla,
  type Oferta,
  respuestasOfForm,
  reviewRespuestas,
  skuNuestro,
  TIPO_LABEL,
  type Tipo,
  tiposOf,
} from './publicador';
import type { OfertaEscrita, RespuestasEscritas } from './forms';

/** The marketplace of the screen 'Publicador ML', and of callers that name none. */
export const MARKET = publicadoPor('publicadorML');
type Quien = { id: string };

/** The marketplaces that a form may choose, the one of the screen first. */
export const PUBLICADORES: readonly Market[] = [
  MARKET,
  ...MARKETS.filter((market) => market !== MARKET && fuenteOf(market).publicador !== undefined),
];

/** Saves step 1, the category. A category without questions completes step 2 too. Throws NotAllowed for a category where nothing is put on sale from here. */
export async function chooseCategoria(
  db: Db,
  productoId: string,
  { version, categoriaId }: { version: number; categoriaId: string },
  usuario: Quien,
  market: Market = MARKET,
): Promise<{ completo: boolean }> {
  await requireProducto(db, productoId);
  const { formulario } = await requireCategoria(db, market, categoriaId);
  const completo = formulario.campos.length === 0;
  const cambio = { categoriaId, usuarioId: usuario.id, ...(completo && { respuestas: {} }) };
  await db.transaction().execute((trx) => saveBorrador(trx, market, productoId, version, cambio));
  return { completo };
}

/** Reads a category with its questions. Throws NotAllowed where nothing is put on sale from here. */
export async function requireCategoria(
  db: Db,
  market: Market,
  categoriaId: string,
): Promise<{ categoria: Categoria; formulario: Formulario }> {
  const categoria = await oRechazo(market, TITULO_ERROR, () => readCategoria(db, market, categoriaId));
  if (!categoria?.publicable)
    throw new NotAllowed(TITULO_ERROR, 'En esa categoría no se publica: elige una más adentro.', {
      campo: 'categoriaId',
    });
  const formulario = await oRechazo(market, TITULO_ERROR, () => readFormulario(db, market, categoriaId));
  const [falta] = formulario.sinSoporte;
  if (falta)
    throw new NotAllowed(
      TITULO_ERROR,
      `En «${categoria.nombre}» no se publica desde aquí: «${falta.nombre}» ${falta.porque}.`,
      { campo: 'categoriaId' },
    );
  return { categoria, formulario };
}

/** Saves step 2, the answers, as they were typed. Their problems are kept with the draft and told at each field. */
export async function saveRespuestas(
  db: Db,
  productoId: string,
  formulario: Formulario,
  { version, ...escritas }: RespuestasEscritas,
  usuario: Quien,
  market: Market = MARKET,
): Promise<{ completo: boolean }> {
  const producto = await requireProducto(db, productoId);
  const borrador = await readBorrador(db, market, productoId);
  const respuestas = respuestasOfForm(escritas);
  const escrito = { ...borrador, datos: { ...borrador.datos, respuestas } };
  const cuerpo = await oRechazo(market, TITULO_ERROR, () =>
    armar(db, market, producto, escrito, formulario, tiposOf(market)[0]!),
  );
  const obligados = await oRechazo(market, TITULO_ERROR, () =>
    publicadorOf(db, market).obligados(borrador.categoriaId ?? '', cuerpo),
  );
  const problemas = reviewRespuestas(formulario.campos, respuestas, obligados);
  await db
    .transaction()
    .execute((trx) => saveBorrador(trx, market, productoId, version, { respuestas, problemas, usuarioId: usuario.id }));
  return { completo: problemas.length === 0 };
}

/** Saves step 3, the offer; `propuesta` when nobody wrote it. Throws NotAllowed at the field that is wrong. */
export async function saveOferta(
  db: Db,
  productoId: string,
  {
    version,
    titulo,
    descripcion,
    clasica,
    premium,
    stock,
    garantiaMeses,
    imagenes,
    seguir,
    propuesta = false,
  }: OfertaEscrita & { propuesta?: boolean },
  usuario: Quien,
  market: Market = MARKET,
): Promise<void> {
  const producto = await requireProducto(db, productoId);
  const borrador = await readBorrador(db, market, productoId);
  const formulario = await oRechazo(market, TITULO_ERROR, () => readFormulario(db, market, borrador.categoriaId ?? ''));
  if (titulo.length > formulario.maxTitulo)
    throw new NotAllowed(TITULO_ERROR, `Máximo ${formulario.maxTitulo} caracteres`, { campo: 'titulo' });
  const elegidas = producto.fotos.flatMap(({ url }) => (imagenes.includes(url) ? [url] : []));
  if (elegidas.length === 0 && formulario.maxImagenes > 0)
    throw new NotAllowed(TITULO_ERROR, 'Elige al menos una foto, o sube una tuya aquí abajo.', { campo: 'imagenes' });
  if (elegidas.length > formulario.maxImagenes)
    throw new NotAllowed(TITULO_ERROR, `Se admiten hasta ${formulario.maxImagenes} fotos.`, { campo: 'imagenes' });
  const revisadas = await reviewImagenes(db, productoId, elegidas);
  const buenas = revisadas.filter(({ problema }) => problema === null);
  if (elegidas.length > 0 && buenas.length === 0) {
    const porques = revisadas.map(
      ({ url, problema }) => `Foto ${producto.fotos.findIndex((foto) => foto.url === url) + 1}: ${problema}`,
    );
    throw new NotAllowed(
      TITULO_ERROR,
      `Ninguna de las fotos elegidas sirve. ${porques.join(' ')} Sube una tuya aquí abajo.`,
      { campo: 'imagenes' },
    );
  }
  const tipos = tiposOf(market);
  const precios = Object.fromEntries(
    [clasica, premium].flatMap((precio, n) => (precio !== null && tipos[n] ? [[tipos[n], precio]] : [])),
  );
  await db.transaction().execute((trx) =>
    saveBorrador(trx, market, productoId, version, {
      oferta: {
        titulo,
        descripcion,
        precios,
        stock: Number(stock),
        garantiaMeses: Number(garantiaMeses),
        imagenes: buenas,
        seguir: seguir === 'on',
        ...(propuesta && { propuesta }),
      },
      usuarioId: usuario.id,
    }),
  );
}

/** Builds the body of a listing. Before step 3 harmless values stand for the offer. */
async function armar(
  db: Db,
  market: Market,
  producto: Producto,
  borrador: Borrador,
  formulario: Formulario,
  tipo: Tipo,
) {
  const { oferta } = borrador.datos;
  return publicadorOf(db, market).armar(
    {
      sku: skuNuestro(env().SKU_PREFIJO, producto),
      tipo,
      categoriaId: borrador.categoriaId ?? '',
      titulo: oferta?.titulo ?? producto.nombre ?? '',
      descripcion: oferta?.descripcion ?? null,
      precio: Money.of(oferta?.precios[tipo] ?? '1000'),
      stock: oferta?.stock ?? 1,
      garantiaMeses: oferta?.garantiaMeses ?? 0,
      imagenes: vigentesOf(producto.fotos, oferta?.imagenes ?? []).map((foto) => ({ source: sourceOf(foto) })),
      respuestas: respuestasOf(borrador, formulario, producto),
    },
    formulario,
  );
}

const pedidos = (market: Market, { datos }: Borrador): Tipo[] =>
  tiposOf(market).filter((tipo) => datos.oferta?.precios[tipo] !== undefined);

/** Asks the marketplace what keeps a draft from being published, and returns the problems and the bodies by kind. */
export async function review(
  db: Db,
  producto: Producto,
  borrador: Borrador,
  market: Market = MARKET,
): Promise<{ problemas: Rechazo[]; cuerpos: [Tipo, Record<string, unknown>][] }> {
  const publicador = publicadorOf(db, market);
  const formulario = await readFormulario(db, market, borrador.categoriaId ?? '', publicador);
  const revisados = await Promise.all(
    pedidos(market, borrador).map(async (tipo) => {
      const cuerpo = await armar(db, market, producto, borrador, formulario, tipo);
      return { tipo, cuerpo, problemas: await publicador.validar(cuerpo, formulario) };
    }),
  );
  const vistos = new Map(
    revisados.flatMap(({ problemas }) => problemas).map((one) => [`${one.campo} ${one.texto}`, one]),
  );
  return { problemas: [...vistos.values()], cuerpos: revisados.map(({ tipo, cuerpo }) => [tipo, cuerpo]) };
}

/** The text for a listing whose effects have not ended yet. */
export const enEspera = (market: Market) => `La publicación salió hacia ${MERCADOS[market].label}.`;

/**
 * Publishes a draft: asks the marketplace once more, and accepts one effect for each kind. Returns the problems that keep the draft from that, which stay
 * with it. Throws as `reviewToPublish`, and Stale for another state of the draft.
 */
export async function publish(
  db: Db,
  productoId: string,
  version: number,
  usuario: Quien,
  market: Market = MARKET,
): Promise<{ problemas: Rechazo[] }> {
  const revisado = await reviewToPublish(db, productoId, version, market);
  await db.transaction().execute((trx) => acceptPuestas(trx, revisado, usuario, market));
  return { problemas: revisado.problemas };
}

/** A whole draft with the answer of its marketplace. */
export type Revisado = Awaited<ReturnType<typeof reviewToPublish>>;

/**
 * Asks the marketplace about a draft, before any transaction. Throws Stale for another state of the draft, and NotAllowed when the product is gone, a
 * step is empty, or the marketplace cannot be asked.
 */
export async function reviewToPublish(db: Db, productoId: string, version: number, market: Market = MARKET) {
  const producto = await requireProducto(db, productoId);
  const borrador = await readBorrador(db, market, productoId);
  if (borrador.version !== version)
    throw new Stale({ cambios: [], marcas: { version: borrador.version } }, { texto: 'El borrador cambió.' });
  const { oferta } = borrador.datos;
  if (!oferta || borrador.categoriaId === null) throw new NotAllowed(TITULO_ERROR, 'Faltan pasos por llenar.');
  const revision = await oRechazo(market, TITULO_ERROR, () => review(db, producto, borrador, market));
  return { producto, version, oferta, ...revision };
}

/**
 * Keeps the answer of the marketplace with its draft, and accepts one effect for each kind where nothing speaks against it. Returns the ids of the
 * effects that were not under way before. Throws Stale for another state of the draft.
 */
export async function acceptPuestas(
  trx: Trx,
  { producto, version, oferta, problemas, cuerpos }: Revisado,
  usuario: Quien,
  market: Market = MARKET,
): Promise<string[]> {
  const productoId = producto.id;
  await saveBorrador(trx, market, productoId, version, { problemas, usuarioId: usuario.id });
  if (problemas.length > 0) return [];
  const sku = skuNuestro(env().SKU_PREFIJO, producto);
  const regla = await readPreciosOfRegla(trx, market, productoId);
  const nuevas: string[] = [];
  for (const [tipo, cuerpo] of cuerpos) {
    const { id, created } = await acceptEffect(trx, puestas.require(market), {
      request: {
        productoId,
        proveedor: producto.proveedor,
        sku,
        tipo,
        titulo: oferta.titulo,
        descripcion: oferta.descripcion,
        cuerpo,
        imagenes: vigentesOf(producto.fotos, oferta.imagenes).map((foto) => ({
          archivoId: foto.archivoId,
          url: sourceOf(foto),
        })),
        seguir: oferta.seguir,
        escrito: isOfRegla(oferta.precios[tipo], regla[tipo]) ? null : (oferta.precios[tipo] ?? null),
      },
      usuarioId: usuario.id,
    });
    if (!created) continue;
    nuevas.push(id);
    await enCreacion(trx, market, { ...oferta, sku, productoId, proveedor: producto.proveedor, tipo });
  }
  return nuevas;
}

async function readPreciosOfRegla(db: Db | Trx, market: Market, productoId: string) {
  const caras = (await readCaras(db, [productoId])).get(productoId);
  return caras ? pricesByTipo(market, caras) : {};
}

const isOfRegla = (precio: string | undefined, regla: string | undefined) =>
  precio !== undefined && regla !== undefined && Money.of(precio).equals(Money.of(regla));

/** Lists a new listing as being created, where the marketplace shows it later. The effect writes how it ended. */
async function enCreacion(
  trx: Trx,
  market: Market,
  nueva: Oferta & { sku: string; productoId: string; proveedor: string; tipo: Tipo },
): Promise<void> {
  const { creandose } = MERCADOS[market].publicaciones;
  if (creandose === null) return;
  const { sku, productoId, proveedor, titulo, stock, precios, tipo } = nueva;
  const puesta = { productoId, proveedor, titulo, stock, precio: precios[tipo] ?? null, estatus: creandose };
  await trx
    .insertInto('publicacion')
    .values({ market, clave: sku, sku, ...puesta, fechaCreacion: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['market', 'clave'])
        .doUpdateSet({ ...puesta, ausencias: 0, ausenteDesde: null })
        // A listing that is there stays as its marketplace tells it.
        .where('publicacion.ausenteDesde', 'is not', null),
    )
    .execute();
}

/** Returns the facts under the question before publishing: title, prices, pieces, and what the follower asks later; undefined without an offer. */
export async function hechosOfPublicar(
  db: Db,
  productoId: string,
  market: Market = MARKET,
): Promise<string | undefined> {
  const { datos } = await readBorrador(db, market, productoId);
  const { oferta } = datos;
  if (!oferta) return undefined;
  const regla = await readPreciosOfRegla(db, market, productoId);
  const precios = tiposOf(market).flatMap((tipo) => {
    const precio = oferta.precios[tipo];
    return precio ? [`${TIPO_LABEL[tipo]} ${enPesos(precio)}`.trim()] : [];
  });
  return [oferta.titulo, ...precios, `${oferta.stock} piezas`, ...avisosOfRegla(market, oferta, regla)].join(' · ');
}
