import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { tableOf } from '~/core/table';
import type { Categoria, Formulario, Rama, Rechazo } from '~/domain/mercados/publicador';
import { dichosOf } from '~/domain/publicaciones/publicaciones/dicho.server';
import { editNow } from '~/domain/publicaciones/publicaciones/editNow.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { PublicacionEditada } from '~/domain/publicaciones/publicaciones/forms';
import { publicacionesOf, readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import {
  oFalla,
  publicadorOf,
  readCategoria,
  readEleccion,
  readFormulario,
} from '~/domain/publicaciones/publicador/categorias.server';
import { changeProductoCategoria, publishAtOnce } from '~/domain/publicaciones/publicador/deUnaVez.server';
import { enEspera, MARKET } from '~/domain/publicaciones/publicador/publish.server';
import { sinPublicacionMl } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { searchCatalogo } from '~/domain/compras/catalogo/buscador.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { formOf } from '../form.server';
import { ApiProblem, found, noAnswer } from '../problem.server';
import { Producto, productosOf } from './productos.server';
import { Consulta, paginaOf, pageOf, sortOf } from './consulta';
import { Escrito, Hecho, hecho, Instante, Numero, numero } from './shapes';

const alcance = 'publicaciones';
const ver = { pantalla: 'publicaciones' } as const;
const editar = { pantalla: 'publicaciones', derecho: 'publicaciones.editar' } as const;
const publicador = { pantalla: 'publicadorML' } as const;
const publicar = { pantalla: 'publicadorML', derecho: 'publicaciones.publicar' } as const;

const Publicacion = z.object({
  _id: z.uuid(),
  titulo: z.string().nullable(),
  marketId: z.string().nullable(),
  market: z.enum(MARKETS),
  sku: z.string().nullable(),
  precio: Numero.nullable(),
  stock: z.int().nullable(),
  vendido: z.int().nullable(),
  categoria: z.string().nullable(),
  marketLink: z.string().nullable(),
  dateCreated: Instante.nullable(),
  datos: z.object({
    id: z.string(),
    status: z.string(),
    price: Numero.nullable(),
    available_quantity: z.int().nullable(),
    autoSync: z.boolean(),
    subtitle: z.string().nullable(),
    start_time: z.string().nullable(),
    stop_time: z.string().nullable(),
    end_time: z.string().nullable(),
    descriptions: z.array(z.string()),
  }),
});

type Leida = Pick<
  NonNullable<Awaited<ReturnType<typeof readPublicacion>>>,
  | 'id'
  | 'market'
  | 'clave'
  | 'marketId'
  | 'sku'
  | 'titulo'
  | 'precio'
  | 'stock'
  | 'vendido'
  | 'estatus'
  | 'link'
  | 'autoSync'
  | 'fechaCreacion'
>;
type Dicho = NonNullable<ReturnType<Awaited<ReturnType<typeof dichosOf>>['get']>>;

const datosDePublicacion = (
  una: Pick<Leida, 'clave' | 'estatus' | 'precio' | 'stock' | 'autoSync'>,
  dicho: Dicho | undefined,
): z.output<typeof Publicacion>['datos'] => ({
  id: una.clave,
  status: una.estatus,
  price: numero(una.precio),
  available_quantity: una.stock,
  autoSync: una.autoSync,
  subtitle: dicho?.subtitulo ?? null,
  start_time: dicho?.empieza ?? null,
  stop_time: dicho?.para ?? null,
  end_time: dicho?.termina ?? null,
  descriptions: dicho?.descripciones ?? [],
});

const publicacionOf = (
  una: Leida,
  categoria: string | null,
  dicho: Dicho | undefined,
): z.output<typeof Publicacion> => ({
  _id: una.id,
  titulo: una.titulo,
  marketId: una.marketId ?? una.clave,
  market: una.market,
  sku: una.sku,
  precio: numero(una.precio),
  stock: una.stock,
  vendido: una.vendido,
  categoria,
  marketLink: una.link,
  dateCreated: una.fechaCreacion?.toISOString() ?? null,
  datos: datosDePublicacion(una, dicho),
});

/** Fields of the old client by which a list is sorted here. */
const ORDEN: Readonly<Record<string, string>> = tableOf({
  dateCreated: 'creada',
  titulo: 'titulo',
  precio: 'precio',
  stock: 'stock',
  vendido: 'vendidas',
});

const lista = (path: string, resumen: string) =>
  defineCall({
    method: 'GET',
    path,
    resumen,
    alcance,
    acceso: ver,
    query: z.object({ query: Consulta.optional(), filtro: z.string().max(200).optional() }),
    answer: paginaOf(Publicacion),
    async run(db, { query: { query, filtro: escrito }, usuario }) {
      const { page = 1, limit = 100, filtro = escrito ?? '', market, ordenar } = query ?? {};
      const marcas = MARKETS.filter((one) => [market].flat().includes(one)).map((one) => [one, '1']);
      const search = {
        q: filtro.replace(/ \.\.\.$/, ''),
        orden: sortOf(ORDEN, ordenar, 'creada'),
        ...Object.fromEntries(marcas),
      };
      const { filas, pagina } = await pageOf(db, publicacionesList, search, { page, limit }, usuario);
      const dichos = await dichosOf(
        db,
        filas.map(({ id }) => id),
      );
      return { docs: filas.map((una) => publicacionOf(una, una.categoria, dichos.get(una.id))), ...pagina };
    },
  });

const RamaDicha = z.object({ id: z.string(), name: z.string() });
const ramaOf = ({ id, nombre }: Rama) => ({ id, name: nombre });
const Atributo = z.object({
  id: z.string(),
  name: z.string(),
  value_type: z.string(),
  values: z.array(RamaDicha),
  default_unit: z.string().nullable(),
  allowed_units: z.array(RamaDicha),
  value_max_length: z.number().nullable(),
  tags: z.object({ required: z.boolean(), conditional_required: z.boolean() }),
});
const Sugerida = z.object({
  category_id: z.string(),
  category_name: z.string(),
  arbol: z.object({ padres: z.array(RamaDicha), hijos: z.array(RamaDicha) }),
  atribReq: z.array(Atributo),
});

const sugeridaOf = ({ id, nombre, ruta, hijas }: Categoria, formulario: Formulario | null) => ({
  category_id: id,
  category_name: nombre,
  arbol: { padres: ruta.map(ramaOf), hijos: hijas.map(ramaOf) },
  atribReq: (formulario?.campos ?? []).map((campo) => ({
    id: campo.id,
    name: campo.nombre,
    value_type: campo.clase,
    values: campo.valores.map(ramaOf),
    default_unit: campo.unidad,
    allowed_units: campo.unidades.map((unidad) => ({ id: unidad, name: unidad })),
    value_max_length: campo.maximo,
    tags: { required: campo.obligatorio === 'si', conditional_required: campo.obligatorio === 'aVeces' },
  })),
});

/** Where something may be put on sale, the form of its category too. */
const conFormulario = async (db: Db, categoria: Categoria) =>
  sugeridaOf(categoria, categoria.publicable ? await readFormulario(db, MARKET, categoria.id) : null);

/** What a marketplace that does not answer keeps from being known. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  const answer = await oFalla(MARKET, work);
  if ('falla' in answer) throw noAnswer(answer);
  return answer.valor;
}

const CategoriaId = z.string().regex(/^[\w-]{1,60}$/);
const UnaCategoria = z.object({ id: CategoriaId });
const UnProducto = z.object({ productId: z.uuid() });
const DatosMl = z.object({
  category_id: CategoriaId,
  attributes: z
    .array(
      z.object({
        id: z.string().max(100),
        value_id: z.string().max(200).nullish(),
        value_name: z.string().max(2_000).nullish(),
      }),
    )
    .max(500)
    .default([]),
});
const datosOf = ({ category_id, attributes }: z.output<typeof DatosMl>) => ({
  categoriaId: category_id,
  atributos: attributes,
});

/** What keeps something from being on sale, field by field. */
function requireNada(titulo: string, problemas: readonly Rechazo[]): void {
  if (problemas.length === 0) return;
  const errores = problemas.map(({ campo, texto }) => ({ campo: campo ?? '', texto }));
  throw new ApiProblem('datos-invalidos', errores[0]!.texto, { titulo, errores });
}

const SinPublicar = z.object({
  _id: z.uuid(),
  nombre: z.string().nullable(),
  marca: z.string().nullable(),
  modeloProveedor: z.string().nullable(),
  proveedor: z.string(),
  idProveedor: z.string(),
  stock: z.number().nullable(),
  precio: Numero.nullable(),
  precioSugerido: Numero.nullable(),
  costoEnvio: Numero.nullable(),
  piezasVendidas: z.number(),
  gtin: z.array(z.string()),
});

const Cara = z.object({
  _id: z.uuid(),
  titulo: z.string().nullable(),
  precio: Numero.nullable(),
  stock: z.int().nullable(),
  estatus: z.string(),
  marketId: z.string().nullable(),
  marketLink: z.string().nullable(),
  sku: z.string().nullable(),
  categoria: z.string().nullable(),
  datos: Publicacion.shape.datos,
});

async function carasOf(db: Db, productoId: string) {
  const suyas = await publicacionesOf(db, [productoId]);
  const dichos = await dichosOf(
    db,
    suyas.map(({ id }) => id),
  );
  const cara = (fits: (una: (typeof suyas)[number]) => boolean) => {
    const una = suyas.find(fits);
    return (
      una && {
        _id: una.id,
        titulo: una.titulo,
        precio: numero(una.precio),
        stock: una.stock,
        estatus: una.estatus,
        marketId: una.marketId ?? una.clave,
        marketLink: una.link,
        sku: una.sku,
        categoria: una.categoriaId,
        datos: datosDePublicacion(una, dichos.get(una.id)),
      }
    );
  };
  return {
    gold_pro: cara(({ market, tipo }) => market === MARKET && tipo === 'gold_pro') ?? null,
    gold_special: cara(({ market, tipo }) => market === MARKET && tipo !== 'gold_pro') ?? null,
    amz: cara(({ market }) => market !== MARKET) ?? null,
  };
}

export const publicacionesAnteriores: Call[] = [
  lista('/api/publicaciones', 'Lo que está a la venta, por páginas.'),
  lista('/api/publicacionFiltrado', 'Lo que está a la venta y se busca, por páginas.'),
  defineCall({
    method: 'PUT',
    path: '/api/publicacion',
    resumen: 'Cambia una publicación en su mercado.',
    alcance,
    acceso: editar,
    campos: { titulo: 'title', precio: 'price', stock: 'available_quantity', estatus: 'status' },
    body: z.object({
      _id: z.uuid(),
      title: z.string().max(300),
      price: Escrito,
      available_quantity: Escrito,
      status: z.string().max(40),
      autoSync: z.boolean(),
      version: z.int().min(0).optional(),
    }),
    answer: Publicacion,
    async run(db, { body: { _id: id, version, ...dicho }, usuario }) {
      const antes = await found(readPublicacion(db, id));
      const editada = formOf(PublicacionEditada, {
        id,
        version: version ?? antes.version,
        titulo: dicho.title,
        precio: dicho.price,
        stock: dicho.available_quantity,
        estatus: dicho.status,
        autoSync: dicho.autoSync ? '1' : '0',
      });
      await editNow(db, editada, usuario.id);
      const ahora = await found(readPublicacion(db, id));
      return publicacionOf(ahora, ahora.categoriaId, ahora);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/producto/publicacion/{productId}',
    resumen: 'Cambia la categoría de un producto: la de sus publicaciones, o la de su borrador mientras no tiene.',
    alcance,
    acceso: publicar,
    params: UnProducto,
    body: z.object({ datosML: DatosMl }),
    answer: Hecho,
    async run(db, { params: { productId }, body: { datosML }, usuario }) {
      const { hecho: done, problemas } = await changeProductoCategoria(db, productId, datosOf(datosML), usuario);
      requireNada('Error al cambiar la categoría.', problemas);
      return hecho(done ? 'Se actualizo correctamente' : 'El cambio salió hacia Mercado Libre.');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/apiML/producto/publicacion/{productId}',
    resumen: 'Publica un producto en Mercado Libre; con revision solo pregunta si se puede.',
    alcance,
    acceso: publicar,
    params: UnProducto,
    body: z.object({ datosML: DatosMl, revision: z.boolean().default(false) }),
    answer: Hecho,
    async run(db, { params: { productId }, body: { datosML, revision }, usuario }) {
      requireNada('Error al publicar.', await publishAtOnce(db, productId, { ...datosOf(datosML), revision }, usuario));
      return hecho(revision ? 'El producto se puede publicar.' : enEspera(MARKET));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/apiML/categoria/predict/{text}',
    resumen: 'Las categorías que Mercado Libre sugiere para un texto, con lo que cada una pide.',
    alcance,
    acceso: publicador,
    params: z.object({ text: z.string().trim().min(1).max(200) }),
    answer: z.array(Sugerida),
    async run(db, { params: { text } }) {
      const { sugeridas, falla, cuenta } = await readEleccion(db, MARKET, { q: text.slice(0, 120), nodo: null });
      if (falla !== null) throw noAnswer({ falla, cuenta });
      return asked(() => Promise.all(sugeridas.map((one) => conFormulario(db, one))));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/apiML/categorias',
    resumen: 'Las categorías de las que parten las demás.',
    alcance,
    acceso: publicador,
    answer: z.array(RamaDicha),
    run: async (db) => (await asked(() => publicadorOf(db, MARKET).raices())).map(ramaOf),
  }),
  defineCall({
    method: 'GET',
    path: '/api/apiML/categoria/{id}',
    resumen: 'Una categoría con las que tiene dentro.',
    alcance,
    acceso: publicador,
    params: UnaCategoria,
    answer: RamaDicha.extend({ path_from_root: z.array(RamaDicha), children_categories: z.array(RamaDicha) }),
    async run(db, { params: { id } }) {
      const { ruta, hijas, ...rama } = await found(asked(() => readCategoria(db, MARKET, id)));
      return { ...ramaOf(rama), path_from_root: ruta.map(ramaOf), children_categories: hijas.map(ramaOf) };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/apiML/categoria/attributes/{id}',
    resumen: 'Lo que una categoría pide de un producto.',
    alcance,
    acceso: publicador,
    params: UnaCategoria,
    answer: Sugerida,
    async run(db, { params: { id } }) {
      const categoria = await found(asked(() => readCategoria(db, MARKET, id)));
      return asked(() => conFormulario(db, categoria));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/productos/sinPublicacion/ml',
    resumen: 'Los productos que no están en Mercado Libre, por páginas.',
    alcance: 'productos',
    acceso: publicador,
    query: z.object({ query: Consulta.optional(), filtro: z.string().max(200).optional() }),
    answer: paginaOf(SinPublicar),
    async run(db, { query: { query, filtro: escrito }, usuario }) {
      const { page = 1, limit = 100, filtro = escrito ?? '', proveedor } = query ?? {};
      const search = { q: filtro, ...(proveedor && { proveedor }) };
      const { filas, pagina } = await pageOf(db, sinPublicacionMl, search, { page, limit }, usuario);
      const docs = filas.map(({ id, modelo, existencia, gtins, precio, costoEnvio, precios, ...producto }) => ({
        ...producto,
        _id: id,
        modeloProveedor: modelo,
        stock: existencia,
        gtin: gtins,
        precio: numero(precio),
        costoEnvio: numero(costoEnvio),
        precioSugerido: numero(precios?.precio ?? null),
      }));
      return { docs, ...pagina };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/productos/buscador',
    resumen: 'El producto que unas palabras nombran, con lo que hay de él a la venta.',
    alcance: 'productos',
    acceso: { pantalla: 'buscador' },
    soloLee: true,
    body: z.object({ buscar: z.string().trim().min(1).max(100), proveedor: z.string().max(40).nullish() }),
    answer: Producto.extend({
      publicacion: z.object({ gold_pro: Cara.nullable(), gold_special: Cara.nullable(), amz: Cara.nullable() }),
    }),
    async run(db, { body: { buscar, proveedor } }) {
      const cual = proveedor && proveedor !== 'todo' ? proveedor : '';
      const { productos } = await searchCatalogo(db, buscar, cual);
      const [producto] = productos;
      if (!producto) throw new ApiProblem('no-encontrado', 'No se encontro un producto', { titulo: 'Error al buscar' });
      const [dicho] = await productosOf(db, [producto]);
      return { ...dicho!, publicacion: await carasOf(db, producto.id) };
    },
  }),
];
