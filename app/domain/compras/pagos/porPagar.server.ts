import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { listFields, proveedorField } from '~/core/listFields';
import { Money } from '~/core/money';
import { rowOf } from '~/core/table';
import { addDays, civilDay, ZONA_HORARIA } from '~/core/time';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';
import { readAnunciadas } from '~/domain/compras/facturas/anunciadas.server';
import { MAX_ELEGIBLES } from '~/domain/compras/facturas/forms';
import { record } from '~/platform/bitacora.server';
import { contains, defineList } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import type { FacturasPagadas } from './forms';
import { CUALES, repartir } from './pago';
import { openPago, readArchivos } from './savePagos.server';

/** Day of a supplier's invoice: of its CFDI, else the day it was written down. */
const DIA = sql<string>`coalesce(proveedor_factura.emitida, (proveedor_factura.fecha_creacion at time zone ${sql.lit(ZONA_HORARIA)})::date)`;
/** Last day to pay; null while the supplier's term is unknown. */
const VENCE = sql<string | null>`(${DIA} + proveedor.plazo_dias)`;
const FALTA = sql<Money>`(proveedor_factura.monto - proveedor_factura.pagada - proveedor_factura.acreditada)`;
/** Whether its last day has passed. */
const vencida = () => sql<boolean>`coalesce(${VENCE} < ${civilDay(new Date())}::date, false)`;
/** Days before the last one from which an invoice asks to be paid. */
const AVISO_DIAS = 3;
const urgente = () => sql<boolean>`coalesce(${VENCE} <= ${addDays(civilDay(new Date()), AVISO_DIAS)}::date, false)`;
/** Keeps to the index of open invoices. */
const ABIERTA = sql<boolean>`proveedor_factura.pagada + proveedor_factura.acreditada < proveedor_factura.monto`;

const SORTS = ['vence', 'fecha', 'proveedor', 'folio', 'falta'] as const;

const filtro = z.object({
  ...listFields(SORTS, 'vence'),
  proveedor: proveedorField,
  cuales: z.enum(Object.keys(CUALES) as (keyof typeof CUALES)[]).catch('todas'),
});

/** 'Por pagar': the invoices of suppliers that no payment covers whole, of whatever age. */
export const porPagarList = defineList({
  lista: 'pagosProveedores.porPagar',
  titulo: 'Facturas por pagar',
  todas: 'Todas',
  filtro,
  propios: {
    proveedor: (valor) => `Proveedor: ${valor}`,
    cuales: (valor) => rowOf(CUALES, valor) ?? valor,
  },
  id: 'proveedorFactura.id',
  idsGrow: true,
  sorts: {
    vence: sql`coalesce(${VENCE}, 'infinity')`,
    fecha: DIA,
    proveedor: sql`${sql.ref('proveedorFactura.proveedor')} collate "C"`,
    folio: sql`lower(${sql.ref('proveedorFactura.folio')}) collate "C"`,
    falta: FALTA,
  },
  enteros: (entero) =>
    entero.clase === 'numero'
      ? sql`select id from proveedor_factura where orden_id in (${ordenesEnteras(entero)}) and ${ABIERTA}`
      : entero.clase === 'rfc'
        ? undefined
        : sql`select id from proveedor_factura where lower(folio) = lower(${entero.texto}) and ${ABIERTA}`,
  matches(db, { q, proveedor, cuales }, enteros) {
    const abiertas = db
      .selectFrom('proveedorFactura')
      .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
      .where(ABIERTA);
    if (enteros) return abiertas.where(sql<boolean>`proveedor_factura.id in (${enteros})`);
    return abiertas
      .$if(proveedor !== undefined, (suyas) => suyas.where('proveedorFactura.proveedor', '=', proveedor!))
      .$if(cuales === 'vencidas', (tarde) => tarde.where(vencida()))
      .$if(cuales === 'urgentes', (pronto) => pronto.where(urgente()))
      .$if(cuales === 'sinPlazo', (sin) => sin.where('proveedor.plazoDias', 'is', null))
      .$if(q !== '', (found) => found.where(contains('proveedorFactura.busqueda', q)));
  },
  rows: (db) =>
    db
      .selectFrom('proveedorFactura')
      .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
      .innerJoin('orden', 'orden.id', 'proveedorFactura.ordenId')
      .select([
        'proveedorFactura.id',
        'proveedorFactura.folio',
        'proveedorFactura.proveedor',
        'proveedor.label as proveedorLabel',
        'proveedorFactura.ordenId',
        'orden.market',
        'orden.numOrden',
        'orden.titulo',
        DIA.as('fecha'),
        VENCE.as('vence'),
        vencida().as('vencida'),
        'proveedorFactura.monto',
        'proveedorFactura.pagada',
        'proveedorFactura.acreditada',
        FALTA.as('falta'),
      ]),
  totales: (facturas) =>
    facturas.select([
      sql<string>`coalesce(sum(proveedor_factura.monto), 0)`.as('monto'),
      sql<string>`coalesce(sum(proveedor_factura.pagada), 0)`.as('pagada'),
      sql<string>`coalesce(sum(proveedor_factura.acreditada), 0)`.as('acreditada'),
      sql<string>`coalesce(sum(${FALTA}), 0)`.as('falta'),
    ]),
  excel: {
    hoja: 'Facturas por pagar',
    columnas: [
      { header: 'Vence', tipo: 'texto', ancho: 12, valor: (factura) => factura.vence },
      { header: 'Fecha', tipo: 'texto', ancho: 12, valor: (factura) => factura.fecha },
      { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (factura) => factura.proveedorLabel },
      { header: 'Folio', tipo: 'texto', ancho: 18, valor: (factura) => factura.folio },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (factura) => factura.numOrden },
      { header: 'Título', tipo: 'texto', ancho: 60, valor: (factura) => factura.titulo },
      { header: 'Monto', tipo: 'pesos', ancho: 14, valor: (factura) => factura.monto },
      { header: 'Pagado', tipo: 'pesos', ancho: 14, valor: (factura) => factura.pagada },
      { header: 'Notas de crédito', tipo: 'pesos', ancho: 16, valor: (factura) => factura.acreditada },
      { header: 'Falta', tipo: 'pesos', ancho: 14, valor: (factura) => factura.falta },
    ],
  },
});

/** What is owed to one supplier on its open invoices. */
export type Deuda = {
  proveedor: string;
  label: string;
  plazoDias: number | null;
  facturas: number;
  falta: Money;
  /** Those whose last day has passed. */
  vencidas: number;
  vencido: Money;
  /** Those whose last day has passed or comes within three days. */
  urgentes: number;
  urgente: Money;
  /** The earliest last day among them; null without a term. */
  vence: string | null;
};

/** Returns what is owed to each supplier, the most urgent first. Suppliers to whom nothing is owed are left out. */
export async function deudasPorProveedor(db: Db): Promise<Deuda[]> {
  const sumaSi = (cuando: RawBuilder<boolean>) => sql`coalesce(sum(${FALTA}) filter (where ${cuando}), 0)`;
  const { rows } = await sql<Deuda>`
    select proveedor.value as proveedor, proveedor.label, proveedor.plazo_dias as "plazoDias",
      count(*)::int as facturas, sum(${FALTA}) as falta,
      count(*) filter (where ${vencida()})::int as vencidas, ${sumaSi(vencida())} as vencido,
      count(*) filter (where ${urgente()})::int as urgentes, ${sumaSi(urgente())} as urgente, min(${VENCE}) as vence
    from proveedor_factura join proveedor on proveedor.value = proveedor_factura.proveedor
    where ${ABIERTA}
    group by proveedor.value
    order by min(${VENCE}) nulls last, proveedor.label`.execute(db);
  return rows;
}

/** An order older than this is not expected to be invoiced any more. */
const PEDIDOS_DIAS = 183;
/** Bought in pesos and in dollars without an invoice of the supplier here; null where nothing was. */
type SinFacturar = {
  proveedor: string;
  label: string;
  plazoDias: number | null;
  pesos: Money | null;
  dolares: Money | null;
};

async function pedidosSinFacturar(db: Db): Promise<SinFacturar[]> {
  const { rows } = await sql<SinFacturar>`
    select proveedor.value as proveedor, proveedor.label, proveedor.plazo_dias as "plazoDias",
      sum(p.total) filter (where p.moneda = 'MXN') as pesos, sum(p.total) filter (where p.moneda = 'USD') as dolares
    from pedido p join proveedor on proveedor.value = p.proveedor
    where p.estado in ('solicitado', 'confirmado', 'facturado', 'guiaEnviada', 'enviado')
      and p.creado_en > now() - ${PEDIDOS_DIAS} * interval '1 day' and not p.facturado_aqui
    group by proveedor.value
    order by proveedor.label`.execute(db);
  return rows;
}

/** Returns, for each supplier to whom something is owed or that owes us an invoice, both. */
async function cuentasPorPagar(db: Db) {
  const [deudas, pedidos] = await Promise.all([deudasPorProveedor(db), pedidosSinFacturar(db)]);
  const conDeuda = new Set(deudas.map(({ proveedor }) => proveedor));
  const nada = { facturas: 0, falta: Money.zero, vencidas: 0, vencido: Money.zero };
  return [
    ...deudas.map(({ urgentes: _, urgente: __, vence: ___, ...deuda }) => {
      const suyo = pedidos.find(({ proveedor }) => proveedor === deuda.proveedor);
      return { ...deuda, pesos: suyo?.pesos ?? null, dolares: suyo?.dolares ?? null };
    }),
    ...pedidos.filter(({ proveedor }) => !conDeuda.has(proveedor)).map((suyo) => ({ ...suyo, ...nada })),
  ];
}

/** Returns the open invoices of a supplier, the pressed one and then those to be paid first. */
async function elegiblesDe(db: Db | Trx, proveedor: string, factura: string | null) {
  return abiertasDe(db)
    .where('proveedorFactura.proveedor', '=', proveedor)
    .orderBy(sql`proveedor_factura.id::text is distinct from ${factura}`)
    .orderBy(sql`coalesce(${VENCE}, 'infinity')`)
    .orderBy('proveedorFactura.id')
    .limit(MAX_ELEGIBLES)
    .execute();
}

/** Returns what is owed to each supplier, the invoices that suppliers announced and nobody added, and those that 'Registrar pago' offers of the one that is about to be paid. */
export async function readPorPagar(db: Db, pagado: { proveedor: string; factura: string | null } | null) {
  const [cuentas, anunciadas, elegibles] = await Promise.all([
    cuentasPorPagar(db),
    readAnunciadas(db),
    pagado === null ? [] : elegiblesDe(db, pagado.proveedor, pagado.factura),
  ]);
  return { cuentas, anunciadas, elegibles, tope: MAX_ELEGIBLES };
}

const abiertasDe = (db: Db | Trx) =>
  db
    .selectFrom('proveedorFactura')
    .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
    .innerJoin('orden', 'orden.id', 'proveedorFactura.ordenId')
    .where(ABIERTA)
    .select([
      'proveedorFactura.id',
      'proveedorFactura.folio',
      'proveedorFactura.ordenId',
      'orden.numOrden',
      VENCE.as('vence'),
      FALTA.as('falta'),
    ]);

/**
 * Registers one transfer that pays the chosen invoices of a supplier, the first to fall due first, and returns its id. A total below their sum pays a
 * part; what a total leaves over stays on the payment. Throws `NotAllowed` at a field, and `Stale` when what is owed on them is no longer what the
 * screen showed.
 */
export async function pagarFacturas(
  db: Db,
  { proveedor, folio, fecha, total, facturas, archivos }: FacturasPagadas,
  usuarioId: string,
): Promise<{ id: string }> {
  const leidos = await readArchivos(archivos);
  const vistas = new Map(facturas.map(({ id, falta }) => [id, falta]));
  return db.transaction().execute(async (trx) => {
    // Whoever pays the same invoice at the same time waits here.
    await sql`select from proveedor_factura where id = any(${[...vistas.keys()]}::uuid[]) order by id for update`.execute(
      trx,
    );
    const suyas = await abiertasDe(trx)
      .where('proveedorFactura.proveedor', '=', proveedor)
      .where('proveedorFactura.id', 'in', [...vistas.keys()])
      .orderBy(sql`coalesce(${VENCE}, 'infinity')`)
      .orderBy('proveedorFactura.id')
      .execute();
    const cambios = suyas
      .filter(({ id, falta }) => !falta.equals(vistas.get(id)!))
      .map(({ id, folio: suyo, falta }) => ({
        campo: suyo,
        mio: enPesos(vistas.get(id)!.toFixed(2)),
        suyo: enPesos(falta.toFixed(2)),
      }));
    if (suyas.length < vistas.size)
      cambios.push({ campo: 'Facturas por pagar', mio: `${vistas.size}`, suyo: `${suyas.length}` });
    if (cambios.length > 0) throw new Stale({ cambios, marcas: {} });
    const { id, nuevo } = await openPago(trx, { proveedor, folio, archivos: leidos }, usuarioId);
    if (!nuevo)
      throw new NotAllowed('Error de carga.', 'Ya existe un pago con ese folio a este proveedor.', { campo: 'folio' });
    await trx.updateTable('pago').set({ fecha, total }).where('id', '=', id).execute();
    const partes = repartir(Money.of(total), suyas);
    await trx
      .insertInto('pagoOrden')
      .values(partes.map(({ ordenId, monto }) => ({ pagoId: id, ordenId, monto, usuarioId })))
      .execute();
    for (const { ordenId, monto } of partes)
      await record(trx, {
        usuarioId,
        entidad: 'orden',
        entidadId: ordenId,
        accion: 'agregar pago a proveedor',
        datos: { id, proveedor, folio, monto },
      });
    return { id };
  });
}
