import { sql, type RawBuilder } from 'kysely';
import { Money } from '~/core/money';
import { monthRange } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import type { Certeza } from '~db/columns';
import { CAUSAS_DEL_MES, EDADES, PARTES_DEL_MES, type CausaDelMes, type ParteDelMes } from './mesCerrado';

/** A month without a global is looked at as it was so many days after its end. */
const DIAS_SIN_GLOBAL = 5;
/** Sales that are named for each cause. */
const MAYORES = 3;

/** What sales leave, how many sales that counts, and how many nobody could tell. */
type Resultado = { queda: Money; ventas: number; sinSaber: number };
/** A sale that moved a cause. */
type Movida = { id: string; numOrden: string; importe: string };
type CausaDicha = { causa: CausaDelMes; importe: Money; ventas: number; mayores: Movida[] };
/** What was paid for sales whose money is known so surely, by the age of the sale. */
type Tramo = { certeza: Certeza; edad: number; pagado: Money; ventas: number };
/** How much of what was paid is known so surely; `parte` is in percent with one decimal, null where nothing was paid. */
type Grado = { certeza: Certeza; pagado: Money; ventas: number; parte: string | null };

/** A month by the day of its sales. */
export type MesCerrado = {
  mes: string;
  /** Moment at which the month was closed: that of its last global, or `DIAS_SIN_GLOBAL` days after its end. Null while that moment lies ahead. */
  momento: Date | null;
  conGlobal: boolean;
  /** Null where nothing was known at that moment, as of months from before the ledger. */
  entonces: Resultado | null;
  hoy: Resultado;
  /** What is left today less what was left then; null without `entonces`. */
  diferencia: Money | null;
  /** The causes that moved the result, in the order of `CAUSAS_DEL_MES`; they add up to its difference to the cent. */
  causas: CausaDicha[];
  calidad: {
    /** What was paid for the sales of the month. */
    pagado: Money;
    grados: Grado[];
    /** What is not known to the cent, by age. */
    tramos: Tramo[];
    /** Money of settlements in the month that is of no sale and has no reason, without signs. */
    sueltos: Money;
  };
};

/** SQL: what a movement adds to a part of what is left; null for one of another part. */
const sumaDe = (parte: ParteDelMes): RawBuilder<unknown> =>
  parte === 'venta' || parte === 'costo'
    ? sql`case when a.de = ${sql.lit(parte)} then a.importe when a.a = ${sql.lit(parte)} then -a.importe end`
    : sql`case when a.a = ${sql.lit(parte)} then -a.importe end`;
const columna = (cuando: 'entonces' | 'ahora') => (parte: ParteDelMes) => sql.ref(`${cuando}_${parte}`);
const SUMAS_DE_PARTES = (corte: RawBuilder<unknown>) =>
  sql.join(
    PARTES_DEL_MES.flatMap((parte) => [
      sql`coalesce(sum(${sumaDe(parte)}), 0) as ${columna('ahora')(parte)}`,
      sql`coalesce(sum(${sumaDe(parte)}) filter (where a.supimos <= ${corte}), 0) as ${columna('entonces')(parte)}`,
    ]),
  );
const PARTES_ENTONCES = sql`array[${sql.join(PARTES_DEL_MES.map(columna('entonces')))}]`;
const PARTES_AHORA = sql`array[${sql.join(PARTES_DEL_MES.map(columna('ahora')))}]`;
const ENTONCES = sql.join(PARTES_DEL_MES.map(columna('entonces')), sql` + `);

/** Reads a month as it was known when it was closed and as it is known today, with the causes of the difference, and how much of its money is explained. */
export async function readMesCerrado(db: Db | Trx, mes: string, now: Date): Promise<MesCerrado> {
  const range = monthRange(mes);
  const [global, calidad] = await Promise.all([lastGlobal(db, range), readCalidad(db, range, now)]);
  const after = new Date(range.to.getTime() + DIAS_SIN_GLOBAL * 86_400_000);
  const momento = global ?? (after < now ? after : null);
  const corte = sql`${momento ?? range.from}::timestamptz`;
  const { rows } = await sql<{
    entonces: { queda: string; ventas: number; sinSaber: number };
    hoy: { queda: string; ventas: number; sinSaber: number };
    causas: { causa: CausaDelMes; importe: string; ventas: number; mayores: Movida[] }[] | null;
  }>`
    with venta as materialized (
      select orden_id, queda from libro_venta
      where fecha >= ${range.from} and fecha < ${range.to} and falta <> '{calculo}'
    ),
    -- One pass over the movements: a row for each sale, with each part then and now.
    sabida as materialized (
      select v.orden_id, v.queda as ahora, s.llego, ${PARTES_ENTONCES} as de_entonces, ${PARTES_AHORA} as de_ahora,
        -- Without a cost nobody knows what a sale leaves, unless nothing of its price stands.
        case when s.llego and (entonces_costo <> 0 or entonces_venta = 0) then ${ENTONCES} end as antes
      from venta v left join (
        select a.orden_id, bool_or(a.supimos <= ${corte}) as llego, ${SUMAS_DE_PARTES(corte)}
        from venta join asiento a using (orden_id)
        group by a.orden_id
      ) s using (orden_id)
    ),
    movida as materialized (
      select orden_id,
        case when antes is null then case when llego then 'supimos' else 'llegaron' end else 'yaNo' end as causa,
        case when antes is null then ahora else -antes end as importe
      from sabida where (antes is null) <> (ahora is null)
      union all
      select q.orden_id, p.parte, p.ahora - p.entonces
      from sabida q, unnest(${[...PARTES_DEL_MES]}::text[], q.de_entonces, q.de_ahora) as p (parte, entonces, ahora)
      where q.antes is not null and q.ahora is not null and p.ahora <> p.entonces
    ),
    causa as (
      select causa, sum(importe)::text as importe, count(*)::int as ventas,
        (select json_agg(json_build_object('id', o.id, 'numOrden', o.num_orden, 'importe', mas.importe::text) order by abs(mas.importe) desc, o.id)
          from (select orden_id, importe from movida mia where mia.causa = movida.causa order by abs(importe) desc, orden_id limit ${sql.lit(MAYORES)}) mas
            join orden o on o.id = mas.orden_id) as mayores
      from movida group by causa
    )
    select
      (select json_build_object('queda', coalesce(sum(antes), 0)::text, 'ventas', count(antes), 'sinSaber', count(*) filter (where llego and antes is null)) from sabida) as entonces,
      (select json_build_object('queda', coalesce(sum(ahora), 0)::text, 'ventas', count(ahora), 'sinSaber', count(*) filter (where ahora is null)) from sabida) as hoy,
      (select json_agg(c) from causa c) as causas`.execute(db);
  const { entonces, hoy, causas } = rows[0]!;
  const known = momento !== null && entonces.ventas + entonces.sinSaber > 0;
  return {
    mes,
    momento,
    conGlobal: global !== null,
    entonces: known ? { ...entonces, queda: Money.of(entonces.queda) } : null,
    hoy: { ...hoy, queda: Money.of(hoy.queda) },
    diferencia: known ? Money.of(hoy.queda).minus(Money.of(entonces.queda)) : null,
    causas: known
      ? CAUSAS_DEL_MES.flatMap((causa) =>
          (causas ?? [])
            .filter((dicha) => dicha.causa === causa)
            .map(({ importe, ...dicha }) => ({ ...dicha, importe: Money.of(importe) })),
        )
      : [],
    calidad,
  };
}

/** Returns when the last living global of the sales of a month was stamped; null without one. */
async function lastGlobal(db: Db | Trx, { from, to }: { from: Date; to: Date }): Promise<Date | null> {
  const { rows } = await sql<{ en: Date | null }>`
    select max(f.fecha_timbrado) as en
    from factura f
    where f.tipo = 'global' and f.cancelada_en is null and f.fecha_timbrado >= ${from}
      and exists (select from factura_orden fo join orden o on o.id = fo.orden_id
        where fo.factura_id = f.id and o.fecha_creacion >= ${from} and o.fecha_creacion < ${to})`.execute(db);
  return rows[0]!.en;
}

async function readCalidad(
  db: Db | Trx,
  { from, to }: { from: Date; to: Date },
  now: Date,
): Promise<MesCerrado['calidad']> {
  const edad = sql`case ${sql.join(
    EDADES.flatMap(({ hasta }, at) =>
      hasta === null
        ? []
        : [sql`when fecha >= ${now}::timestamptz - make_interval(days => ${hasta}) then ${sql.lit(at)}`],
    ),
    sql` `,
  )} else ${sql.lit(EDADES.length - 1)} end`;
  const deEste = sql`from libro_venta where fecha >= ${from} and fecha < ${to} and pagado <> 0`;
  const [{ rows: grados }, { rows: tramos }, { rows: sueltos }] = await Promise.all([
    sql<Grado>`
      select certeza, sum(pagado) as pagado, count(*)::int as ventas,
        round(100 * sum(pagado) / nullif(sum(sum(pagado)) over (), 0), 1)::text as parte
      ${deEste} group by 1 order by 1`.execute(db),
    sql<Tramo>`
      select certeza, ${edad}::int as edad, sum(pagado) as pagado, count(*)::int as ventas
      ${deEste} and certeza <> 'conocida' group by 1, 2 order by 1, 2`.execute(db),
    sql<{ importe: Money }>`
      select coalesce(sum(abs(importe)), 0) as importe from suelto
      where hasta >= ${from} and hasta < ${to} and motivo is null`.execute(db),
  ]);
  return { pagado: Money.sum(grados.map(({ pagado }) => pagado)), grados, tramos, sueltos: sueltos[0]!.importe };
}
