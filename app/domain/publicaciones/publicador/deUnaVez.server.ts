import { NotAllowed } from '~/core/errors';
import { type Market, type PrecioKey, precioKeyOf } from '~/core/market';
import type { Formulario, Rechazo } from '~/domain/mercados/publicador';
import { type Cara, SIN_COSTO } from '~/domain/compras/precios/precio';
import { readCaras } from '~/domain/compras/precios/precios.server';
import { bringFotos } from '~/domain/compras/catalogo/fotos.server';
import { publicacionesOf } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import type { Db } from '~db/client.server';
import { type Producto, readBorrador, requireProducto, TITULO_ERROR } from './borrador.server';
import { changeCategoria } from './changeCategoria.server';
import { oRechazo, readFormulario } from './categorias.server';
import { type Oferta, tiposOf, tituloOf } from './publicador';
import { chooseCategoria, saveOferta, saveRespuestas, MARKET, publish, review } from './publish.server';

type Quien = { id: string };
export type Atributo = { id: string; value_id?: string | null | undefined; value_name?: string | null | undefined };
export type DatosDeCategoria = { categoriaId: string; atributos: readonly Atributo[] };

/** A measure in one text, as marketplaces write it: a number and its unit. */
const MEDIDA = /^([\d.,]+)([^\d.,].*)?$/;

/** Returns a marketplace's attributes as answers to a form. An attribute that the form does not ask is left out. */
export function respuestasOfAtributos({ campos }: Formulario, atributos: readonly Atributo[]) {
  const valor: Record<string, string> = {};
  const unidad: Record<string, string> = {};
  for (const { id, value_id, value_name } of atributos) {
    const campo = campos.find((one) => one.id === id);
    const texto = value_name?.trim() ?? '';
    if (!campo || (texto === '' && !value_id)) continue;
    const medida = campo.clase === 'medida' ? MEDIDA.exec(texto) : null;
    const elegido = campo.valores.find(
      (one) => one.id === value_id || one.nombre.toLowerCase() === texto.toLowerCase(),
    );
    if (campo.clase === 'lista' || campo.clase === 'siNo') valor[id] = elegido?.id ?? (value_id || texto);
    else valor[id] = medida?.[1] ?? texto;
    const suya = medida?.[2]?.trim();
    if (suya) unidad[id] = suya;
  }
  return { valor, unidad };
}

const versionOf = async (db: Db, productoId: string) => (await readBorrador(db, MARKET, productoId)).version;

/** Saves steps 1 and 2 of a draft, and returns the problems they have. */
async function saveCategoria(
  db: Db,
  productoId: string,
  { categoriaId, atributos }: DatosDeCategoria,
  usuario: Quien,
): Promise<Rechazo[]> {
  await chooseCategoria(db, productoId, { version: await versionOf(db, productoId), categoriaId }, usuario);
  const formulario = await oRechazo(MARKET, TITULO_ERROR, () => readFormulario(db, MARKET, categoriaId));
  const respuestas = respuestasOfAtributos(formulario, atributos);
  const version = await versionOf(db, productoId);
  await saveRespuestas(db, productoId, formulario, { version, ...respuestas }, usuario);
  return (await readBorrador(db, MARKET, productoId)).problemas;
}

/**
 * Changes the category of a product for a caller without a screen: moves each of its living listings, or, without any, its draft. `hecho` is false while
 * the marketplace is still at it; `problemas` are those of the draft.
 */
export async function changeProductoCategoria(
  db: Db,
  productoId: string,
  datos: DatosDeCategoria,
  usuario: Quien,
): Promise<{ publicaciones: number; hecho: boolean; problemas: Rechazo[] }> {
  await requireProducto(db, productoId);
  const vivas = (await publicacionesOf(db, [productoId])).filter(
    ({ market, estatus }) => market === MARKET && estatus !== 'closed',
  );
  if (vivas.length === 0)
    return { publicaciones: 0, hecho: true, problemas: await saveCategoria(db, productoId, datos, usuario) };
  const formulario = await oRechazo(MARKET, TITULO_ERROR, () => readFormulario(db, MARKET, datos.categoriaId));
  const respuestas = respuestasOfAtributos(formulario, datos.atributos);
  let hecho = true;
  for (const { id } of vivas) {
    const { version } = await db
      .selectFrom('publicacion')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    hecho = (await changeCategoria(db, id, datos.categoriaId, { version, ...respuestas }, usuario)) && hecho;
  }
  return { publicaciones: vivas.length, hecho, problemas: [] };
}

/**
 * Puts a product on sale as the publisher proposes it: its title, its pictures, the supplier's stock, and the suggested price as 'Clásica', following the
 * supplier from then on. An offer that somebody wrote into the draft stays. With `revision` the marketplace is only asked. Returns the problems that
 * keep the product from being on sale. Throws NotAllowed when the product is gone, has no price or no piece, or the marketplace cannot be asked, and as
 * `publish`.
 */
export async function publishAtOnce(
  db: Db,
  productoId: string,
  { revision, ...datos }: DatosDeCategoria & { revision: boolean },
  usuario: Quien,
): Promise<Rechazo[]> {
  const faltan = await saveCategoria(db, productoId, datos, usuario);
  if (faltan.length > 0) return faltan;
  await saveOfertaPropuesta(db, productoId, usuario);
  const listo = await readBorrador(db, MARKET, productoId);
  if (!revision) return (await publish(db, productoId, listo.version, usuario)).problemas;
  const producto = await requireProducto(db, productoId);
  return (await oRechazo(MARKET, TITULO_ERROR, () => review(db, producto, listo))).problemas;
}

/**
 * Saves step 3 of a draft as the publisher proposes it: title, pictures, the supplier's stock, and the suggested price of the first kind, following the
 * supplier. An offer that somebody wrote stays, and a kept proposal takes the price and the pieces of today. Throws NotAllowed when the product is gone, has no price or no piece, and as `saveOferta`.
 */
export async function saveOfertaPropuesta(
  db: Db,
  productoId: string,
  usuario: Quien,
  market: Market = MARKET,
): Promise<void> {
  const borrador = await readBorrador(db, market, productoId);
  const { oferta: antes } = borrador.datos;
  if (antes && !antes.propuesta) return;
  await bringFotos(db, productoId);
  const producto = await requireProducto(db, productoId);
  const caras = (await readCaras(db, [productoId])).get(productoId);
  const propuesta = propuestaOf(market, producto, caras);
  if (propuesta.porque !== null) throw new NotAllowed(TITULO_ERROR, propuesta.porque);
  const formulario = await oRechazo(market, TITULO_ERROR, () => readFormulario(db, market, borrador.categoriaId ?? ''));
  const oferta = {
    version: borrador.version,
    titulo: tituloOf(producto.nombre, formulario.maxTitulo),
    descripcion: null,
    clasica: propuesta.precio,
    premium: null,
    stock: String(Math.min(propuesta.piezas, 99_999)),
    garantiaMeses: '0',
    imagenes: producto.fotos
      .filter(({ estado }) => estado !== 'mala')
      .slice(0, formulario.maxImagenes)
      .map(({ url }) => url),
    seguir: 'on' as const,
    propuesta: true,
  };
  if (antes && isLaMisma(antes, oferta, market)) return;
  await saveOferta(db, productoId, oferta, usuario, market);
}

type Propuesta = { titulo: string; clasica: string; stock: string; imagenes: string[] };

/** Tells whether a kept proposal says what would be proposed now. */
const isLaMisma = (antes: Oferta, { titulo, clasica, stock, imagenes }: Propuesta, market: Market): boolean =>
  antes.titulo === titulo &&
  antes.precios[tiposOf(market)[0]!] === clasica &&
  antes.stock === Number(stock) &&
  antes.imagenes.map(({ url }) => url).join(' ') === imagenes.join(' ');

/** Returns the price and the pieces that the publisher proposes for a product, or why there is none of them. */
export function propuestaOf(
  market: Market,
  { existencia }: Pick<Producto, 'existencia'>,
  caras: Record<PrecioKey, Cara> | undefined,
): { porque: null; precio: string; piezas: number } | { porque: string } {
  const venta = caras?.[precioKeyOf(market, tiposOf(market)[0]!)].venta;
  if (venta?.clase !== 'precio')
    return { porque: venta ? SIN_COSTO[venta.porque] : 'El proveedor no ha dado un precio.' };
  if (!existencia) return { porque: 'El proveedor no tiene piezas de este producto.' };
  return { porque: null, precio: venta.precio.toFixed(2), piezas: existencia };
}
