import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed, Stale } from '~/core/errors';
import { type Market, type PrecioKey, precioKeyOf } from '~/core/market';
import { Money } from '~/core/money';
import { livingAbout } from '~/platform/effects/subjects.server';
import type { Formulario, Rechazo, Respuestas } from '~/domain/mercados/publicador';
import { readEstimadas } from '~/domain/compras/precios/estimadas.server';
import { type Cara, estimadasDe, SIN_COSTO } from '~/domain/compras/precios/precio';
import { MERCADOS } from '~/domain/mercados/mercados';
import { readCaras } from '~/domain/compras/precios/precios.server';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { askFotos, readFotosOf } from '~/domain/compras/catalogo/fotos.server';
import { faltaDeAlmacen } from '~/domain/publicaciones/publicaciones/almacenes.server';
import type { Db, Trx } from '~db/client.server';
import type { DB } from '~db/types';
import { oFalla, publicadorOf, readCategoria, readEleccion, readFormulario } from './categorias.server';
import {
  type Oferta,
  type Paso,
  pasoOfCampo,
  PASOS,
  PASO_TITULO,
  respuestasConocidas,
  skuNuestro,
  TIPOS,
  tituloOf,
  type Tipo,
  tiposOf,
} from './publicador';

const Imagen = z.object({
  url: z.string(),
  ancho: z.number().nullable(),
  alto: z.number().nullable(),
  archivoId: z.string().nullable(),
  problema: z.string().nullable(),
});

/** The kept parts of a draft. A part that an older version wrote in another shape is asked again. */
const Datos = z.object({
  respuestas: z
    .record(z.string(), z.object({ valor: z.string(), unidad: z.string().optional() }))
    .optional()
    .catch(undefined),
  oferta: z
    .object({
      titulo: z.string(),
      descripcion: z.string().nullable(),
      precios: z.partialRecord(z.enum(TIPOS), z.string()),
      stock: z.number(),
      garantiaMeses: z.number(),
      imagenes: z.array(Imagen),
      seguir: z.boolean(),
      propuesta: z.boolean().optional(),
    })
    .optional()
    .catch(undefined),
});
export type Datos = { respuestas?: Respuestas | undefined; oferta?: Oferta | undefined };
const Problemas = z.array(z.object({ campo: z.string().nullable(), texto: z.string() })).catch([]);

export const TITULO_ERROR = 'Error al publicar.';

export type Producto = Awaited<ReturnType<typeof readProductosPorPublicar>>[number];

/** Returns a product as the publisher needs it, with its pictures; undefined when there is none. */
export async function readProductoPorPublicar(db: Db | Trx, id: string): Promise<Producto | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  return (await readProductosPorPublicar(db, [id]))[0];
}

/** Returns some products as the publisher needs them, in any order; those that are gone are left out. */
export async function readProductosPorPublicar(db: Db | Trx, ids: readonly string[]) {
  const productos = await db
    .selectFrom('producto')
    .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select([
      'producto.id',
      'producto.proveedor',
      'proveedor.label as proveedorLabel',
      'producto.idProveedor',
      'producto.nombre',
      'producto.marca',
      'producto.modelo',
      'producto.modeloFabricante',
      'producto.gtins',
      'oferta.existencia',
    ])
    .where('producto.id', 'in', ids)
    .execute();
  const fotos = await readFotosOf(db, ids);
  return productos.map((producto) => ({ ...producto, fotos: fotos.get(producto.id) ?? [] }));
}

/** A draft of a product at one marketplace. `problemas` are those that the marketplace told last. */
export type Borrador = {
  version: number;
  categoriaId: string | null;
  datos: Datos;
  problemas: Rechazo[];
  actualizadoEn: Date | null;
};

const NUEVO: Borrador = { version: 0, categoriaId: null, datos: {}, problemas: [], actualizadoEn: null };

const leido = (row: Selectable<DB['publicacionBorrador']>): Borrador => ({
  version: row.version,
  categoriaId: row.categoriaId,
  datos: Datos.catch({}).parse(row.datos),
  problemas: Problemas.parse(row.problemas),
  actualizadoEn: row.actualizadoEn,
});

/** Returns the draft of a product at a marketplace; an empty one, of version 0, before anything was saved. */
export const readBorrador = async (db: Db | Trx, market: Market, productoId: string): Promise<Borrador> =>
  (await readBorradores(db, market, [productoId]))(productoId);

/** Reads the drafts of some products at a marketplace, each as `readBorrador` does. */
export async function readBorradores(
  db: Db | Trx,
  market: Market,
  ids: readonly string[],
): Promise<(productoId: string) => Borrador> {
  const rows = await db
    .selectFrom('publicacionBorrador')
    .selectAll()
    .where('market', '=', market)
    .where('productoId', 'in', ids)
    .execute();
  const deProducto = new Map(rows.map((row) => [row.productoId, leido(row)]));
  return (productoId) => deProducto.get(productoId) ?? NUEVO;
}

/** Keeps a step of a draft. Throws Stale when the draft changed since the step was shown. */
export async function saveBorrador(
  trx: Trx,
  market: Market,
  productoId: string,
  version: number,
  {
    categoriaId,
    usuarioId,
    problemas = [],
    ...cambio
  }: Datos & { categoriaId?: string; usuarioId: string; problemas?: Rechazo[] },
): Promise<void> {
  const nuevo = JSON.stringify(cambio);
  const row = await trx
    .insertInto('publicacionBorrador')
    .values({
      market,
      productoId,
      categoriaId: categoriaId ?? null,
      datos: nuevo,
      problemas: JSON.stringify(problemas),
      usuarioId,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['market', 'productoId'])
        .doUpdateSet({
          datos: sql`publicacion_borrador.datos || ${nuevo}::jsonb`,
          problemas: JSON.stringify(problemas),
          ...(categoriaId !== undefined && { categoriaId }),
          usuarioId,
          version: sql`publicacion_borrador.version + 1`,
          actualizadoEn: sql<Date>`now()`,
        })
        .where('publicacionBorrador.version', '=', version),
    )
    .returning('version')
    .executeTakeFirst();
  if (!row) {
    const { version: ahora } = await readBorrador(trx, market, productoId);
    throw new Stale({ cambios: [], marcas: { version: ahora } }, { texto: 'Otra persona modificó este borrador.' });
  }
}

/** Returns the prices of a product and the rest of each, for the numbers that move while a price is typed. */
async function preciosOf(db: Db, market: Market, producto: Producto, categoriaId: string | null) {
  const [caras, reglas, estimadas] = await Promise.all([
    readCaras(db, [producto.id]),
    readReglas(db),
    readEstimadas(db, [producto.id]),
  ]);
  const suyas = caras.get(producto.id);
  const venta = suyas?.[market].venta;
  const tarifa = reglas.tarifas[market];
  if (venta?.clase !== 'precio')
    return { porque: venta ? SIN_COSTO[venta.porque] : 'El proveedor no ha dado un precio.', sugerido: null };
  const sugeridos = pricesByTipo(market, suyas!);
  const publicador = publicadorOf(db, market);
  const comisiones = await Promise.all(
    tiposOf(market).map(async (tipo) => {
      if (categoriaId === null) return [tipo, null] as const;
      const precio = Money.of(sugeridos[tipo]!);
      const answer = await oFalla(market, () => publicador.comision({ precio, categoriaId, tipo }));
      const pesos = 'valor' in answer ? answer.valor : null;
      return [tipo, pesos && fraccionOf(pesos, precio)] as const;
    }),
  );
  return {
    porque: null,
    sugerido: venta.precio.toFixed(2),
    /** Price of the rule for each kind. */
    sugeridos,
    costo: venta.costo.toFixed(6),
    envio: venta.envio.toFixed(6),
    /** Commissions that the marketplace estimated of the listings it is sold by already. */
    estimadas: estimadasDe(estimadas.get(producto.id) ?? [], market).map(({ precio, comision }) => ({
      precio: precio.toFixed(2),
      comision: comision.toFixed(2),
    })),
    tarifas: Object.fromEntries(
      comisiones.map(([tipo, comision]) => [
        tipo,
        {
          comision: (comision ?? tarifa.comision).toFixed(6),
          comisionDe: comision ? ('categoria' as const) : tarifa.comisionDe,
          retencionIva: tarifa.retencionIva.toFixed(6),
          retencionIsr: tarifa.retencionIsr.toFixed(6),
        },
      ]),
    ) as Partial<
      Record<
        Tipo,
        Record<'comision' | 'retencionIva' | 'retencionIsr', string> & { comisionDe: 'categoria' | 'omision' }
      >
    >,
  };
}

/** Returns the price that the rule gives for each kind of listing; a kind without a price is left out. */
export const pricesByTipo = (market: Market, caras: Record<PrecioKey, Cara>): Partial<Record<Tipo, string>> =>
  Object.fromEntries(
    tiposOf(market).flatMap((tipo) => {
      const { venta } = caras[precioKeyOf(market, tipo)];
      return venta.clase === 'precio' ? [[tipo, venta.precio.toFixed(2)]] : [];
    }),
  );

const fraccionOf = (parte: Money, todo: Money): Money =>
  Money.ofMicros(todo.micros === 0n ? 0n : (parte.micros * 1_000_000n) / todo.micros);

/** Returns the open step: an address that runs ahead leads to the furthest open one. */
export function pasoAbierto({ categoriaId, datos }: Pick<Borrador, 'categoriaId' | 'datos'>): Paso {
  if (categoriaId === null) return '1';
  if (!datos.respuestas) return '2';
  return datos.oferta ? '4' : '3';
}

export type Vista = NonNullable<Awaited<ReturnType<typeof readVista>>>;

/** Reads the screen of one product; null when the product is gone. */
export async function readVista(
  db: Db,
  market: Market,
  productoId: string,
  pedido: { paso: string | null; q: string | null; nodo: string | null },
) {
  const producto = await readProductoPorPublicar(db, productoId);
  if (!producto) return null;
  await askFotos(db, productoId);
  const [borrador, publicaciones, enMarcha] = await Promise.all([
    readBorrador(db, market, productoId),
    readPublicaciones(db, market, productoId),
    readEnMarcha(db, market, productoId),
  ]);
  const hasta = pasoAbierto(borrador);
  const paso = PASOS.find((one) => one === pedido.paso && one <= hasta) ?? hasta;
  const { categoriaId } = borrador;
  const publicador = publicadorOf(db, market);
  const leida =
    categoriaId === null
      ? null
      : await oFalla(market, async () => ({
          categoria: await readCategoria(db, market, categoriaId, publicador),
          formulario: await readFormulario(db, market, categoriaId, publicador),
        }));
  const valor = leida && 'valor' in leida ? leida.valor : null;
  return {
    market,
    producto,
    borrador,
    paso,
    pasos: PASOS.map((one) => ({
      paso: one,
      titulo: PASO_TITULO[one],
      actual: one === paso,
      // A step with something to correct is not done.
      hecho: one < hasta && !borrador.problemas.some(({ campo }) => pasoOfCampo(campo) === one),
      abierto: one <= hasta,
    })),
    sku: skuNuestro(env().SKU_PREFIJO, producto),
    publicaciones,
    enMarcha,
    falla: leida && 'falla' in leida ? leida.falla : null,
    categoria: valor?.categoria ?? null,
    formulario: valor?.formulario ?? null,
    respuestas: valor && respuestasOf(borrador, valor.formulario, producto),
    titulo:
      borrador.datos.oferta?.titulo ??
      tituloOf(
        valor?.formulario.pide.titulo === false ? (valor.categoria?.nombre ?? null) : producto.nombre,
        valor?.formulario.maxTitulo ?? 60,
      ),
    eleccion:
      paso === '1'
        ? await readEleccion(db, market, {
            q: (pedido.q ?? producto.nombre ?? '').trim().slice(0, 120),
            nodo: pedido.nodo,
            // Typed words are searched as they are.
            codigos: pedido.q === null ? producto.gtins : [],
          })
        : null,
    sinAlmacen: await faltaDeAlmacen(db, market),
    precios: paso === '3' || paso === '4' ? await preciosOf(db, market, producto, categoriaId) : null,
  };
}

/** Returns the answers of a draft over the known facts of the product. */
export const respuestasOf = ({ datos }: Borrador, { campos }: Formulario, producto: Producto): Respuestas =>
  datos.respuestas ?? respuestasConocidas(campos, producto, env().MARCA);

const readPublicaciones = (db: Db, market: Market, productoId: string) =>
  db
    .selectFrom('publicacion')
    .select(['id', 'clave', 'titulo', 'tipo', 'precio', 'estatus', 'link'])
    .where('market', '=', market)
    .where('productoId', '=', productoId)
    // A listing on its way is told by its effect.
    .where('estatus', 'is distinct from', MERCADOS[market].publicaciones.creandose)
    .orderBy('id', 'desc')
    .execute();

const Pedida = z.object({ tipo: z.string(), titulo: z.string() });

/** Reads the listings that were sent and are not known to be there yet. `recibida`: the marketplace took the listing in, and does not show it. */
async function readEnMarcha(db: Db, market: Market, productoId: string) {
  const vivas = await livingAbout(db, ['producto', productoId], { type: `${market}.publicar`, request: Pedida });
  if (vivas.length === 0) return [];
  const ids = vivas.map(({ id }) => id);
  const recibidas = await db
    .selectFrom('effect')
    .select('id')
    .where('id', 'in', ids)
    .where('result', 'is not', null)
    .execute();
  const conRecibo = new Set(recibidas.map(({ id }) => id));
  return vivas.map(({ id, state, request }) => ({ id, state, recibida: conRecibo.has(id), ...request }));
}

/** Reads the product of a form. Throws NotAllowed when the product went away meanwhile. */
export async function requireProducto(db: Db | Trx, id: string): Promise<Producto> {
  const producto = await readProductoPorPublicar(db, id);
  if (!producto) throw new NotAllowed(TITULO_ERROR, 'El producto ya no está en el catálogo.');
  return producto;
}
