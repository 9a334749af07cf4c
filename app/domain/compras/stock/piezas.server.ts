import { sql } from 'kysely';
import { choqueOfFila } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { Id } from '~/core/fields';
import { civilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { storeOnce } from '~/platform/files/archivos.server';
import { type Recibido, receiveOne } from '~/platform/files/receiveFile.server';
import type { Db, Trx } from '~db/client.server';
import { databaseNow } from '~db/clock.server';
import { listArticulos } from './devoluciones.server';
import { DESHACER_MS, ESTADO_LABEL, type EstadoDeStock, isOfVenta, mayPass } from './pieza';
import type { DevolucionForm, PiezaEditada } from './forms';

const ERROR_AGREGAR = 'Error al agregar.';
const ERROR_ACTUALIZAR = 'Error de actualización.';
const SIN_PIEZA = 'La pieza no existe.';

type Vista = { id: string; version: number };

/** A form whose invoice was checked, and may be kept. */
export type Recibida<F extends { factura: File | null }> = Omit<F, 'factura'> & { factura: Recibido | null };

/** Checks the invoice of a form before any row is locked, since that may take long. Throws `NotAllowed` at `factura` for a file that is no PDF. */
export async function receiveFactura<F extends { factura: File | null }>(form: F): Promise<Recibida<F>> {
  const campo = { campo: 'factura', otro: 'El archivo de la factura no es un PDF.' };
  return { ...form, factura: form.factura && (await receiveOne(form.factura, 'application/pdf', campo)) };
}

/**
 * 'Crear devolución': creates pieces, each with a folio, and returns the folios. The same `clave` again returns the folios of the first press. Throws
 * `NotAllowed` when product, sale or supplier is unknown, and `Stale` when somebody received pieces of the sale since the screen showed it.
 */
export async function createDevolucion(trx: Trx, form: Recibida<DevolucionForm>, usuarioId: string): Promise<string[]> {
  const { clave, estado, cantidad, proveedor, descripcion, costo, recuperado, observaciones, folioFactura } = form;
  const alta = await trx
    .insertInto('stockAlta')
    .values({ clave, usuarioId })
    .onConflict((on) => on.column('clave').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!alta) return (await piezasOfAlta(trx, clave)).map(({ folio }) => folio);
  await requireConocidos(trx, form);
  const deLaPagina = { ordenId: form.orden ?? null, productoId: form.producto ?? null };
  const ordenId = form.numOrden
    ? await findOrden(trx, form.numOrden, deLaPagina, { titulo: ERROR_AGREGAR, campo: 'numOrden' })
    : deLaPagina.ordenId;
  if (!ordenId && !form.producto) throw new NotAllowed(ERROR_AGREGAR, 'Error: No se ha podido identificar el producto');
  if (ordenId && ordenId === form.orden && form.recibidas !== undefined)
    await requireRecibidas(trx, ordenId, form.recibidas);
  const facturaId = form.factura && (await storeOnce(trx, form.factura));
  const anio = Number(civilDay(await databaseNow(trx)).slice(0, 4));
  const desde = await takeNumeros(trx, anio, cantidad);
  const piezas = await trx
    .insertInto('stockInterno')
    .values(
      Array.from({ length: cantidad }, (_, at) => ({
        anio,
        numero: desde + at,
        altaId: alta.id,
        estado,
        ordenId,
        productoId: form.producto ?? null,
        descripcion,
        proveedor,
        costo,
        recuperado,
        observaciones,
        facturaFolio: folioFactura,
        facturaId,
        facturaNombre: form.factura?.nombre ?? null,
        creadaPor: usuarioId,
      })),
    )
    .returning(['id', 'folio', 'numero'])
    .execute();
  const folios = piezas.toSorted((a, b) => a.numero - b.numero).map(({ folio }) => folio);
  await record(trx, {
    usuarioId,
    entidad: 'stockAlta',
    entidadId: alta.id,
    accion: 'crear devolución',
    datos: { folios, costo, orden: ordenId, producto: form.producto ?? null },
  });
  return folios;
}

/** Throws `Stale` when the sale has other received pieces than the screen showed. The sale stays locked until the pieces are written. */
async function requireRecibidas(trx: Trx, orden: string, vistas: number): Promise<void> {
  await trx.selectFrom('orden').select('id').where('id', '=', orden).forNoKeyUpdate().execute();
  const { cuantas, ultima } = await trx
    .selectFrom('stockInterno')
    .select([sql<number>`count(*)::int`.as('cuantas'), sql<string | null>`max(folio)`.as('ultima')])
    .where('ordenId', '=', orden)
    .executeTakeFirstOrThrow();
  if (cuantas === vistas) return;
  const suyo = ultima ? `${cuantas}, la última ${ultima}` : String(cuantas);
  throw new Stale(
    {
      cambios: [{ campo: 'Piezas recibidas de esta orden', mio: String(vistas), suyo }],
      marcas: { recibidas: cuantas },
    },
    { titulo: ERROR_AGREGAR, texto: 'Otra persona recibió piezas de esta orden.' },
  );
}

/** Throws `NotAllowed` when the sale, product or supplier of a form does not exist. */
async function requireConocidos(
  trx: Trx,
  { orden, producto, proveedor }: Pick<DevolucionForm, 'orden' | 'producto' | 'proveedor'>,
): Promise<void> {
  const [{ ok }] = (
    await sql<{
      ok: boolean;
    }>`select (${orden ?? null}::uuid is null or exists (select from orden where id = ${orden ?? null}))
      and (${producto ?? null}::uuid is null or exists (select from producto where id = ${producto ?? null})) as ok`.execute(
      trx,
    )
  ).rows as [{ ok: boolean }];
  if (!ok) throw new NotAllowed(ERROR_AGREGAR, 'Error: No se ha podido identificar el producto');
  if (proveedor !== null) await requireProveedor(trx, proveedor, ERROR_AGREGAR);
}

async function requireProveedor(trx: Trx, proveedor: string, titulo: string): Promise<void> {
  const known = await trx.selectFrom('proveedor').select('value').where('value', '=', proveedor).executeTakeFirst();
  if (!known) throw new NotAllowed(titulo, 'Error: El proveedor seleccionado no es válido', { campo: 'proveedor' });
}

/**
 * Takes consecutive numbers of a year and returns the first. The year's row stays locked until the pieces are written, so no number is missing or
 * given twice.
 */
async function takeNumeros(trx: Trx, anio: number, cuantos: number): Promise<number> {
  const { ultimo } = await trx
    .insertInto('stockFolio')
    .values({ anio, ultimo: cuantos })
    .onConflict((on) => on.column('anio').doUpdateSet({ ultimo: sql`stock_folio.ultimo + excluded.ultimo` }))
    .returning('ultimo')
    .executeTakeFirstOrThrow();
  return ultimo - cuantos + 1;
}

/** Returns the pieces that one press made, in the order of their folios. */
export function piezasOfAlta(db: Db | Trx, clave: string) {
  return db
    .selectFrom('stockInterno')
    .innerJoin('stockAlta', 'stockAlta.id', 'stockInterno.altaId')
    .select(['stockInterno.id', 'stockInterno.folio'])
    .where('stockAlta.clave', '=', clave)
    .orderBy('stockInterno.numero')
    .execute();
}

/** Locks a piece until the transaction ends and returns it; undefined when there is none. */
export function lockPieza(trx: Trx, id: string) {
  return trx.selectFrom('stockInterno').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}
type Pieza = NonNullable<Awaited<ReturnType<typeof lockPieza>>>;

/** Locks the piece until the transaction ends. Throws `Stale` when it is no longer what the screen showed. */
export async function lockVista(trx: Trx, { id, version }: Vista, quiere: EstadoDeStock | null): Promise<Pieza> {
  const pieza = await lockPieza(trx, id);
  if (!pieza) throw new NotAllowed(ERROR_ACTUALIZAR, SIN_PIEZA);
  if (pieza.version !== version)
    throw new Stale({
      cambios: [
        {
          campo: 'Estatus',
          mio: quiere ? ESTADO_LABEL[quiere] : 'como se veía',
          suyo: ESTADO_LABEL[pieza.estado],
        },
      ],
      marcas: { version: pieza.version },
    });
  return pieza;
}

type Quien = { usuarioId: string | null; detalle?: string | null; ventaId?: string | null };

/**
 * Writes a movement; a trigger moves the piece. A piece that is kept for a sale leaves with that sale. Throws `NotAllowed` for a step that the states
 * do not allow.
 */
export async function movePieza(
  trx: Trx,
  pieza: Pick<Pieza, 'id' | 'estado' | 'ventaId' | 'folio'>,
  a: EstadoDeStock,
  { usuarioId, detalle = null, ventaId = pieza.ventaId }: Quien,
): Promise<void> {
  if (!mayPass(pieza.estado, a))
    throw new NotAllowed(
      ERROR_ACTUALIZAR,
      `${pieza.folio} está en «${ESTADO_LABEL[pieza.estado]}» y de ahí no pasa a «${ESTADO_LABEL[a]}».`,
      { campo: 'estado' },
    );
  await trx
    .insertInto('stockMovimiento')
    .values({ piezaId: pieza.id, de: pieza.estado, a, usuarioId, detalle, ventaId: isOfVenta(a) ? ventaId : null })
    .execute();
}

/** 'Actualizar': changes only the state. The same state again moves nothing. Throws `Stale` when the piece moved, and like `movePieza`. */
export async function changeEstado(
  trx: Trx,
  { estado, detalle = null, ...vista }: Vista & { estado: EstadoDeStock; detalle?: string | null },
  usuarioId: string,
): Promise<void> {
  const pieza = await lockVista(trx, vista, estado);
  if (pieza.estado !== estado) await movePieza(trx, pieza, estado, { usuarioId, detalle });
}

/** Sells a piece to the sale with that number. Throws `NotAllowed` when there is no such sale, `Stale` when the piece moved, and like `movePieza`. */
export async function sellPieza(
  trx: Trx,
  { venta, ...vista }: Vista & { venta: string },
  usuarioId: string,
): Promise<void> {
  const pieza = await lockVista(trx, vista, 'vendido');
  const ventaId = await findOrden(trx, venta, pieza, { titulo: ERROR_ACTUALIZAR, campo: 'venta' });
  await movePieza(trx, pieza, 'vendido', { usuarioId, ventaId });
}

/**
 * Returns the sale that a number or an id names. The sales of a cart share their number: the sale that the piece has already outranks the sale of the
 * cart with its product, and that one the first. Throws `NotAllowed` at `campo` without a sale.
 */
async function findOrden(
  trx: Trx,
  numero: string,
  { ordenId, productoId }: Pick<Pieza, 'ordenId' | 'productoId'>,
  { titulo, campo }: { titulo: string; campo: string },
): Promise<string> {
  const ordenes = await trx
    .selectFrom('orden')
    .select(['id', 'marketId'])
    .where((is) =>
      Id.safeParse(numero).success
        ? is('id', '=', numero)
        : is.or([is('numOrden', '=', numero), is('marketId', '=', numero)]),
    )
    .orderBy('id')
    .execute();
  const [primera] = ordenes;
  if (!primera) throw new NotAllowed(titulo, `No hay una orden ${numero}.`, { campo });
  const suya = ordenes.find(({ marketId }) => marketId === numero) ?? ordenes.find(({ id }) => id === ordenId);
  if (suya || ordenes.length === 1 || !productoId) return (suya ?? primera).id;
  const conProducto = (await listArticulos(trx, numero)).find((articulo) => articulo.productoId === productoId);
  return conProducto?.ordenId ?? primera.id;
}

/** The sale of an edited piece. A form that neither names a sale nor takes it away leaves the piece with its sale. */
async function ordenOfPieza(trx: Trx, pieza: Pieza, { orden, conOrden }: Pick<PiezaEditada, 'orden' | 'conOrden'>) {
  if (orden) return findOrden(trx, orden, pieza, { titulo: ERROR_ACTUALIZAR, campo: 'orden' });
  return conOrden ? null : pieza.ordenId;
}

/** Returns the movement that can still be undone: the last one, of the last ten minutes, that undid none itself. Undefined when there is none. */
export async function findDeshacible(db: Db | Trx, piezaId: string) {
  const [ultimo, antes] = await db
    .selectFrom('stockMovimiento')
    .select(['id', 'de', 'a', 'ventaId', 'deshace'])
    .select(sql<boolean>`en > clock_timestamp() - ${DESHACER_MS} * interval '1 ms'`.as('reciente'))
    .where('piezaId', '=', piezaId)
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  if (!ultimo?.de || !antes || ultimo.deshace !== null || !ultimo.reciente) return undefined;
  return { id: ultimo.id, de: ultimo.a as EstadoDeStock, a: ultimo.de as EstadoDeStock, ventaId: antes.ventaId };
}

/**
 * 'Deshacer': undoes the last movement with another one; both stay in the history. Throws `NotAllowed` when the time is over, and `Stale` when the
 * piece moved.
 */
export async function undoMovimiento(trx: Trx, vista: Vista, usuarioId: string): Promise<void> {
  const pieza = await lockVista(trx, vista, null);
  const ultimo = await findDeshacible(trx, pieza.id);
  if (!ultimo)
    throw new NotAllowed(ERROR_ACTUALIZAR, 'Ese cambio ya no se puede deshacer: pasaron más de diez minutos.');
  await trx
    .insertInto('stockMovimiento')
    .values({ piezaId: pieza.id, de: ultimo.de, a: ultimo.a, usuarioId, ventaId: ultimo.ventaId, deshace: ultimo.id })
    .execute();
}

const ETIQUETAS = {
  estado: 'Estatus',
  proveedor: 'Proveedor',
  observaciones: 'Observaciones',
  facturaFolio: 'Folio de la factura',
  costo: 'Costo',
  recuperado: 'Monto recuperado',
} as const;

const enPalabras = (pieza: Pieza) => ({
  estado: ESTADO_LABEL[pieza.estado],
  proveedor: pieza.proveedor,
  observaciones: pieza.observaciones,
  facturaFolio: pieza.facturaFolio,
  costo: pieza.costo.toFixed(2),
  recuperado: pieza.recuperado.toFixed(2),
});

/** A saved piece whose cost moved. */
export type CostoMovido = {
  folio: string;
  /** In pesos, as text. */ antes: string;
  ahora: string;
  /** The form that takes the cost back; null where another fact changed too. */
  deshacer:
    | (Pick<PiezaEditada, 'id' | 'version' | 'estado' | 'proveedor' | 'costo' | 'recuperado'> &
        Partial<Record<'observaciones' | 'folioFactura', string>>)
    | null;
};

/**
 * 'Actualizar devolución': saves all facts of a piece with its state and invoice, and returns the move of its cost; null where the cost stays. Throws `Stale`
 * when the piece moved, and `NotAllowed` when supplier, product or sale is unknown, folio and file of the invoice do not come together, or the state does not
 * allow the step.
 */
export async function savePieza(
  trx: Trx,
  form: Recibida<PiezaEditada>,
  usuarioId: string,
): Promise<CostoMovido | null> {
  const { id, version, estado, proveedor, observaciones, folioFactura, costo, recuperado } = form;
  const pieza = await lockPieza(trx, id);
  if (!pieza) throw new NotAllowed(ERROR_ACTUALIZAR, SIN_PIEZA);
  if (pieza.version !== version) {
    const mio = { proveedor, observaciones, facturaFolio: folioFactura, costo, recuperado };
    throw new Stale(
      choqueOfFila(
        ETIQUETAS,
        { ...mio, estado: ESTADO_LABEL[estado] },
        { ...enPalabras(pieza), version: pieza.version },
      ),
    );
  }
  await requireProveedor(trx, proveedor, ERROR_ACTUALIZAR);
  const productoId = form.producto ?? pieza.productoId;
  if (!productoId && !pieza.descripcion)
    throw new NotAllowed(ERROR_ACTUALIZAR, 'Error: No se ha podido identificar el producto');
  if (form.producto) await requireProducto(trx, form.producto);
  const ordenId = await ordenOfPieza(trx, pieza, form);
  const { facturaFolio, ...archivo } = await facturaOf(trx, pieza, form);
  await trx
    .updateTable('stockInterno')
    .set({
      proveedor,
      observaciones,
      costo,
      recuperado,
      productoId,
      ordenId,
      facturaFolio,
      ...archivo,
      cambiadaEn: sql<Date>`now()`,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute();
  if (pieza.estado !== estado) await movePieza(trx, pieza, estado, { usuarioId });
  await record(trx, {
    usuarioId,
    entidad: 'stockInterno',
    entidadId: id,
    accion: 'actualizar devolución',
    datos: { folio: pieza.folio, proveedor, costo, recuperado, facturaFolio, orden: ordenId },
  });
  const antes = pieza.costo.toFixed(2);
  if (antes === costo) return null;
  const sameRest =
    pieza.estado === estado &&
    pieza.proveedor === proveedor &&
    pieza.observaciones === observaciones &&
    pieza.facturaFolio === facturaFolio &&
    pieza.recuperado.toFixed(2) === recuperado &&
    pieza.productoId === productoId &&
    pieza.ordenId === ordenId &&
    pieza.facturaId === (archivo.facturaId ?? null) &&
    pieza.facturaNombre === (archivo.facturaNombre ?? null);
  const deshacer = {
    ...{ id, version: version + 1, estado, proveedor, costo: antes, recuperado },
    ...(observaciones !== null && { observaciones }),
    ...(facturaFolio !== null && { folioFactura: facturaFolio }),
  };
  return { folio: pieza.folio, antes, ahora: costo, deshacer: sameRest ? deshacer : null };
}

async function requireProducto(trx: Trx, id: string): Promise<void> {
  const known = await trx.selectFrom('producto').select('id').where('id', '=', id).executeTakeFirst();
  if (!known) throw new NotAllowed(ERROR_ACTUALIZAR, 'Error: No se ha podido identificar el producto');
}

/** Replaces the invoice, removes it, or leaves it. Folio and file come together. */
async function facturaOf(trx: Trx, pieza: Pieza, { factura, eliminarFactura, folioFactura }: Recibida<PiezaEditada>) {
  const facturaId = factura ? await storeOnce(trx, factura) : pieza.facturaId;
  if (eliminarFactura && !factura) return { facturaId: null, facturaNombre: null, facturaFolio: null };
  if (facturaId && !folioFactura)
    throw new NotAllowed(ERROR_ACTUALIZAR, 'No se detecto el folio de la factura', { campo: 'folioFactura' });
  if (!facturaId && folioFactura) throw new NotAllowed(ERROR_ACTUALIZAR, 'No se detecto archivo', { campo: 'factura' });
  return { facturaId, facturaNombre: factura?.nombre ?? pieza.facturaNombre, facturaFolio: folioFactura };
}

/** Offers a state one place earlier wherever people choose a state. The first one stays. */
export async function advanceEstado(trx: Trx, estado: EstadoDeStock, usuarioId: string): Promise<void> {
  const estados = await trx
    .selectFrom('stockEstado')
    .select('value')
    .orderBy('posicion')
    .orderBy('value')
    .forUpdate()
    .execute();
  const orden = estados.map(({ value }) => value);
  const at = orden.indexOf(estado);
  if (at < 1) return;
  [orden[at - 1], orden[at]] = [orden[at]!, orden[at - 1]!];
  for (const [posicion, value] of orden.entries())
    await trx
      .updateTable('stockEstado')
      .set({ posicion: posicion + 1 })
      .where('value', '=', value)
      .execute();
  await record(trx, {
    usuarioId,
    entidad: 'stockEstado',
    entidadId: estado,
    accion: 'ordenar estatus',
    datos: { orden: orden.join(', ') },
  });
}
