import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { enumerate } from '~/core/hechos';
import { rowOf } from '~/core/table';
import { diezDigitosOf } from '~/core/telefono';
import { record } from '~/platform/bitacora.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { acceptEffect } from '~/platform/effects/effects.server';
import { sinGuia } from '~/domain/ventas/envios/guia';
import type { Capacidades, Direccion, Elecciones } from '~/integrations/proveedores/cara';
import { listElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { Compra, type FormaDeCompra, opcionesDePedido, sucursalOf } from '~/domain/compras/directorio/compra';
import type { Db, Trx } from '~db/client.server';
import { databaseNow } from '~db/clock.server';
import type { Market } from '~db/columns';
import { sendCorreo } from './correo.server';
import { CREAR, type Solicitud } from './crearEffects.server';
import { TELEFONO, telefonoDe } from './guardias';
import { guiaOfPedido, ordenesOf } from './guia.server';
import { chooseAlmacen, type LineaDeVenta, lineasOfVenta, type ProductoDeLinea } from './lineas.server';
import { lockPedido, movePedido, notePedido } from './movePedido.server';
import { MUERTOS, ERROR_CONFIRMAR } from '../pedido';
import { porQueNo } from './venta.server';

const TITULO = 'Error al crear el pedido.';

const SIN_FORMA: FormaDeCompra = { datos: [] };

/** Returns how orders are made at a supplier and how this account buys there; undefined for an unknown supplier. */
export async function readProveedorParaPedir(db: Db | Trx, proveedor: string) {
  const row = await db
    .selectFrom('proveedor')
    .select(['value', 'label', 'crearPedido', 'comprarSinConfirmar', 'compra'])
    .where('value', '=', proveedor)
    .executeTakeFirst();
  if (!row) return undefined;
  const suyo = CONNECTIONS.find(proveedor)?.proveedor;
  const capacidades: Capacidades | undefined = suyo?.capacidades;
  const via = capacidades?.crearPedido === 'api' && row.crearPedido ? ('api' as const) : ('correo' as const);
  return {
    ...row,
    compra: Compra.parse(row.compra),
    forma: suyo?.compra ?? SIN_FORMA,
    capacidades,
    via,
    /** Whether an order waits at the supplier for a second step, so that making it buys nothing yet. */
    enDosPasos: via === 'api' && capacidades?.confirmar === 'api',
  };
}

export type CreatePedido = {
  market: Market;
  numOrden: string;
  proveedor: string;
  usuarioId: string | null;
  automatico?: boolean;
  /** Reason to buy all the same, when a guard asked for one. */
  motivo?: string | null;
  /** Warehouse to use instead of the one that we would choose. */
  almacen?: string | null;
  /** Whether the pedido waits as a draft, also where making it buys nothing yet. */
  borrador?: boolean;
};

export type Creado = { id: string; created: boolean };

/**
 * Makes the pedido of a sale at a supplier. The second person to press finds the first one's. Where an order waits for its second step the pedido is
 * sent at once; elsewhere it waits as a draft for a confirmation. Throws `NotAllowed` when the sale ended or is not paid, nothing of it is to be
 * ordered there, or a product has no price or no warehouse.
 */
export async function createPedido(
  trx: Trx,
  {
    market,
    numOrden,
    proveedor,
    usuarioId,
    automatico = false,
    motivo = null,
    almacen = null,
    borrador = false,
  }: CreatePedido,
): Promise<Creado> {
  const ordenes = await trx
    .selectFrom('orden')
    .select(['id', 'clase', 'estatus', 'situacion'])
    .where('market', '=', market)
    .where('numOrden', '=', numOrden)
    .orderBy('id')
    .forUpdate()
    .execute();
  const vivo = await findVivo(trx, { market, numOrden, proveedor, ordenIds: ordenes.map(({ id }) => id) });
  if (vivo) return { id: vivo, created: false };
  const no = porQueNo(ordenes);
  if (no) throw new NotAllowed(TITULO, no);
  const suyo = await readProveedorParaPedir(trx, proveedor);
  if (!suyo) throw new NotAllowed(TITULO, 'El proveedor no existe.');

  const suyas = (await lineasOfVenta(trx, market, numOrden)).filter((linea) => linea.proveedor === proveedor);
  if (suyas.length === 0) throw new NotAllowed(TITULO, `Ningún artículo de la venta es de ${suyo.label}.`);
  const lineas = suyas.filter(({ cantidad }) => cantidad > 0);
  if (lineas.length === 0)
    throw new NotAllowed(
      TITULO,
      `Lo que la venta lleva de ${suyo.label} sale del stock interno: no hay nada que pedir.`,
    );
  const pedidas = suyo.via === 'api' ? lineas.map((linea) => requireProducto(linea, suyo.label)) : [];
  const { conLugar, sinSucursal } = suyo.forma.lugar?.porNombre
    ? porSucursal(pedidas, suyo.compra, (await listElecciones(trx)).get(proveedor)?.elecciones ?? null)
    : { conLugar: pedidas, sinSucursal: [] };
  const elegido = almacen ?? chooseAlmacen(conLugar, suyo.compra.almacenes);
  if (elegido === null && pedidas.some(({ producto }) => producto.almacenes.length > 0))
    throw new NotAllowed(
      TITULO,
      sinSucursal.length > 0
        ? `${suyo.label} tiene piezas en ${enumerate(sinSucursal.map((nombre) => `«${nombre}»`))}, y falta decir de qué sucursal son: en Configuración de tiendas, Proveedores.`
        : `Ningún almacén de ${suyo.label} tiene todas las piezas de la venta.`,
    );

  const { id } = await trx
    .insertInto('pedido')
    .values({ market, numOrden, proveedor, via: suyo.via, almacen: elegido, automatico, motivo, movidoPor: usuarioId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('pedidoLinea')
    .values(
      lineas.map(({ ordenId, nombre, modelo, cantidad, producto }, posicion) => ({
        pedidoId: id,
        posicion,
        ordenId,
        productoId: producto?.id ?? null,
        idProveedor: producto?.idProveedor ?? modelo ?? nombre,
        modelo,
        descripcion: nombre,
        cantidad,
        precio: producto?.precio ?? null,
        moneda: producto?.moneda ?? null,
        tipoCambio: producto?.tipoCambio ?? null,
      })),
    )
    .execute();
  await removeDead(trx, { market, numOrden, proveedor });
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: numOrden,
    accion: 'crear pedido',
    datos: { proveedor, ...(motivo ? { motivo } : {}) },
  });
  if (suyo.enDosPasos && !borrador) await sendPedido(trx, id, usuarioId);
  return { id, created: true };
}

type ConProducto = LineaDeVenta & { producto: ProductoDeLinea };

/** Returns the lines with their stock by the branch of an order, and the names with pieces whose branch nobody knows. */
export function porSucursal<L extends { producto: Pick<ProductoDeLinea, 'almacenes'> }>(
  lineas: readonly L[],
  compra: Compra,
  leidas: Elecciones | null,
) {
  const sinSucursal = new Set<string>();
  const conLugar = lineas.map((linea) => {
    const sumas = new Map<string, number>();
    for (const { almacen, cantidad } of linea.producto.almacenes) {
      const sucursal = sucursalOf(almacen, compra, leidas);
      if (sucursal !== null) sumas.set(sucursal, (sumas.get(sucursal) ?? 0) + cantidad);
      else if (cantidad > 0) sinSucursal.add(almacen);
    }
    const almacenes = [...sumas].map(([almacen, cantidad]) => ({ almacen, nombre: null, cantidad }));
    return { ...linea, producto: { ...linea.producto, almacenes } };
  });
  return { conLugar, sinSucursal: [...sinSucursal] };
}

/** Takes the dead pedidos of a sale and supplier off the list, since a new one takes their place. */
async function removeDead(trx: Trx, venta: { market: Market; numOrden: string; proveedor: string }): Promise<void> {
  const muertos = await trx
    .selectFrom('pedido')
    .select('id')
    .where((is) => is.and(venta))
    .where('estado', 'in', [...MUERTOS])
    .where('descartadoEn', 'is', null)
    .execute();
  for (const { id } of muertos) await notePedido(trx, id, { descartadoEn: sql<Date>`now()` });
}

/** Finds the living pedido of a sale by its number, and by its ordenes: an orden that joined a cart since has another number now. */
async function findVivo(
  trx: Trx,
  {
    market,
    numOrden,
    proveedor,
    ordenIds,
  }: { market: Market; numOrden: string; proveedor: string; ordenIds: string[] },
): Promise<string | undefined> {
  const vivo = await trx
    .selectFrom('pedido')
    .select('id')
    .where('proveedor', '=', proveedor)
    .where('estado', 'not in', [...MUERTOS])
    .where((is) =>
      is.or([
        is.and([is('market', '=', market), is('numOrden', '=', numOrden)]),
        is('id', 'in', (lineas) =>
          lineas
            .selectFrom('pedidoLinea')
            .select('pedidoId')
            .where(sql<boolean>`orden_id = any(${ordenIds}::uuid[])`),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return vivo?.id;
}

function requireProducto(linea: LineaDeVenta, label: string): ConProducto {
  const { producto, nombre } = linea;
  if (!producto) throw new NotAllowed(TITULO, `«${nombre}» no está en el catálogo de ${label}.`);
  if (!producto.precio || !producto.moneda) throw new NotAllowed(TITULO, `«${nombre}» no tiene precio en ${label}.`);
  return { ...linea, producto };
}

/**
 * Sends a draft to its supplier, by API or as a letter. Throws `NotAllowed` when it is no draft any more, lacks its label, or a line has no price.
 */
export async function sendPedido(trx: Trx, pedidoId: string, usuarioId: string | null): Promise<void> {
  const pedido = await lockPedido(trx, pedidoId);
  if (!pedido || pedido.estado !== 'borrador') throw new NotAllowed(ERROR_CONFIRMAR, 'El pedido ya no espera salir.');
  const suyo = await readProveedorParaPedir(trx, pedido.proveedor);
  if (!suyo) throw new NotAllowed(ERROR_CONFIRMAR, 'El proveedor no existe.');
  const ordenIds = await ordenesOf(trx, pedidoId);
  const guia = await guiaOfPedido(trx, pedidoId);
  const envio = await envioOf(trx, ordenIds);
  const conGuia = suyo.capacidades?.enviarGuia === 'pedido' || pedido.via === 'correo';
  if (conGuia && !guia && envio && (sinGuia(envio.market, envio)?.espera ?? true))
    throw new NotAllowed(ERROR_CONFIRMAR, `Falta la guía: ${suyo.label} la recibe con el pedido.`);
  const guiaDentro = suyo.capacidades?.enviarGuia === 'pedido';
  const conTelefono = pedido.via === 'api' && (envio?.propio || guiaDentro);
  const telefono = envio && telefonoDe(envio, guiaDentro ? suyo.compra.telefono : null);
  if (conTelefono && envio && !telefono) throw new NotAllowed(ERROR_CONFIRMAR, `Faltan datos del envío: ${TELEFONO}.`);
  if (!(await movePedido(trx, pedidoId, 'enviando', { usuarioId })))
    throw new NotAllowed(ERROR_CONFIRMAR, 'El pedido ya no espera salir.');
  const crear = rowOf(CREAR, pedido.proveedor);
  if (pedido.via === 'correo' || !crear) {
    // An unattended letter that finds no addressee ends the pedido, with the reason.
    if (!(await sendCorreo(trx, pedidoId, 'pedido', { usuarioId })))
      await movePedido(trx, pedidoId, 'rechazado', { detalle: `No hay agente activo para ${suyo.label}.` });
    return;
  }
  const lineas = await trx
    .selectFrom('pedidoLinea')
    .select(['idProveedor', 'cantidad', 'precio', 'moneda'])
    .where('pedidoId', '=', pedidoId)
    .orderBy('posicion')
    .execute();
  const request: Solicitud = {
    pedidoId,
    ordenIds,
    numOrden: pedido.numOrden,
    // A supplier with a second step takes integers alone.
    referencia: suyo.enDosPasos ? String(pedido.numero) : pedido.folio,
    desde: (await databaseNow(trx)).toISOString(),
    lineas: lineas.map(({ precio, moneda, ...linea }) => ({
      ...linea,
      precio: (precio ?? sinPrecio(pedido.folio)).toJSON(),
      moneda: moneda ?? 'MXN',
    })),
    almacen: pedido.almacen,
    envio: envio ? direccionOf(envio, telefono ?? null) : null,
    guia: guia?.archivoId ? { archivoId: guia.archivoId, numero: guia.numero, paqueteria: guia.paqueteria } : null,
    opciones: opcionesDePedido(suyo.forma, suyo.compra),
  };
  await acceptEffect(trx, crear, { request, usuarioId });
}

function sinPrecio(folio: string): never {
  throw new NotAllowed(ERROR_CONFIRMAR, `Un artículo del pedido ${folio} no tiene precio.`);
}

async function envioOf(trx: Trx, ordenIds: string[]) {
  return trx
    .selectFrom('envio')
    .innerJoin('orden', 'orden.envioId', 'envio.id')
    .select([
      'envio.market',
      'envio.estatus',
      'envio.subestatus',
      'envio.modo',
      'envio.tipoLogistico',
      'envio.propio',
      'envio.nombreReceptor',
      'envio.telefono',
      'envio.calle',
      'envio.numeroE',
      'envio.numeroI',
      'envio.colonia',
      'envio.cp',
      'envio.ciudad',
      'envio.municipio',
      'envio.estado',
    ])
    .where('orden.id', 'in', ordenIds)
    .orderBy('envio.id')
    .limit(1)
    .executeTakeFirst();
}

/** Address of a shipment with a telephone, or an empty text for none; null when the marketplace hides the address. */
function direccionOf(
  envio: NonNullable<Awaited<ReturnType<typeof envioOf>>>,
  telefono: string | null,
): Direccion | null {
  const { nombreReceptor, calle, colonia, cp, estado } = envio;
  if (!nombreReceptor || !calle || !colonia || !cp || !estado) return null;
  return {
    nombre: nombreReceptor,
    calle,
    numero: envio.numeroE ?? 'SN',
    interior: envio.numeroI ?? '',
    colonia,
    ciudad: envio.ciudad ?? envio.municipio ?? estado,
    estado,
    cp,
    telefono: diezDigitosOf(telefono) ?? '',
  };
}
