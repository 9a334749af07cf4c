import { sql } from 'kysely';
import type { Money } from '~/core/money';
import { addDays, monthRange, nombreOfMes } from '~/core/time';
import type { ExcelColumn } from '~/platform/lists/list.server';
import { createSheet } from '~/platform/lists/xlsx.server';
import type { Db } from '~db/client.server';
import {
  diotOf,
  txtOf,
  type Cifras,
  type CifrasDiot,
  type Devuelta,
  type Diot,
  type Falta,
  type FilaDiot,
  type FormaDelTxt,
} from './diot';

/** Postal codes of the states in which the southern border region lies; the rest of what is charged at 8 % is of the northern one. */
const ESTADOS_DEL_SUR = ['24', '29', '30', '77', '86'];
const SUR = sql`left(coalesce(c.lugar, dicho.lugar), 2) in (${sql.join(ESTADOS_DEL_SUR)})`;
/** Part of a document's column that a payment paid: by what its complement says of the month, else by what the document itself says. */
const parte = (columna: string) =>
  sql`a.importe * case when dicho.uuid is null then ${sql.ref(`c.${columna}`)} / c.total else ${sql.ref(`dicho.${columna}`)} / dicho.pagado end`;
const suma = (columna: string) => sql`round(sum(${parte(columna)}), 2)`;
const sumaDelSur = (columna: string) => sql`coalesce(round(sum(${parte(columna)}) filter (where ${SUR}), 2), 0)`;

const diasDe = (mes: string) => {
  const primero = `${mes}-01`;
  return { primero, siguiente: `${addDays(primero, 31).slice(0, 7)}-01` };
};

/**
 * Payments of a month ('YYYY-MM') by their own day, and the invoices that they paid, with those that the balance of a note paid: a debt that is set off is paid.
 * `dicho` is what payment complements say of the month, of each document whose taxes all of them tell.
 */
const aplicado = (mes: string) => {
  const { primero, siguiente } = diasDe(mes);
  return sql`
    mes_pago as (select id, proveedor, folio, total from pago where fecha >= ${primero}::date and fecha < ${siguiente}::date),
    a as materialized (
      select x.pago_id, x.factura_id, x.importe from pago_aplicado(array(select id from mes_pago)) x
      union all
      select null, u.factura_id, u.importe from proveedor_nota_uso u
      where u.factura_id is not null and u.fecha >= ${primero}::date and u.fecha < ${siguiente}::date
    ),
    dicho as materialized (
      select d.uuid, sum(d.pagado) as pagado, min(d.lugar) as lugar, sum(d.base16) as base16, sum(d.iva16) as iva16, sum(d.base8) as base8,
        sum(d.iva8) as iva8, sum(d.base0) as base0, sum(d.exento) as exento, sum(d.no_objeto) as no_objeto, sum(d.iva_retenido) as iva_retenido
      from proveedor_docto d join proveedor_cfdi k on k.id = d.cfdi_id
      where d.fecha >= ${primero}::date and d.fecha < ${siguiente}::date and k.descartado_en is null
      group by d.uuid having sum(d.pagado) > 0 and count(d.sin_impuestos) = 0
    )`;
};

/** Notes of a month by their own day, with the part of each that gives back what had been paid. What was owed of it was never paid, so it is in no month. */
const devuelto = (mes: string) => {
  const { from, to } = monthRange(mes);
  return sql`
    devuelto as (
      select c.id, sum(n.importe - n.acreditado) as importe
      from proveedor_cfdi c join proveedor_nota_factura n on n.nota_id = c.id
      where c.tipo = 'E' and c.fecha >= ${from} and c.fecha < ${to} and n.importe > n.acreditado
      group by c.id
    )`;
};

/**
 * Reads what was paid to suppliers in a month ('YYYY-MM'), with its IVA by rate: of each invoice the part that the payments of the month paid. Whatever was
 * paid without its IVA being known is told by reason. What notes of the month give back of what had been paid is taken off.
 */
export async function readDiot(db: Db, mes: string): Promise<Diot> {
  const [conocidas, devueltas, faltas] = await Promise.all([
    readConocidas(db, mes),
    readDevueltas(db, mes),
    readFaltas(db, mes),
  ]);
  return diotOf(conocidas, faltas, devueltas);
}

/** Returns the SAT's text file of a month; null without a line in it. */
export async function readDiotTxt(db: Db, mes: string, forma: FormaDelTxt = {}): Promise<Buffer | null> {
  return txtOf((await readDiot(db, mes)).filas, forma);
}

async function readConocidas(db: Db, mes: string) {
  const { rows } = await sql<Cifras & { rfc: string; nombre: string; facturas: number; pagado: Money }>`
    with ${aplicado(mes)}
    select c.emisor_rfc as rfc, max(c.emisor_nombre) as nombre, count(distinct f.id)::int as facturas, sum(a.importe) as pagado,
      ${suma('base16')} as base16, ${suma('iva16')} as iva16, ${suma('base8')} as base8, ${suma('iva8')} as iva8,
      ${sumaDelSur('base8')} as base8_sur, ${sumaDelSur('iva8')} as iva8_sur, ${suma('base0')} as base0, ${suma('exento')} as exento,
      ${suma('no_objeto')} as no_objeto, ${suma('iva_retenido')} as iva_retenido
    from a join proveedor_factura f on f.id = a.factura_id join proveedor_cfdi c on c.id = f.cfdi_id left join dicho on dicho.uuid = c.uuid
    where c.lugar is not null or dicho.uuid is not null
    group by c.emisor_rfc`.execute(db);
  return rows;
}

const sumaDevuelta = (columna: string) => sql`round(sum(devuelto.importe * ${sql.ref(`c.${columna}`)} / c.total), 2)`;
const delSur = (columna: string) =>
  sql`coalesce(round(sum(devuelto.importe * ${sql.ref(`c.${columna}`)} / c.total) filter (where left(c.lugar, 2) in (${sql.join(ESTADOS_DEL_SUR)})), 2), 0)`;

async function readDevueltas(db: Db, mes: string): Promise<Devuelta[]> {
  const { rows } = await sql<Devuelta>`
    with ${devuelto(mes)}
    select c.emisor_rfc as rfc, max(c.proveedor) as proveedor, max(p.label) as label, count(*)::int as cuantas,
      ${sumaDevuelta('base16')} as base16, ${sumaDevuelta('iva16')} as iva16, ${sumaDevuelta('base8')} as base8, ${sumaDevuelta('iva8')} as iva8,
      ${delSur('base8')} as base8_sur, ${delSur('iva8')} as iva8_sur, ${sumaDevuelta('base0')} as base0, ${sumaDevuelta('exento')} as exento,
      ${sumaDevuelta('no_objeto')} as no_objeto, ${sumaDevuelta('iva_retenido')} as iva_retenido,
      to_json((array_agg(json_build_object('folio', c.folio, 'id', c.id, 'dice', null) order by devuelto.importe desc, c.folio))[1:${sql.lit(EJEMPLOS)}]) as ejemplos
    from devuelto join proveedor_cfdi c on c.id = devuelto.id join proveedor p on p.value = c.proveedor
    where c.lugar is not null
    group by c.emisor_rfc`.execute(db);
  return rows;
}

/** Examples that a reason names, by folio. */
const EJEMPLOS = 5;

async function readFaltas(db: Db, mes: string): Promise<Falta[]> {
  const { from, to } = monthRange(mes);
  const { rows } = await sql<Omit<Falta, 'importe'> & { importe: Money | null }>`
    with ${aplicado(mes)}, ${devuelto(mes)}, falta as (
      select case when c.id is null then 'sinXml' when c.sin_impuestos is null then 'porLeer' else 'ilegible' end as motivo,
        f.proveedor, coalesce(c.emisor_rfc, p.rfc) as rfc, f.folio, c.id, c.sin_impuestos as dice, sum(a.importe) as importe
      from a join proveedor_factura f on f.id = a.factura_id join proveedor p on p.value = f.proveedor
        left join proveedor_cfdi c on c.id = f.cfdi_id left join dicho on dicho.uuid = c.uuid
      where c.lugar is null and dicho.uuid is null
      group by f.id, c.id, p.rfc
      union all
      -- A payment without a total pays what its invoices ask for; one that names none paid nobody knows how much.
      select 'sinFactura', m.proveedor, p.rfc, m.folio, m.id, null, m.total - coalesce(x.importe, 0)
      from mes_pago m join proveedor p on p.value = m.proveedor
        left join lateral (select sum(a.importe) as importe from a where a.pago_id = m.id) x on true
      where case when m.total is null then x.importe is null else m.total > coalesce(x.importe, 0) end
      union all
      select 'notaIlegible', c.proveedor, c.emisor_rfc, c.folio, c.id, c.sin_impuestos, devuelto.importe
      from devuelto join proveedor_cfdi c on c.id = devuelto.id where c.lugar is null
      union all
      select 'sinFecha', pago.proveedor, p.rfc, pago.folio, pago.id, null, pago.total
      from pago join proveedor p on p.value = pago.proveedor
      where pago.fecha is null and pago.creado_en >= ${from} and pago.creado_en < ${to}
    )
    select falta.motivo, falta.proveedor, p.label, falta.rfc, count(*)::int as cuantas,
      case when count(*) = count(falta.importe) then sum(falta.importe) end as importe,
      to_json((array_agg(json_build_object('folio', falta.folio, 'id', falta.id, 'dice', falta.dice) order by falta.importe desc, falta.folio))[1:${sql.lit(EJEMPLOS)}]) as ejemplos
    from falta join proveedor p on p.value = falta.proveedor
    group by falta.motivo, falta.proveedor, p.label, falta.rfc
    order by sum(falta.importe) desc nulls first, p.label, falta.motivo`.execute(db);
  return rows;
}

type FilaDeExcel = FilaDiot & { porQue: string };

const dinero = (header: string, valor: (fila: FilaDeExcel) => Money | null): ExcelColumn<FilaDeExcel> => ({
  header,
  tipo: 'pesos',
  ancho: 16,
  valor,
});
const cifra = (header: string, columna: keyof CifrasDiot) =>
  dinero(header, ({ cifras }) => (cifras === null ? null : cifras[columna]));

const COLUMNAS: ExcelColumn<FilaDeExcel>[] = [
  { header: 'RFC', tipo: 'texto', ancho: 16, valor: ({ rfc }) => rfc },
  { header: 'Proveedor', tipo: 'texto', ancho: 40, valor: ({ nombre }) => nombre },
  { header: 'Facturas', tipo: 'numero', valor: ({ cifras, facturas }) => (cifras === null ? null : facturas) },
  dinero('Pagado', ({ pagado }) => pagado),
  cifra('Actos al 16 %', 'base16'),
  cifra('Devuelto al 16 %', 'devuelto16'),
  cifra('IVA al 16 %', 'iva16'),
  cifra('Actos al 8 %', 'base8'),
  cifra('Devuelto al 8 %', 'devuelto8'),
  cifra('IVA al 8 %', 'iva8'),
  cifra('Actos al 0 %', 'base0'),
  cifra('Actos exentos', 'exento'),
  cifra('No objeto', 'noObjeto'),
  cifra('IVA retenido', 'ivaRetenido'),
  dinero('Sin saber su IVA', ({ sinSaber }) => sinSaber),
  { header: 'Por qué', tipo: 'texto', ancho: 60, valor: ({ porQue }) => porQue },
];

/** Writes a month as Excel: a row for each third party, with what is not known of it and why. */
export async function writeDiot(db: Db, mes: string): Promise<Buffer> {
  const { filas, faltas } = await readDiot(db, mes);
  const sheet = await createSheet<FilaDeExcel>({ hoja: `DIOT ${nombreOfMes(mes)}`, columnas: COLUMNAS, sumas: true });
  for (const fila of filas) {
    const suyas = faltas.filter(({ rfc, label }) =>
      fila.rfc === null ? rfc === null && label === fila.nombre : rfc === fila.rfc,
    );
    const porQue = suyas.map(({ porQue, cuantas, ejemplos }) => {
      const folios = ejemplos.map(({ folio }) => folio).join(', ');
      return `${porQue}: ${folios}${cuantas > ejemplos.length ? ` y ${cuantas - ejemplos.length} más` : ''}`;
    });
    await sheet.write({ ...fila, porQue: porQue.join('; ') });
  }
  return sheet.finish();
}
