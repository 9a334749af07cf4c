import { type RawBuilder, sql } from 'kysely';
import { type HallazgoDeConteo, PARTES } from '../conteo';

/*
 * In the fragments below `t` is the count, `c` one of its rows, `s` the piece of that row and `e` the label that was read where there is no piece.
 */

/** Whether a state is of the part that is counted. */
export const isIn = (estado: string) =>
  sql<boolean>`case when t.parte is null then ${sql.ref(estado)} = any(${[...PARTES]}) else ${sql.ref(estado)} = t.parte end`;

/**
 * The finding of a scan. A piece counts as found when its state is of the part now, or was when it was read: what left after its scan left the hands of people
 * who had counted it, and what was put right meanwhile is right. No copy of the beginning is compared.
 */
export const HALLAZGO: RawBuilder<HallazgoDeConteo> = sql`case
  when c.pieza_id is null then 'etiqueta'
  when ${isIn('s.estado')} or ${isIn('c.estado_leida')} then 'encontrada'
  when s.estado = any(${[...PARTES]}) then 'fueraDeLugar'
  else 'fuera' end`;

/**
 * Whether a count expects a piece that nobody read, judged by the row of the piece as it stands now, and not by a copy of the beginning: what was sold meanwhile
 * is not missing. A piece that came or moved since the count began passed through somebody's hands, perhaps behind the back of who counts, so it is not told as
 * missing either; nor is a piece whose label was read before it was tied.
 */
export const FALTA = sql<boolean>`${isIn('s.estado')}
  and not exists (select from conteo_pieza l where l.conteo_id = t.id and l.pieza_id = s.id)
  and not exists (select from stock_movimiento m where m.pieza_id = s.id and m.en > t.empezado_en)
  and not exists (select from stock_etiqueta x join conteo_pieza l on l.codigo = x.codigo and l.conteo_id = t.id
    where x.pieza_id = s.id)`;

/**
 * Whether a difference waits for a person. A piece that somebody moved since, so that its state agrees with what was seen, waits no longer; a label waits until
 * it is tied to a piece.
 */
export const ABIERTA = sql<boolean>`(c.decision is null or c.decision = 'pendiente') and case c.hallazgo
  when 'falta' then ${isIn('s.estado')}
  when 'fueraDeLugar' then not (${isIn('s.estado')})
  when 'fuera' then not (${isIn('s.estado')})
  when 'etiqueta' then e.pieza_id is null
  else false end`;
