import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
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
  isInParte,
  type Lectura,
  MOTIVO_LABEL,
  type MotivoDeBaja,
  nombreOfParte,
  type ParteDelEstante,
  passTo,
  staysOpen,
} from './conteo';
import type { DecidirDiferencia, EmpezarConteo, LeerEnConteo, TerminarConteo } from './forms';
import { codeIn, DE_AHI_NO_SALE, nombreOfPieza, parseCodigo, parseFolio } from './pieza';
import { changeEstado, lockVista } from './piezas.server';
import { findEscaneado } from './readPiezas.server';
import { readConteo } from './conteos.server';
import { FALTA, HALLAZGO } from './internal/conteoSql.server';

const TITULO = 'Error al contar.';
const AUSENTE = 'El conteo no existe.';

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
