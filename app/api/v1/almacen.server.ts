import { z } from 'zod';
import { ESTADOS } from '~/domain/compras/stock/pieza';
import { createReadableStreamFromReadable } from '@remix-run/node';
import { actFromBodega, DESDE_BODEGA, readFoto } from '~/domain/compras/stock/bodega.server';
import { MOTIVOS, PARTES } from '~/domain/compras/stock/conteo';
import {
  countPieza,
  discardConteo,
  finishConteo,
  listConteos,
  listPartes,
  readConteo,
  settleDiferencia,
  startConteo,
} from '~/domain/compras/stock/conteos.server';
import { drawEtiquetas } from '~/domain/compras/stock/drawEtiquetas.server';
import { bindEtiqueta, createEtiquetas, etiquetasOf, MAX_ETIQUETAS } from '~/domain/compras/stock/etiquetas.server';
import { listEstados, readFacturaOfPieza, readPieza } from '~/domain/compras/stock/readPiezas.server';
import { stockInternoList } from '~/domain/compras/stock/listStock.server';
import {
  advanceEstado,
  changeEstado,
  createDevolucion,
  receiveFactura,
  savePieza,
  sellPieza,
  undoMovimiento,
} from '~/domain/compras/stock/piezas.server';
import {
  AdelantarEstado,
  DecidirDiferencia,
  DescartarConteo,
  DeshacerPieza,
  DevolucionForm,
  EmpezarConteo,
  EtiquetasNuevas,
  LeerEnConteo,
  LigarEtiqueta,
  PiezaEditada,
  TerminarConteo,
  VenderPieza,
} from '~/domain/compras/stock/forms';
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
import { download } from '~/http/download.server';
import type { Db, Trx } from '~db/client.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { MARKETS } from '~/core/market';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall, formOf } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const Estado = z.enum(ESTADOS);

const PiezaFila = z.object({
  id: z.uuid(),
  folio: z.string(),
  estado: Estado,
  descripcion: z.string().nullable(),
  observaciones: z.string().nullable(),
  costo: Pesos,
  recuperado: Pesos,
  facturaFolio: z.string().nullable(),
  numOrden: z.string().nullable(),
  ventaNumOrden: z.string().nullable(),
  modelo: z.string().nullable(),
  productoNombre: z.string().nullable(),
  proveedorLabel: z.string().nullable(),
  creadaEn: Instante,
  version: z.int(),
});

/** A piece whole: what its PUT takes back, and what happened to it. */
const Pieza = PiezaFila.extend({
  proveedor: z.string().nullable().meta({ description: 'La clave del proveedor.' }),
  folioFactura: z.string().nullable(),
  facturaNombre: z.string().nullable(),
  orden: z.uuid().nullable().meta({ description: 'La orden de la que regresó.' }),
  venta: z.uuid().nullable().meta({ description: 'La orden con la que salió.' }),
  producto: z.uuid().nullable(),
  movimientos: z.array(
    z.object({
      de: Estado.nullable(),
      a: Estado,
      en: Instante,
      detalle: z.string().nullable(),
      quien: z.string().nullable(),
      venta: z.string().nullable(),
    }),
  ),
  fotos: z.array(z.uuid()),
  etiquetas: z.array(z.string()),
  regresaA: Estado.nullable().meta({ description: 'A qué estado regresa «deshacer»; null cuando ya no se puede.' }),
});
async function piezaOf(db: Db | Trx, id: string) {
  const { ordenId: orden, ventaId: venta, productoId: producto, ...pieza } = await found(readPieza(db, id));
  return { ...pieza, orden, venta, producto, folioFactura: pieza.facturaFolio };
}

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
      margen: z.string().nullable().meta({ description: 'La parte del precio sin IVA que queda: 0.1 es 10 %.' }),
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

const Parte = z.enum(PARTES).nullable().meta({ description: 'El estado que se cuenta; null es todo el estante.' });
const Hallazgo = z.enum(['encontrada', 'falta', 'fueraDeLugar', 'fuera', 'etiqueta']);

/** A count: of `esperadas` pieces `encontradas` were found, and `filas` tells each with its decision. */
const Conteo = z.object({
  id: z.uuid(),
  parte: Parte,
  empezadoEn: Instante,
  empezadoPor: z.string().nullable(),
  terminadoEn: Instante.nullable(),
  terminadoPor: z.string().nullable(),
  leidas: z.int().meta({ description: 'Cuántas lecturas tiene: lo que «termino» pide de vuelta.' }),
  encontradas: z.int(),
  esperadas: z.int(),
  porLeer: z.array(z.object({ folio: z.string(), nombre: z.string(), etiquetas: z.array(z.string()) })),
  filas: z.array(
    z.object({
      id: z.int(),
      hallazgo: Hallazgo,
      codigo: z.string(),
      piezaId: z.uuid().nullable(),
      estadoFinal: Estado.nullable(),
      estado: Estado.nullable(),
      version: z.int().meta({ description: 'La versión de la pieza: lo que una decisión pide de vuelta.' }),
      decision: z.enum(['pasada', 'apartada', 'aparecio', 'baja', 'pendiente']).nullable(),
      motivo: z.enum(MOTIVOS).nullable(),
      decididaPor: z.string().nullable(),
      decididaEn: Instante.nullable(),
      leidaPor: z.string().nullable(),
      leidaEn: Instante.nullable(),
      abierta: z.boolean(),
    }),
  ),
});
const conteoOf = (db: Db | Trx, id: string) => found(readConteo(db, id));
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
      margen: z.string().nullable().meta({ description: 'La parte del precio sin IVA que queda: 0.1 es 10 %.' }),
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

const operar = { alcance: 'stock', acceso: { derecho: 'stock.operar' } } as const;
const datosDePieza = {
  costo: Pesos,
  recuperado: Pesos.optional(),
  observaciones: z.string().max(2_000).optional(),
  folioFactura: z.string().max(60).optional(),
};

/** What a token has to be allowed that moves a piece, whichever call moves it. */
export const moverPieza = defineCall({
  method: 'PATCH',
  path: '/api/v1/stock/{id}',
  resumen: 'Cambia el estado de una pieza.',
  alcance: 'stock',
  acceso: { derecho: 'stock.operar' },
  conVersion: true,
  params: ById,
  body: z.object({ estado: Estado }),
  answer: PiezaFila,
  etag: etagOfVersion,
  async commit(trx, { params: { id }, body: { estado }, version, usuario }) {
    await changeEstado(trx, { id, version, estado }, usuario.id);
    return found(readPieza(trx, id));
  },
});

/** What is on the shelf, and what is on sale. */
export const almacen: Call[] = [
  defineListCall({
    path: '/api/v1/stock',
    resumen: 'Las piezas del stock interno.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    list: stockInternoList,
    fila: PiezaFila,
    totales: { costo: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/{id}',
    resumen: 'Una pieza del stock interno.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    params: ById,
    answer: Pieza,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => piezaOf(db, id),
  }),
  moverPieza,
  defineCall({
    method: 'POST',
    path: '/api/v1/stock',
    resumen: 'Crea una devolución: tantas piezas, cada una con su folio.',
    ...operar,
    status: 201,
    recibe: { campo: 'factura', cuerpo: 'datos', opcional: true },
    body: z.object({
      ...datosDePieza,
      estado: Estado.optional(),
      orden: z.uuid().optional(),
      producto: z.uuid().optional(),
      descripcion: z.string().max(300).optional(),
      proveedor: z.string().max(20).optional(),
      cantidad: z.int().min(1).max(500),
    }),
    answer: z.object({ folios: z.array(z.string()) }),
    async run(db, { body, archivos, usuario, clave }) {
      const form = formOf(DevolucionForm, { ...body, clave, cantidad: String(body.cantidad), factura: archivos[0] });
      const recibida = await receiveFactura(form);
      return { folios: await db.transaction().execute((trx) => createDevolucion(trx, recibida, usuario.id)) };
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/stock/{id}',
    resumen: 'Cambia una pieza del stock interno.',
    ...operar,
    conVersion: true,
    recibe: { campo: 'factura', cuerpo: 'datos', opcional: true },
    params: ById,
    body: z.object({
      costo: Pesos,
      recuperado: Pesos.nullish(),
      observaciones: z.string().max(2_000).nullish(),
      folioFactura: z.string().max(60).nullish(),
      estado: Estado,
      orden: z.string().max(40).nullish().meta({
        description:
          'La orden de la que regresó, por su id o su número. Sin ella se queda la que tenía; null la quita.',
      }),
      producto: z.uuid().nullish(),
      proveedor: z.string().max(20),
      eliminarFactura: z.boolean().optional(),
    }),
    answer: Pieza,
    etag: etagOfVersion,
    async run(db, { params: { id }, body: { eliminarFactura, ...body }, archivos, version, usuario }) {
      await piezaOf(db, id);
      const dicha = Object.fromEntries(Object.entries(body).filter(([, valor]) => valor !== null));
      const marcas = {
        ...(eliminarFactura && { eliminarFactura: '1' }),
        ...(body.orden === null && { conOrden: '1' }),
      };
      const recibida = await receiveFactura(
        formOf(PiezaEditada, { ...dicha, ...marcas, id, version, factura: archivos[0] }),
      );
      await db.transaction().execute((trx) => savePieza(trx, recibida, usuario.id));
      return piezaOf(db, id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/{id}/factura',
    resumen: 'La factura de una pieza.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    archivo: 'application/pdf',
    params: ById,
    answer: z.string(),
    run: async (db, { params: { id }, request }) => download(request, await found(readFacturaOfPieza(db, id))),
  }),
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
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/{id}/venta',
    resumen: 'Una pieza sale con una venta, por su número.',
    ...operar,
    conVersion: true,
    form: VenderPieza,
    de: { id: 'id' },
    answer: Pieza,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await piezaOf(trx, form.id);
      await sellPieza(trx, form, usuario.id);
      return piezaOf(trx, form.id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/{id}/deshacer',
    resumen: 'Deshace el último cambio de estado de una pieza.',
    ...operar,
    conVersion: true,
    form: DeshacerPieza,
    de: { id: 'id' },
    answer: Pieza,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await piezaOf(trx, form.id);
      await undoMovimiento(trx, form, usuario.id);
      return piezaOf(trx, form.id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/{id}/fotos',
    resumen: 'Agrega una fotografía a una pieza.',
    ...operar,
    status: 201,
    recibe: { campo: 'foto' },
    form: DESDE_BODEGA.foto,
    de: { id: 'id' },
    answer: Pieza,
    etag: etagOfVersion,
    async run(db, datos, { usuario, clave }) {
      await piezaOf(db, datos.id);
      await actFromBodega(db, { clave, que: 'foto', datos }, usuario.id);
      return piezaOf(db, datos.id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/fotos/{id}',
    resumen: 'Una fotografía de una pieza.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    archivo: '*/*',
    params: ById,
    answer: z.string(),
    async run(db, { params: { id }, request }) {
      const archivo = await found(readFoto(db, id));
      return download(request, { archivo, nombre: id });
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/etiquetas',
    resumen: 'Crea una tirada de etiquetas en blanco.',
    ...operar,
    status: 201,
    form: EtiquetasNuevas,
    answer: z.object({ codigos: z.array(z.string()) }),
    commit: async (trx, form, { usuario }) => ({
      codigos: (await createEtiquetas(trx, form, usuario.id)).map(({ codigo }) => codigo),
    }),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/stock/etiquetas/{codigo}',
    resumen: 'Liga una etiqueta en blanco a la pieza de un folio.',
    ...operar,
    form: LigarEtiqueta,
    de: { codigo: 'codigo' },
    answer: z.object({ codigo: z.string(), folio: z.string() }),
    async commit(trx, form, { usuario }) {
      await bindEtiqueta(trx, form, usuario.id);
      return form;
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/stock/qr',
    resumen: 'Las etiquetas QR de unas piezas, en un PDF.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    soloLee: true,
    archivo: 'application/pdf',
    body: z.object({ piezas: z.array(z.uuid()).min(1).max(MAX_ETIQUETAS) }),
    answer: z.string(),
    async run(db, { body: { piezas } }) {
      await Promise.all(piezas.map((id) => found(readPieza(db, id))));
      const pdf = drawEtiquetas(await etiquetasOf(db, { piezas }), 'rollo50');
      return new Response(createReadableStreamFromReadable(pdf), {
        headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment; filename="codigos-qr.pdf"' },
      });
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/estados',
    resumen: 'Los estados del stock interno, en el orden en que se ofrecen.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    answer: z.array(Estado),
    run: (db) => listEstados(db),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/conteos',
    resumen: 'Lo que se puede contar del estante, con el conteo en curso, y los últimos conteos terminados.',
    alcance: 'stock',
    acceso: { pantalla: 'conteos' },
    answer: z.object({
      partes: z.array(z.object({ parte: Parte, piezas: z.int(), conteo: z.uuid().nullable(), leidas: z.int() })),
      terminados: z.array(
        z.object({
          id: z.uuid(),
          parte: Parte,
          terminadoEn: Instante,
          quien: z.string().nullable(),
          encontradas: z.int(),
          faltan: z.int(),
          deMas: z.int(),
          abiertas: z.int(),
        }),
      ),
    }),
    async run(db) {
      const [partes, terminados] = await Promise.all([listPartes(db), listConteos(db)]);
      return { partes, terminados };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/conteos/{id}',
    resumen: 'Un conteo del estante, con sus diferencias.',
    alcance: 'stock',
    acceso: { pantalla: 'conteos' },
    params: ById,
    answer: Conteo,
    run: (db, { params: { id } }) => conteoOf(db, id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos',
    resumen: 'Empieza a contar el estante, o sigue el conteo que está en curso.',
    ...operar,
    status: 201,
    form: EmpezarConteo,
    answer: Conteo,
    commit: async (trx, form, { usuario }) => conteoOf(trx, await startConteo(trx, form, usuario.id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos/{id}/lecturas',
    resumen: 'Lee una pieza en un conteo.',
    ...operar,
    form: LeerEnConteo,
    de: { conteo: 'id' },
    answer: z.object({
      clase: z.enum(['encontrada', 'fueraDeLugar', 'fuera', 'etiqueta', 'ya', 'desconocida', 'aparecio']),
      codigo: z.string(),
      dice: z.string(),
    }),
    async commit(trx, form, { usuario }) {
      await conteoOf(trx, form.conteo);
      return countPieza(trx, form, usuario.id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos/{id}/termino',
    resumen: 'Termina un conteo: lo que nadie leyó queda como faltante.',
    ...operar,
    form: TerminarConteo,
    de: { conteo: 'id' },
    answer: Conteo,
    async commit(trx, form, { usuario }) {
      await conteoOf(trx, form.conteo);
      await finishConteo(trx, form, usuario.id);
      return conteoOf(trx, form.conteo);
    },
  }),
  defineFormCall({
    method: 'DELETE',
    path: '/api/v1/stock/conteos/{id}',
    resumen: 'Descarta un conteo en el que no se leyó nada.',
    ...operar,
    form: DescartarConteo,
    de: { conteo: 'id' },
    answer: z.object({ id: z.uuid() }),
    async commit(trx, { conteo: id }, { usuario }) {
      await conteoOf(trx, id);
      await discardConteo(trx, id, usuario.id);
      return { id };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos/{id}/diferencias/{diferencia}',
    resumen: 'Resuelve una diferencia de un conteo terminado.',
    ...operar,
    form: DecidirDiferencia,
    de: { conteo: 'id', diferencia: 'diferencia' },
    answer: Conteo,
    async commit(trx, form, { usuario }) {
      await conteoOf(trx, form.conteo);
      await settleDiferencia(trx, form, usuario.id);
      return conteoOf(trx, form.conteo);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/estados/{estado}/adelanto',
    resumen: 'Ofrece un estado un lugar antes.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno', derecho: 'stock.ordenar' },
    form: AdelantarEstado,
    de: { estado: 'estado' },
    answer: z.array(Estado),
    async commit(trx, { estado }, { usuario }) {
      await advanceEstado(trx, estado, usuario.id);
      return listEstados(trx);
    },
  }),
];
