import { sql, type RawBuilder } from 'kysely';
import { toInstant } from '~/core/time';
import type { Db } from '~db/client.server';
import { DIAS_SEGUIDOS, esFalla, judgePromesa, type Juicio, type Peor, type Tramo } from './promesa';

const DIAS = 30;

/**
 * An event of a promise: when it began, how long it took in seconds (null while it waits), whether it ended otherwise than promised, and the screen that shows
 * it. The statement reads the events that began in the last `dias` days.
 */
type Evento = { en: Date; segundos: number | null; mal: boolean; pantalla: string | null };

type Definicion = { clave: string; nombre: string; meta: number; eventos(dias: number): RawBuilder<Evento> };

const desde = (dias: number) => sql`now() - make_interval(days => ${dias})`;
const entre = (de: string, a: string) => sql`extract(epoch from ${sql.raw(a)} - ${sql.raw(de)})::float8`;

/** The screen of what a write to a far side is about; the board, while nothing of ours names it. */
const pantallaDeEfecto = (entidad: string, ruta: string) => sql`coalesce(
  (select ${ruta} || s.entidad_id from effect_subject s where s.effect_id = e.id and s.entidad = ${entidad} limit 1),
  case when e.settled_at is null then 'pendientes?ver=' || e.id end)`;

/** Writes of a kind, from the press to the yes. A clear no is told to who pressed, and is neither kept nor broken. */
const escrito = (type: string, entidad: string, ruta: string) => (dias: number) => sql<Evento>`
  select e.created_at as en, case when e.state = 'done' then ${entre('e.created_at', 'e.settled_at')} end as segundos, false as mal,
    ${pantallaDeEfecto(entidad, ruta)} as pantalla
  from effect e where e.type = ${type} and e.created_at > ${desde(dias)} and e.state not in ('refused', 'cancelled')`;

/**
 * Sales, from the first one that was listed of their marketplace on. The stretch is read first, and a marketplace without sales there is asked nothing.
 * Ids grow with time: where a sale was listed before the stretch, it is a row or two back from the stretch's own, and the first one is of before too.
 */
const ventas = (dias: number) => sql<Evento>`
  with o as materialized (select id, market, fecha_creacion, creada_en from orden where fecha_creacion > ${desde(dias)}),
    corte as materialized (select uuidv7(-make_interval(days => ${dias})) as id),
    p as (
      select m.market, coalesce(
        (select '-infinity'::timestamptz from orden a where a.market = m.market and a.id < (select id from corte) order by a.id desc limit 1),
        (select a.creada_en from orden a where a.market = m.market and a.id >= (select id from corte) order by a.id limit 1)) as desde
      from (select distinct market from o) m)
  select o.fecha_creacion as en, ${entre('o.fecha_creacion', 'o.creada_en')} as segundos, false as mal, 'ordenes?ver=' || o.id as pantalla
  from o join p using (market) where o.fecha_creacion > p.desde`;

/**
 * What the product promises. Sales count from the first one that was listed of their marketplace on: what lay there before is history that is brought along. The
 * same holds for deposits of before the first report was asked for. A notice counts from its last arrival; what a reading put back into the inbox is no notice.
 */
const PROMESAS: readonly Definicion[] = [
  {
    clave: 'venta',
    nombre: 'Una venta está en la lista',
    meta: 600,
    eventos: ventas,
  },
  {
    clave: 'timbre',
    nombre: 'Una factura pedida está timbrada',
    meta: 120,
    eventos: escrito('cfdi.stamp', 'orden', 'ordenes?ver='),
  },
  {
    clave: 'aviso',
    nombre: 'Un aviso de la tienda está leído',
    meta: 300,
    eventos: (dias) => sql<Evento>`
      select received_at as en, case when state in ('done', 'ignored') then ${entre('received_at', 'processed_at')} end as segundos, false as mal,
        'tokens' as pantalla
      from inbox where received_at > ${desde(dias)} and cambio_en is null`,
  },
  {
    clave: 'respuesta',
    nombre: 'Una respuesta está enviada',
    meta: 120,
    eventos: escrito('pregunta.responder', 'pregunta', 'preguntas?ver='),
  },
  {
    clave: 'deposito',
    nombre: 'Un depósito está explicado',
    meta: 172_800,
    eventos: (dias) => sql<Evento>`
      select d.fecha as en, ${entre('d.fecha', 'r.leido_en')} as segundos, d.sin_explicar <> 0 and d.reclamado_en is null as mal,
        'conciliacion?ver=' || d.id as pantalla
      from deposito d join liquidacion_reporte r on r.id = d.reporte_id
      where d.fecha > greatest(${desde(dias)}, (select min(pedido_en) from liquidacion_reporte p where p.market = d.market))`,
  },
];

export type Promesa = {
  clave: string;
  nombre: string;
  /** Seconds within which it is kept. */
  meta: number;
  juicio: Juicio;
  /** The last day and the last thirty; null when the events could not be read. */
  dia: Tramo | null;
  mes: Tramo | null;
  /** The last event that is known, for a promise without any today. */
  ultima: Date | null;
};

type Fila = {
  dia: number;
  diaCumplidas: number;
  mes: number;
  mesCumplidas: number;
  seguidos: number;
  ultima: Date | null;
  peorDia: RowOfPeor | null;
  peorMes: RowOfPeor | null;
};
type RowOfPeor = Omit<Peor, 'en'> & { en: string };

/** Returns each promise with what became of its events. One that cannot be read is told so, and keeps no other from being read. */
export async function readPromesas(db: Db): Promise<Promesa[]> {
  return Promise.all(
    PROMESAS.map(async ({ clave, nombre, meta, eventos }) => {
      const fila = await countEventos(db, eventos(DIAS), meta).catch(() => null);
      if (!fila) return { clave, nombre, meta, juicio: 'desconocida' as const, dia: null, mes: null, ultima: null };
      const dia = { cuantas: fila.dia, cumplidas: fila.diaCumplidas, peor: peorOf(fila.peorDia) };
      return {
        clave,
        nombre,
        meta,
        juicio: judgePromesa(dia, fila.seguidos),
        dia,
        mes: { cuantas: fila.mes, cumplidas: fila.mesCumplidas, peor: peorOf(fila.peorMes) },
        ultima: fila.ultima,
      };
    }),
  );
}

/** A promise as its last day judges it. */
export type PromesaDeHoy = Pick<Promesa, 'clave' | 'nombre' | 'juicio'> & { dia: Omit<Tramo, 'peor'> | null };

/**
 * Judges each promise by its last day, as is asked each minute: the events of that day are read, and those of the seven days before only where that day has
 * none. One that cannot be read is told so, and keeps no other from being read.
 */
export async function judgePromesas(db: Db): Promise<PromesaDeHoy[]> {
  return Promise.all(
    PROMESAS.map(async ({ clave, nombre, meta, eventos }) => {
      try {
        const dia = await countDia(db, eventos(1), meta);
        const seguidos = dia.cuantas === 0 ? await countSeguidos(db, eventos(DIAS_SEGUIDOS + 1)) : 0;
        return { clave, nombre, juicio: judgePromesa(dia, seguidos), dia };
      } catch {
        return { clave, nombre, juicio: judgePromesa(null, 0), dia: null };
      }
    }),
  );
}

/** Returns what a monitor is told of the promises in the last day. One that cannot be read is left out of the counts, and is told as not kept. */
export async function measurePromesas(db: Db) {
  const promesas = await judgePromesas(db);
  const leidas = promesas.flatMap(({ clave, dia }) => (dia ? [{ clave, dia }] : []));
  return [
    {
      nombre: 'promise_events_day',
      ayuda: 'Events of each promise in the last 24 hours, by whether they kept it.',
      valores: leidas.flatMap(({ clave, dia: { cuantas, cumplidas } }) => [
        { etiquetas: { promise: clave, kept: 'yes' }, valor: cumplidas },
        { etiquetas: { promise: clave, kept: 'no' }, valor: cuantas - cumplidas },
      ]),
    },
    {
      nombre: 'promise_broken',
      ayuda: '1 while a promise is not kept, or has no events where each day has some, or cannot be read.',
      valores: promesas.map(({ clave, juicio }) => ({ etiquetas: { promise: clave }, valor: esFalla(juicio) ? 1 : 0 })),
    },
  ].filter(({ valores }) => valores.length > 0);
}

const peorOf = (row: RowOfPeor | null): Peor | null => row && { ...row, en: toInstant(row.en) };

/** Events with the time that they took, or have waited. */
const conTiempo = (eventos: RawBuilder<Evento>) => sql`
  select en, mal, pantalla, segundos is null as abierta, coalesce(segundos, extract(epoch from now() - en)::float8) as segundos from (${eventos}) x`;

/** Events of `e` that are judged: one that still waits is, once it is late, and until then nobody knows. */
const juzgados = (meta: number) => sql`
  select *, not abierta and not mal and segundos <= ${meta} as cumplida, en > now() - interval '1 day' as de_hoy from e where not abierta or segundos > ${meta}`;

/** Days with events among the seven before the last, of the events of `e`. */
const SEGUIDOS = sql`
  select count(distinct floor(extract(epoch from now() - en) / 86400))::int as seguidos from e
  where en <= now() - interval '1 day' and en > now() - make_interval(days => ${DIAS_SEGUIDOS + 1})`;

async function countDia(db: Db, eventos: RawBuilder<Evento>, meta: number): Promise<Omit<Tramo, 'peor'>> {
  const { rows } = await sql<Omit<Tramo, 'peor'>>`
    with e as (${conTiempo(eventos)}), j as (${juzgados(meta)})
    select count(*)::int as cuantas, count(*) filter (where cumplida)::int as cumplidas from j`.execute(db);
  return rows[0]!;
}

async function countSeguidos(db: Db, eventos: RawBuilder<Evento>): Promise<number> {
  const { rows } = await sql<{ seguidos: number }>`with e as (${conTiempo(eventos)}) ${SEGUIDOS}`.execute(db);
  return rows[0]!.seguidos;
}

async function countEventos(db: Db, eventos: RawBuilder<Evento>, meta: number): Promise<Fila> {
  const { rows } = await sql<Fila>`
    with e as (${conTiempo(eventos)}), j as (${juzgados(meta)}),
    peores as (
      select de_hoy, jsonb_build_object('segundos', segundos, 'abierta', abierta, 'en', en, 'pantalla', pantalla) as peor,
        row_number() over (partition by de_hoy order by not cumplida desc, segundos desc) as lugar,
        row_number() over (order by not cumplida desc, segundos desc) as de_todas
      from j)
    select count(*) filter (where de_hoy)::int as dia, count(*) filter (where de_hoy and cumplida)::int as "diaCumplidas",
      count(*)::int as mes, count(*) filter (where cumplida)::int as "mesCumplidas", (${SEGUIDOS}) as seguidos,
      (select max(en) from e) as ultima,
      (select peor from peores where de_hoy and lugar = 1) as "peorDia", (select peor from peores where de_todas = 1) as "peorMes"
    from j`.execute(db);
  return rows[0]!;
}
