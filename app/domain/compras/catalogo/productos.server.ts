import { sql } from 'kysely';
import { z } from 'zod';
import { choqueOfFila } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { findCredential, listCredentials } from '~/platform/connections/credentials.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db, Trx } from '~db/client.server';
import { DE_PRODUCTO, caducada, existenciaDe, precioDe } from './columnas.server';
import type { AutoOrden, ProductoEditado } from './forms';
import { readFotos } from './fotos.server';
import { toInstant } from '~/core/time';

const HISTORIA_DIAS = 180;
/** Points of the drawing of history: more than its width can show. */
const HISTORIA_PUNTOS = 240;
const ORDENES = 10;

/** Stock by warehouse as the row keeps it. A value that cannot be read counts as no warehouses. */
const Almacenes = z
  .array(z.object({ almacen: z.string(), nombre: z.string().nullable().catch(null), cantidad: z.number() }))
  .catch([]);

const Promociones = z
  .array(
    z.object({
      importe: z.coerce.string(),
      moneda: z.enum(['MXN', 'USD']),
      almacen: z.string().nullable().catch(null),
      desde: z.string().nullable().catch(null),
      hasta: z.string().nullable().catch(null),
      piezas: z.number().nullable().catch(null),
    }),
  )
  .catch([]);

/**
 * Returns a product whole: its supplier's facts and their age, what people added, and the history of price and stock. Null when there is no such
 * product. `conOrdenes` adds the sales that name it.
 */
export async function readProducto(
  db: Db | Trx,
  id: string,
  { conOrdenes, ahora = new Date() }: { conOrdenes: boolean; ahora?: Date },
) {
  if (!z.uuid().safeParse(id).success) return null;
  const [producto, historia] = await Promise.all([readFila(db, id), readHistoria(db, id)]);
  if (!producto) return null;
  const { almacenes, promociones, proveedor, ...rest } = producto;
  const side = CONNECTIONS.find(proveedor);
  const [ordenes, credential, fotos] = await Promise.all([
    conOrdenes ? ordenesOf(db, producto) : null,
    side ? findCredential(db, side.kind) : null,
    readFotos(db, id),
  ]);
  return {
    ...rest,
    proveedor,
    fotos,
    almacenes: Almacenes.parse(almacenes ?? [])
      .filter(({ cantidad }) => cantidad > 0)
      .toSorted((a, b) => b.cantidad - a.cantidad),
    promociones: Promociones.parse(promociones ?? []).filter(
      ({ hasta }) => hasta === null || toInstant(hasta) >= ahora,
    ),
    historia,
    ordenes,
    /** Whether the supplier can be asked for the product now. */
    conectado: side?.proveedor !== undefined && credential?.status === 'linked',
  };
}

function readFila(db: Db | Trx, id: string) {
  return db
    .selectFrom('producto')
    .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select([
      ...DE_PRODUCTO,
      'producto.modeloFabricante',
      'producto.claveSat',
      'producto.link',
      'producto.creadoEn',
      'producto.productoMaximo',
      'producto.precioLista',
      'producto.autoOrden',
      'producto.version',
      'oferta.almacenes',
      'oferta.promociones',
    ])
    .where('producto.id', '=', id)
    .executeTakeFirst();
}

/** The last changes of price and stock, oldest first. */
async function readHistoria(db: Db, id: string) {
  const ultimos = await db
    .selectFrom('productoHistoria')
    .select(['en', 'precio', 'moneda', 'existencia'])
    .where('productoId', '=', id)
    .where('en', '>', sql<Date>`now() - make_interval(days => ${HISTORIA_DIAS})`)
    .orderBy('en', 'desc')
    .limit(HISTORIA_PUNTOS)
    .execute();
  return ultimos.toReversed();
}

/** SQL condition: a sale waits to be sent and nobody has ordered it from that supplier yet. */
const sinPedir = (proveedor: string) =>
  sql<boolean>`orden.clase = 'normal' and orden.estatus = 'enPreparacion' and not exists (select from pedido
    where pedido.market = orden.market and pedido.num_orden = orden.num_orden and pedido.proveedor = ${proveedor}
      and pedido.estado not in ('cancelado', 'rechazado', 'vencido'))`;

/** Sales whose sku names the product, the newest first. */
function ordenesOf(
  db: Db,
  { proveedor, modelo, idProveedor }: { proveedor: string; modelo: string | null; idProveedor: string },
) {
  const claves = [...new Set([modelo, idProveedor].flatMap((clave) => (clave ? [clave.toLowerCase()] : [])))];
  return db
    .selectFrom('articulo')
    .innerJoin('orden', 'orden.id', 'articulo.ordenId')
    .select([
      'orden.id',
      'orden.numOrden',
      'orden.fechaCreacion',
      'orden.clase',
      'articulo.cantidad',
      'articulo.precioUnitario',
    ])
    .select(sinPedir(proveedor).as('porPedir'))
    .where(sql<boolean>`lower(articulo.modelo) = any(${claves}::text[])`)
    .where(sql<boolean>`lower(articulo.proveedor) = ${proveedor}`)
    .orderBy('orden.fechaCreacion', 'desc')
    .limit(ORDENES)
    .execute();
}

/** Returns the products that people declared to be another piece, whatever their keys say. */
export function listSeparados(db: Db, id: string) {
  return db
    .selectFrom('productoPar')
    .innerJoin('producto', (join) =>
      join.on(
        sql<boolean>`producto.id = case when producto_par.uno = ${id} then producto_par.otro else producto_par.uno end`,
      ),
    )
    .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
    .select(['producto.id', 'proveedor.label'])
    .where('productoPar.igual', '=', false)
    .where((eb) => eb.or([eb('productoPar.uno', '=', id), eb('productoPar.otro', '=', id)]))
    .orderBy('proveedor.label')
    .execute();
}

/** Returns the supplier's answer from which the product was made, verbatim; null when none is kept. */
export async function readDatos(db: Db, id: string): Promise<unknown> {
  const row = await db.selectFrom('oferta').select('raw').where('productoId', '=', id).executeTakeFirst();
  return row?.raw ?? null;
}

/** Returns the newest products, for the home of people who work with them. */
export function ultimosProductos(db: Db, cuantos: number) {
  return db
    .selectFrom('producto')
    .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select([
      'producto.id',
      'producto.nombre',
      'producto.modelo',
      'producto.marca',
      'proveedor.label as proveedorLabel',
      'oferta.precio',
      'oferta.moneda',
      'oferta.sinPrecio',
      'oferta.existencia',
      'oferta.tope',
      precioDe.as('precioEn'),
      existenciaDe.as('existenciaEn'),
      caducada.as('caducada'),
    ])
    .orderBy('producto.id', 'desc')
    .limit(cuantos)
    .execute();
}

const TITULO = 'Error al actualizar: ';

const ETIQUETAS = {
  productoMaximo: 'Productos máximos por envio',
  costoEnvio: 'Costo del envio',
  precioLista: 'Precio de lista',
  autoOrden: 'Auto orden',
} as const;

type Guardado = Awaited<ReturnType<typeof lockProducto>>;

const enPalabras = ({ productoMaximo, costoEnvio, precioLista, autoOrden }: Guardado) => ({
  productoMaximo,
  costoEnvio: costoEnvio?.toFixed(2) ?? null,
  precioLista: precioLista?.toFixed(2) ?? null,
  autoOrden: autoOrden ? 'Activado' : 'Desactivado',
});

/** A cost of shipping before and after a change, and the form that takes the change back. */
type EnvioMovido = {
  /** The supplier's model of the product, else its key there. */ modelo: string;
  antes: string | null;
  ahora: string | null;
  deshacer: Record<keyof ProductoEditado, string | number | boolean>;
};

/**
 * Saves the facts that people add to a product. Returns what became of its cost of shipping; null where that stayed. Throws `Stale` when the row moved since the
 * screen showed it, and `NotAllowed` when it is gone.
 */
export async function saveProducto(
  trx: Trx,
  { id, version, ...datos }: ProductoEditado,
  usuarioId: string,
): Promise<EnvioMovido | null> {
  const actual = await lockProducto(trx, id);
  if (actual.version !== version)
    throw new Stale(
      choqueOfFila(
        ETIQUETAS,
        { ...datos, autoOrden: datos.autoOrden ? 'Activado' : 'Desactivado' },
        { ...enPalabras(actual), version: actual.version },
      ),
    );
  await write(trx, { id, version }, datos, usuarioId);
  const antes = actual.costoEnvio?.toFixed(2) ?? null;
  const ahora = datos.costoEnvio;
  if (antes === ahora) return null;
  const { productoMaximo, precioLista, autoOrden } = actual;
  return {
    modelo: actual.modelo ?? actual.idProveedor,
    antes,
    ahora,
    deshacer: {
      id,
      version: version + 1,
      costoEnvio: antes ?? '',
      productoMaximo: productoMaximo ?? '',
      precioLista: precioLista?.toFixed(2) ?? '',
      autoOrden,
    },
  };
}

/** Saves whether sales of the product are ordered without a person; its other facts stay. Throws `Stale` and `NotAllowed` like `saveProducto`. */
export async function saveAutoOrden(trx: Trx, { id, version, autoOrden }: AutoOrden, usuarioId: string): Promise<void> {
  const actual = await lockProducto(trx, id);
  if (actual.version !== version)
    throw new Stale(
      choqueOfFila(
        { autoOrden: ETIQUETAS.autoOrden },
        { autoOrden: autoOrden ? 'Activado' : 'Desactivado' },
        { autoOrden: enPalabras(actual).autoOrden, version: actual.version },
      ),
    );
  await write(trx, { id, version }, { autoOrden }, usuarioId);
}

async function lockProducto(trx: Trx, id: string) {
  const actual = await trx
    .selectFrom('producto')
    .select(['id', 'version', 'modelo', 'idProveedor', 'productoMaximo', 'costoEnvio', 'precioLista', 'autoOrden'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!actual) throw new NotAllowed(TITULO, 'No se encontro un producto');
  return actual;
}

async function write(
  trx: Trx,
  { id, version }: { id: string; version: number },
  datos: Partial<Omit<ProductoEditado, 'id' | 'version'>>,
  usuarioId: string,
): Promise<void> {
  await trx
    .updateTable('producto')
    .set({ ...datos, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await record(trx, { usuarioId, entidad: 'producto', entidadId: id, accion: 'modificar', datos });
}

/** Returns the suppliers whose catalogue can be read, in the order of their connections, and whether each is linked. */
export async function listCatalogos(db: Db): Promise<{ value: string; label: string; conectado: boolean }[]> {
  const linked = new Set(
    (await listCredentials(db)).flatMap(({ connection, status }) => (status === 'linked' ? [connection] : [])),
  );
  return CONNECTIONS.all().flatMap(({ kind, label, proveedor }) =>
    proveedor ? [{ value: kind, label, conectado: linked.has(kind) }] : [],
  );
}
