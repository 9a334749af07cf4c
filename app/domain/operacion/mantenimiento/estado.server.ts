import { groupBy } from '~/core/groupBy';
import { percentilOf, sumOf } from '~/core/histograma';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { sql } from 'kysely';
import { databaseNow } from '~db/clock.server';
import type { Db } from '~db/client.server';
import { readHechos, type Leido } from './metricas.server';
import { nombreDeAcarreo } from './internal/acarreo.server';
import { INSTALACION, MuestraDeProceso, MuestraDeTodos, type PorNombre } from './internal/muestra';

/** Length of the drawn stretch, and of one point of it. */
const HORAS = 24;
const PASO_MIN = 15;
const PUNTOS = (HORAS * 60) / PASO_MIN;
/** A process tells how it is each minute; after so long it is silent. */
const CALLA_MS = 180_000;

/** A value for each point of the stretch; null where nobody told one, which is no zero. */
export type Serie = (number | null)[];

type Peticiones = {
  clase: string;
  cuantas: number;
  p50: number | null;
  p95: number | null;
  fallas: number;
  serie: Serie;
};
/** Of 75 of 100 pages of a screen on a kind of device; null where no browser told it. `cls` is in thousandths. */
type Vistas = {
  pantalla: string;
  dispositivo: string;
  cuantas: number;
  lcp: number | null;
  inp: number | null;
  cls: number | null;
};
/** `ahora` and `edad` (seconds of the oldest) are of the last sample; null when it could not be read. */
type Cola = { nombre: string; ahora: number | null; edad: number | null; mas: number; serie: Serie };
type Proceso = {
  proceso: string;
  tipo: 'web' | 'worker';
  construccion: string;
  memoriaMb: number | null;
  atrasoP99Ms: number | null;
  atrasoMaxMs: number | null;
  visto: Date;
  calla: boolean;
  memoria: Serie;
  atraso: Serie;
};
/** A far side; its answers are of the last 24 hours, and `pausas` names the kinds of calls that rest. */
type Lado = { lado: string; contestadas: number | null; rechazadas: number | null; pausas: string[] };
/** The age of what was read last, in seconds. */
type Fuente = { fuente: string; lectura: string; hace: number };
/**
 * A backfill: rows that are left, of the most that there were in `DIAS` days. `porMinuto` is its pace in the last quarter of an hour, 0 where it stands and null
 * where it is too young to tell; `faltan` the minutes that the rest takes at that pace.
 */
type Acarreo = {
  tarea: string;
  nombre: string;
  quedan: number | null;
  eran: number;
  porMinuto: number | null;
  faltan: number | null;
};
type Cuadre = { libro: string; diferencias: number; hace: number | null };

export type Estado = {
  desde: Date;
  ahora: Date;
  /** Who tells nothing, and since when; null for who told nothing in the whole stretch. */
  silencios: { quien: 'web' | 'worker' | 'instalacion'; desde: Date | null }[];
  peticiones: Peticiones[];
  fallas: Serie;
  vistas: Vistas[];
  carriles: Cola[];
  efectos: Cola[];
  procesos: Proceso[];
  lados: Lado[] | null;
  fuentes: Fuente[] | null;
  cuadres: Cuadre[] | null;
  /** Backfills that had something left in the last days. */
  acarreos: Acarreo[];
  esquema: string | null;
};

type Muestra<D> = { en: Date; proceso: string; punto: number; datos: D };

/** Returns what the installation told of itself in the last 24 hours, and what can be read of it now. */
export async function readEstado(db: Db): Promise<Estado> {
  const ahora = await databaseNow(db);
  const desde = new Date((Math.floor(ahora.getTime() / (PASO_MIN * 60_000)) + 1 - PUNTOS) * PASO_MIN * 60_000);
  const [rows, hechos, eran] = await Promise.all([
    db.selectFrom('muestra').selectAll().where('en', '>=', desde).orderBy('en').execute(),
    readHechos(db),
    readEran(db),
  ]);
  const puntoOf = (en: Date) => Math.floor((en.getTime() - desde.getTime()) / (PASO_MIN * 60_000));
  const de = <D>(esquema: { safeParse(value: unknown): { data?: D } }, suyas: typeof rows) =>
    suyas.flatMap(({ en, proceso, datos }): Muestra<D>[] => {
      const { data } = esquema.safeParse(datos);
      return data === undefined ? [] : [{ en, proceso, punto: puntoOf(en), datos: data }];
    });
  const deTodos = de(
    MuestraDeTodos,
    rows.filter(({ proceso }) => proceso === INSTALACION),
  );
  const deProcesos = de(
    MuestraDeProceso,
    rows.filter(({ proceso }) => proceso !== INSTALACION),
  );
  const webs = deProcesos.filter(({ datos }) => datos.tipo === 'web');
  const workers = deProcesos.filter(({ datos }) => datos.tipo === 'worker');
  const carrilOf = new Map(
    Object.entries(workers.at(-1)?.datos.carriles ?? {}).flatMap(([carril, tasks]) =>
      tasks.map((task) => [task, carril]),
    ),
  );
  const porCarril = (all: PorNombre, join: (a: number, b: number) => number): PorNombre =>
    all &&
    Object.entries(all).reduce<Record<string, number>>((sums, [task, n]) => {
      const carril = carrilOf.get(task) ?? task;
      sums[carril] = carril in sums ? join(sums[carril]!, n) : n;
      return sums;
    }, {});
  const calla = (en: Date | undefined) => en === undefined || ahora.getTime() - en.getTime() > CALLA_MS;
  const valores = valoresOf(hechos);
  return {
    desde,
    ahora,
    silencios: (
      [
        ['web', webs],
        ['worker', workers],
        ['instalacion', deTodos],
      ] as const
    ).flatMap(([quien, suyas]) => {
      const last = suyas.at(-1)?.en;
      return calla(last) ? [{ quien, desde: last ?? null }] : [];
    }),
    peticiones: peticionesOf(webs),
    fallas: serieOf(
      webs,
      ({ datos }) => Object.values(datos.peticiones ?? {}).reduce((sum, { fallas }) => sum + fallas, 0),
      add,
    ),
    vistas: vistasOf(webs),
    carriles: colasOf(
      deTodos,
      ({ vencidos }) => porCarril(vencidos, add),
      ({ espera }) => porCarril(espera, Math.max),
      calla,
    ),
    efectos: colasOf(
      deTodos,
      ({ efectos }) => efectos,
      ({ edades }) => edades,
      calla,
    ),
    procesos: procesosOf(deProcesos, calla),
    lados: ladosOf(valores),
    fuentes:
      valores('source_last_ok_seconds')?.map(({ etiquetas: { source = '', run = '' }, valor }) => ({
        fuente: CONNECTIONS.find(source)?.label ?? source,
        lectura: run,
        hace: Math.round(valor),
      })) ?? null,
    cuadres:
      valores('ledger_differences')?.map(({ etiquetas: { ledger = '' }, valor }) => ({
        libro: ledger,
        diferencias: valor,
        hace: valores('ledger_compared_seconds')?.find((one) => one.etiquetas.ledger === ledger)?.valor ?? null,
      })) ?? null,
    acarreos: acarreosOf(deTodos, valores, eran, ahora),
    esquema: valores('schema_info')?.[0]?.etiquetas.version ?? null,
  };
}

const add = (a: number, b: number) => a + b;

const valoresOf = (hechos: readonly Leido[]) => (nombre: string) =>
  hechos.find((one) => one.nombre === nombre)?.valores ?? null;

/** Joins the values of the samples of each point. A point whose samples tell nothing is null. */
function serieOf<D>(
  muestras: readonly Muestra<D>[],
  valueOf: (muestra: Muestra<D>) => number | null | undefined,
  join: (a: number, b: number) => number,
): Serie {
  const serie: Serie = Array.from({ length: PUNTOS }, () => null);
  for (const muestra of muestras) {
    const value = valueOf(muestra);
    if (value == null || muestra.punto >= PUNTOS) continue;
    const before = serie[muestra.punto] ?? null;
    serie[muestra.punto] = before === null ? value : join(before, value);
  }
  return serie;
}

function peticionesOf(webs: readonly Muestra<MuestraDeProceso>[]): Peticiones[] {
  const clases = [...new Set(webs.flatMap(({ datos }) => Object.keys(datos.peticiones ?? {})))];
  return clases
    .map((clase) => {
      const suyas = webs.flatMap(({ punto, datos }) => {
        const cuenta = datos.peticiones?.[clase];
        return cuenta ? [{ punto, ...cuenta }] : [];
      });
      const todas = sumOf(suyas.map(({ duraciones }) => duraciones));
      const serie: Serie = Array.from({ length: PUNTOS }, (_, at) =>
        percentilOf(sumOf(suyas.filter(({ punto }) => punto === at).map(({ duraciones }) => duraciones)), 0.95),
      );
      return {
        clase,
        cuantas: todas.reduce(add, 0),
        p50: percentilOf(todas, 0.5),
        p95: percentilOf(todas, 0.95),
        fallas: suyas.reduce((sum, { fallas }) => sum + fallas, 0),
        serie,
      };
    })
    .sort((a, b) => b.cuantas - a.cuantas);
}

/** Returns what browsers measured by screen and device, the most seen first. */
function vistasOf(webs: readonly Muestra<MuestraDeProceso>[]): Vistas[] {
  const vitales = webs.flatMap(({ datos }) => Object.entries(datos.vitales ?? {}));
  const quienes = groupBy(vitales, ([key]) => key.slice(0, key.lastIndexOf(' ')));
  return [...quienes]
    .map(([quien, suyas]) => {
      const [pantalla = '', dispositivo = ''] = quien.split(' ');
      const deVital = (vital: string) =>
        sumOf(suyas.flatMap(([key, cuenta]) => (key === `${quien} ${vital}` ? [cuenta] : [])));
      const p75 = (vital: string) => percentilOf(deVital(vital), 0.75);
      return {
        pantalla,
        dispositivo,
        cuantas: deVital('lcp').reduce(add, 0),
        lcp: p75('lcp'),
        inp: p75('inp'),
        cls: p75('cls'),
      };
    })
    .sort((a, b) => b.cuantas - a.cuantas || (a.pantalla < b.pantalla ? -1 : 1));
}

/** Returns what waited by name: its most of each point, and what the last sample tells, unless that is old. */
function colasOf(
  muestras: readonly Muestra<MuestraDeTodos>[],
  cuantosOf: (datos: MuestraDeTodos) => PorNombre,
  edadOf: (datos: MuestraDeTodos) => PorNombre,
  calla: (en: Date | undefined) => boolean,
): Cola[] {
  const leidas = muestras.map(({ datos, ...resto }) => ({ ...resto, datos: cuantosOf(datos) }));
  const nombres = [...new Set(leidas.flatMap(({ datos }) => Object.keys(datos ?? {})))];
  const last = muestras.at(-1);
  const [ahora, edades] = last && !calla(last.en) ? [cuantosOf(last.datos), edadOf(last.datos)] : [null, null];
  return nombres
    .map((nombre) => {
      // Where the others were read, one without a row had nothing.
      const serie = serieOf(leidas, ({ datos }) => datos && (datos[nombre] ?? 0), Math.max);
      return {
        nombre,
        ahora: ahora && (ahora[nombre] ?? 0),
        edad: edades?.[nombre] ?? null,
        mas: Math.max(0, ...serie.map((value) => value ?? 0)),
        serie,
      };
    })
    .filter(({ mas }) => mas > 0)
    .sort((a, b) => b.mas - a.mas || (a.nombre < b.nombre ? -1 : 1));
}

/** Days after which the beginning of a backfill is forgotten. Samples are kept for eight. */
const DIAS = 7;
/** Stretch whose pace is told. */
const RITMO_MS = 15 * 60_000;
/** A backfill begins again each few minutes where it was cut; one that moved nothing for so long stands. */
const STANDS_MIN = 12;

/** The most that each backfill had left in a sample of the last days. */
async function readEran(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ tarea: string; eran: number }>`
    select q.key as tarea, max(q.value::float8) as eran
    from muestra, jsonb_each_text(case jsonb_typeof(datos -> 'quedan') when 'object' then datos -> 'quedan' end) q
    where proceso = ${INSTALACION} and en > now() - make_interval(days => ${DIAS}) group by q.key`.execute(db);
  return new Map(rows.map(({ tarea, eran }) => [tarea, eran]));
}

function acarreosOf(
  deTodos: readonly Muestra<MuestraDeTodos>[],
  valores: ReturnType<typeof valoresOf>,
  eran: ReadonlyMap<string, number>,
  ahora: Date,
): Acarreo[] {
  const left = valores('backfill_rows_left');
  const now = new Map(left?.map(({ etiquetas, valor }) => [etiquetas.task ?? '', valor]));
  return [...new Set([...eran.keys(), ...now.keys()])].sort().flatMap((tarea) => {
    const quedan = now.get(tarea) ?? null;
    const most = Math.max(eran.get(tarea) ?? 0, quedan ?? 0);
    if (most === 0) return [];
    const leidas = deTodos.flatMap(({ en, datos }) => (datos.quedan ? [{ en, quedan: datos.quedan[tarea] ?? 0 }] : []));
    const first = leidas.find(({ en }) => ahora.getTime() - en.getTime() <= RITMO_MS);
    const minutes = first ? (ahora.getTime() - first.en.getTime()) / 60_000 : 0;
    const done = first && quedan !== null ? first.quedan - quedan : 0;
    const porMinuto = done > 0 ? done / minutes : minutes >= STANDS_MIN ? 0 : null;
    return {
      tarea,
      nombre: nombreDeAcarreo(tarea),
      quedan,
      eran: most,
      porMinuto,
      faltan: porMinuto && quedan !== null ? quedan / porMinuto : null,
    };
  });
}

function procesosOf(
  muestras: readonly Muestra<MuestraDeProceso>[],
  calla: (en: Date | undefined) => boolean,
): Proceso[] {
  const nombres = [...new Set(muestras.map(({ proceso }) => proceso))];
  return nombres
    .map((proceso) => {
      const suyas = muestras.filter((one) => one.proceso === proceso);
      const { en, datos } = suyas.at(-1)!;
      const { tipo, construccion, memoriaMb, atrasoP99Ms, atrasoMaxMs } = datos;
      return {
        proceso,
        tipo,
        construccion,
        memoriaMb,
        atrasoP99Ms,
        atrasoMaxMs,
        visto: en,
        calla: calla(en),
        memoria: serieOf(suyas, (one) => one.datos.memoriaMb, Math.max),
        atraso: serieOf(suyas, (one) => one.datos.atrasoP99Ms, Math.max),
      };
    })
    .sort((a, b) => Number(a.calla) - Number(b.calla) || b.visto.getTime() - a.visto.getTime());
}

function ladosOf(valores: ReturnType<typeof valoresOf>): Lado[] | null {
  const [answers, paused] = [valores('far_side_answers_day'), valores('far_side_paused')];
  if (answers === null && paused === null) return null;
  const kinds = [...new Set([...(answers ?? []), ...(paused ?? [])].map(({ etiquetas }) => etiquetas.kind ?? ''))];
  return kinds.sort().map((kind) => {
    const suyas = answers?.filter(({ etiquetas }) => etiquetas.kind === kind) ?? [];
    const of = (outcome: string) => suyas.find(({ etiquetas }) => etiquetas.outcome === outcome)?.valor ?? null;
    const [taken, refused] = [of('taken'), of('refused')];
    return {
      lado: CONNECTIONS.find(kind)?.label ?? kind,
      contestadas: taken === null || refused === null ? null : taken + refused,
      rechazadas: refused,
      pausas:
        paused?.flatMap(({ etiquetas, valor }) =>
          etiquetas.kind === kind && valor > 0 ? [etiquetas.call ?? ''] : [],
        ) ?? [],
    };
  });
}
