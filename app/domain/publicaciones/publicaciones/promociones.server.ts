import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { acceptEffect, isDoneSoon } from '~/platform/effects/effects.server';
import { livingOf } from '~/platform/effects/subjects.server';
import type { Db, Trx } from '~db/client.server';
import type { EstadoDePromocion } from '~db/columns';
import type { ExcluirPromocion } from './forms';
import { exclusiones } from './internal/exclusiones.server';
import { type Pendiente, readByTurns, readOneNow } from './internal/porTurnos.server';
import { judgePromociones, saveLectura } from './internal/savePromociones.server';
import { requireTienda, TITULO } from './internal/tienda.server';
import { askExcluir, huellaOfPromocion, loQueDeja, seAplica } from './promocion';
import { seEstaCreando } from './publicaciones.server';

/** A page does not stand longer for the marketplaces. */
const PACIENCIA_MS = 8_000;

type Leida = Parameters<typeof saveLectura>[2] & { clave: string };
const TURNOS = {
  tabla: 'publicacion_promociones',
  save: (trx: Trx, id: string, leida: Leida, desde: Date) => saveLectura(trx, id, leida, desde),
} as const;

/**
 * Judges the promotions of a marketplace anew, since costs and rates move, and reads those of the listings that are due, as many as one run may: first those whose price
 * moved under a promotion, then those that were never read, then the oldest readings. Returns how many listings were read; null where nothing can be asked.
 */
export async function bringPromociones(
  db: Db,
  market: Market,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number | null> {
  await judgePromociones(db, sql`p.market = ${market}`);
  const fuente = fuenteOf(market);
  if ((await fuente.link(db))?.status !== 'linked' || (await fuente.isPaused(db))) return null;
  const lectura = fuente.publicaciones?.open(db).promociones;
  if (!lectura) return null;
  const pendientes = await listPendientes(db, market, lectura.porVez);
  if (pendientes.length === 0) return 0;
  const cuales = sql`ausente_desde is null`;
  return await readByTurns(db, fuente, { ...TURNOS, kind: 'promociones', lectura, pendientes, cuales }, signal);
}

/** The listings that may be asked for and are due. A notice told another price than that of the list since the last reading: a promotion began, moved or ended. */
async function listPendientes(db: Db, market: Market, most: number): Promise<Pendiente[]> {
  const { rows } = await sql<Pendiente>`
    select p.id, p.clave from publicacion p left join publicacion_promociones c on c.publicacion_id = p.id
    cross join lateral (
      select p.precio_venta_en > coalesce(greatest(c.leida_en, c.error_en), '-infinity') and (
        p.precio_venta is distinct from p.precio or exists (select from publicacion_promocion m where m.publicacion_id = p.id and m.corre_desde is not null)) as movio) s
    where p.market = ${market} and p.ausente_desde is null and p.estatus is distinct from ${MERCADOS[market].publicaciones.creandose}
      and (c.pedir_en is null or c.pedir_en <= now() or s.movio)
    order by s.movio is true desc, c.pedir_en nulls first, p.id limit ${most}`.execute(db);
  return rows;
}

/**
 * 'Leer ahora': reads the promotions of one listing, while a person waits. Throws NotAllowed with the reason when the listing is unknown or still made, and when its
 * marketplace cannot be asked, refuses, or does not answer in time.
 */
export async function bringPromocionesOf(db: Db, id: string): Promise<void> {
  const publicacion = await db
    .selectFrom('publicacion')
    .select(['id', 'market', 'clave', 'estatus'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!publicacion) throw new NotAllowed(TITULO, 'No se encontro la publicación');
  const { market, estatus } = publicacion;
  if (seCrea(market, estatus)) throw new NotAllowed(TITULO, seEstaCreando(market));
  const fuente = await requireTienda(db, market);
  const lectura = fuente.publicaciones?.open(db, { timeoutMs: PACIENCIA_MS }).promociones;
  if (!lectura) throw new NotAllowed(TITULO, `${MERCADOS[market].label} no dice en qué promociones está.`);
  await readOneNow(db, { ...TURNOS, lectura }, publicacion);
}

/** A promotion of a listing as its panel shows it. */
type PromocionVista = {
  id: string;
  nombre: string;
  estado: EstadoDePromocion | null;
  palabra: string;
  precio: Money | null;
  original: Money | null;
  pone: Money | null;
  ponemos: Money | null;
  desde: Date | null;
  hasta: Date | null;
  /** What a sale would leave; null where nobody knows it, with the reason in `porque`. An invitation has neither. */
  queda: Money | null;
  margen: Money | null;
  estima: string[];
  porque: string | null;
  /** Whether that is below our floor; null where nobody knows. */
  bajo: boolean | null;
  /** Why it cannot be removed from here; null where it can. */
  soloAlla: string | null;
  /** The mark of what is shown, for whoever decides about it. */
  huella: string;
  /** The question before the listing is excluded because of it; null where that cannot be done. */
  excluir: Question | null;
};

/** The promotions of a listing as its panel shows them. `leidaEn` null: nothing was read. */
type PromocionesVistas = {
  promociones: PromocionVista[];
  excluida: boolean | null;
  /** What became of the last exclusion, in words. */
  dicho: string | null;
  dichoEn: Date | null;
  leidaEn: Date | null;
  /** Why the last reading came to nothing, after which that of before stands. */
  error: string | null;
  /** An exclusion is on its way. */
  enCamino: boolean;
  sePregunta: boolean;
};

const nuncaLeida = { excluida: null, dicho: null, dichoEn: null, leidaEn: null, error: null };

/** Reads the promotions of a listing, those below our floor first; null where its marketplace never tells any. */
export async function readPromociones(
  db: Db,
  { id, market }: { id: string; market: Market },
): Promise<PromocionesVistas | null> {
  if (!fuenteOf(market).publicaciones?.open(db).promociones) return null;
  const [publicacion, lectura, filas, enCamino] = await Promise.all([
    db.selectFrom('publicacion').select(['ausenteDesde', 'estatus', 'titulo']).where('id', '=', id).executeTakeFirst(),
    db
      .selectFrom('publicacionPromociones')
      .select(['excluida', 'dicho', 'dichoEn', 'leidaEn', 'error'])
      .where('publicacionId', '=', id)
      .executeTakeFirst(),
    readFilas(db, id),
    isExcluyendo(db, market, id),
  ]);
  if (!publicacion) return null;
  const esta = publicacion.ausenteDesde === null && !seCrea(market, publicacion.estatus);
  return {
    ...(lectura ?? nuncaLeida),
    enCamino,
    sePregunta: esta,
    promociones: filas.map((fila) => ({
      ...fila,
      huella: huellaOfPromocion(fila),
      excluir:
        esta && !enCamino && isExcluible(fila) && exclusiones.of(market)
          ? askExcluir({ ...fila, titulo: publicacion.titulo, mercado: MERCADOS[market].label })
          : null,
    })),
  };
}

const COLUMNAS = [
  'id',
  'nombre',
  'estado',
  'palabra',
  'precio',
  'original',
  'pone',
  'ponemos',
  'desde',
  'hasta',
  'queda',
  'margen',
  'estima',
  'porque',
  'bajo',
  'soloAlla',
] as const;

const readFilas = (db: Db, publicacionId: string) =>
  db
    .selectFrom('publicacionPromocion')
    .select(COLUMNAS)
    .where('publicacionId', '=', publicacionId)
    .orderBy(sql`bajo is true`, 'desc')
    .orderBy(sql`corre_desde is null`)
    .orderBy('desde')
    .orderBy('id')
    .execute();

/** Only what runs, or is about to, is worth an exclusion; an invitation is no promotion yet. */
const isExcluible = ({ estado, soloAlla }: { estado: EstadoDePromocion | null; soloAlla: string | null }) =>
  seAplica(estado) && soloAlla === null;

const isExcluyendo = async (db: Db, market: Market, id: string): Promise<boolean> => {
  const definicion = exclusiones.of(market);
  return definicion !== undefined && (await livingOf(db, 'publicacion', [id], definicion)).has(id);
};

const TITULO_EXCLUIR = 'Error al excluir: ';

/**
 * Asks for the exclusion of a listing because of one of its promotions, and returns the effect. Throws NotAllowed when the promotion is over, can only be removed at the
 * marketplace, or an exclusion is on its way already, and Stale when the promotion moved since it was shown.
 */
async function acceptExclusion(trx: Trx, { id, huella }: ExcluirPromocion, usuarioId: string): Promise<string> {
  const fila = await trx
    .selectFrom('publicacionPromocion')
    .innerJoin('publicacion', 'publicacion.id', 'publicacionPromocion.publicacionId')
    .select([
      'publicacionPromocion.publicacionId',
      'publicacionPromocion.tipo',
      'promocion',
      'nombre',
      'estado',
      'palabra',
    ])
    .select([
      'publicacionPromocion.precio',
      'soloAlla',
      'queda',
      'margen',
      'estima',
      'market',
      'publicacion.clave',
      'titulo',
      'ausenteDesde',
    ])
    .where('publicacionPromocion.id', '=', id)
    .forUpdate('publicacionPromocion')
    .executeTakeFirst();
  if (!fila || fila.ausenteDesde !== null) throw new NotAllowed(TITULO_EXCLUIR, 'La promoción ya no está.');
  const { publicacionId, market, clave, titulo, tipo, promocion, nombre, precio } = fila;
  if (fila.soloAlla !== null) throw new NotAllowed(TITULO_EXCLUIR, fila.soloAlla);
  const marca = huellaOfPromocion(fila);
  if (marca !== huella) {
    const ahora = [precio && `a ${enPesos(precio)}`, loQueDeja(fila)].filter(Boolean).join(', ');
    throw new Stale(
      { cambios: [], marcas: { huella: marca } },
      { titulo: TITULO_EXCLUIR, texto: `Mientras tanto la promoción cambió. Ahora: ${ahora || fila.palabra}.` },
    );
  }
  const definicion = exclusiones.of(market);
  if (!definicion || !isExcluible(fila)) throw new NotAllowed(TITULO_EXCLUIR, 'Esta promoción no está corriendo.');
  const aceptado = await acceptEffect(trx, definicion, {
    request: { publicacionId, clave, titulo, tipo, promocion, nombre, precio: precio?.toFixed(2) ?? null },
    usuarioId,
  });
  if (!aceptado.created)
    throw new NotAllowed(TITULO_EXCLUIR, 'Ya se está excluyendo: espera a que el mercado conteste.');
  await trx
    .updateTable('publicacionPromociones')
    .set({ dicho: null, dichoEn: null })
    .where('publicacionId', '=', publicacionId)
    .execute();
  return aceptado.id;
}

/**
 * Excludes a listing and waits a moment for its marketplace. Returns what became of both parts, in words; null while the marketplace has not answered. Throws as
 * `acceptExclusion`, and NotAllowed with the reason of a marketplace that refused both.
 */
export async function excluirPromocion(db: Db, pedida: ExcluirPromocion, usuarioId: string): Promise<string | null> {
  const effectId = await db.transaction().execute((trx) => acceptExclusion(trx, pedida, usuarioId));
  if (!(await isDoneSoon(db, effectId, TITULO_EXCLUIR))) return null;
  const fila = await db
    .selectFrom('publicacionPromociones')
    .innerJoin('effectSubject', (join) =>
      join.on(
        sql<boolean>`effect_subject.entidad = 'publicacion' and effect_subject.entidad_id = publicacion_id::text`,
      ),
    )
    .select('dicho')
    .where('effectSubject.effectId', '=', effectId)
    .executeTakeFirst();
  return fila?.dicho ?? null;
}

/** Returns the question before a listing is excluded because of a promotion; null when the promotion is gone. */
export async function askExclusion(db: Db, { id }: ExcluirPromocion): Promise<Question | null> {
  const fila = await db
    .selectFrom('publicacionPromocion')
    .innerJoin('publicacion', 'publicacion.id', 'publicacionPromocion.publicacionId')
    .select(['nombre', 'publicacionPromocion.precio', 'queda', 'margen', 'estima', 'porque', 'titulo', 'market'])
    .where('publicacionPromocion.id', '=', id)
    .executeTakeFirst();
  return fila ? askExcluir({ ...fila, mercado: MERCADOS[fila.market].label }) : null;
}
