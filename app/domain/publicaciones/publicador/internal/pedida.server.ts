import { sql } from 'kysely';
import { z } from 'zod';
import type { AcceptedEffect } from '~/platform/effects/definition';
import type { Market } from '~/core/market';
import type { Trx } from '~db/client.server';
import { TIPOS } from '../publicador';

/** A listing to be put on sale, as its effect was accepted. `cuerpo` is in the marketplace's own words. */
export const Pedida = z.object({
  productoId: z.string(),
  proveedor: z.string(),
  sku: z.string(),
  tipo: z.enum(TIPOS),
  titulo: z.string(),
  descripcion: z.string().nullable(),
  cuerpo: z.record(z.string(), z.unknown()),
  imagenes: z.array(z.object({ archivoId: z.string().nullable(), url: z.string() })),
  seguir: z.boolean(),
  /** The price, where a person typed another than the rule's. */
  escrito: z.string().nullable().default(null),
});
export type Pedida = z.output<typeof Pedida>;

/** Deletes the draft of a product once the last of its listings is on sale. A draft with problems stays: a listing of another kind is still to be corrected. */
export async function finishDraft(
  trx: Trx,
  { id, request: { productoId } }: AcceptedEffect<Pedida>,
  { market, type }: { market: Market; type: string },
): Promise<void> {
  await trx
    .deleteFrom('publicacionBorrador')
    .where('market', '=', market)
    .where('productoId', '=', productoId)
    .where(sql<boolean>`problemas = '[]'::jsonb`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('effect')
            .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
            .select('effect.id')
            .where('effect.type', '=', type)
            .where('effectSubject.entidad', '=', 'producto')
            .where('effectSubject.entidadId', '=', productoId)
            .where('effect.id', '!=', id)
            .where('effect.state', 'in', ['queued', 'sending', 'unknown', 'manual']),
        ),
      ),
    )
    .execute();
}
