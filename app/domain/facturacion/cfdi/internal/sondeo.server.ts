import { sql } from 'kysely';
import { z } from 'zod';
import { civilDay } from '~/core/time';
import { defineEffect } from '~/platform/effects/definition';
import type { Pac } from '../facturacom.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { noteCuentaPac, noteRechazaRepetidos, readCuentaPac } from './cuentaPac.server';

/**
 * Whether the account refuses an order number that it has stamped. It is asked with such a number and a document that no PAC may stamp: dated years
 * ago, with keys that are in no catalogue. An account that looks at the number first says that it exists. One that looks at the document first refuses
 * the document, which tells nothing of the number: that stays unknown until a refusal is seen.
 */
export async function refusesRepeats(db: Db, pac: Pac): Promise<boolean> {
  const { repetidos } = await readCuentaPac(db);
  if (repetidos !== undefined) return repetidos === 'rechaza';
  return (await sondear(db, pac)) === null;
}

/** Null: it refused. Otherwise what came instead, for people. */
async function sondear(db: Db, pac: Pac): Promise<string | null> {
  const dicho = await ask().catch((error: unknown) => {
    const known = [Refused, Unavailable, Uncertain, UnexpectedShape].some((kind) => error instanceof kind);
    if (!known) throw error;
    return (error as Error).message;
  });
  if (dicho === null) await noteRechazaRepetidos(db);
  else await noteCuentaPac(db, { sondeo: dicho });
  return dicho;

  async function ask(): Promise<string | null> {
    const stamped = (await ourNewest(db)) ?? (await newestThere(pac));
    if (!stamped) return 'todavía no hay un CFDI con el que comprobarlo';
    const serie = (await pac.series()).find(({ activa, tipo }) => activa && /^(f|factura)$/i.test(tipo));
    if (!serie) return 'la cuenta no tiene una serie activa de facturas';
    const answer = await pac.askRepeated(stamped.numOrder, { clienteUid: stamped.clienteUid, serieId: serie.id });
    return answer.refused ? null : answer.message;
  }
}

type Stamped = { numOrder: string; clienteUid: string };

async function ourNewest(db: Db): Promise<Stamped | undefined> {
  const { rows } = await sql<Stamped>`
    select e.ref as num_order, f.receptor_uid as cliente_uid from factura f join effect e on e.id = f.effect_id
    where f.tipo = 'individual' and f.estatus = 'vigente' and f.receptor_uid is not null order by f.fecha_timbrado desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/** Stamped by another system, as the account lists it. */
async function newestThere(pac: Pac): Promise<Stamped | undefined> {
  for await (const cfdi of pac.cfdisOfMonth(civilDay(new Date()).slice(0, 7))) {
    if (cfdi.cancelada || cfdi.numOrder === '') continue;
    const [cliente] = await pac.clientsByRfc(cfdi.rfc);
    if (cliente) return { numOrder: cfdi.numOrder, clienteUid: cliente.uid };
  }
  return undefined;
}

/** Asked when keys are saved. Nothing is ever made by it, so an answer that is lost is asked for again. */
export const sondearCuenta = defineEffect({
  type: 'pac.repetidos',
  label: 'Prueba de números de orden repetidos',
  connection: 'facturacom',
  request: z.object({ cuenta: z.string() }),
  evidence: z.object({}),
  key: ({ cuenta }) => `cuenta:${cuenta}`,
  subjects: () => [],
  unclear: 'repeat',
  async send({ db, clients }) {
    await refusesRepeats(db, await clients.pac());
    return {};
  },
  confirm: async (_call, evidence) => evidence,
  settle: () => Promise.resolve(),
});
