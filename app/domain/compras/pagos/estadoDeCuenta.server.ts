import { sql } from 'kysely';
import { z } from 'zod';
import { readRango } from '~/core/list';
import { rangoFields } from '~/core/listFields';
import { Money } from '~/core/money';
import { ZONA_HORARIA } from '~/core/time';
import type { ExcelColumn } from '~/platform/lists/list.server';
import { createSheet } from '~/platform/lists/xlsx.server';
import type { Db } from '~db/client.server';
import { DE_MOVIMIENTO, type EstadoDeCuenta, type Movimiento, type Periodo } from './estadoDeCuenta';
import { desdeElMesAnterior } from './pago';

const Campos = z.object(rangoFields);
/** Returns the range that an address asks for; from the first day of last month on without one. */
export const periodoDeCuenta = (search: URLSearchParams) =>
  readRango(Campos.parse(Object.fromEntries(search)), desdeElMesAnterior());

const dia = (columna: string) => sql`(${sql.ref(columna)} at time zone ${ZONA_HORARIA})::date`;

/** Every movement of a supplier. What was ordered moves no balance: the invoice of an order does. */
const movimientos = (proveedor: string) => sql`
  select ${dia('p.creadoEn')} as fecha, 'pedido' as que, coalesce(p.folio_proveedor, p.folio) as folio, p.num_orden as detalle,
    case when p.moneda = 'MXN' then p.total end as pedido, null::numeric as importe, p.id
  from pedido p where p.proveedor = ${proveedor} and p.estado in ('solicitado', 'confirmado', 'facturado', 'guiaEnviada', 'enviado')
  union all
  select min(coalesce(f.emitida, ${dia('f.fechaCreacion')})), 'factura', min(f.folio),
    case when count(*) = 1 then min(o.num_orden) else count(*) || ' ordenes' end, null, sum(f.monto), min(f.id::text)::uuid
  from proveedor_factura f join orden o on o.id = f.orden_id where f.proveedor = ${proveedor}
  group by coalesce(f.cfdi_id, f.id)
  union all
  select ${dia('c.fecha')}, 'nota', c.folio, (select string_agg(f.folio, ', ' order by f.folio)
      from proveedor_nota_factura n join proveedor_factura f on f.id = n.factura_id where n.nota_id = c.id),
    null, -c.total, c.id
  from proveedor_cfdi c
  where c.tipo = 'E' and c.descartado_en is null
    and (c.proveedor = ${proveedor} or (c.proveedor is null and c.emisor_rfc = (select rfc from proveedor where value = ${proveedor})))
  union all
  select coalesce(p.fecha, ${dia('p.creadoEn')}), 'pago', p.folio, p.clave_rastreo, null,
    -coalesce(p.total, (select sum(d.dado) from pago_dado d where d.pago_id = p.id)), p.id
  from pago p where p.proveedor = ${proveedor}
  union all
  select u.fecha, 'devuelto', u.folio, c.folio, null, u.importe, u.id
  from proveedor_nota_uso u join proveedor_cfdi c on c.id = u.nota_id
  where u.factura_id is null and c.proveedor = ${proveedor}`;

/**
 * Reads the account of a supplier in a range of days, both inclusive: what was ordered, invoiced, credited, paid and given back, with the balance after each.
 * A payment of which nobody wrote an amount moves no balance and is counted. Undefined for an unknown supplier.
 */
export async function readEstadoDeCuenta(
  db: Db,
  proveedor: string,
  { desde, hasta }: Periodo,
): Promise<EstadoDeCuenta | undefined> {
  const suyo = await db
    .selectFrom('proveedor')
    .select(['value', 'label', 'rfc'])
    .where('value', '=', proveedor)
    .executeTakeFirst();
  if (!suyo) return undefined;
  const [{ rows }, { rows: antes }, { rows: hoy }] = await Promise.all([
    sql<Omit<Movimiento, 'saldo'>>`
      select * from (${movimientos(proveedor)}) m where m.fecha between ${desde}::date and ${hasta}::date
      order by m.fecha, m.que = 'pago', m.id`.execute(db),
    sql<{ saldo: Money }>`
      select coalesce(sum(m.importe), 0) as saldo from (${movimientos(proveedor)}) m where m.fecha < ${desde}::date`.execute(
      db,
    ),
    sql<EstadoDeCuenta['hoy']>`
      with m as (${movimientos(proveedor)}), factura as (
        select coalesce(sum(monto - pagada - acreditada), 0) as por_pagar, coalesce(sum(pagada), 0) as pagada,
          coalesce(sum(acreditada), 0) as acreditada
        from proveedor_factura where proveedor = ${proveedor}
      )
      select coalesce(sum(m.importe), 0) as saldo, factura.por_pagar,
        -coalesce(sum(m.importe) filter (where m.que = 'pago'), 0) - factura.pagada as pagos_sin_aplicar,
        -coalesce(sum(m.importe) filter (where m.que in ('nota', 'devuelto')), 0) - factura.acreditada as notas_sin_aplicar,
        (count(*) filter (where m.que = 'pago' and m.importe is null))::int as sin_importe
      from factura left join m on true group by factura.por_pagar, factura.pagada, factura.acreditada`.execute(db),
  ]);
  const inicial = antes[0]!.saldo;
  let saldo = inicial;
  const lineas = rows.map((movimiento) => {
    if (movimiento.importe !== null) saldo = saldo.plus(movimiento.importe);
    return { ...movimiento, saldo };
  });
  const suma = (que: Movimiento['que'], columna: 'pedido' | 'importe') =>
    Money.sum(rows.flatMap((una) => (una.que === que && una[columna] !== null ? [una[columna]] : [])));
  const menos = (amount: Money) => Money.zero.minus(amount);
  return {
    proveedor: suyo.value,
    label: suyo.label,
    rfc: suyo.rfc,
    inicial,
    movimientos: lineas,
    final: saldo,
    totales: {
      pedido: suma('pedido', 'pedido'),
      facturado: suma('factura', 'importe'),
      acreditado: menos(suma('nota', 'importe')),
      pagado: menos(suma('pago', 'importe')),
      devuelto: suma('devuelto', 'importe'),
    },
    hoy: hoy[0]!,
  };
}

const cargo = ({ importe }: Movimiento) => (importe !== null && !importe.isNegative() ? importe : null);
const abono = ({ importe }: Movimiento) => (importe?.isNegative() ? Money.zero.minus(importe) : null);

const COLUMNAS: ExcelColumn<Movimiento>[] = [
  { header: 'Fecha', tipo: 'texto', ancho: 12, valor: ({ fecha }) => fecha },
  { header: 'Movimiento', tipo: 'texto', ancho: 20, valor: ({ que }) => DE_MOVIMIENTO[que] },
  { header: 'Folio', tipo: 'texto', ancho: 24, valor: ({ folio }) => folio },
  { header: 'Detalle', tipo: 'texto', ancho: 30, valor: ({ detalle }) => detalle },
  { header: 'Pedido', tipo: 'pesos', ancho: 14, valor: ({ pedido }) => pedido },
  { header: 'Cargo', tipo: 'pesos', ancho: 14, valor: cargo },
  { header: 'Abono', tipo: 'pesos', ancho: 14, valor: abono },
  { header: 'Saldo', tipo: 'pesos', ancho: 14, valor: ({ saldo }) => saldo },
];

/** Writes the account of a supplier as Excel. Undefined for an unknown supplier. */
export async function writeEstadoDeCuenta(
  db: Db,
  proveedor: string,
  periodo: Periodo,
): Promise<{ nombre: string; contenido: Buffer } | undefined> {
  const estado = await readEstadoDeCuenta(db, proveedor, periodo);
  if (!estado) return undefined;
  const sheet = await createSheet<Movimiento>({ hoja: 'Estado de cuenta', columnas: COLUMNAS });
  const nada = { detalle: null, pedido: null, importe: null };
  await sheet.write({ id: '', fecha: periodo.desde, que: 'inicial', folio: null, ...nada, saldo: estado.inicial });
  for (const movimiento of estado.movimientos) await sheet.write(movimiento);
  return {
    nombre: `Estado de cuenta ${estado.label} ${periodo.desde} a ${periodo.hasta}.xlsx`,
    contenido: await sheet.finish(),
  };
}
