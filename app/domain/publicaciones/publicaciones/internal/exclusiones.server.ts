import { sql } from 'kysely';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import type { Acto, ExclusionHecha } from '~/domain/mercados/efectos';
import { perMarket } from '~/domain/mercados/registro.server';
import { dichoOfExclusion } from '../promocion';
import { saveLectura } from './savePromociones.server';

/** The exclusion of one listing, as it is asked for. `titulo` and `nombre` are for people alone. */
const Exclusion = z.object({
  publicacionId: z.string(),
  clave: z.string(),
  titulo: z.string(),
  tipo: z.string(),
  promocion: z.string().nullable(),
  nombre: z.string(),
  precio: z.string().nullable(),
});
type Exclusion = z.output<typeof Exclusion>;

/** Keeps a listing out of automatic promotions and ends one: what became of both is kept with the listing, in words. */
const defineExclusion = (acto: Acto<Exclusion, ExclusionHecha>) =>
  defineEffect<Exclusion, unknown, ExclusionHecha>({
    ...acto,
    request: Exclusion,
    key: ({ publicacionId }) => publicacionId,
    subjects: ({ publicacionId }) => [['publicacion', publicacionId]],
    summary: ({ titulo, clave, nombre, precio }) => ({
      que: `${titulo} (${clave}). ${nombre}`,
      ...(precio !== null && { total: precio }),
    }),
    async settle(trx, { request, usuarioId }, hecha) {
      const { publicacionId, nombre, precio } = request;
      const { rows } = await sql<{ en: Date }>`select clock_timestamp() as en`.execute(trx);
      await saveLectura(trx, publicacionId, hecha, rows[0]!.en);
      const dicho = dichoOfExclusion(hecha);
      await trx
        .updateTable('publicacionPromociones')
        .set({ dicho, dichoEn: sql<Date>`now()` })
        .where('publicacionId', '=', publicacionId)
        .execute();
      await record(trx, {
        usuarioId,
        entidad: 'publicacion',
        entidadId: publicacionId,
        accion: 'excluir de promociones',
        datos: { promocion: nombre, precio, dicho },
      });
    },
  });

/** The effects that keep a listing out of automatic promotions, by marketplace. */
export const exclusiones = perMarket(({ excluirDePromociones }) => excluirDePromociones, defineExclusion);
