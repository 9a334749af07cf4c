import { sql } from 'kysely';
import { MARKET_LABEL } from '~/core/market';
import { Money } from '~/core/money';
import { rowOf } from '~/core/table';
import type { Db, Trx } from '~db/client.server';
import type { FuenteDeAsiento } from '~db/columns';
import { RECIBE_ESTIMADO } from './recibe.server';
import { type Dinero, type LineaDeDinero, porqueOf } from './dinero';

/** Names of the lines. A line of the ledger is called by the part of its name before ':', and what follows tells whose it is. */
const CONCEPTO = {
  venta: 'Pagado',
  devolucion: 'Devuelto al cliente',
  comision: 'Comisión',
  cupon: 'Cupón que pagamos',
  envio: 'Envío',
  etiqueta: 'Guía propia',
  retencion: 'Retenciones',
  retencionDelMes: 'Retenciones del mes',
  otros: 'Otros cargos del mercado',
  costo: 'Costo',
  propio: 'Costo propio',
  catalogo: 'Costo de catálogo',
  nota: 'Nota de crédito',
  pieza: 'Pieza del stock',
  recuperado: 'Pieza recuperada',
} as const;
/** Who said the amount of a line. */
const DICHO: Readonly<Record<FuenteDeAsiento, string>> = {
  mercado: 'dicho por el mercado',
  tarifa: 'por las tasas de la tienda',
  liquidacion: 'de la liquidación',
  envio: 'del envío',
  factura: 'de la factura',
  pedido: 'del pedido',
  pieza: 'de la pieza',
  nota: 'de la nota de crédito',
  retiro: 'ya no se cobra',
  producto: 'escrito por alguien',
  catalogo: 'del catálogo del proveedor',
  estimacion: 'estimada por el mercado',
};
const ORDEN = Object.keys(CONCEPTO);
const parteOf = (renglon: string) => renglon.split(':', 1)[0]!;

/**
 * Returns the money of a sale as its ledger tells it, from what was paid to what is left: sums of movements, and nothing that is reckoned anew. Null for an
 * id without a sale.
 */
export async function readDinero(db: Db | Trx, ordenId: string): Promise<Dinero | null> {
  const libro = await db
    .selectFrom('libroVenta')
    .innerJoin('orden', 'orden.id', 'libroVenta.ordenId')
    .select(['orden.market', 'libroVenta.pagado', 'recibe', 'queda', 'certeza', 'estima', 'falta', 'liquidada'])
    .select(RECIBE_ESTIMADO.as('recibeEstimado'))
    .select(sql<string | null>`round(libro_venta.queda * 100 / nullif(libro_venta.pagado, 0), 1)::text`.as('margen'))
    .where('ordenId', '=', ordenId)
    .executeTakeFirst();
  if (!libro) return null;
  const { rows } = await sql<{
    renglon: string;
    proveedor: string | null;
    importe: Money;
    deCosto: boolean;
    cierto: boolean;
    fuente: FuenteDeAsiento;
  }>`
    with linea as (
      select renglon,
        -- What leaves an account of results adds to the sale, and what goes into one takes from it.
        sum(case when de in ('venta', 'costo') then importe else -importe end) as importe,
        bool_or('costo' in (de, a)) as de_costo,
        (array_agg(cierto order by id desc))[1] as cierto,
        (array_agg(fuente order by id desc))[1] as fuente
      from asiento
      where orden_id = ${ordenId} and renglon <> 'deposito'
      group by renglon
    )
    select l.*, p.label as proveedor
    from linea l left join proveedor p on p.value = split_part(l.renglon, ':', 2)
    where l.importe <> 0`.execute(db);
  const lineas = rows
    .toSorted(
      (a, b) =>
        ORDEN.indexOf(parteOf(a.renglon)) - ORDEN.indexOf(parteOf(b.renglon)) || (a.renglon < b.renglon ? -1 : 1),
    )
    .map(({ renglon, proveedor, deCosto, ...resto }) => ({
      ...resto,
      deCosto,
      clave: renglon,
      concepto: conceptoOf(renglon, proveedor),
      dicho: DICHO[resto.fuente],
      parte: parteDe(resto.importe, libro.pagado),
    }));
  const of = (deCosto: boolean): LineaDeDinero[] =>
    lineas.filter((linea) => linea.deCosto === deCosto).map(({ deCosto: _, ...linea }) => linea);
  const { recibe, recibeEstimado, queda, margen, certeza, liquidada, market, pagado: _, ...incierto } = libro;
  return {
    ingresos: of(false),
    recibe,
    recibeEstimado,
    costos: of(true),
    queda,
    margen,
    certeza,
    liquidada,
    falta: incierto.falta,
    porque: porqueOf(incierto, MARKET_LABEL[market]),
  };
}

/** Returns a part of the paid amount in percent, with one decimal. */
const parteDe = (importe: Money, pagado: Money): string | null =>
  pagado.isZero() ? null : Money.ofMicros((importe.micros * 100_000_000n) / pagado.micros).toFixed(1);

/** Returns the name of a line: 'Costo: Syscom', 'Pieza del stock: DV-2026-000001'. */
function conceptoOf(renglon: string, proveedor: string | null): string {
  const parte = parteOf(renglon);
  const suyo = proveedor ?? (renglon === parte ? null : renglon.slice(parte.length + 1));
  return [rowOf(CONCEPTO, parte) ?? parte, suyo].filter(Boolean).join(': ');
}
