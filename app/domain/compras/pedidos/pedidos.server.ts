import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { acceptEffect, LIVE_STATES } from '~/platform/effects/effects.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import { sinGuia } from '~/domain/ventas/envios/guia';
import type { Capacidades, Direccion } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import { databaseNow } from '~db/clock.server';
import type { Market } from '~db/columns';
import { Compra } from './internal/compra';
import { confirmarEnCt } from './confirmarEnCt.server';
import { sendCorreo } from './correo.server';
import { CREAR, type Solicitud } from './crearEffects.server';
import { guiaOfPedido, sendGuia, ordenesOf } from './guia.server';
import { chooseAlmacen, type LineaDeVenta, lineasOfVenta, type ProductoDeLinea } from './internal/lineas.server';
import { notePedido, lockPedido, movePedido } from './internal/movePedido.server';
import { ESTADO_LABEL, type EstadoDePedido, isVivo, MUERTOS } from './pedido';
import { ERROR_CONFIRMAR, ERROR_QUITAR } from './porConfirmar';
import { porQueNo } from './internal/venta.server';

const TITULO = 'Error al crear el pedido.';

/** How a supplier does things, and how this account buys there. */
export async function readProveedorParaPedir(db: Db | Trx, proveedor: string) {
  const row = await db
    .selectFrom('proveedor')
    .select(['value', 'label', 'crearPedido', 'comprarSinConfirmar', 'compra'])
    .where('value', '=', proveedor)
    .executeTakeFirst();
  if (!row) return undefined;
  const capacidades: Capacidades | undefined = CONNECTIONS.find(proveedor)?.proveedor?.capacidades;
  const via = capacidades?.crearPedido === 'api' && row.crearPedido ? ('api' as const) : ('correo' as const);
  return {
    ...row,
    compra: Compra.parse(row.compra),
    capacidades,
    via,
    /** An order waits there for its second step, so that making one buys nothing yet. */
    enDosPasos: via === 'api' && capacidades?.confirmar === 'api',
  };
}

export type CreatePedido = {
  market: Market;
  numOrden: string;
  proveedor: string;
  usuarioId: string | null;
  automatico?: boolean;
  /** Why it is bought all the same, where a guard asked for it. */
  motivo?: string | null;
  /** Another warehouse than the one we would choose. */
  almacen?: string | null;
  /** It waits as a draft, also where making one buys nothing yet. */
  borrador?: boolean;
};

export type Creado = { id: string; created: boolean };

/**
 * Makes the pedido of a sale at a supplier; the second person to press finds the first. Where an order waits for its second step there it is sent at once; elsewhere it waits here as a
 * draft until somebody confirms it.
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
  const conProducto = suyo.via === 'api' ? lineas.map((linea) => requireProducto(linea, suyo.label)) : [];
  const elegido = almacen ?? chooseAlmacen(conProducto, suyo.compra.almacenes);
  if (elegido === null && conProducto.some(({ producto }) => producto.almacenes.length > 0))
    throw new NotAllowed(TITULO, `Ningún almacén de ${suyo.label} tiene todas las piezas de la venta.`);

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

/** Those that ended without the goods wait for nobody once the sale is asked for again. */
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

/** By its key, and by its ordenes: an orden that joined a cart since has another number by now. */
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

function requireProducto(linea: LineaDeVenta, label: string): LineaDeVenta & { producto: ProductoDeLinea } {
  const { producto, nombre } = linea;
  if (!producto) throw new NotAllowed(TITULO, `«${nombre}» no está en el catálogo de ${label}.`);
  if (!producto.precio || !producto.moneda) throw new NotAllowed(TITULO, `«${nombre}» no tiene precio en ${label}.`);
  return { ...linea, producto };
}

/** A draft leaves for its supplier: by its API, or as a letter. */
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
  if (!(await movePedido(trx, pedidoId, 'enviando', { usuarioId })))
    throw new NotAllowed(ERROR_CONFIRMAR, 'El pedido ya no espera salir.');
  const crear = CREAR[pedido.proveedor as keyof typeof CREAR];
  if (pedido.via === 'correo' || !crear) {
    // A machine's letter that finds nobody to write to is told on the pedido, which ends there.
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
    // One of them takes integers alone.
    referencia: suyo.enDosPasos ? String(pedido.numero) : pedido.folio,
    desde: (await databaseNow(trx)).toISOString(),
    lineas: lineas.map(({ precio, moneda, ...linea }) => ({
      ...linea,
      precio: (precio ?? sinPrecio(pedido.folio)).toJSON(),
      moneda: moneda ?? 'MXN',
    })),
    almacen: pedido.almacen,
    envio: envio ? direccionOf(envio) : null,
    guia: guia?.archivoId ? { archivoId: guia.archivoId, numero: guia.numero, paqueteria: guia.paqueteria } : null,
    opciones: suyo.compra.opciones,
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

/** null where the marketplace hides it. */
function direccionOf(envio: NonNullable<Awaited<ReturnType<typeof envioOf>>>): Direccion | null {
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
    telefono: envio.telefono ?? '',
  };
}

type Vista = { id: string; version: number };

/** The pedido as the screen showed it, held until the transaction ends. */
async function lockVisto(trx: Trx, { id, version }: Vista, titulo: string) {
  const pedido = await lockPedido(trx, id);
  if (!pedido) throw new NotAllowed(titulo, 'El pedido ya no existe.');
  if (pedido.version !== version)
    throw new Stale(
      {
        cambios: [{ campo: 'Estado', mio: 'como se veía', suyo: ESTADO_LABEL[pedido.estado] }],
        marcas: { version: pedido.version },
      },
      { titulo, texto: 'El pedido cambió mientras lo veías.' },
    );
  return pedido;
}

/** 'Confirmar pedido': a draft leaves, and an order that waits for its second step gets it. */
export async function confirmPedido(trx: Trx, vista: Vista, usuarioId: string): Promise<void> {
  const pedido = await lockVisto(trx, vista, ERROR_CONFIRMAR);
  if (pedido.estado === 'borrador') return sendPedido(trx, pedido.id, usuarioId);
  const suyo = await readProveedorParaPedir(trx, pedido.proveedor);
  if (pedido.estado !== 'solicitado' || suyo?.capacidades?.confirmar !== 'api' || pedido.folioProveedor === null)
    throw new NotAllowed(
      ERROR_CONFIRMAR,
      `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: no hay nada que confirmar.`,
    );
  if (pedido.errores.length > 0)
    throw new NotAllowed(ERROR_CONFIRMAR, `${suyo.label} lo tomó con errores: ${pedido.errores.join('; ')}.`);
  const ordenIds = await ordenesOf(trx, pedido.id);
  const ordenes = await trx
    .selectFrom('orden')
    .select(['clase', 'estatus', 'situacion'])
    .where('id', 'in', ordenIds)
    .execute();
  const no = porQueNo(ordenes);
  if (no) throw new NotAllowed(ERROR_CONFIRMAR, no);
  await acceptEffect(trx, confirmarEnCt, {
    request: { pedidoId: pedido.id, ordenIds, numOrden: pedido.numOrden, folio: pedido.folioProveedor },
    usuarioId,
  });
  await notePedido(trx, pedido.id, { detalle: null });
}

/**
 * Takes a pedido off the list. A draft, and an order that lapses by itself when nobody confirms it, end here; one that ended is no longer shown. What the supplier may have, or
 * has for good, is not dropped.
 */
export async function discardPedido(trx: Trx, vista: Vista, usuarioId: string): Promise<void> {
  const pedido = await lockVisto(trx, vista, ERROR_QUITAR);
  const descartadoEn = sql<Date>`now()`;
  await requireNadaEnCurso(trx, pedido.id, ERROR_QUITAR);
  if (!isVivo(pedido.estado)) return notePedido(trx, pedido.id, { descartadoEn });
  const vence = pedido.estado === 'solicitado' && pedido.venceEn !== null;
  if (pedido.estado !== 'borrador' && !vence)
    throw new NotAllowed(
      ERROR_QUITAR,
      `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: el proveedor puede tenerlo.`,
    );
  await movePedido(trx, pedido.id, 'cancelado', {
    usuarioId,
    detalle: vence ? 'Se quitó sin confirmar: el proveedor lo deja vencer.' : 'Se quitó antes de pedirse.',
    set: { descartadoEn, revisarEn: null, venceEn: null },
  });
  await recordOf(trx, pedido, usuarioId, 'quitar el pedido');
}

/** A person cancelled it with the supplier: no API does. */
export async function cancelPedido(
  trx: Trx,
  { motivo, ...vista }: Vista & { motivo: string },
  usuarioId: string,
): Promise<void> {
  const titulo = 'Error al cancelar el pedido.';
  const pedido = await lockVisto(trx, vista, titulo);
  await requireNadaEnCurso(trx, pedido.id, titulo);
  if (
    !(await movePedido(trx, pedido.id, 'cancelado', {
      usuarioId,
      detalle: motivo,
      set: { revisarEn: null, venceEn: null },
    }))
  )
    throw new NotAllowed(titulo, `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: ya no se cancela.`);
  await recordOf(trx, pedido, usuarioId, 'cancelar el pedido');
}

/** The folio that a supplier told by letter or telephone: the order is theirs now. */
export async function noteFolio(
  trx: Trx,
  { folio, ...vista }: Vista & { folio: string },
  usuarioId: string,
): Promise<void> {
  const titulo = 'Error al guardar el folio.';
  const pedido = await lockVisto(trx, vista, titulo);
  const otro = await trx
    .selectFrom('pedido')
    .select('folio')
    .where('proveedor', '=', pedido.proveedor)
    .where('folioProveedor', '=', folio)
    .where('id', '<>', pedido.id)
    .executeTakeFirst();
  if (otro) throw new NotAllowed(titulo, `Ese folio ya es del pedido ${otro.folio}.`, { campo: 'folio' });
  const set = { folioProveedor: folio, confirmadoEn: sql<Date>`now()` };
  if (pedido.via !== 'correo' || !(await movePedido(trx, pedido.id, 'confirmado', { usuarioId, set })))
    throw new NotAllowed(titulo, `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}: no espera un folio.`);
  await recordOf(trx, pedido, usuarioId, 'anotar el folio del pedido', { folio });
  await sendGuia(trx, pedido.id, usuarioId);
}

/** Another letter about an order that was written already. */
export async function resendCorreo(trx: Trx, vista: Vista, usuarioId: string): Promise<void> {
  const pedido = await lockVisto(trx, vista, 'Error al enviar el correo.');
  const clase = pedido.via === 'correo' ? 'pedido' : 'guia';
  if (['borrador', 'enviando', 'incierto'].includes(pedido.estado) || !isVivo(pedido.estado))
    throw new NotAllowed('Error al enviar el correo.', `El pedido está ${ESTADO_LABEL[pedido.estado].toLowerCase()}.`);
  await sendCorreo(trx, pedido.id, clase, { usuarioId, reenviar: true });
}

/** A call about it is under way, or waits for people on the board. */
async function requireNadaEnCurso(trx: Trx, pedidoId: string, titulo: string): Promise<void> {
  const { n } = await effectsAbout(trx, ['pedido', pedidoId])
    .where('effect.state', 'in', LIVE_STATES)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (Number(n) > 0)
    throw new NotAllowed(
      titulo,
      'Hay una solicitud de este pedido sin terminar. Espera a que acabe, o decídela en Pendientes.',
    );
}

const recordOf = (
  trx: Trx,
  { numOrden, proveedor }: { numOrden: string; proveedor: string },
  usuarioId: string,
  accion: string,
  datos: Record<string, string> = {},
) => record(trx, { usuarioId, entidad: 'orden', entidadId: numOrden, accion, datos: { proveedor, ...datos } });

/** The pedidos of the sale that an orden is of, the newest first, each with its lines and how it moved. */
export async function listOfOrden(db: Db | Trx, ordenId: string) {
  const pedidos = await db
    .selectFrom('pedido')
    .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
    .selectAll('pedido')
    .select('proveedor.label as proveedorLabel')
    .where('pedido.id', 'in', (suyos) =>
      suyos
        .selectFrom('pedidoLinea')
        .innerJoin('orden as deLinea', 'deLinea.id', 'pedidoLinea.ordenId')
        .innerJoin('orden as esta', (join) =>
          join.onRef('esta.market', '=', 'deLinea.market').onRef('esta.numOrden', '=', 'deLinea.numOrden'),
        )
        .select('pedidoLinea.pedidoId')
        .where('esta.id', '=', ordenId),
    )
    .orderBy('pedido.numero', 'desc')
    .execute();
  const ids = pedidos.map(({ id }) => id);
  const [lineas, historia] =
    ids.length === 0
      ? [[], []]
      : await Promise.all([
          db.selectFrom('pedidoLinea').selectAll().where('pedidoId', 'in', ids).orderBy('posicion').execute(),
          db.selectFrom('pedidoHistoria').selectAll().where('pedidoId', 'in', ids).orderBy('id').execute(),
        ]);
  return pedidos.map((pedido) => ({
    ...pedido,
    lineas: lineas.filter(({ pedidoId }) => pedidoId === pedido.id),
    historia: historia.filter(({ pedidoId }) => pedidoId === pedido.id),
  }));
}

export type { EstadoDePedido };
