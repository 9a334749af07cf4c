import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { AMAZON } from './internal/tokens.server';
import { findCredential } from '~/platform/connections/credentials.server';
import { colaAws } from './internal/cola.server';
import { arnOf, cuentaAws } from './eventBridge.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { type Aviso, AVISOS } from '~/integrations/amazon/notificaciones.server';
import { Refused } from '~/integrations/errors';
import type { Trx } from '~db/client.server';

const TITULO = 'Error de activación.';

/** Asks Amazon to leave its notices of listings at our event bridge. Each part is looked for before it is made, so asking again makes nothing twice. */
export const vincularEb = defineEffect({
  type: 'amz.eventBridge',
  label: 'Event bridge de Amazon',
  connection: 'amazon',
  request: z.object({ vendedor: z.string(), cuenta: z.string(), region: z.string() }),
  evidence: z.object({ nameResource: z.string(), suscripciones: z.number() }),
  key: ({ vendedor }) => vendedor,
  subjects: () => [],
  summary: ({ cuenta, region }) => ({ que: `Event bridge de ${cuenta} en ${region}` }),
  unclear: 'repeat',
  sinMirada: 'Pedirlo dos veces deja una sola suscripción.',
  again: true,
  async send({ request, clients }) {
    const { avisos } = clients.amz();
    const { id, nombre } = (await avisos.destino(request)) ?? (await avisos.crea(request));
    let suscripciones = 0;
    for (const aviso of Object.keys(AVISOS) as Aviso[]) {
      if (!(await avisos.estaSuscrito(aviso)))
        await avisos.suscribe(aviso, id).catch((error: unknown) => {
          // A 409 means that somebody subscribed first.
          if (!(error instanceof Refused) || error.details.status !== 409) throw error;
        });
      suscripciones += 1;
    }
    return { nameResource: nombre, suscripciones };
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { vendedor }, usuarioId }, { nameResource, suscripciones }) {
    await trx
      .insertInto('amazonEventos')
      .values({ cuenta: vendedor, nameResource, suscripciones })
      .onConflict((on) =>
        on.column('cuenta').doUpdateSet((is) => ({
          nameResource,
          suscripciones,
          // Another source has another bus, and nobody associated that bus yet.
          arn: is
            .case()
            .when('amazonEventos.nameResource', '=', nameResource)
            .then(is.ref('amazonEventos.arn'))
            .else(null)
            .end(),
        })),
      )
      .execute();
    await record(trx, {
      usuarioId,
      entidad: 'credential',
      entidadId: AMAZON,
      accion: 'vincular event bridge',
      datos: { nameResource, suscripciones },
    });
  },
});

/** Asks Amazon to leave its notices of sales at our queue. Asking again makes nothing twice. */
export const vincularCola = defineEffect({
  type: 'amz.cola',
  label: 'Cola de avisos de Amazon',
  connection: 'amazon',
  request: z.object({ vendedor: z.string(), arn: z.string() }),
  evidence: z.object({ arn: z.string() }),
  key: ({ vendedor }) => vendedor,
  subjects: () => [],
  summary: ({ arn }) => ({ que: `Avisos de ventas en ${arn}` }),
  unclear: 'repeat',
  sinMirada: 'Pedirlo dos veces deja una sola suscripción.',
  again: true,
  async send({ request: { arn }, clients }) {
    const { avisos } = clients.amz();
    await avisos.suscribeVentas((await avisos.destinoDeCola(arn)) ?? (await avisos.creaDestinoDeCola(arn)));
    return { arn };
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { vendedor }, usuarioId }, { arn }) {
    await trx
      .insertInto('amazonCola')
      .values({ cuenta: vendedor, suscrita: arn })
      .onConflict((on) => on.column('cuenta').doUpdateSet({ suscrita: arn }))
      .execute();
    await record(trx, { usuarioId, entidad: 'credential', entidadId: AMAZON, accion: 'vincular cola', datos: { arn } });
  },
});

/**
 * Asks for the event bridge of the linked account, and for the queue of its sales: for those of the two that are configured. Throws NotAllowed without an
 * account, or without either.
 */
export async function linkEventBridge(trx: Trx, usuarioId: string): Promise<void> {
  const link = await findCredential(trx, AMAZON);
  if (!link) throw new NotAllowed(TITULO, 'No existe una cuanta activada.');
  const [aws, cola] = [cuentaAws(), colaAws()];
  if (!aws && !cola)
    throw new NotAllowed(
      TITULO,
      'Falta la cuenta de AWS: configura AMAZON_EB_CUENTA y AMAZON_EB_REGION en el servidor. Sin ella las ventas se leen igual.',
    );
  const vendedor = link.account;
  if (aws) await acceptEffect(trx, vincularEb, { request: { vendedor, ...aws }, usuarioId });
  if (cola) await acceptEffect(trx, vincularCola, { request: { vendedor, arn: cola.arn }, usuarioId });
}

/** The source that a person says to have associated, as the dialog showed it. */
export const Asociado = z.object({ nameResource: z.string().min(1).max(400) });

/** Keeps that a person associated the bus, which only AWS knows. Throws Stale when the source is another one by now, or no account is linked. */
export async function associateEventBridge(
  trx: Trx,
  { nameResource }: z.output<typeof Asociado>,
  usuarioId: string,
): Promise<void> {
  const [link, aws] = [await findCredential(trx, AMAZON), cuentaAws()];
  if (!link || !aws) throw new Stale();
  const arn = arnOf(nameResource, aws);
  const { numUpdatedRows } = await trx
    .updateTable('amazonEventos')
    .set({ arn })
    .where('cuenta', '=', link.account)
    .where('nameResource', '=', nameResource)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Stale();
  await record(trx, {
    usuarioId,
    entidad: 'credential',
    entidadId: AMAZON,
    accion: 'asociar event bridge',
    datos: { arn },
  });
}
