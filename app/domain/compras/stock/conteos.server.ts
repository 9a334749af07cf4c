import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import {
  type DecisionDeConteo,
  DECISIONES,
  diceAparecio,
  diceDesconocida,
  diceEtiqueta,
  diceFuera,
  diceYa,
  type HallazgoDeConteo,
  isInParte,
  type Lectura,
  MOTIVO_LABEL,
  type MotivoDeBaja,
  nombreOfParte,
  type ParteDelEstante,
  PARTES,
  passTo,
  type PorLeer,
  staysOpen,
} from './conteo';
import type { DecidirDiferencia, EmpezarConteo, LeerEnConteo, TerminarConteo } from './forms';
import { codeIn, DE_AHI_NO_SALE, type EstadoDeStock, nombreOfPieza, parseCodigo, parseFolio } from './pieza';
import { changeEstado, lockVista } from './piezas.server';
import { findEscaneado } from './readPiezas.server';

const TITULO = 'Error al contar.';
const AUSENTE = 'El conteo no existe.';

/** Counts that the list shows. */
const MAX_CONTEOS = 50;

/*
 * In the fragments below `t` is the count, `c` one of its rows, `s` the piece of that row and `e` the label that was read where there is no piece.
 */

/** Whether a state is of the part that is counted. */
const isIn = (estado: string) =>
  sql<boolean>`case when t.parte is null then ${sql.ref(estado)} = any(${[...PARTES]}) else ${sql.ref(estado)} = t.parte end`;

/**
 * The finding of a scan. A piece counts as found when its state is of the part now, or was when it was read: what left after its scan left the hands of people
 * who had counted it, and what was put right meanwhile is right. No copy of the beginning is compared.
 */
const HALLAZGO: RawBuilder<HallazgoDeConteo> = sql`case
  when c.pieza_id is null then 'etiqueta'
  when ${isIn('s.estado')} or ${isIn('c.estado_leida')} then 'encontrada'
  when s.estado = any(${[...PARTES]}) then 'fueraDeLugar'
  else 'fuera' end`;

/**
 * Whether a count expects a piece that nobody read, judged by the row of the piece as it stands now, and not by a copy of the beginning: what was sold meanwhile
 * is not missing. A piece that came or moved since the count began passed through somebody's hands, perhaps behind the back of who counts, so it is not told as
 * missing either; nor is a piece whose label was read before it was tied.
 */
const FALTA = sql<boolean>`${isIn('s.estado')}
  and not exists (select from conteo_pieza l where l.conteo_id = t.id and l.pieza_id = s.id)
  and not exists (select from stock_movimiento m where m.pieza_id = s.id and m.en > t.empezado_en)
  and not exists (select from stock_etiqueta x join conteo_pieza l on l.codigo = x.codigo and l.conteo_id = t.id
    where x.pieza_id = s.id)`;

/**
 * Whether a difference waits for a person. A piece that somebody moved since, so that its state agrees with what was seen, waits no longer; a label waits until
 * it is tied to a piece.
 */
const ABIERTA = sql<boolean>`(c.decision is null or c.decision = 'pendiente') and case c.hallazgo
  when 'falta' then ${isIn('s.estado')}
  when 'fueraDeLugar' then not (${isIn('s.estado')})
  when 'fuera' then not (${isIn('s.estado')})
  when 'etiqueta' then e.pieza_id is null
  else false end`;

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

/** 'Contar': opens a count of a part of the shelf and returns its id. While one of that part is open, its id is returned: people who count together add to one. */
export async function startConteo(trx: Trx, { parte }: EmpezarConteo, usuarioId: string): Promise<string> {
  const nuevo = await trx
    .insertInto('conteo')
    .values({ parte, empezadoPor: usuarioId })
    .onConflict((on) =>
      on
        .expression(sql`coalesce(parte, '')`)
        .where('terminadoEn', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (nuevo) {
    await record(trx, {
      usuarioId,
      entidad: 'conteo',
      entidadId: nuevo.id,
      accion: 'empezar conteo',
      datos: { parte: nombreOfParte(parte) },
    });
    return nuevo.id;
  }
  const abierto = await trx
    .selectFrom('conteo')
    .select('id')
    .where(sql<boolean>`parte is not distinct from ${parte}`)
    .where('terminadoEn', 'is', null)
    .executeTakeFirst();
  // It ended between both statements: the next one is another count.
  return abierto?.id ?? startConteo(trx, { parte }, usuarioId);
}

/** Locks a count until the transaction ends: scans beside each other (`leer`), an end or a decision alone. Throws `NotAllowed` when there is none. */
async function lockConteo(trx: Trx, id: string, como: 'leer' | 'cambiar') {
  const conteo = await trx
    .selectFrom('conteo')
    .select(['id', 'parte', 'terminadoEn'])
    .where('id', '=', id)
    .$if(como === 'leer', (suyo) => suyo.forShare())
    .$if(como === 'cambiar', (suyo) => suyo.forUpdate())
    .executeTakeFirst();
  if (!conteo) throw new NotAllowed(TITULO, AUSENTE);
  return conteo;
}

/**
 * Reads one piece into a count and tells at once what it is. A piece that is read twice counts once. A code that is none of ours is told and not kept: it names
 * nothing that could be settled. Once the count has ended, only a piece that it misses is taken: it turned up. Throws `NotAllowed` for any other then.
 */
export async function countPieza(
  trx: Trx,
  { conteo: id, codigo: leido }: LeerEnConteo,
  usuarioId: string,
): Promise<Lectura> {
  const codigo = codeIn(leido);
  const conteo = await lockConteo(trx, id, 'leer');
  const found = parseFolio(codigo) || parseCodigo(codigo) ? await findEscaneado(trx, codigo) : undefined;
  if (!found) return { clase: 'desconocida', codigo, dice: diceDesconocida(codigo) };
  if (found.clase === 'etiqueta') return countEtiqueta(trx, conteo, found.codigo, usuarioId);
  const pieza = await trx
    .selectFrom('stockInterno')
    .leftJoin('orden', 'orden.id', 'stockInterno.ventaId')
    .leftJoin('producto', 'producto.id', 'stockInterno.productoId')
    .select(['stockInterno.estado', 'stockInterno.descripcion', 'orden.numOrden as venta'])
    .select('producto.nombre as productoNombre')
    .where('stockInterno.id', '=', found.id)
    .executeTakeFirstOrThrow();
  const { folio } = found;
  if (conteo.terminadoEn !== null) return countLate(trx, id, { ...found, nombre: nombreOfPieza(pieza) }, usuarioId);
  const { estado, venta } = pieza;
  const nueva = await trx
    .insertInto('conteoPieza')
    .values({
      conteoId: id,
      piezaId: found.id,
      codigo: folio,
      leidaPor: usuarioId,
      leidaEn: sql<Date>`clock_timestamp()`,
      estadoLeida: estado,
    })
    .onConflict((on) => on.columns(['conteoId', 'piezaId']).where('piezaId', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!nueva) return { clase: 'ya', codigo: folio, dice: diceYa(folio) };
  if (isInParte(conteo.parte, estado))
    return { clase: 'encontrada', codigo: folio, dice: `${folio} · ${nombreOfPieza(pieza)}` };
  const clase = isInParte(null, estado) ? 'fueraDeLugar' : 'fuera';
  return { clase, codigo: folio, dice: diceFuera({ folio, estado, venta }) };
}

async function countEtiqueta(
  trx: Trx,
  { id, terminadoEn }: { id: string; terminadoEn: Date | null },
  codigo: string,
  usuarioId: string,
): Promise<Lectura> {
  if (terminadoEn !== null) throw new NotAllowed(TITULO, `El conteo ya se terminó. ${diceEtiqueta(codigo)}`);
  const nueva = await trx
    .insertInto('conteoPieza')
    .values({ conteoId: id, codigo, leidaPor: usuarioId, leidaEn: sql<Date>`clock_timestamp()` })
    .onConflict((on) => on.columns(['conteoId', 'codigo']).where('piezaId', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return nueva
    ? { clase: 'etiqueta', codigo, dice: diceEtiqueta(codigo) }
    : { clase: 'ya', codigo, dice: diceYa(codigo) };
}

/** A scan that comes after the end, from a phone that had no signal or of a piece that turned up. */
async function countLate(
  trx: Trx,
  conteoId: string,
  { id, folio, nombre }: { id: string; folio: string; nombre: string },
  usuarioId: string,
): Promise<Lectura> {
  const fila = await trx
    .selectFrom('conteoPieza')
    .select(['id', 'hallazgo', 'decision'])
    .where('conteoId', '=', conteoId)
    .where('piezaId', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (fila?.hallazgo === 'falta' && staysOpen(fila.decision)) {
    await decide(trx, fila.id, { decision: 'aparecio', usuarioId });
    return { clase: 'aparecio', codigo: folio, dice: diceAparecio(folio, nombre) };
  }
  if (fila) return { clase: 'ya', codigo: folio, dice: diceYa(folio) };
  throw new NotAllowed(TITULO, `El conteo ya se terminó, y ${folio} no estaba entre las que faltan.`);
}

const decide = (
  trx: Trx,
  fila: number,
  {
    decision,
    motivo = null,
    usuarioId,
  }: { decision: DecisionDeConteo; motivo?: MotivoDeBaja | null; usuarioId: string },
) =>
  trx
    .updateTable('conteoPieza')
    .set({ decision, motivo, decididaPor: usuarioId, decididaEn: sql<Date>`clock_timestamp()` })
    .where('id', '=', fila)
    .execute();

/**
 * 'Terminar': judges what was read, and writes what nobody read as missing. Ending twice is no error. Throws `Stale` when somebody read more than the screen
 * showed, and `NotAllowed` when nothing was read.
 */
export async function finishConteo(trx: Trx, { conteo: id, leidas }: TerminarConteo, usuarioId: string): Promise<void> {
  const conteo = await lockConteo(trx, id, 'cambiar');
  if (conteo.terminadoEn !== null) return;
  const { cuantas } = await countLeidas(trx, id);
  if (cuantas === 0) throw new NotAllowed(TITULO, 'Todavía no se lee ninguna pieza: descarta el conteo.');
  if (cuantas !== leidas)
    throw new Stale(
      {
        cambios: [{ campo: 'Piezas leídas', mio: String(leidas), suyo: String(cuantas) }],
        marcas: { leidas: cuantas },
      },
      { titulo: TITULO, texto: 'Otra persona sigue contando.' },
    );
  await sql`
    update conteo_pieza r set hallazgo = j.hallazgo, estado_final = j.estado
    from (select c.id, ${HALLAZGO} as hallazgo, s.estado
      from conteo t join conteo_pieza c on c.conteo_id = t.id left join stock_interno s on s.id = c.pieza_id
      where t.id = ${id}) j
    where r.id = j.id`.execute(trx);
  await sql`
    insert into conteo_pieza (conteo_id, pieza_id, codigo, hallazgo, estado_final)
    select t.id, s.id, s.folio, 'falta', s.estado from conteo t join stock_interno s on ${FALTA}
    where t.id = ${id}`.execute(trx);
  await trx
    .updateTable('conteo')
    .set({ terminadoPor: usuarioId, terminadoEn: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'conteo',
    entidadId: id,
    accion: 'terminar conteo',
    datos: { parte: nombreOfParte(conteo.parte), leidas: cuantas },
  });
}

const countLeidas = (trx: Db | Trx, id: string) =>
  trx
    .selectFrom('conteoPieza')
    .select(sql<number>`count(*)::int`.as('cuantas'))
    .where('conteoId', '=', id)
    .where('leidaEn', 'is not', null)
    .executeTakeFirstOrThrow();

/** The question before a count ends, with what would be missing. */
export async function askFinish(db: Db, { conteo: id }: TerminarConteo): Promise<Question | null> {
  const conteo = await readConteo(db, id);
  if (!conteo || conteo.terminadoEn !== null) return null;
  const { encontradas, esperadas, titulo } = conteo;
  const faltan = esperadas - encontradas;
  return {
    titulo: 'Terminar el conteo',
    texto: `¿Terminar el conteo de «${titulo}»?`,
    hechos: `Se encontraron ${encontradas} de ${esperadas}. ${
      faltan === 0
        ? 'No falta ninguna.'
        : `${faltan === 1 ? 'La que falta queda' : `Las ${faltan} que faltan quedan`} por resolver.`
    }`,
  };
}

/** Throws away an open count into which nothing was read. Throws `NotAllowed` when something was, or it ended. */
export async function discardConteo(trx: Trx, id: string, usuarioId: string): Promise<void> {
  const conteo = await lockConteo(trx, id, 'cambiar');
  if (conteo.terminadoEn !== null) throw new NotAllowed(TITULO, 'El conteo ya se terminó.');
  if ((await countLeidas(trx, id)).cuantas > 0)
    throw new NotAllowed(TITULO, 'Ya se leyeron piezas: termina el conteo para ver qué falta.');
  await trx.deleteFrom('conteo').where('id', '=', id).execute();
  await record(trx, {
    usuarioId,
    entidad: 'conteo',
    entidadId: id,
    accion: 'descartar conteo',
    datos: { parte: nombreOfParte(conteo.parte) },
  });
}

const ERROR_DECIDIR = 'Error de actualización.';

/**
 * Settles a difference of a count that ended, by a person. 'pasada' moves the piece to the part where it stood and 'baja' writes it off with its reason, both by
 * a movement of the piece, so the ledger follows; the other decisions move nothing. Throws `Stale` when the piece is not what the screen showed, and `NotAllowed`
 * when the difference was settled, does not allow the decision, or the states do not allow the step.
 */
export async function settleDiferencia(trx: Trx, form: DecidirDiferencia, usuarioId: string): Promise<void> {
  const { conteo: conteoId, diferencia, version, decision } = form;
  // The reason stands beside all buttons of the form, and belongs to one of them.
  const motivo = decision === 'baja' ? form.motivo : null;
  const conteo = await lockConteo(trx, conteoId, 'leer');
  const fila = await trx
    .selectFrom('conteoPieza')
    .select(['id', 'piezaId', 'codigo', 'hallazgo', 'decision', 'motivo'])
    .where('conteoId', '=', conteoId)
    .where('id', '=', diferencia)
    .forUpdate()
    .executeTakeFirst();
  if (!fila?.hallazgo || fila.hallazgo === 'encontrada')
    throw new NotAllowed(ERROR_DECIDIR, 'Esa diferencia no existe.');
  if (fila.decision === decision && fila.motivo === motivo) return;
  if (!staysOpen(fila.decision)) throw new NotAllowed(ERROR_DECIDIR, `Otra persona ya resolvió ${fila.codigo}.`);
  if (!DECISIONES[fila.hallazgo].includes(decision))
    throw new NotAllowed(ERROR_DECIDIR, `Eso no resuelve ${fila.codigo}.`);
  if (decision === 'baja' && motivo === null)
    throw new NotAllowed(ERROR_DECIDIR, 'Elige por qué se da de baja.', { campo: 'motivo' });
  if (fila.piezaId === null) await requireLibre(trx, fila.codigo, version);
  else await settlePieza(trx, { id: fila.piezaId, version }, { ...form, parte: conteo.parte }, usuarioId);
  await decide(trx, fila.id, { decision, motivo, usuarioId });
  await record(trx, {
    usuarioId,
    entidad: 'conteo',
    entidadId: conteoId,
    accion: 'resolver diferencia',
    datos: { folio: fila.codigo, decision, motivo },
  });
}

/** Throws `Stale` when the label was tied to a piece since the screen showed it. */
async function requireLibre(trx: Trx, codigo: string, version: number): Promise<void> {
  const etiqueta = await trx
    .selectFrom('stockEtiqueta')
    .select('piezaId')
    .where('codigo', '=', codigo)
    .executeTakeFirst();
  if (etiqueta?.piezaId != null || version !== 0)
    throw new Stale({ cambios: [{ campo: 'Etiqueta', mio: 'sin pieza', suyo: 'ligada a una pieza' }], marcas: {} });
}

async function settlePieza(
  trx: Trx,
  vista: { id: string; version: number },
  { decision, motivo, parte }: Pick<DecidirDiferencia, 'decision' | 'motivo'> & { parte: ParteDelEstante | null },
  usuarioId: string,
): Promise<void> {
  const pieza = await lockVista(trx, vista, decision === 'baja' ? 'baja' : null);
  if (decision === 'baja')
    return changeEstado(trx, { ...vista, estado: 'baja', detalle: `Conteo: ${MOTIVO_LABEL[motivo!]}` }, usuarioId);
  if (decision !== 'pasada') return;
  const a = passTo(pieza.estado, parte);
  if (a === null)
    throw new NotAllowed(ERROR_DECIDIR, `${pieza.folio} ya no puede volver al estante: recíbela como otra pieza.`);
  await changeEstado(trx, { ...vista, estado: a, detalle: 'Conteo: estaba en el estante' }, usuarioId);
}

/** The question before a piece is written off; null for the other decisions. */
export async function askSettle(
  db: Db,
  { conteo, diferencia, decision, motivo }: DecidirDiferencia,
): Promise<Question | null> {
  if (decision !== 'baja' || !motivo) return null;
  const pieza = await db
    .selectFrom('conteoPieza')
    .innerJoin('stockInterno', 'stockInterno.id', 'conteoPieza.piezaId')
    .select(['stockInterno.folio', 'stockInterno.costo'])
    .where('conteoPieza.conteoId', '=', conteo)
    .where('conteoPieza.id', '=', diferencia)
    .executeTakeFirst();
  if (!pieza) return null;
  return {
    titulo: 'Dar de baja',
    texto: `¿Está seguro que desea dar de baja ${pieza.folio}?`,
    hechos: `${MOTIVO_LABEL[motivo]}. ${DE_AHI_NO_SALE} Costó ${enPesos(pieza.costo.toFixed(2))}.`,
  };
}
