import { createHash, randomUUID } from 'node:crypto';
import { saveKeys } from '~/platform/connections/keys.server';
import { type ConnectionKind, CONNECTIONS } from '~/platform/connections/registry.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { fetchElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { createAgente } from '~/domain/compras/directorio/agentes.server';
import { saveCompra } from '~/domain/compras/directorio/comoSeCompra.server';
import { CompraForm } from '~/domain/compras/directorio/compra';
import { listConfigurados } from '~/domain/compras/directorio/configuracion.server';
import { createPedido } from '~/domain/compras/pedidos/internal/createPedido.server';
import type { Db, Trx } from '~db/client.server';
import type { Moneda } from '~/core/moneda';
import type { SandboxClient } from '../sandboxClient';
import { buildOrden, buildQuien } from './ordenes';

export const PROVEEDORES = ['syscom', 'ct', 'tvc', 'ts', 'cva'] as const;
export type ProveedorDePrueba = (typeof PROVEEDORES)[number];

type Ejemplo = { id: string; existencia: number };

/** How a supplier is bought from in tests, as the form of its card. */
const COMPRA: Readonly<Record<string, object>> = {
  syscom: { metodoPago: 'transferencia', fletera: 'estafeta' },
  ct: { tipoPago: '99', almacenes: ['13A'] },
  cva: { almacenes: ['46'] },
};

/** Chooses how a supplier is bought from, by the verbs of its card. */
export async function chooseCompra(db: Db, kind: string, elegido: object = COMPRA[kind] ?? {}) {
  const side = CONNECTIONS.of(kind as ConnectionKind);
  const { compra } = (await listConfigurados(db)).find(({ value }) => value === kind)!;
  if (compra.seLeen) await fetchElecciones(db, kind);
  const form = CompraForm.parse({ almacenes: [], ...elegido, huella: compra.huella });
  await db.transaction().execute((trx) => saveCompra(trx, side, form, null));
}

/** Suppliers linked with their keys at the impostor, which take orders, each with an agent. */
export async function openProveedores(db: Db, sandbox: SandboxClient, kinds: readonly ProveedorDePrueba[]) {
  const { id: usuarioId } = await buildQuien(db);
  for (const kind of kinds) {
    const far = sandbox.proveedor(kind);
    await saveKeys(db, CONNECTIONS.of(kind), await far.get<Record<string, string>>('/llaves'), null);
    await db.updateTable('proveedor').set({ crearPedido: true }).where('value', '=', kind).execute();
    await chooseCompra(db, kind);
    const agente = { nombre: 'Ana', apellidos: 'Agente', email: `agente@${kind}.mx`, proveedor: kind, telefono: null };
    await db.transaction().execute((trx) => createAgente(trx, agente, usuarioId));
  }
}

const vendibles = new Map<string, Ejemplo[]>();

/** What a supplier sells and has in stock, by its impostor. */
export async function listVendibles(sandbox: SandboxClient, proveedor: ProveedorDePrueba): Promise<Ejemplo[]> {
  const { normal } = await sandbox.proveedor(proveedor).get<{ normal: Ejemplo[] }>('/ejemplos?n=400');
  return normal.filter(({ existencia }) => existencia > 0);
}

/** Our row of a product of a supplier with its offer; undefined for one that was never read. */
export const readProducto = (db: Db, proveedor: string, idProveedor: string) =>
  db
    .selectFrom('producto')
    .innerJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['producto.id', 'idProveedor', 'modelo', 'precio', 'moneda'])
    .where('proveedor', '=', proveedor)
    .where('idProveedor', '=', idProveedor)
    .executeTakeFirst();

/** The `n`th product that a supplier sells, read from it as a person's press reads one. */
export async function buildProducto(db: Db, sandbox: SandboxClient, proveedor: ProveedorDePrueba, n = 0) {
  const todos = vendibles.get(proveedor) ?? (await listVendibles(sandbox, proveedor));
  vendibles.set(proveedor, todos);
  const { id } = todos[n % todos.length]!;
  await fetchProducto(db, { proveedor, idProveedor: id });
  return (await readProducto(db, proveedor, id))!;
}

/** A paid sale of one piece of a supplier, whose label was printed unless `guia` is false. */
export async function buildVentaDe(
  db: Db,
  sandbox: SandboxClient,
  proveedor: ProveedorDePrueba,
  { n = 0, guia = true }: { n?: number; guia?: boolean } = {},
) {
  const producto = await buildProducto(db, sandbox, proveedor, n);
  const orden = await buildOrden(db, { sku: `AMS|${producto.idProveedor}|${proveedor}|${producto.modelo}` });
  await db
    .updateTable('envio')
    .set({ modo: 'me2', subestatus: 'ready_to_print', telefono: '3311111111' })
    .where('id', '=', orden.envioId!)
    .execute();
  if (guia) await buildGuia(db, orden.envioId!);
  return { ...orden, envioId: orden.envioId!, producto };
}

/** The label of a shipment, as Mercado Libre printed it. */
export async function buildGuia(db: Db, envioId: string) {
  const contenido = Buffer.from(`%PDF-1.4 guía ${randomUUID()}`);
  const archivoId = await storeArchivo(db, { nombre: 'guia.pdf', tipo: 'application/pdf', contenido });
  const sha256 = createHash('sha256').update(contenido).digest();
  const numero = `43${String(Math.abs(sha256.readInt32BE(0))).padStart(10, '0')}`;
  await db.insertInto('guia').values({ envioId, archivoId, sha256, numero, paqueteria: 'Estafeta' }).execute();
  return numero;
}

/** Asks a supplier for what a sale needs of it; the id of the pedido. */
export async function pedir(
  db: Db,
  { numOrden }: { numOrden: string },
  proveedor: ProveedorDePrueba,
  usuarioId: string | null = null,
): Promise<string> {
  const { id } = await db
    .transaction()
    .execute((trx) => createPedido(trx, { market: 'ml', numOrden, proveedor, usuarioId }));
  return id;
}

type Tomado = {
  ordenId: string;
  numOrden: string;
  proveedor?: ProveedorDePrueba;
  /** Of one piece, without VAT; null where the supplier told none. */
  precio?: string | null;
  moneda?: Moneda;
  tipoCambio?: string | null;
};

/** An order at a supplier that was taken, of one piece: its price is what the sale costs until the invoice comes. The id of the pedido. */
export async function buildTomado(
  db: Db | Trx,
  { ordenId, numOrden, proveedor = 'syscom', precio = '100.00', moneda = 'MXN', tipoCambio = null }: Tomado,
): Promise<string> {
  const { id } = await db
    .insertInto('pedido')
    .values({ market: 'ml', numOrden, proveedor, via: 'api' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('pedidoLinea')
    .values({
      pedidoId: id,
      posicion: 0,
      ordenId,
      idProveedor: '1',
      descripcion: 'Cámara',
      cantidad: 1,
      precio,
      moneda: precio === null ? null : moneda,
      tipoCambio,
    })
    .execute();
  for (const estado of ['enviando', 'solicitado'] as const)
    await db.updateTable('pedido').set({ estado }).where('id', '=', id).execute();
  return id;
}

export const readPedido = (db: Db, id: string) =>
  db.selectFrom('pedido').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
