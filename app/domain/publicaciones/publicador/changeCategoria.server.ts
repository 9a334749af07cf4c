import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, isDoneSoon } from '~/platform/effects/effects.server';
import { lastRefused } from '~/platform/effects/subjects.server';
import type { Market } from '~/core/market';
import type { ActoDeCategoria } from '~/domain/mercados/efectos';
import { publicadoPor } from '~/domain/mercados/mercados';
import { perMarket } from '~/domain/mercados/registro.server';
import type { Formulario, Rechazo, Respuestas } from '~/domain/mercados/publicador';
import { Refused } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import {
  formularioGuardado,
  oFalla,
  oRechazo,
  publicadorOf,
  readCategoria,
  readEleccion,
  readFormulario,
} from './categorias.server';
import { respuestasConocidas, respuestasOfForm, reviewRespuestas } from './publicador';
import type { RespuestasEscritas } from './forms';
import { env } from '~/core/env.server';

const MARKET = publicadoPor('publicadorML');
const TITULO = 'Error al cambiar la categoría.';

const Cambio = z.object({
  publicacionId: z.string(),
  clave: z.string(),
  titulo: z.string(),
  categoriaId: z.string(),
  respuestas: z.record(z.string(), z.object({ valor: z.string(), unidad: z.string().optional() })),
  cuerpo: z.record(z.string(), z.unknown()),
});

/** Moves a listing to another category, with the answers that the category asks for. Saying the same twice changes nothing at the marketplace. */
const defineMudanza = (acto: ActoDeCategoria, market: Market) =>
  defineEffect({
    type: acto.type,
    label: acto.label,
    connection: acto.connection,
    request: Cambio,
    evidence: z.object({ categoriaId: z.string() }),
    key: ({ publicacionId }) => `publicacion:${publicacionId}`,
    subjects: ({ publicacionId }) => [['publicacion', publicacionId]],
    summary: ({ titulo, clave }) => ({ que: `${titulo} (${clave})` }),
    unclear: 'repeat',
    sinMirada: 'Moverla dos veces la deja en la misma categoría.',
    async send(call) {
      try {
        return { categoriaId: await acto.send(call) };
      } catch (error) {
        if (!(error instanceof Refused) || !Array.isArray(error.details.answer)) throw error;
        const formulario = await formularioGuardado(call.db, market, call.request.categoriaId);
        const rechazos = publicadorOf(call.db, market).explicar(error.details.answer, formulario);
        if (rechazos.length === 0) throw error;
        throw new Refused(write(rechazos, formulario), { status: error.details.status, code: error.details.code });
      }
    },
    confirm: (_, evidence) => Promise.resolve(evidence),
    async settle(trx, { request: { publicacionId }, usuarioId }, { categoriaId }) {
      const antes = await trx
        .selectFrom('publicacion')
        .select('categoriaId')
        .where('id', '=', publicacionId)
        .executeTakeFirst();
      await trx.updateTable('publicacion').set({ categoriaId }).where('id', '=', publicacionId).execute();
      await record(trx, {
        usuarioId,
        entidad: 'publicacion',
        entidadId: publicacionId,
        accion: 'cambiar categoría',
        datos: { antes: { categoria: antes?.categoriaId }, despues: { categoria: categoriaId } },
      });
    },
  });

/** The effects that move a listing to another category, by marketplace. */
export const mudanzas = perMarket(({ moverCategoria }) => moverCategoria, defineMudanza);

/** Writes reasons, one in a line after the name of its field. People read them wherever an effect is shown, and `readBack` finds the fields again. */
const write = (rechazos: readonly Rechazo[], formulario: Formulario | null) =>
  rechazos
    .map(({ campo, texto }) => {
      const nombre = formulario?.campos.find(({ id }) => id === campo)?.nombre;
      return nombre ? `${nombre}: ${texto}` : texto;
    })
    .join('\n');

const readBack = (reason: string, { campos }: Formulario): Rechazo[] =>
  reason.split('\n').map((linea) => {
    const campo = campos.find(({ nombre }) => linea.startsWith(`${nombre}: `));
    return { campo: campo?.id ?? null, texto: campo ? linea.slice(campo.nombre.length + 2) : linea };
  });

/** Returns a listing whose category a person wants to change; undefined when there is none. */
export async function readPublicacionPorMover(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  return db
    .selectFrom('publicacion')
    .leftJoin('producto', 'producto.id', 'publicacion.productoId')
    .leftJoin('categoria', (join) =>
      join
        .onRef('categoria.categoriaId', '=', 'publicacion.categoriaId')
        .onRef('categoria.market', '=', 'publicacion.market'),
    )
    .select([
      'publicacion.id',
      'publicacion.clave',
      'publicacion.sku',
      'publicacion.titulo',
      'publicacion.categoriaId',
      'publicacion.version',
      'publicacion.link',
      'categoria.ruta',
      'producto.marca',
      'producto.modelo',
      'producto.modeloFabricante',
      'producto.gtins',
    ])
    .where('publicacion.id', '=', id)
    .where('publicacion.market', '=', MARKET)
    .executeTakeFirst();
}
type Publicacion = NonNullable<Awaited<ReturnType<typeof readPublicacionPorMover>>>;

/** Returns the reason of the last refused move to this category, with its answers; null without one. */
async function ultimoRechazo(db: Db, id: string, categoriaId: string) {
  const last = await lastRefused(db, ['publicacion', id], mudanzas.require(MARKET));
  return last?.request.categoriaId === categoriaId
    ? { reason: last.reason, respuestas: last.request.respuestas }
    : null;
}

const conocidas = ({ campos }: Formulario, { marca, modelo, modeloFabricante, gtins }: Publicacion): Respuestas =>
  respuestasConocidas(campos, { marca, modelo, modeloFabricante, gtins: gtins ?? [] }, env().MARCA);

export type VistaCambio = NonNullable<Awaited<ReturnType<typeof readCambio>>>;

/**
 * Reads the screen that changes the category of a listing: the picker, or the form of the chosen category with the answers of the listing. Null when
 * the listing is gone.
 */
export async function readCambio(
  db: Db,
  id: string,
  { q, nodo, categoriaId }: { q: string | null; nodo: string | null; categoriaId: string | null },
) {
  const publicacion = await readPublicacionPorMover(db, id);
  if (!publicacion) return null;
  const publicador = publicadorOf(db, MARKET);
  if (categoriaId === null)
    return {
      publicacion,
      eleccion: await readEleccion(db, MARKET, { q: (q ?? publicacion.titulo).trim().slice(0, 120), nodo }),
      elegida: null,
      falla: null,
    };
  const answer = await oFalla(MARKET, async () => {
    const categoria = await readCategoria(db, MARKET, categoriaId, publicador);
    const formulario = await readFormulario(db, MARKET, categoriaId, publicador);
    const suya = await publicador.mover?.respuestasDe(publicacion.clave, formulario);
    const rechazo = await ultimoRechazo(db, id, categoriaId);
    return {
      categoria,
      formulario,
      vendido: suya?.vendido ?? 0,
      respuestas: rechazo?.respuestas ?? { ...conocidas(formulario, publicacion), ...suya?.respuestas },
      problemas: rechazo ? readBack(rechazo.reason, formulario) : [],
    };
  });
  return {
    publicacion,
    eleccion: null,
    elegida: 'valor' in answer ? answer.valor : null,
    falla: 'falla' in answer ? answer.falla : null,
  };
}

/**
 * Asks for the move and waits a moment. Returns false while the marketplace is still at it. Throws NotAllowed with the first missing answer, and
 * Stale when the listing changed.
 */
export async function changeCategoria(
  db: Db,
  id: string,
  categoriaId: string,
  { version, ...escritas }: RespuestasEscritas,
  usuario: { id: string },
): Promise<boolean> {
  const publicacion = await readPublicacionPorMover(db, id);
  if (!publicacion) throw new NotAllowed(TITULO, 'La publicación ya no está.');
  const formulario = await oRechazo(MARKET, TITULO, () => readFormulario(db, MARKET, categoriaId));
  const { mover } = publicadorOf(db, MARKET);
  if (!mover) throw new NotAllowed(TITULO, 'Este mercado no cambia de categoría lo publicado.');
  const [falta] = formulario.sinSoporte;
  if (falta) throw new NotAllowed(TITULO, `Desde aquí no se puede: «${falta.nombre}» ${falta.porque}.`);
  const respuestas = respuestasOfForm(escritas);
  const [problema, ...otros] = reviewRespuestas(formulario.campos, respuestas);
  if (problema) {
    const nombre = formulario.campos.find((campo) => campo.id === problema.campo)?.nombre;
    const mas = otros.length > 0 ? ` Y ${otros.length} más.` : '';
    throw new NotAllowed(TITULO, `${nombre}: ${problema.texto}${mas}`, { campo: `valor.${problema.campo}` });
  }
  const effectId = await db.transaction().execute(async (trx) => {
    const ahora = await trx
      .selectFrom('publicacion')
      .select('version')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (ahora.version !== version) throw new Stale({ cambios: [], marcas: { version: ahora.version } });
    const accepted = await acceptEffect(trx, mudanzas.require(MARKET), {
      request: {
        publicacionId: id,
        clave: publicacion.clave,
        titulo: publicacion.titulo,
        categoriaId,
        respuestas,
        cuerpo: mover.armarCambio(categoriaId, respuestas, formulario),
      },
      usuarioId: usuario.id,
    });
    if (!accepted.created) throw new NotAllowed(TITULO, 'Otro cambio de categoría de esta publicación va en camino.');
    return accepted.id;
  });
  return isDoneSoon(db, effectId, TITULO);
}
