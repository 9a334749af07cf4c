import { sql } from 'kysely';
import { z } from 'zod';
import { groupBy } from '~/core/groupBy';
import type { Money } from '~/core/money';
import { archivosOfPagos } from '~/domain/compras/pagos/pagos.server';
import type { MensajeDeReclamo } from '~/domain/mercados/atencion';
import { readDocumento } from '~/domain/mercados/registro.server';
import type { Db, Trx } from '~db/client.server';
import type { EstadoCancelacion, EstadoDePedido, TipoFactura, ViaDePedido } from '~db/columns';

/** Reads everything that is kept of these sales, in their order. The statements are the same few for one sale and for fifty. */
export async function readVentas(db: Db | Trx, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const ordenes = await ordenesOf(db, ids);
  const envioIds = ordenes.flatMap(({ envioId }) => envioId ?? []);
  const envios = new Map((await enviosOf(db, envioIds)).map((envio) => [envio.id, envio]));
  const guias = groupBy(await guiasOf(db, envioIds), ({ envioId }) => envioId);
  const estados = groupBy(await estadosOf(db, ids, envioIds), ({ entidadId }) => entidadId);
  const articulos = byOrden(await articulosOf(db, ids));
  const movimientos = byOrden(await movimientosOf(db, ids));
  const pedidos = byOrden(await pedidosOf(db, ids));
  const compras = byOrden(await comprasOf(db, ids));
  const pagos = byOrden(await pagosOf(db, ids));
  const preguntas = byOrden(await preguntasOf(db, ids));
  const reclamos = byOrden(await reclamosOf(db, ids));
  const cfdis = byOrden(await cfdisOfVentas(db, ids));
  const enCamino = byOrden(await notasEnCamino(db, ids));
  const piezas = byOrden(await piezasOf(db, ids));
  const found = ordenes.map(({ datos, ...orden }) => {
    const deEnvio = orden.envioId ?? '';
    return {
      ...orden,
      ...pagoOf(readDocumento(orden.market, datos)),
      envio: envios.get(deEnvio) ?? null,
      guias: guias.get(deEnvio) ?? [],
      estados: [...(estados.get(orden.id) ?? []), ...(estados.get(deEnvio) ?? [])].toSorted((a, b) => a.id - b.id),
      articulos: articulos.get(orden.id) ?? [],
      movimientos: movimientos.get(orden.id) ?? [],
      pedidos: pedidos.get(orden.id) ?? [],
      compras: compras.get(orden.id) ?? [],
      pagos: pagos.get(orden.id) ?? [],
      preguntas: preguntas.get(orden.id) ?? [],
      reclamos: reclamos.get(orden.id) ?? [],
      cfdis: cfdis.get(orden.id) ?? [],
      notasEnCamino: (enCamino.get(orden.id) ?? []).length,
      piezas: piezas.get(orden.id) ?? [],
    };
  });
  const byId = new Map(found.map((venta) => [venta.id, venta]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A sale with everything that is kept of it. */
export type Venta = Awaited<ReturnType<typeof readVentas>>[number];

const byOrden = <T extends { ordenId: string }>(rows: readonly T[]) => groupBy(rows, ({ ordenId }) => ordenId);

const pagoOf = ({ pagos, cancelacion }: ReturnType<typeof readDocumento>) => ({
  pagosDelComprador: pagos,
  cancelacion,
});

const ordenesOf = (db: Db | Trx, ids: readonly string[]) =>
  db
    .selectFrom('orden')
    .leftJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
    .where('orden.id', 'in', ids)
    .select([
      'orden.id',
      'orden.market',
      'orden.marketId',
      'orden.numOrden',
      'orden.fechaCreacion',
      'orden.fechaCierre',
      'orden.estatus',
      'orden.situacion',
      'orden.clase',
      'orden.titulo',
      'orden.total',
      'orden.pagado',
      'orden.pagadoAbs',
      'orden.comision',
      'orden.retencion',
      'orden.envioAdicional',
      'orden.envioId',
      'orden.acordada',
      'orden.comprador',
      'orden.datos',
      'libroVenta.cobrado',
      'libroVenta.acreditado',
      'libroVenta.diferencia',
    ])
    .execute();

async function enviosOf(db: Db | Trx, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('envio')
    .where('id', 'in', ids)
    .select([
      'id',
      'marketId',
      'estatus',
      'subestatus',
      'tipoLogistico',
      'propio',
      'costo',
      'guia',
      'paqueteria',
      'paqueteriaUrl',
      'nombreReceptor',
      'telefono',
      'calle',
      'numeroE',
      'numeroI',
      'colonia',
      'ciudad',
      'municipio',
      'estado',
      'cp',
      'referencia',
      'fechaCreacion',
      'actualizadoEn',
    ])
    .execute();
}

/** Labels that stand. Without `archivoId` the file was deleted after its period. */
async function guiasOf(db: Db | Trx, envioIds: readonly string[]) {
  if (envioIds.length === 0) return [];
  return db
    .selectFrom('guia')
    .leftJoin('archivo', 'archivo.id', 'guia.archivoId')
    .where('envioId', 'in', envioIds)
    .where('anuladaEn', 'is', null)
    .orderBy('guia.id')
    .select(['guia.envioId', 'guia.archivoId', 'guia.numero', 'guia.paqueteria', 'guia.creadaEn', 'archivo.tipo'])
    .execute();
}

const Estado = z
  .object({ antes: z.object({ estatus: z.string() }), despues: z.object({ estatus: z.string() }) })
  .transform(({ antes, despues }) => ({ antes: antes.estatus, despues: despues.estatus }));

/** Steps of sales and of their shipments, as the audit trail has them. A line of another shape is left out. */
async function estadosOf(db: Db | Trx, ordenIds: readonly string[], envioIds: readonly string[]) {
  const { rows } = await sql<{ id: number; en: Date; entidad: 'orden' | 'envio'; entidadId: string; datos: unknown }>`
    select b.id, b.en, b.entidad, b.entidad_id, b.datos
    from (
      select 'orden' as entidad, id as entidad_id from unnest(${ordenIds}::text[]) id
      union all select 'envio', id from unnest(${envioIds}::text[]) id
    ) de join bitacora b using (entidad, entidad_id)
    where b.accion = 'estado' order by b.id`.execute(db);
  return rows.flatMap(({ datos, ...linea }) => {
    const { success, data } = Estado.safeParse(datos);
    return success && data.antes !== data.despues ? [{ ...linea, ...data }] : [];
  });
}

const articulosOf = (db: Db | Trx, ids: readonly string[]) =>
  db
    .selectFrom('articulo')
    .where('ordenId', 'in', ids)
    .orderBy('posicion')
    .select(['ordenId', 'nombre', 'sku', 'cantidad', 'precioUnitario', 'importe'])
    .execute();

/** Lines of the marketplace's settlements, each with the deposit that paid it. */
async function movimientosOf(db: Db | Trx, ids: readonly string[]) {
  const rows = await db
    .selectFrom('movimiento')
    .leftJoin('deposito', 'deposito.id', 'movimiento.depositoId')
    .where('ordenId', 'in', ids)
    .orderBy('movimiento.fecha')
    .orderBy('movimiento.id')
    .select([
      'ordenId',
      'concepto',
      'movimiento.importe',
      'movimiento.fecha',
      'detalle',
      'depositoId',
      'deposito.clave as deposito',
      'deposito.fecha as depositadoEn',
      'deposito.importe as depositado',
    ])
    .execute();
  return rows.map(({ ordenId, ...movimiento }) => ({ ...movimiento, ordenId: ordenId! }));
}

type Pedido = {
  ordenId: string;
  id: string;
  folio: string;
  folioProveedor: string | null;
  proveedor: string;
  estado: EstadoDePedido;
  via: ViaDePedido;
  solicitadoEn: Date | null;
  confirmadoEn: Date | null;
  guiaEnviadaEn: Date | null;
  facturaFolio: string | null;
  facturaUuid: string | null;
};

/** Orders to suppliers, each with its lines for the sale and its steps. */
async function pedidosOf(db: Db | Trx, ids: readonly string[]) {
  const { rows } = await sql<Pedido>`
    select distinct l.orden_id, p.id, p.numero, p.folio, p.folio_proveedor, pr.label as proveedor, p.estado, p.via,
      p.solicitado_en, p.confirmado_en, p.guia_enviada_en, p.factura_folio, p.factura_uuid
    from pedido_linea l join pedido p on p.id = l.pedido_id join proveedor pr on pr.value = p.proveedor
    where l.orden_id = any(${ids}::uuid[]) order by p.numero`.execute(db);
  if (rows.length === 0) return [];
  const suyos = rows.map(({ id }) => id);
  const lineas = await db
    .selectFrom('pedidoLinea')
    .where('pedidoId', 'in', suyos)
    .where('ordenId', 'in', ids)
    .orderBy('posicion')
    .select(['pedidoId', 'ordenId', 'descripcion', 'modelo', 'cantidad', 'precio', 'moneda'])
    .execute();
  const historia = await db
    .selectFrom('pedidoHistoria')
    .where('pedidoId', 'in', suyos)
    .orderBy('id')
    .select(['pedidoId', 'a', 'en', 'detalle'])
    .execute();
  return rows.map((pedido) => ({
    ...pedido,
    lineas: lineas.filter(({ pedidoId, ordenId }) => pedidoId === pedido.id && ordenId === pedido.ordenId),
    historia: historia.filter(({ pedidoId }) => pedidoId === pedido.id),
  }));
}

/** Invoices of suppliers, each with the XML that came with it. */
const comprasOf = (db: Db | Trx, ids: readonly string[]) =>
  db
    .selectFrom('proveedorFactura')
    .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
    .leftJoin('proveedorCfdi', 'proveedorCfdi.id', 'proveedorFactura.cfdiId')
    .where('ordenId', 'in', ids)
    .orderBy('proveedorFactura.fechaCreacion')
    .orderBy('proveedorFactura.id')
    .select([
      'ordenId',
      'proveedorFactura.folio',
      'monto',
      'pagada',
      'acreditada',
      'emitida',
      'fechaCreacion',
      'proveedor.label as proveedor',
      'proveedorCfdi.uuid',
      'proveedorCfdi.archivoId',
      'proveedorCfdi.emisorRfc',
      'proveedorCfdi.emisorNombre',
    ])
    .execute();

type Pago = {
  ordenId: string;
  id: string;
  folio: string;
  fecha: string | null;
  total: Money | null;
  aplicado: Money;
  claveRastreo: string | null;
  banco: string | null;
  proveedor: string;
};

/** Payments to suppliers, each with the part that belongs to the sale and with its files. */
async function pagosOf(db: Db | Trx, ids: readonly string[]) {
  const { rows } = await sql<Pago>`
    select v.orden_id, p.id, p.folio, p.fecha, p.total, v.pide as aplicado, p.clave_rastreo, p.banco, pr.label as proveedor
    from pago_de_orden v join pago p on p.id = v.pago_id join proveedor pr on pr.value = p.proveedor
    where v.orden_id = any(${ids}::uuid[]) order by p.fecha, p.id`.execute(db);
  const archivos = await archivosOfPagos(db, [...new Set(rows.map(({ id }) => id))]);
  return rows.map((pago) => ({ ...pago, archivos: archivos.filter(({ pagoId }) => pagoId === pago.id) }));
}

type Pregunta = { ordenId: string; fecha: Date; texto: string; respuesta: string | null; respondidaEn: Date | null };

/** Questions that the buyer of a sale asked about what was sold. */
async function preguntasOf(db: Db | Trx, ids: readonly string[]) {
  const { rows } = await sql<Pregunta>`
    select * from (
      select distinct on (o.id, p.id) o.id as orden_id, p.id, p.fecha, p.texto, p.respuesta, p.respondida_en
      from orden o join articulo a on a.orden_id = o.id
        join pregunta p on p.market = o.market and p.comprador_id = o.comprador_id and p.publicacion_id = a.item_id
      where o.id = any(${ids}::uuid[])
    ) suyas order by fecha, id`.execute(db);
  return rows;
}

type Reclamo = {
  ordenId: string;
  marketId: string;
  titulo: string | null;
  problema: string | null;
  abierto: boolean;
  fecha: Date;
  /** Written by us, from what was read and understood. */
  mensajes: MensajeDeReclamo[];
};

async function reclamosOf(db: Db | Trx, ids: readonly string[]) {
  const { rows } = await sql<Reclamo>`
    select o.id as orden_id, r.market_id, r.titulo, r.problema, r.estatus = 'abierto' as abierto, r.fecha, r.mensajes
    from orden o join reclamo r on r.market = o.market and r.orden_market_id = o.market_id
    where o.id = any(${ids}::uuid[]) order by r.fecha, r.id`.execute(db);
  return rows;
}

type Cfdi = {
  id: string;
  tipo: TipoFactura;
  estatus: 'vigente' | 'cancelando' | 'cancelada';
  folio: string;
  uuid: string;
  fechaTimbrado: Date;
  rfc: string;
  razonSocial: string;
  total: Money;
  xmlId: string;
  pdfId: string | null;
  canceladaEn: Date | null;
  /** True for a document of several sales, as a global is. */
  deVarias: boolean;
};

const COLUMNAS = sql`f.id, f.tipo, f.estatus, f.serie || '-' || f.folio as folio, f.uuid, f.fecha_timbrado, f.rfc, f.razon_social, f.total, f.xml_id, f.pdf_id,
  f.cancelada_en`;

/** Documents of sales, credit notes and cancelled ones included, each with what it charges or gives back of the sale. */
async function cfdisOfVentas(db: Db | Trx, ids: readonly string[]) {
  const { rows } = await sql<Cfdi & { ordenId: string; importe: Money | null }>`
    select s.orden_id, s.importe, ${COLUMNAS},
      exists (select from factura_orden o where o.factura_id = f.id and o.orden_id <> s.orden_id)
        or exists (select from nota_credito_orden n where n.nota_id = f.id and n.orden_id <> s.orden_id) as de_varias
    from (
      select orden_id, factura_id, importe from factura_orden where orden_id = any(${ids}::uuid[])
      union all select orden_id, nota_id, importe from nota_credito_orden where orden_id = any(${ids}::uuid[]) and nota_id is not null
    ) s join factura f on f.id = s.factura_id
    order by f.fecha_timbrado, f.id`.execute(db);
  return withCancelaciones(db, rows);
}

/** Reads one document with its cancellations; undefined when there is none by that id. */
export async function readCfdi(db: Db | Trx, id: string) {
  const { rows } = await sql<Cfdi>`select ${COLUMNAS}, true as de_varias from factura f where f.id = ${id}`.execute(db);
  const [cfdi] = await withCancelaciones(db, rows);
  return cfdi;
}

type Cancelacion = {
  facturaId: string;
  motivo: string;
  estado: EstadoCancelacion;
  acuseId: string | null;
  pedidaEn: Date;
  resueltaEn: Date | null;
};

async function withCancelaciones<T extends Cfdi>(db: Db | Trx, cfdis: readonly T[]) {
  const { rows } = await sql<Cancelacion>`
    select factura_id, motivo, estado, acuse_id, pedida_en, resuelta_en from cancelacion
    where factura_id = any(${[...new Set(cfdis.map(({ id }) => id))]}::uuid[]) order by id`.execute(db);
  return cfdis.map((cfdi) => ({ ...cfdi, cancelaciones: rows.filter(({ facturaId }) => facturaId === cfdi.id) }));
}

/** A document with its cancellations. */
export type CfdiEntero = NonNullable<Awaited<ReturnType<typeof readCfdi>>>;

/** Credit notes that were asked for and have no document yet. */
async function notasEnCamino(db: Db | Trx, ids: readonly string[]) {
  return db
    .selectFrom('notaCreditoOrden')
    .where('ordenId', 'in', ids)
    .where('notaId', 'is', null)
    .select(['ordenId', 'importe'])
    .execute();
}

type Pieza = {
  ordenId: string;
  folio: string;
  proveedor: string | null;
  facturaFolio: string | null;
  facturaId: string | null;
  tipo: string | null;
  creadaEn: Date;
};

/** Pieces of our own stock that left with a sale, each with the supplier's invoice that was kept with it. */
async function piezasOf(db: Db | Trx, ids: readonly string[]) {
  const { rows } = await sql<Pieza>`
    select s.venta_id as orden_id, s.folio, coalesce(pr.label, s.proveedor) as proveedor, s.factura_folio, s.factura_id, a.tipo, s.creada_en
    from stock_interno s left join proveedor pr on pr.value = s.proveedor left join archivo a on a.id = s.factura_id
    where s.venta_id = any(${ids}::uuid[]) order by s.folio`.execute(db);
  return rows;
}
