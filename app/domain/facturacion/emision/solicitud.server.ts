import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import type { EffectCatalog } from '~/platform/effects/definition';
import type { Db } from '~db/client.server';
import { findDraftOfEffect, withdrawStamp } from './draft.server';
import { estadoOf, type EstadoFactura } from './draftSteps.server';
import { stampFactura } from './internal/stampFactura.server';

/** A factura that was asked for, and what became of it. `id` is that of the request, which a refused factura has too. */
type Solicitud = { id: string; numOrden: string; estado: EstadoFactura };

/** Reads a factura that was asked for, after a short wait for the PAC; undefined when none was by that id. */
export async function readSolicitud(db: Db, id: string): Promise<Solicitud | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const venta = await db
    .selectFrom('effect')
    .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
    .innerJoin('orden', (join) => join.on(sql<boolean>`orden.id::text = effect_subject.entidad_id`))
    .select('orden.numOrden')
    .where('effect.id', '=', id)
    .where('effect.type', '=', stampFactura.type)
    .where('effectSubject.entidad', '=', 'orden')
    .limit(1)
    .executeTakeFirst();
  return venta && { id, numOrden: venta.numOrden, estado: await estadoOf(db, id) };
}

/** Takes back a factura that this person asked for and the PAC was not sent yet. Throws NotAllowed for any other. */
export async function withdrawSolicitud(db: Db, catalog: EffectCatalog, id: string, usuarioId: string): Promise<void> {
  const draft = await findDraftOfEffect(db, id, usuarioId);
  if (!draft) throw new NotAllowed('Facturación', 'No hay una solicitud que retirar.');
  await withdrawStamp(db, catalog, draft, usuarioId);
}
