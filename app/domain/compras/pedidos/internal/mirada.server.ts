import { sql } from 'kysely';
import { MARKET_LABEL } from '~/core/market';
import { Money } from '~/core/money';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { isViva } from '~/domain/ventas/envios/envio';
import { sinGuia } from '~/domain/ventas/envios/guia';
import { readGuia } from '~/domain/ventas/envios/traerGuia.server';
import { lugaresDeOrdenes } from '~/domain/ventas/ordenes/lugares.server';
import { isPagada } from '~/domain/ventas/ordenes/orden';
import { esEstimado, recibeDe } from '~/domain/ventas/libro/recibe.server';
import type { EnAlmacen } from '~/integrations/proveedores/cara';
import { listElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { Compra, eleccionesOf, faltaDeCompra } from '~/domain/compras/directorio/compra';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import { type Disponible, disponiblesOf } from '~/domain/compras/stock/readPiezas.server';
import type { Db, Trx } from '~db/client.server';
import type { Clase, EstatusOrden, Market, Situacion } from '~db/columns';
import {
  TELEFONO,
  LECTURA_VALE_MS,
  type EnvioMirado,
  type LineaMirada,
  type Mirada,
  type VentaMirada,
  telefonoDe,
} from './guardias';
import { type LineaDeVenta, lineasOfVenta } from './lineas.server';
import { type EnvioDeVenta, nadaQuePedir } from './venta.server';
import { ESTADO_LABEL, MUERTOS, type EstadoDePedido } from '../pedido';

/** Reasons why products could not be read again just now, by the supplier's key. */
export type Fallas = ReadonlyMap<string, string>;
const SIN_FALLAS: Fallas = new Map();

export type PedidoMirado = {
  id: string;
  folio: string;
  version: number;
  estado: EstadoDePedido;
  proveedor: string;
  proveedorLabel: string;
  numOrden: string;
  piezas: number;
  /** Name of the warehouse or branch that the order names; null while none is known. */
  lugar: string | null;
  mirada: Mirada;
};

/** Returns a pedido with everything that its guards look at, out of our own rows; undefined when there is none by that id. */
export async function inspectPedido(
  db: Db | Trx,
  id: string,
  { ahora = new Date(), fallas = SIN_FALLAS }: { ahora?: Date; fallas?: Fallas } = {},
): Promise<PedidoMirado | undefined> {
  const pedido = await db
    .selectFrom('pedido')
    .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
    .where('pedido.id', '=', id)
    .select([
      'pedido.id',
      'pedido.folio',
      'pedido.version',
      'pedido.estado',
      'pedido.almacen',
      'pedido.via',
      'proveedor.compra',
      'pedido.market',
      'pedido.numOrden',
      'pedido.proveedor',
      'proveedor.label as proveedorLabel',
    ])
    .executeTakeFirst();
  if (!pedido) return undefined;
  const lineas = await lineasOf(db, id);
  const ventas = await ventasOf(db, pedido, lineas);
  const suyo = CONNECTIONS.find(pedido.proveedor)?.proveedor;
  const lleva = suyo?.capacidades.enviarGuia;
  const { almacen, market, via, compra, ...resto } = pedido;
  const stock = await stockOf(db, pedido, lineas);
  const elecciones = (await listElecciones(db)).get(pedido.proveedor)?.elecciones ?? null;
  const lugares = suyo?.compra.lugar && eleccionesOf({ clave: 'sucursal', ...suyo.compra.lugar }, elecciones);
  const suLugar = lugares?.find(({ clave }) => clave === almacen);
  // The price and pieces of an order that the supplier took are settled.
  const alla = pedido.estado === 'solicitado';
  return {
    ...resto,
    lugar: suLugar ? `${suLugar.nombre} (${suLugar.clave})` : almacen,
    piezas: lineas.reduce((sum, { cantidad }) => sum + cantidad, 0),
    mirada: {
      ahora,
      proveedor: pedido.proveedorLabel,
      ventas,
      envio: await envioOf(db, market, ventas, Compra.parse(compra).telefono),
      saleDe: {
        tienda: MARKET_LABEL[market],
        lugares: await lugaresDeOrdenes(
          db,
          market,
          ventas.map(({ ordenId }) => ordenId),
        ),
      },
      lineas: lineas.map((linea) => ({
        ...(alla ? pedida(linea, ahora) : leida(linea, ahora, fallas)),
        stock: stock(linea),
      })),
      lleva: lleva === 'pedido' || lleva === 'api' || lleva === 'correo' ? lleva : null,
      faltaElegir: via === 'api' && !alla && suyo ? faltaDeCompra(suyo.compra, Compra.parse(compra), elecciones) : [],
      sinLugar: via === 'api' && !alla && almacen === null && suyo?.compra.lugar ? suyo.compra.lugar.label : null,
      otros: await otrosOf(db, pedido.id, [...new Set(lineas.map(({ ordenId }) => ordenId))]),
      enUnAlmacen: alla || almacen !== null ? null : enUnAlmacen(lineas),
    },
  };
}

async function lineasOf(db: Db | Trx, pedidoId: string) {
  return db
    .selectFrom('pedidoLinea')
    .leftJoin('producto', 'producto.id', 'pedidoLinea.productoId')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .where('pedidoLinea.pedidoId', '=', pedidoId)
    .orderBy('pedidoLinea.posicion')
    .select([
      'pedidoLinea.ordenId',
      'pedidoLinea.idProveedor',
      'pedidoLinea.modelo',
      'pedidoLinea.cantidad',
      'pedidoLinea.precio as precioPedido',
      'pedidoLinea.moneda as monedaPedida',
      'pedidoLinea.tipoCambio as tipoCambioPedido',
      'producto.id as productoId',
      sql<boolean | null>`producto.en_venta and producto.ausente_desde is null`.as('enVenta'),
      'oferta.precio',
      'oferta.moneda',
      'oferta.sinPrecio',
      tipoCambio.as('tipoCambio'),
      'oferta.existencia',
      'oferta.tope',
      sql<EnAlmacen[] | null>`oferta.almacenes`.as('almacenes'),
      'oferta.leidaEn',
    ])
    .execute();
}
type Linea = Awaited<ReturnType<typeof lineasOf>>[number];

const antesOf = ({ precioPedido, monedaPedida }: Linea): LineaMirada['antes'] =>
  precioPedido && monedaPedida ? { importe: precioPedido, moneda: monedaPedida } : null;

const nombreOf = ({ modelo, idProveedor }: Linea) => modelo ?? idProveedor;

const SIN_STOCK: LineaMirada['stock'] = { disponibles: [], yaSalen: 0 };

/** Our own stock for each line of a pedido that has not left yet. */
async function stockOf(
  db: Db | Trx,
  {
    estado,
    market,
    numOrden,
    proveedor,
  }: { estado: EstadoDePedido; market: Market; numOrden: string; proveedor: string },
  lineas: readonly Linea[],
): Promise<(linea: Linea) => LineaMirada['stock']> {
  if (estado !== 'borrador' && estado !== 'enviando') return () => SIN_STOCK;
  const [faltantes, disponibles] = await Promise.all([
    lineasOfVenta(db, market, numOrden),
    disponiblesOf(db, [...new Set(lineas.flatMap(({ productoId }) => productoId ?? []))]),
  ]);
  const deStock = faltantes.filter((faltante) => faltante.proveedor === proveedor && faltante.deStock > 0);
  return (linea) => ({
    disponibles: (linea.productoId === null ? [] : (disponibles.get(linea.productoId) ?? [])).map(
      ({ folio }: Disponible) => folio,
    ),
    yaSalen: Math.max(0, linea.cantidad - faltanOf(linea, faltantes, deStock)),
  });
}

/** Pieces that a line of the pedido still lacks: all of them, unless our own stock serves its line. */
function faltanOf(
  { ordenId, productoId, modelo, cantidad }: Linea,
  faltantes: readonly LineaDeVenta[],
  deStock: readonly LineaDeVenta[],
): number {
  const suya = (linea: LineaDeVenta) =>
    linea.ordenId === ordenId && (productoId ? linea.producto?.id === productoId : linea.modelo === modelo);
  if (!deStock.some(suya)) return cantidad;
  return faltantes.filter(suya).reduce((suma, linea) => suma + linea.cantidad, 0);
}

type Leida = Omit<LineaMirada, 'stock'>;

function leida(linea: Linea, ahora: Date, fallas: Fallas): Leida {
  const { productoId, leidaEn, cantidad, precio, moneda, sinPrecio, tipoCambio, existencia } = linea;
  const comun = { nombre: nombreOf(linea), cantidad, antes: antesOf(linea) };
  if (productoId === null || leidaEn === null) return { ...comun, leido: null };
  const vieja = ahora.getTime() - leidaEn.getTime() > LECTURA_VALE_MS;
  return {
    ...comun,
    leido: {
      en: leidaEn,
      falla: vieja ? (fallas.get(linea.idProveedor) ?? 'nadie lo ha leído desde entonces') : null,
      enVenta: linea.enVenta === true,
      ofrecido: { precio, moneda, sinPrecio: precio ? null : (sinPrecio ?? 'ilegible'), tipoCambio },
      existencia,
      tope: linea.tope === true,
    },
  };
}

/** A line as it was ordered. */
function pedida(linea: Linea, ahora: Date): Leida {
  const { cantidad, precioPedido, monedaPedida, tipoCambioPedido } = linea;
  const sinPrecio = precioPedido ? null : ('ilegible' as const);
  return {
    nombre: nombreOf(linea),
    cantidad,
    antes: null,
    leido: {
      en: ahora,
      falla: null,
      enVenta: true,
      ofrecido: { precio: precioPedido, moneda: monedaPedida, sinPrecio, tipoCambio: tipoCambioPedido },
      existencia: cantidad,
      tope: true,
    },
  };
}

/** Tells whether one warehouse has every line; null when the supplier does not tell where its pieces are. */
function enUnAlmacen(lineas: readonly Linea[]): boolean | null {
  const [first, ...rest] = lineas.map(({ almacenes, cantidad }) =>
    almacenes && almacenes.length > 0
      ? new Set(almacenes.filter((one) => one.cantidad >= cantidad).map(({ almacen }) => almacen))
      : null,
  );
  if (!first || rest.some((one) => one === null)) return null;
  return [...first].some((almacen) => rest.every((one) => one!.has(almacen)));
}

type VentaLeida = VentaMirada & { ordenId: string; envioId: string | null; acordada: boolean };

/** The sales of a pedido, each with the part of its money that belongs to the articles bought here. One sale may buy from several suppliers. */
async function ventasOf(
  db: Db | Trx,
  { proveedor }: { proveedor: string },
  lineas: readonly Linea[],
): Promise<VentaLeida[]> {
  const ids = [...new Set(lineas.map(({ ordenId }) => ordenId))];
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    id: string;
    numOrden: string;
    clase: Clase;
    estatus: EstatusOrden;
    situacion: Situacion;
    envioId: string | null;
    acordada: boolean;
    pagado: Money;
    recibe: Money;
    estimado: boolean;
    suyo: Money;
    todo: Money;
    facturas: string[];
  }>`
    select o.id, o.num_orden, o.clase, o.estatus, o.situacion, o.envio_id, o.acordada, o.pagado,
      ${recibeDe('o')} as recibe, ${esEstimado('o')} as estimado,
      coalesce(a.suyo, 0) as suyo, coalesce(a.todo, 0) as todo,
      array(select f.folio || ' de ' || p.label from proveedor_factura f join proveedor p on p.value = f.proveedor
        where f.orden_id = o.id and f.proveedor = ${proveedor} order by f.fecha_creacion) as facturas
    from orden o cross join lateral (
      select sum(importe) as todo, sum(importe) filter (where lower(proveedor) = ${proveedor}) as suyo from articulo where orden_id = o.id) a
    where o.id = any(${ids}::uuid[]) order by o.market_id`.execute(db);
  return rows.map(({ id, numOrden, envioId, acordada, pagado, recibe, estimado, suyo, todo, facturas, ...estado }) => ({
    ordenId: id,
    envioId,
    acordada,
    numOrden,
    viva: isViva(estado),
    pagada: isPagada(estado.situacion),
    devueltaEnParte: estado.situacion === 'devueltaEnParte',
    pagado: parte(pagado, suyo, todo),
    recibe: parte(recibe, suyo, todo),
    estimado,
    facturas,
  }));
}

/** Part of an amount by the articles' prices; all of it when the articles tell none. */
const parte = (importe: Money, suyo: Money, todo: Money): Money =>
  todo.isZero() || suyo.isZero() || suyo.equals(todo)
    ? importe
    : Money.ofMicros((importe.micros * suyo.micros) / todo.micros).cents();

const CAMPOS_DE_DIRECCION = {
  nombreReceptor: 'nombre',
  calle: 'calle',
  numeroE: 'número',
  colonia: 'colonia',
  cp: 'código postal',
  estado: 'estado',
  telefono: TELEFONO,
} as const;
type CampoDeDireccion = keyof typeof CAMPOS_DE_DIRECCION;

async function envioOf(
  db: Db | Trx,
  market: Market,
  ventas: readonly VentaLeida[],
  contacto: string | null,
): Promise<EnvioMirado | null> {
  const envioId = ventas.find((venta) => venta.envioId !== null)?.envioId;
  if (envioId == null) return null;
  const envio = await db
    .selectFrom('envio')
    .where('id', '=', envioId)
    .select([
      'estatus',
      'subestatus',
      'modo',
      'tipoLogistico',
      'propio',
      'guia',
      'direccionDifiere',
      ...(Object.keys(CAMPOS_DE_DIRECCION) as CampoDeDireccion[]),
    ])
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ label: string }>`
    select distinct coalesce(p.label, a.proveedor) as label from orden o join articulo a on a.orden_id = o.id
      left join proveedor p on p.value = lower(a.proveedor)
    where o.envio_id = ${envioId} and a.proveedor is not null and o.clase not in ('cancelada', 'devuelta') order by 1`.execute(
    db,
  );
  return {
    propio: envio.propio,
    fuera: fueraOf(envio),
    falta: (Object.keys(CAMPOS_DE_DIRECCION) as CampoDeDireccion[])
      .filter((campo) => (campo === 'telefono' ? telefonoDe(envio, contacto) === null : !envio[campo]?.trim()))
      .map((campo) => CAMPOS_DE_DIRECCION[campo]),
    otraEn: envio.direccionDifiere ? MARKET_LABEL[market] : null,
    guia: envio.propio ? null : await guiaOf(db, market, envioId, envio),
    proveedores: rows.map(({ label }) => label),
  };
}

const fueraOf = (envio: EnvioDeVenta): string | null =>
  nadaQuePedir(envio) ?? (envio.estatus === 'cancelled' ? 'El envío fue cancelado.' : null);

async function guiaOf(
  db: Db | Trx,
  market: Market,
  envioId: string,
  envio: Parameters<typeof sinGuia>[1],
): Promise<EnvioMirado['guia']> {
  if (await readGuia(db, envioId)) return { clase: 'lista' };
  const falta = sinGuia(market, envio);
  if (!falta) return { clase: 'espera', porque: 'La guía ya se puede imprimir y todavía no se trae.' };
  return { clase: falta.espera ? 'espera' : 'nunca', porque: falta.porque };
}

/** Living pedidos of other suppliers for the same sales and models, in words. */
async function otrosOf(db: Db | Trx, pedidoId: string, ordenIds: readonly string[]): Promise<string[]> {
  if (ordenIds.length === 0) return [];
  const rows = await db
    .selectFrom('pedidoLinea as otra')
    .innerJoin('pedido', 'pedido.id', 'otra.pedidoId')
    .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
    .innerJoin('pedidoLinea as esta', (join) =>
      join
        .onRef('esta.ordenId', '=', 'otra.ordenId')
        .on('esta.pedidoId', '=', pedidoId)
        .on(sql<boolean>`lower(esta.modelo) = lower(otra.modelo)`),
    )
    .where('otra.ordenId', 'in', [...ordenIds])
    .where('otra.pedidoId', '<>', pedidoId)
    .where('pedido.estado', 'not in', [...MUERTOS, 'borrador'])
    .select(['pedido.folio', 'pedido.estado', 'proveedor.label'])
    .distinct()
    .orderBy('pedido.folio')
    .execute();
  return rows.map(({ folio, estado, label }) => `${folio} a ${label} (${ESTADO_LABEL[estado].toLowerCase()})`);
}
