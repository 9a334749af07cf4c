import { z } from 'zod';
import { MARKETS, type Market } from '~/core/market';
import type { Campo } from '~/domain/mercados/publicador';
import { readBorrador } from '~/domain/publicaciones/publicador/borrador.server';
import {
  formularioGuardado,
  oFalla,
  readCategoria,
  readEleccion,
  readFormulario,
} from '~/domain/publicaciones/publicador/categorias.server';
import { changeCategoria } from '~/domain/publicaciones/publicador/changeCategoria.server';
import { CategoriaElegida, OfertaForm, Publicar, respuestasForm } from '~/domain/publicaciones/publicador/forms';
import { chooseCategoria, publish, saveOferta, saveRespuestas } from '~/domain/publicaciones/publicador/publish.server';
import { DecidirRetenida } from '~/domain/publicaciones/publicaciones/forms';
import { readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { decideRetenida } from '~/domain/publicaciones/publicaciones/retenidas.server';
import { readProducto } from '~/domain/compras/catalogo/productos.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall, formOf } from '../form.server';
import { ApiProblem, found, noAnswer, notFound } from '../problem.server';
import { Instante } from '../wire';
import { ById, Hecho } from './ordenes.server';

const ver = { alcance: 'publicaciones', acceso: { pantalla: 'publicadorML' } } as const;
const publicar = {
  alcance: 'publicaciones',
  acceso: { pantalla: 'publicadorML', derecho: 'publicaciones.publicar' },
} as const;

const texto = z.string().nullable();
const Rama = z.object({ id: z.string(), nombre: z.string() });
const Formulario = z.object({
  campos: z.array(
    z.object({
      id: z.string(),
      nombre: z.string(),
      clase: z.string(),
      obligatorio: z.enum(['si', 'aVeces', 'no']),
      valores: z.array(Rama),
      unidades: z.array(z.string()),
      unidad: texto,
      maximo: z.int().nullable(),
      ayuda: texto,
    }),
  ),
  sinSoporte: z.array(z.object({ nombre: z.string(), porque: z.string() })),
  maxTitulo: z.int(),
  maxImagenes: z.int(),
});
const Problema = z.object({ campo: texto, texto: z.string() });

/** A draft of a listing. Version 0 is one that nobody began. */
const Borrador = z.object({
  version: z.int(),
  categoriaId: texto,
  datos: z.object({
    respuestas: z.record(z.string(), z.object({ valor: z.string(), unidad: z.string().optional() })).optional(),
    oferta: z
      .object({
        titulo: z.string(),
        descripcion: texto,
        precios: z.record(z.string(), z.string()),
        stock: z.int(),
        garantiaMeses: z.int(),
        seguir: z.boolean(),
      })
      .optional(),
  }),
  problemas: z.array(Problema),
  actualizadoEn: Instante.nullable(),
});
const Producto = z.object({ market: z.string().max(60), id: z.uuid() });
const marketOf = (text = '') => found(Promise.resolve(MARKETS.find((market) => market === text)));

async function borradorOf(db: Db, { market: en = '', id = '' }: Record<string, string>) {
  const market = await marketOf(en);
  await found(readProducto(db, id, { conOrdenes: false }));
  return readBorrador(db, market, id);
}

/** What a marketplace that does not answer keeps from being known. */
async function asked<T>(market: Market, work: () => Promise<T>): Promise<T> {
  const answer = await oFalla(market, work);
  if ('falla' in answer) throw noAnswer(answer);
  return answer.valor;
}

const EnMercado = z.object({ market: z.enum(MARKETS) });
const CategoriaId = z.string().regex(/^[\w-]{1,60}$/);
const Respuestas = z.object({
  respuestas: z.record(
    z.string().max(200),
    z.object({ valor: z.string().max(2_000), unidad: z.string().max(20).optional() }),
  ),
});
/** The answers as the form of a category takes them. */
const respuestasOf = (campos: readonly Campo[], { respuestas }: z.output<typeof Respuestas>, version: number) =>
  formOf(respuestasForm(campos), {
    version,
    valor: Object.fromEntries(Object.entries(respuestas).map(([campo, { valor }]) => [campo, valor || undefined])),
    unidad: Object.fromEntries(
      Object.entries(respuestas).flatMap(([campo, { unidad }]) => (unidad ? [[campo, unidad]] : [])),
    ),
  });

export const publicador: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/categorias/{market}',
    resumen: 'Las categorías de un mercado: las que sugiere para un texto, o las de dentro de una.',
    ...ver,
    params: EnMercado,
    query: z.object({ q: z.string().max(120).default(''), dentroDe: CategoriaId.optional() }),
    answer: z.object({ sugeridas: z.array(Rama), ramas: z.array(Rama) }),
    async run(db, { params: { market }, query: { q, dentroDe } }) {
      const { sugeridas, nodo, raices, falla, cuenta } = await readEleccion(db, market, { q, nodo: dentroDe ?? null });
      if (falla !== null) throw noAnswer({ falla, cuenta });
      return { sugeridas, ramas: nodo?.hijas ?? raices };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/categorias/{market}/{categoria}',
    resumen: 'Lo que una categoría pide de un producto.',
    ...ver,
    params: EnMercado.extend({ categoria: CategoriaId }),
    answer: Formulario,
    async run(db, { params: { market, categoria } }) {
      const suya = await found(asked(market, () => readCategoria(db, market, categoria)));
      return asked(market, () => readFormulario(db, market, suya.id));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/productos/{id}/borrador/{market}',
    resumen: 'El borrador de la publicación de un producto en un mercado.',
    ...ver,
    params: Producto,
    answer: Borrador,
    etag: etagOfVersion,
    run: async (db, { params }) => (await borradorOf(db, params)) as never,
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/productos/{id}/borrador/{market}/categoria',
    resumen: 'La categoría en que se publicará un producto.',
    ...publicar,
    conVersion: true,
    form: CategoriaElegida,
    de: { producto: 'id' },
    answer: Borrador,
    etag: etagOfVersion,
    async run(db, form, { params, usuario }) {
      await borradorOf(db, params);
      await chooseCategoria(db, form.producto, form, usuario, await marketOf(params.market));
      return (await borradorOf(db, params)) as never;
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/productos/{id}/borrador/{market}/respuestas',
    resumen: 'Las respuestas a lo que pide la categoría elegida. Lo que les falta se dice en «problemas».',
    ...publicar,
    conVersion: true,
    params: Producto,
    body: Respuestas,
    answer: Borrador,
    etag: etagOfVersion,
    async run(db, { params, body, version, usuario }) {
      const market = await marketOf(params.market);
      const { categoriaId } = await borradorOf(db, params);
      const formulario = categoriaId === null ? null : await formularioGuardado(db, market, categoriaId);
      if (!formulario) throw new ApiProblem('regla-de-negocio', 'Elige una categoría.');
      const form = respuestasOf(formulario.campos, body, version);
      await saveRespuestas(db, params.id, formulario, form, usuario, market);
      return (await borradorOf(db, params)) as never;
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/productos/{id}/borrador/{market}/oferta',
    resumen: 'Título, precios, existencia, garantía e imágenes de lo que se publicará. «seguir» sigue a su proveedor.',
    ...publicar,
    conVersion: true,
    form: OfertaForm,
    answer: Borrador,
    etag: etagOfVersion,
    async run(db, form, { params, usuario }) {
      await borradorOf(db, params);
      await saveOferta(db, params.id!, form, usuario, await marketOf(params.market));
      return (await borradorOf(db, params)) as never;
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/productos/{id}/borrador/{market}/publicacion',
    resumen: 'Publica el borrador como se leyó. Sin problemas, va en camino a su mercado.',
    ...publicar,
    conVersion: true,
    status: 202,
    form: Publicar,
    answer: z.object({ problemas: z.array(Problema) }),
    async run(db, { version }, { params, usuario }) {
      await borradorOf(db, params);
      return publish(db, params.id!, version, usuario, await marketOf(params.market));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/publicaciones/{id}/categoria',
    resumen: 'Cambia de categoría una publicación, con las respuestas que la otra pide.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'cambiarCategoria', derecho: 'publicaciones.publicar' },
    conVersion: true,
    status: 202,
    params: ById,
    body: Respuestas.extend({ categoriaId: CategoriaId }),
    answer: Hecho,
    async run(db, { params: { id }, body, version, usuario }) {
      const { market } = await found(readPublicacion(db, id));
      const { campos } = await asked(market, () => readFormulario(db, market, body.categoriaId));
      const form = respuestasOf(campos, body, version);
      return { hecho: await changeCategoria(db, id, body.categoriaId, form, usuario) };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/publicaciones/{id}/retenida',
    resumen: 'Aplica o descarta el cambio retenido de una publicación, como se leyó.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.editar' },
    form: DecidirRetenida,
    de: { id: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      if (!(await readPublicacion(trx as never, form.id))) throw notFound();
      await decideRetenida(trx, form, usuario.id);
      return { id: form.id };
    },
  }),
];
