import { sql } from 'kysely';
import { z } from 'zod';
import type { Money } from '~/core/money';
import type { Db, Trx } from '~db/client.server';
import {
  type DecisionDeConteo,
  diceEtiqueta,
  diceFuera,
  type HallazgoDeConteo,
  type MotivoDeBaja,
  nombreOfParte,
  type ParteDelEstante,
  PARTES,
  passTo,
  type PorLeer,
} from './conteo';
import { type EstadoDeStock, nombreOfPieza } from './pieza';
import { ABIERTA, FALTA, HALLAZGO } from './internal/conteoSql.server';

/** Counts that the list shows. */
const MAX_CONTEOS = 50;

/** What can be counted: the whole shelf and its parts, with the pieces that stand there and the count that is open. */
export async function listPartes(db: Db) {
  const { rows } = await sql<{
    parte: ParteDelEstante | null;
    piezas: number;
    conteo: string | null;
    leidas: number;
    quien: string | null;
    empezadoEn: Date | null;
  }>`
    with p as (
      select null as parte, 0 as posicion union all
      select value, posicion from stock_estado where value = any(${[...PARTES]}))
    select p.parte, t.id as conteo, u.usuario as quien, t.empezado_en,
      (select count(*)::int from stock_interno s
        where case when p.parte is null then s.estado = any(${[...PARTES]}) else s.estado = p.parte end) as piezas,
      (select count(*)::int from conteo_pieza l where l.conteo_id = t.id) as leidas
    from p
    left join conteo t on t.parte is not distinct from p.parte and t.terminado_en is null
    left join usuario u on u.id = t.empezado_por
    order by p.posicion`.execute(db);
  return rows;
}

/** Returns the last counts that ended, the newest first, with what each found and the differences that wait for a person. */
export async function listConteos(db: Db) {
  const { rows } = await sql<{
    id: string;
    parte: ParteDelEstante | null;
    terminadoEn: Date;
    quien: string | null;
    encontradas: number;
    faltan: number;
    deMas: number;
    abiertas: number;
  }>`
    with t as (
      select * from conteo where terminado_en is not null order by terminado_en desc, id desc limit ${MAX_CONTEOS})
    select t.id, t.parte, t.terminado_en, u.usuario as quien, n.*
    from t
    left join usuario u on u.id = t.terminado_por
    cross join lateral (
      select count(*) filter (where c.hallazgo = 'encontrada')::int as encontradas,
        count(*) filter (where c.hallazgo = 'falta')::int as faltan,
        count(*) filter (where c.hallazgo in ('fueraDeLugar', 'fuera', 'etiqueta'))::int as de_mas,
        count(*) filter (where ${ABIERTA})::int as abiertas
      from conteo_pieza c
      left join stock_interno s on s.id = c.pieza_id
      left join stock_etiqueta e on c.pieza_id is null and e.codigo = c.codigo
      where c.conteo_id = t.id) n
    order by t.terminado_en desc, t.id desc`.execute(db);
  return rows;
}

/** Returns the head of a count; undefined when there is none by that id. */
async function readCabeza(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const { rows } = await sql<{
    id: string;
    parte: ParteDelEstante | null;
    empezadoEn: Date;
    empezadoPor: string | null;
    terminadoEn: Date | null;
    terminadoPor: string | null;
  }>`
    select t.id, t.parte, t.empezado_en, a.usuario as empezado_por, t.terminado_en, b.usuario as terminado_por
    from conteo t left join usuario a on a.id = t.empezado_por left join usuario b on b.id = t.terminado_por
    where t.id = ${id}`.execute(db);
  return rows[0];
}

type FilaDeConteo = {
  id: number;
  hallazgo: HallazgoDeConteo;
  codigo: string;
  piezaId: string | null;
  productoNombre: string | null;
  descripcion: string | null;
  costo: Money | null;
  /** State at the end of the count; of an open one, the present state. Null of a label. */
  estadoFinal: EstadoDeStock | null;
  estado: EstadoDeStock | null;
  /** Mark of what a decision is about: the version of the piece; of a label, whether it is tied. */
  version: number;
  /** Number of the sale that the piece is kept for, or left with. */
  venta: string | null;
  /** Folio of the piece that a label hangs on by now. */
  ligadaA: string | null;
  decision: DecisionDeConteo | null;
  motivo: MotivoDeBaja | null;
  decididaPor: string | null;
  decididaEn: Date | null;
  leidaPor: string | null;
  leidaEn: Date | null;
  abierta: boolean;
};

/** Rows of a count with their pieces as they stand now. Those of an open count are judged now, those of another one were judged at its end. */
async function readFilas(db: Db | Trx, conteoId: string): Promise<FilaDeConteo[]> {
  const { rows } = await sql<FilaDeConteo>`
    select c.id, coalesce(c.hallazgo, ${HALLAZGO}) as hallazgo, coalesce(s.folio, c.codigo) as codigo, c.pieza_id,
      p.nombre as producto_nombre, s.descripcion, s.costo, coalesce(c.estado_final, s.estado) as estado_final, s.estado,
      coalesce(s.version, (e.pieza_id is not null)::int) as version, v.num_orden as venta, l.folio as ligada_a,
      c.decision, c.motivo, d.usuario as decidida_por, c.decidida_en, u.usuario as leida_por, c.leida_en,
      t.terminado_en is not null and ${ABIERTA} as abierta
    from conteo t
    join conteo_pieza c on c.conteo_id = t.id
    left join stock_interno s on s.id = c.pieza_id
    left join producto p on p.id = s.producto_id
    left join orden v on v.id = s.venta_id
    left join stock_etiqueta e on c.pieza_id is null and e.codigo = c.codigo
    left join stock_interno l on l.id = e.pieza_id
    left join usuario d on d.id = c.decidida_por
    left join usuario u on u.id = c.leida_por
    where t.id = ${conteoId}
    order by c.leida_en desc nulls last, codigo`.execute(db);
  return rows;
}

/** Returns the pieces that an open count expects and nobody read, by their folio. */
async function listPorLeer(db: Db | Trx, conteoId: string): Promise<PorLeer[]> {
  const { rows } = await sql<{
    folio: string;
    productoNombre: string | null;
    descripcion: string | null;
    etiquetas: string[];
  }>`
    select s.folio, p.nombre as producto_nombre, s.descripcion,
      array(select x.codigo from stock_etiqueta x where x.pieza_id = s.id order by x.numero) as etiquetas
    from conteo t
    join stock_interno s on ${FALTA}
    left join producto p on p.id = s.producto_id
    where t.id = ${conteoId}
    order by s.folio`.execute(db);
  return rows.map(({ folio, etiquetas, ...pieza }) => ({ folio, nombre: nombreOfPieza(pieza), etiquetas }));
}

/**
 * Returns a count with what was read, what it misses and what it found too many; undefined when there is none. Of `esperadas` pieces `encontradas` were found:
 * both are of this moment while the count is open, and of its end afterwards.
 */
export async function readConteo(db: Db | Trx, id: string) {
  const cabeza = await readCabeza(db, id);
  if (!cabeza) return undefined;
  const [filas, porLeer] = await Promise.all([
    readFilas(db, cabeza.id),
    cabeza.terminadoEn === null ? listPorLeer(db, cabeza.id) : [],
  ]);
  const encontradas = filas.filter(({ hallazgo }) => hallazgo === 'encontrada').length;
  const faltan = porLeer.length + filas.filter(({ hallazgo }) => hallazgo === 'falta').length;
  return {
    ...cabeza,
    titulo: nombreOfParte(cabeza.parte),
    /** Number of scans that the count holds: the mark of its end. */
    leidas: filas.filter(({ leidaEn }) => leidaEn !== null).length,
    encontradas,
    esperadas: encontradas + faltan,
    porLeer,
    filas: filas.map(({ productoNombre, descripcion, ...fila }) => ({
      ...fila,
      nombre: fila.piezaId === null ? null : nombreOfPieza({ productoNombre, descripcion }),
      pasaA: fila.estado === null ? null : passTo(fila.estado, cabeza.parte),
    })),
  };
}
export type ConteoLeido = NonNullable<Awaited<ReturnType<typeof readConteo>>>;

/** Returns an open count as a phone keeps it, without amounts of money; undefined when there is none. */
export async function viewConteo(db: Db, id: string) {
  const conteo = await readConteo(db, id);
  if (!conteo) return undefined;
  const { filas, porLeer: faltan, titulo, terminadoEn, encontradas, esperadas } = conteo;
  return {
    id: conteo.id,
    titulo,
    terminado: terminadoEn !== null,
    encontradas,
    esperadas,
    faltan,
    vistas: filas.map(({ codigo }) => codigo),
    /** Scans that a person has to settle at the end, the newest first. */
    deMas: filas.flatMap(({ hallazgo, codigo, estado, venta }) =>
      hallazgo === 'fuera' || hallazgo === 'fueraDeLugar'
        ? diceFuera({ folio: codigo, estado: estado!, venta })
        : hallazgo === 'etiqueta'
          ? diceEtiqueta(codigo)
          : [],
    ),
  };
}
export type ConteoVista = NonNullable<Awaited<ReturnType<typeof viewConteo>>>;
