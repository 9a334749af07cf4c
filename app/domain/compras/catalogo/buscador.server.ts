import { NotAllowed } from '~/core/errors';
import { noteOutcome } from '~/platform/connections/breaker.server';
import { findCredential } from '~/platform/connections/credentials.server';
import { isPaused } from '~/platform/connections/pause.server';
import { CONNECTIONS, type ConnectionKind } from '~/platform/connections/registry.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Capacidades, Item, Lector } from '~/integrations/proveedores/cara';
import type { Db } from '~db/client.server';
import { saveRead } from './internal/saveProductos.server';
import type { PorLeer } from './forms';
import type { Money } from '~/core/money';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import { estimadas } from '~/domain/compras/precios/estimadas.server';
import { propias } from './columnas.server';
import { productosList } from './listProductos.server';
import { preciosOf, type PreciosDeProducto, palabrasOf, skuOf } from './producto';
import { ladosOf } from './retratos.server';

/** A supplier that can be asked at this moment, or the reason why nobody can ask it. */
type Alcance =
  { kind: ConnectionKind; label: string; capacidades: Capacidades; lector: Lector } | { label: string; porque: string };

async function reach(db: Db, proveedor: string): Promise<Alcance> {
  const side = CONNECTIONS.find(proveedor);
  if (!side?.proveedor || !CONNECTIONS.isKind(side.kind))
    return { label: proveedor, porque: 'No hay conexión con este proveedor: su catálogo no se puede leer.' };
  const { kind, label } = side;
  if ((await findCredential(db, kind))?.status !== 'linked') return { label, porque: `${label} no está conectado.` };
  if (await isPaused(db, kind)) return { label, porque: `${label} está en pausa.` };
  return { kind, label, capacidades: side.proveedor.capacidades, lector: side.proveedor.leer(db, 'persona') };
}

/** Asks a supplier for a person, who goes before the reads of a whole catalogue. When the supplier fails, returns `falla` with its words. */
async function askFarSide<T>(db: Db, kind: ConnectionKind, pregunta: () => Promise<T>): Promise<T | { falla: string }> {
  try {
    const respuesta = await pregunta();
    await noteOutcome(db, kind, 'read');
    return respuesta;
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
    await noteOutcome(db, kind, 'read', error);
    return { falla: error.message };
  }
}

const TITULO = 'Error al actualizar: ';

/** Asks a supplier something for a person. Throws `NotAllowed`, under `titulo`, when the supplier is not linked, is paused or fails. */
export async function askProveedor<T>(
  db: Db,
  proveedor: string,
  titulo: string,
  pregunta: (lector: Lector) => Promise<T>,
): Promise<T> {
  const alcance = await reach(db, proveedor);
  if ('porque' in alcance) throw new NotAllowed(titulo, alcance.porque);
  const dicho = await askFarSide(db, alcance.kind, async () => ({ respuesta: await pregunta(alcance.lector) }));
  if ('falla' in dicho) throw new NotAllowed(titulo, dicho.falla);
  return dicho.respuesta;
}

/**
 * Reads one product from its supplier now and keeps it, known or not. Returns the id of our row. Throws `NotAllowed` when the supplier is not linked,
 * is paused, fails, or no longer knows the product.
 */
export async function fetchProducto(db: Db, { proveedor, idProveedor }: PorLeer): Promise<string> {
  const alcance = await reach(db, proveedor);
  if ('porque' in alcance) throw new NotAllowed(TITULO, alcance.porque);
  const item = await askFarSide(db, alcance.kind, () => alcance.lector.producto(idProveedor));
  if (item === null)
    throw new NotAllowed('No se encontro un producto', `${alcance.label} ya no conoce el producto ${idProveedor}.`);
  if ('falla' in item) throw new NotAllowed(TITULO, item.falla);
  return db.transaction().execute(async (trx) => {
    await saveRead(trx, proveedor, item);
    const { id } = await trx
      .selectFrom('producto')
      .select('id')
      .where('proveedor', '=', proveedor)
      .where('idProveedor', '=', item.idProveedor)
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Answer of a supplier to the words of the finder, at this moment. */
export type EnVivo = { label: string } & (
  | { clase: 'leido'; items: Item[]; ilegibles: string[]; total: number | null; en: Date }
  /** The API has no search, or its search found nothing (`busco`). These products of our own copy of the catalogue were read again instead. */
  | { clase: 'releido'; items: Item[]; busco: boolean; en: Date }
  | { clase: 'sinBusqueda' }
  | { clase: 'falla'; porque: string }
);

/** Number of products of our copy that are read again. Each one is a call. */
const RELEIDOS = 3;
const MOSTRADOS = 12;

/**
 * Asks one supplier for the words of a person. A supplier without a search, or whose search finds nothing (some know no word without its accents), is
 * asked for the first of `conocidos` instead: the keys in our own copy that the words meant. Nothing is written; a product is kept only when somebody
 * chooses it.
 */
export async function searchLive(
  db: Db,
  proveedor: string,
  texto: string,
  conocidos: readonly string[],
  now = new Date(),
): Promise<EnVivo> {
  const alcance = await reach(db, proveedor);
  const { label } = alcance;
  if ('porque' in alcance) return { label, clase: 'falla', porque: alcance.porque };
  const { kind, lector } = alcance;
  const busco = lector.buscar !== undefined;
  if (lector.buscar) {
    const pagina = await askFarSide(db, kind, () => lector.buscar!(texto, 1));
    if ('falla' in pagina) return { label, clase: 'falla', porque: pagina.falla };
    const { items, ilegibles, total } = pagina;
    if (items.length + ilegibles.length > 0 || conocidos.length === 0)
      return { label, clase: 'leido', items: items.slice(0, MOSTRADOS), ilegibles, total, en: now };
  }
  if (conocidos.length === 0) return { label, clase: 'sinBusqueda' };
  const items: Item[] = [];
  for (const id of conocidos.slice(0, RELEIDOS)) {
    const item = await askFarSide(db, kind, () => lector.producto(id));
    if (item === null) continue;
    // The products read until the failure are shown. The others keep the age that our copy tells.
    if ('falla' in item)
      return items.length > 0
        ? { label, clase: 'releido', items, busco, en: now }
        : { label, clase: 'falla', porque: item.falla };
    items.push(item);
  }
  return { label, clase: 'releido', items, busco, en: now };
}

/** Number of products of our own copy that the finder shows. */
const DEL_CATALOGO = 12;

/**
 * Returns the products of our own catalogue that a text means, those first whose whole model or code it is, without asking any supplier. An empty
 * `proveedor` means all of them.
 */
export async function searchCatalogo(db: Db, texto: string, proveedor: string) {
  const filtro = productosList.parse(new URLSearchParams({ q: texto, proveedor }));
  const { filas, totales } = await productosList.first(db, filtro);
  const productos = [...filas.filter((fila) => isNamed(fila, texto)), ...filas.filter((fila) => !isNamed(fila, texto))];
  return { productos: productos.slice(0, DEL_CATALOGO), total: totales?.registros ?? null };
}

/** Tells whether a text is the whole name of a product: its model, or one of its codes. */
function isNamed(fila: Nombrado, texto: string): boolean {
  const names = [fila.modelo, fila.modeloFabricante, fila.idProveedor, ...fila.gtins];
  return names.some((name) => name?.toLowerCase() === texto.trim().toLowerCase());
}
type Nombrado = { modelo: string | null; modeloFabricante: string | null; idProveedor: string; gtins: string[] };

/** A product as its supplier told it a moment ago, with the id of our own row when we have one. */
type EnVivoVisto = Pick<Item, 'idProveedor' | 'nombre' | 'modelo' | 'marca' | 'sinPrecio' | 'enVenta'> & {
  id: string | null;
  precio: Money | null;
  moneda: 'MXN' | 'USD' | null;
  existencia: number | null;
  tope: boolean;
  precios: PreciosDeProducto;
  /** Small picture of our own row's product. */ alLado: { retrato: string | null };
};

/** Asks one supplier for a text at this moment, and adds our prices and pictures to the products that come back. Keeps nothing of the answer. */
export async function askProveedores(db: Db, proveedor: string, texto: string) {
  const sku = skuOf(texto);
  const palabras = sku ? sku.modelo : palabrasOf(texto);
  const { productos } = await searchCatalogo(db, texto, proveedor);
  const vivo = await searchLive(
    db,
    proveedor,
    palabras,
    productos.map(({ idProveedor }) => idProveedor),
  );
  if (!('items' in vivo)) return vivo;
  const [reglas, suTipo, conocidos] = await Promise.all([
    readReglas(db),
    db.selectFrom('catalogoProveedor').select('tipoCambio').where('proveedor', '=', proveedor).executeTakeFirst(),
    conocidosOf(
      db,
      proveedor,
      vivo.items.map(({ idProveedor }) => idProveedor),
    ),
  ]);
  const lados = await ladosOf(
    db,
    vivo.items.map(({ idProveedor }) => conocidos.get(idProveedor)?.id ?? null),
  );
  const vistos = vivo.items.map((item, at): EnVivoVisto => {
    const { idProveedor, nombre, modelo, marca, sinPrecio, enVenta, existencia, tipoCambio } = item;
    const suyo = conocidos.get(idProveedor);
    const precio = item.precio?.importe ?? null;
    const moneda = item.precio?.moneda ?? null;
    return {
      id: suyo?.id ?? null,
      idProveedor,
      nombre: nombre ?? suyo?.nombre ?? null,
      modelo,
      marca,
      sinPrecio,
      enVenta,
      precio,
      moneda,
      existencia: existencia.total,
      tope: existencia.tope,
      precios: preciosOf(reglas, {
        proveedor,
        precio,
        moneda,
        sinPrecio,
        tipoCambio: tipoCambio ?? suTipo?.tipoCambio ?? suyo?.tipoCambio ?? null,
        costoEnvio: suyo?.costoEnvio ?? null,
        propias: suyo?.propias ?? null,
        estimadas: suyo?.estimadas ?? null,
      }),
      alLado: lados[at]!,
    };
  });
  return { ...vivo, items: vistos };
}

async function conocidosOf(db: Db, proveedor: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, Awaited<ReturnType<typeof productosOf>>[number]>();
  const rows = await productosOf(db, proveedor, ids);
  return new Map(rows.map((row) => [row.idProveedor, row]));
}

function productosOf(db: Db, proveedor: string, ids: string[]) {
  return db
    .selectFrom('producto')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['producto.id', 'producto.idProveedor', 'producto.nombre', 'producto.costoEnvio'])
    .select([tipoCambio.as('tipoCambio'), propias.as('propias'), estimadas.as('estimadas')])
    .where('producto.proveedor', '=', proveedor)
    .where('producto.idProveedor', 'in', ids)
    .execute();
}
