import { sql } from 'kysely';
import type { Market } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import type { ActoDePublicar, PublicacionPuesta } from '~/domain/mercados/efectos';
import { MERCADOS } from '~/domain/mercados/mercados';
import { perMarket } from '~/domain/mercados/registro.server';
import { Refused } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { formularioGuardado, publicadorOf } from '../categorias.server';
import { finishDraft, Pedida } from './pedida.server';

/** Puts a product on sale at a marketplace. Where a product has a listing of each kind, each listing is an effect of its own. */
const definePuesta = (acto: ActoDePublicar, market: Market) =>
  defineEffect<Pedida, unknown, PublicacionPuesta>({
    ...acto,
    request: Pedida,
    key: ({ productoId, tipo }) => `producto:${productoId}${acto.porTipo ? `:${tipo}` : ''}`,
    ref: ({ sku, tipo }) => (acto.porTipo ? `${sku} ${tipo}` : sku),
    subjects: ({ productoId }) => [['producto', productoId]],
    async send(call) {
      try {
        return await acto.send(call);
      } catch (error) {
        if (error instanceof Refused && Array.isArray(error.details.answer))
          await note(call.db, market, call.request, error.details.answer);
        throw error;
      }
    },
    confirm: (call, evidence) => acto.confirm(call, evidence, (no) => note(call.db, market, call.request, no)),
    async settle(trx, effect, { clave, dicho, mostrada }) {
      const { productoId, proveedor, sku, seguir, escrito, descripcion } = effect.request;
      await shownAsCreating(trx.updateTable('publicacion').set(mostrada), market, sku).execute();
      const ours = {
        productoId,
        proveedor,
        sku,
        descripcion,
        autoSync: seguir,
        precioEscrito: seguir ? escrito : null,
      };
      const { id } = await trx
        .insertInto('publicacion')
        .values({ market, clave, ...ours, ...mostrada, fechaCreacion: sql<Date>`now()` })
        .onConflict((conflict) => conflict.columns(['market', 'clave']).doUpdateSet(ours))
        .returning('id')
        .executeTakeFirstOrThrow();
      await record(trx, {
        usuarioId: effect.usuarioId,
        entidad: 'publicacion',
        entidadId: id,
        accion: 'publicar',
        datos: { dicho },
      });
      await finishDraft(trx, effect, { market, type: acto.type });
    },
    async release(trx, { request: { productoId, sku } }, razon) {
      await shownAsCreating(trx.deleteFrom('publicacion'), market, sku).execute();
      await trx
        .updateTable('publicacionBorrador')
        .set({
          problemas: sql`case when problemas = '[]'::jsonb
            then ${JSON.stringify([{ campo: null, texto: razon }])}::jsonb else problemas end`,
        })
        .where('market', '=', market)
        .where('productoId', '=', productoId)
        .execute();
    },
  });

/** The effects that put a product on sale, by marketplace. */
export const puestas = perMarket(({ publicar }) => publicar, definePuesta);

/** Narrows a query to the line that stands for a listing until its marketplace shows it. A marketplace that shows listings at once has no such line. */
const shownAsCreating = <Q extends { where(columna: string, es: '=', valor: string): Q }>(
  query: Q,
  market: Market,
  sku: string,
): Q =>
  query
    .where('market', '=', market)
    .where('clave', '=', sku)
    .where('estatus', '=', MERCADOS[market].publicaciones.creandose ?? '');

/** Keeps with the draft why its marketplace did not take it, field by field, for whoever corrects it. */
async function note(db: Db, market: Market, { productoId }: Pedida, no: unknown): Promise<void> {
  const borrador = await db
    .selectFrom('publicacionBorrador')
    .select('categoriaId')
    .where('market', '=', market)
    .where('productoId', '=', productoId)
    .executeTakeFirst();
  const formulario = borrador?.categoriaId ? await formularioGuardado(db, market, borrador.categoriaId) : null;
  await db
    .updateTable('publicacionBorrador')
    .set({ problemas: JSON.stringify(publicadorOf(db, market).explicar(no, formulario)) })
    .where('market', '=', market)
    .where('productoId', '=', productoId)
    .execute();
}
