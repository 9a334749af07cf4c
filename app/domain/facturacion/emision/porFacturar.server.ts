import { sql, type RawBuilder } from 'kysely';
import type { Money } from '~/core/money';
import { RFC_EXTRANJERO, RFC_PUBLICO } from '~/core/rfc';
import type { Espera } from '~/platform/hoy/espera';
import { DIA } from '~/platform/hoy/reloj';
import type { Cola } from '~/platform/hoy/cola';
import { MAX_ELEGIDAS } from '~/platform/batches/batch';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { MOTIVO_DE_EXCLUSION, SIN_DOCUMENTO } from '~/domain/facturacion/cfdi/facturables.server';
import type { Market } from '~db/columns';
import type { Db } from '~db/client.server';

/** Days that a sale waits for its factura: longer than a month stays open for its global. */
const DIAS = 45;
/** A buyer who asked gets their CFDI the next day; three days later they complain. */
const PLAZOS = { aviso: DIA, mal: 3 * DIA };

/**
 * Condition that the factura of an orden was asked for and came to nothing, by the PAC's no or by a person's decision, and nobody has opened it again.
 * Table: orden.
 */
export const NO_TIMBRADA = sql<boolean>`exists (
  select from factura_draft d join effect e on e.id = d.effect_id
  where d.num_orden = orden.num_orden and d.market = orden.market and d.enlace_id is null and e.state in ('refused', 'cancelled'))`;

/**
 * Condition that nothing of the factura is unknown: the receiver is in our records, client or marketplace told use and payment form, and no try
 * came to nothing. Tables: orden, f.
 */
const LISTA = sql`not ${NO_TIMBRADA} and exists (
  select from cliente_fiscal c
  where c.rfc = f.rfc and c.uid is not null and c.regimen <> '' and coalesce(c.uso_cfdi, f.uso_cfdi) is not null
    and orden.forma_pago is not null)`;

/** Condition that an orden of these days can be invoiced and is in no document. Table: orden. */
const LIBRE = sql`orden.fecha_creacion > now() - make_interval(days => ${DIAS}) and ${MOTIVO_DE_EXCLUSION} is null and ${SIN_DOCUMENTO}`;

/** Tax data that a buyer gave at the marketplace. Tables: orden, f. */
const DE_COMPRADOR = sql`f.market = orden.market and f.billing_info_id = orden.billing_info_id
  and f.rfc <> '' and f.rfc not in (${RFC_PUBLICO}, ${RFC_EXTRANJERO})`;

/** Condition that the buyer of an orden gave tax data. Table: orden. */
export const CON_DATOS_FISCALES = sql<boolean>`exists (select from comprador_fiscal f where ${DE_COMPRADOR})`;

/** Sales whose buyer gave tax data and that wait for their factura, each once. */
const piden = (y: RawBuilder<unknown> = sql`true`) => sql`
  select orden.market, orden.num_orden, min(orden.id::text) as id, min(orden.fecha_creacion) as desde,
    (array_agg(orden.titulo order by orden.market_id))[1] as titulo, sum(orden.pagado_abs) as pagado,
    min(f.razon_social) as razon_social, coalesce(bool_and(${LISTA}), false) as lista
  from orden join comprador_fiscal f on ${DE_COMPRADOR}
  where ${LIBRE} and ${y}
  group by orden.market, orden.num_orden`;

/** Most ordenes of one sale. */
const DE_UNA_VENTA = 20;
/** The newest sales whose buyer gave no tax data. Only so many ordenes are read as so many sales may have: there are as many such sales as a shop sells. */
const otras = (limite: number) => sql`
  select market, num_orden, min(fecha_creacion) as desde, (array_agg(titulo order by market_id))[1] as titulo, sum(pagado_abs) as pagado,
    null::text as razon_social, false as lista
  from (
    select orden.market, orden.num_orden, orden.market_id, orden.fecha_creacion, orden.titulo, orden.pagado_abs from orden
    where ${LIBRE} and not ${CON_DATOS_FISCALES}
    order by orden.fecha_creacion desc limit ${limite * DE_UNA_VENTA}) libre
  group by market, num_orden order by desde desc, num_orden limit ${limite}`;

/** 'Listas para facturar': sales whose buyer gave tax data at the marketplace and whose factura needs one press. The screen has those that need more. */
export const listasParaFacturar: Cola = {
  clave: 'listasParaFacturar',
  titulo: 'Listas para facturar',
  clase: 'comprador',
  icono: 'recibo',
  pantallas: ['facturacion'],
  ver: 'Ver las ventas por facturar',
  lote: { lista: 'ordenes', hacer: ['facturar'] },
  plazos: PLAZOS,
  necesita: 'ventas',
  frescoMs: 10_000,
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select id, titulo, concat_ws(' · ', num_orden, razon_social) as detalle,
        'facturacion?numOrden=' || num_orden as a, desde, null::timestamptz as vence from (${piden()}) e where lista`,
      PLAZOS,
      mirada,
    ),
};

/** Returns that a sale waits for its factura, where its buyer gave tax data at the marketplace; nothing where it does not. */
export async function esperaFactura(
  db: Db,
  { market, numOrden }: { market: Market; numOrden: string },
): Promise<Espera[]> {
  const suya = sql`orden.market = ${market} and orden.num_orden = ${numOrden}`;
  const { rows } = await sql<{
    desde: Date;
    ahora: Date;
  }>`select desde, now() as ahora from (${piden(suya)}) e`.execute(db);
  return rows.map(({ desde }) => ({
    paso: 'facturar',
    de: numOrden,
    texto: 'El comprador dio sus datos y espera su factura',
    plazo: { desde, vence: null, plazos: PLAZOS },
    pantalla: `facturacion?numOrden=${encodeURIComponent(numOrden)}`,
  }));
}

/** A sale that waits for its factura. `razonSocial` is null where its buyer gave no tax data. */
export type VentaPorFacturar = {
  market: Market;
  numOrden: string;
  titulo: string;
  desde: Date;
  pagado: Money;
  razonSocial: string | null;
  /** One press makes its factura. */
  lista: boolean;
};

/**
 * Lists the sales that wait for a factura: those whose buyer asked, the oldest first, and then the newest of the others. `piden` counts the former;
 * `listas` names an orden of each that needs one press, the oldest sale first, as many as one choice may hold.
 */
export async function listPorFacturar(
  db: Db,
  limite: number,
): Promise<{ piden: number; listas: string[]; ventas: VentaPorFacturar[] }> {
  const [{ rows: pedidas }, demas] = await Promise.all([
    sql<VentaPorFacturar & { id: string }>`select * from (${piden()}) e order by desde, num_orden`.execute(db),
    sql<VentaPorFacturar>`${otras(limite)}`.execute(db),
  ]);
  return {
    piden: pedidas.length,
    listas: pedidas.flatMap(({ id, lista }) => (lista ? [id] : [])).slice(0, MAX_ELEGIDAS),
    ventas: [...pedidas, ...demas.rows]
      .slice(0, limite)
      .map(({ market, numOrden, titulo, desde, pagado, razonSocial, lista }) => ({
        market,
        numOrden,
        titulo,
        desde,
        pagado,
        razonSocial,
        lista,
      })),
  };
}
