import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { TipoDeEvento, TipoDeGancho } from '~db/columns';
import type { Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';

/** What an event says: one sentence, which a chat like Slack shows by the name `text`, and its data. */
export type Dicho = { text: string; data: Readonly<Record<string, unknown>> };

/** Tells every receiver that wants this kind of what is known now and may be gone when a delivery leaves. No row stays where nobody wants it. */
export async function announce(trx: Trx, tipo: TipoDeGancho, entidadId: string, dicho: Dicho): Promise<void> {
  const ganchos = await trx
    .selectFrom('gancho')
    .select('id')
    .where(sql<boolean>`${tipo} = any(tipos)`)
    .orderBy('id')
    .execute();
  await writeEvento(
    trx,
    { tipo, entidadId, dicho },
    ganchos.map(({ id }) => id),
  );
}

/**
 * Sends an event of the kind 'prueba' to one receiver, and asks the receiver at once, also while it is left alone: what is due for longer goes first. Throws
 * `NotAllowed` when the receiver is gone.
 */
export async function sendPrueba(trx: Trx, { gancho }: { gancho: string }, usuarioId: string): Promise<void> {
  const found = await trx
    .updateTable('gancho')
    .set({ esperaHasta: null })
    .where('id', '=', gancho)
    .returning('nombre')
    .executeTakeFirst();
  if (!found) throw new NotAllowed('Error al enviar la prueba.', 'Ese receptor ya no está.');
  const dicho = { text: `Prueba de Trastienda para ${found.nombre}.`, data: { receptor: found.nombre } };
  await writeEvento(trx, { tipo: 'prueba', entidadId: gancho, dicho }, [gancho]);
  await record(trx, { usuarioId, entidad: 'gancho', entidadId: gancho, accion: 'probar', datos: found });
}

type Evento = { tipo: TipoDeEvento; entidadId: string; dicho: Dicho };

async function writeEvento(trx: Trx, { tipo, entidadId, dicho }: Evento, ganchos: readonly string[]): Promise<void> {
  if (ganchos.length === 0) return;
  const { rows } = await sql<{ en: Date }>`select now() as en`.execute(trx);
  const en = rows[0]!.en;
  const { id: eventoId } = await trx
    .insertInto('ganchoEvento')
    .values({
      tipo,
      entidadId,
      ocurridoEn: en,
      repartidoEn: en,
      cuerpo: JSON.stringify({ type: tipo, timestamp: en, ...dicho }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('ganchoEntrega')
    .values(ganchos.map((ganchoId) => ({ ganchoId, eventoId })))
    .execute();
  for (const ganchoId of ganchos) await enqueue(trx, 'ganchos.entregar', { ganchoId });
}
