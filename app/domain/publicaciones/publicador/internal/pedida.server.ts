import { sql } from 'kysely';
import { z } from 'zod';
import type { AcceptedEffect } from '~/platform/effects/definition';
import type { Market } from '~/core/market';
import type { Trx } from '~db/client.server';
import { TIPOS } from '../publicador';

/** A listing as it was accepted. Pictures of ours go first and are named by the id they get there. */
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
});
export type Pedida = z.output<typeof Pedida>;

/** The draft goes with the last of what was asked for. */
export async function terminado(
  trx: Trx,
  { id, request: { productoId } }: AcceptedEffect<Pedida>,
  { market, type }: { market: Market; type: string },
): Promise<void> {
  await trx
    .deleteFrom('publicacionBorrador')
    .where('market', '=', market)
    .where('productoId', '=', productoId)
    // What was refused of the other kind is still to be corrected.
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
