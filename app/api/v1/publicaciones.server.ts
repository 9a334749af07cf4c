import { z } from 'zod';
import { editNow } from '~/domain/publicaciones/publicaciones/editNow.server';
import { ExcluirPromocion, PublicacionEditada } from '~/domain/publicaciones/publicaciones/forms';
import { readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import {
  bringPromocionesOf,
  excluirPromocion,
  readPromociones,
} from '~/domain/publicaciones/publicaciones/promociones.server';
import { bringCompetencia, readCompetencia } from '~/domain/publicaciones/publicaciones/competencia.server';
import { bringPublicacion } from '~/domain/publicaciones/publicaciones/bringPublicacion.server';
import type { Db } from '~db/client.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { MARKETS } from '~/core/market';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall, formOf } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const PublicacionFila = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  clave: z.string(),
  marketId: z.string().nullable(),
  sku: z.string().nullable(),
  titulo: z.string().nullable(),
  precio: Pesos.nullable(),
  stock: z.int().nullable(),
  vendido: z.int().nullable(),
  estatus: z.string(),
  subestatus: z.array(z.string()),
  problemas: z.array(z.string()),
  tipo: z.string().nullable(),
  link: z.string().nullable(),
  autoSync: z.boolean(),
  sobreventa: z.int(),
  productoId: z.uuid().nullable(),
  proveedor: z.string().nullable(),
  categoria: z.string().nullable(),
  fechaCreacion: Instante.nullable(),
});

const Publicacion = PublicacionFila.omit({ categoria: true }).extend({
  categoriaId: z.string().nullable(),
  version: z.int(),
  leidaEn: Instante.nullable(),
  ausenteDesde: Instante.nullable(),
  subtitulo: z.string().nullable(),
  precioPendiente: Pesos.nullable(),
  stockPendiente: z.int().nullable(),
  precioRetenido: Pesos.nullable(),
  errorPendiente: z.string().nullable(),
});

const publicacionOf = (db: Db, id: string) => found(readPublicacion(db, id));

const Competencia = z.object({
  lugar: z
    .enum(['gana', 'comparte', 'pierde', 'noCompite'])
    .nullable()
    .meta({ description: 'Su lugar entre quienes venden en su página; nulo si no se sabe.' }),
  porque: z.string().nullable().meta({ description: 'Por qué no se sabe.' }),
  razones: z.array(z.string()),
  nuestro: Pesos.nullable().meta({ description: 'Nuestro precio, como lo comparó el mercado.' }),
  paraGanar: Pesos.nullable().meta({ description: 'El precio con el que ganaría.' }),
  ganador: Pesos.nullable().meta({ description: 'El precio de quien gana.' }),
  comparten: z.int().nullable(),
  leidaEn: Instante.nullable(),
  error: z.string().nullable().meta({ description: 'Por qué no salió la última lectura; lo demás es de antes.' }),
  quedaria: z
    .object({
      precio: Pesos,
      de: z.enum(['paraGanar', 'ganador']),
      queda: Pesos.nullable(),
      margen: z.string().nullable().meta({ description: 'La parte del precio que queda: 0.1 es 10 %.' }),
      estima: z.array(z.string()).meta({ description: 'Lo que se estima de ello.' }),
      porque: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'Lo que quedaría al precio para ganar, o al de quien gana si no lo hay.' }),
});

async function competenciaOf(db: Db, id: string) {
  const publicacion = await publicacionOf(db, id);
  const { quedaria, ...competencia } = await found(readCompetencia(db, publicacion));
  return {
    ...competencia,
    quedaria: quedaria && {
      queda: null,
      porque: null,
      estima: [],
      ...quedaria,
      margen: 'margen' in quedaria ? quedaria.margen.toShort() : null,
    },
  };
}

const Promociones = z.object({
  promociones: z.array(
    z.object({
      id: z.uuid(),
      nombre: z.string(),
      estado: z
        .enum(['candidata', 'programada', 'activa'])
        .nullable()
        .meta({ description: 'Nulo si el mercado dijo una palabra que no conocemos.' }),
      palabra: z.string().meta({ description: 'El estado, como lo dijo el mercado.' }),
      precio: Pesos.nullable(),
      original: Pesos.nullable(),
      pone: z.string().nullable().meta({ description: 'Por ciento del descuento que pone el mercado.' }),
      ponemos: z.string().nullable().meta({ description: 'Por ciento del descuento que ponemos.' }),
      desde: Instante.nullable(),
      hasta: Instante.nullable(),
      queda: Pesos.nullable().meta({ description: 'Lo que quedaría de una venta; nulo si no se sabe.' }),
      margen: z.string().nullable().meta({ description: 'La parte del precio que queda: 0.1 es 10 %.' }),
      estima: z.array(z.string()),
      porque: z.string().nullable().meta({ description: 'Por qué no se sabe lo que quedaría.' }),
      bajo: z.boolean().nullable().meta({ description: 'Deja menos que nuestro piso; nulo si no se sabe.' }),
      soloAlla: z.string().nullable().meta({ description: 'Por qué no se quita desde aquí.' }),
      huella: z.string().meta({ description: 'La marca que se manda al excluir.' }),
    }),
  ),
  excluida: z
    .boolean()
    .nullable()
    .meta({ description: 'El mercado no la pone en promociones por su cuenta; nulo si no se sabe.' }),
  dicho: z.string().nullable().meta({ description: 'Qué fue de la última exclusión.' }),
  dichoEn: Instante.nullable(),
  leidaEn: Instante.nullable(),
  error: z.string().nullable().meta({ description: 'Por qué no salió la última lectura; lo demás es de antes.' }),
  enCamino: z.boolean().meta({ description: 'Una exclusión va en camino.' }),
});

async function promocionesOf(db: Db, id: string) {
  const vistas = await found(readPromociones(db, await publicacionOf(db, id)));
  return {
    ...vistas,
    promociones: vistas.promociones.map(({ pone, ponemos, margen, ...una }) => ({
      ...una,
      pone: pone?.toShort() ?? null,
      ponemos: ponemos?.toShort() ?? null,
      margen: margen?.toShort() ?? null,
    })),
  };
}

/** What is on sale at the marketplaces, and how it stands there. */
export const publicaciones: Call[] = [
  defineListCall({
    path: '/api/v1/publicaciones',
    resumen: 'Lo que está a la venta en los mercados.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    list: publicacionesList,
    fila: PublicacionFila,
    totales: { siguen: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/publicaciones/{id}',
    resumen: 'Una publicación, con lo que espera decirse a su mercado.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    params: ById,
    answer: Publicacion,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => publicacionOf(db, id),
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/publicaciones/{id}',
    resumen: 'Cambia una publicación en su mercado. «hecho» es falso mientras el mercado no contesta.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.editar' },
    conVersion: true,
    status: 202,
    params: ById,
    body: z.object({
      titulo: z.string().max(200).nullish(),
      precio: Pesos.nullish(),
      stock: z.int().min(0).max(99_999).nullish(),
      estatus: z.string().max(40).nullish(),
      autoSync: z.boolean().nullish(),
    }),
    answer: z.object({ hecho: z.boolean(), publicacion: Publicacion }),
    async run(db, { params: { id }, body, version, usuario }) {
      const antes = await publicacionOf(db, id);
      const editada = formOf(PublicacionEditada, {
        id,
        version,
        titulo: body.titulo ?? antes.titulo ?? undefined,
        precio: body.precio ?? antes.precio?.toFixed(2),
        stock: String(body.stock ?? antes.stock ?? ''),
        estatus: body.estatus ?? antes.estatus,
        autoSync: (body.autoSync ?? antes.autoSync) ? '1' : '0',
      });
      const { hecho } = await editNow(db, editada, usuario.id);
      return { hecho, publicacion: await publicacionOf(db, id) };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/publicaciones/{id}/lectura',
    resumen: 'Lee una publicación otra vez de su mercado.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.leer' },
    params: ById,
    answer: Publicacion,
    etag: etagOfVersion,
    async run(db, { params: { id } }) {
      await bringPublicacion(db, id);
      return publicacionOf(db, id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/publicaciones/{id}/competencia',
    resumen:
      'Cómo queda una publicación frente a otros vendedores de su página, y lo que quedaría al precio para ganar.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    params: ById,
    answer: Competencia,
    run: (db, { params: { id } }) => competenciaOf(db, id),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/publicaciones/{id}/competencia',
    resumen: 'Lee otra vez de su mercado cómo queda una publicación frente a otros vendedores.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.leer' },
    params: ById,
    answer: Competencia,
    async run(db, { params: { id } }) {
      await bringCompetencia(db, id);
      return competenciaOf(db, id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/publicaciones/{id}/promociones',
    resumen: 'Las promociones en que el mercado tiene una publicación, y lo que dejaría cada una.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    params: ById,
    answer: Promociones,
    run: (db, { params: { id } }) => promocionesOf(db, id),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/publicaciones/{id}/promociones',
    resumen: 'Lee otra vez de su mercado las promociones de una publicación.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.leer' },
    params: ById,
    answer: Promociones,
    async run(db, { params: { id } }) {
      await bringPromocionesOf(db, id);
      return promocionesOf(db, id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/promociones/{id}/exclusion',
    resumen:
      'Saca la publicación de una promoción de las que su mercado pone solo, y quita la oferta. «dicho» es nulo mientras el mercado no contesta.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.editar' },
    status: 202,
    form: ExcluirPromocion,
    de: { id: 'id' },
    answer: z.object({ dicho: z.string().nullable() }),
    run: async (db, form, { usuario }) => ({ dicho: await excluirPromocion(db, form, usuario.id) }),
  }),
];
