import { sql } from 'kysely';
import { z } from 'zod';
import { civilDay } from '~/core/time';
import { defineEffect } from '~/platform/effects/definition';
import type { Pac } from '../facturacom.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { noteCuentaPac, noteRechazaRepetidos, readCuentaPac } from './cuentaPac.server';

/**
 * Tells whether the account refuses an order number that it has stamped. The question is a stamp with such a number and a document that no PAC may stamp: dated years
 * ago, with keys of no catalogue. An account that looks at the number first answers that it exists. An account that looks at the document first refuses the
 * document, which proves nothing. The account is asked each time, since it may be set otherwise at any time: what was seen before counts, for a day, only where
 * there is nothing to ask with. Throws Unavailable when the account cannot be asked just now.
 */
export async function refusesRepeats(db: Db, pac: Pac): Promise<boolean> {
  const { repetidos } = await readCuentaPac(db);
  if (repetidos === 'admite') return false;
  const { refused, said } = await probe(db, pac);
  if (refused) await noteRechazaRepetidos(db);
  // An account that was seen to refuse and does not any more is no longer believed.
  else
    await noteCuentaPac(db, {
      sondeo: said,
      sondeoEn: new Date().toISOString(),
      ...(refused === false && { repetidos: null }),
    });
  return refused ?? repetidos === 'rechaza';
}

/** The answer of the account to a repeated number; `refused` is null where it could not be asked, and `said` is for people. */
type Probe = { refused: boolean | null; said: string };

async function probe(db: Db, pac: Pac): Promise<Probe> {
  try {
    const stamped = (await ourNewest(db)) ?? (await newestThere(pac));
    if (!stamped) return { refused: null, said: 'no había un CFDI con el que comprobarlo' };
    const serie = (await pac.series()).find(({ activa, tipo }) => activa && /^(f|factura)$/i.test(tipo));
    if (!serie) return { refused: null, said: 'la cuenta no tiene una serie activa de facturas' };
    const answer = await pac.askRepeated(stamped.numOrder, { clienteUid: stamped.clienteUid, serieId: serie.id });
    return { refused: answer.refused, said: answer.message };
  } catch (error) {
    // A question whose answer was lost leaves nothing behind, and is asked again.
    if (error instanceof Uncertain) throw new Unavailable(error.message, { cause: error });
    const known = [Refused, UnexpectedShape].some((kind) => error instanceof kind);
    if (!known) throw error;
    return { refused: false, said: (error as Error).message };
  }
}

type Stamped = { numOrder: string; clienteUid: string };

async function ourNewest(db: Db): Promise<Stamped | undefined> {
  const { rows } = await sql<Stamped>`
    select e.ref as num_order, f.receptor_uid as cliente_uid from factura f join effect e on e.id = f.effect_id
    where f.tipo = 'individual' and f.estatus = 'vigente' and f.receptor_uid is not null order by f.fecha_timbrado desc
    limit 1`.execute(db);
  return rows[0];
}

/** The newest CFDI of this month that another system stamped, as the account lists it. */
async function newestThere(pac: Pac): Promise<Stamped | undefined> {
  for await (const cfdi of pac.cfdisOfMonth(civilDay(new Date()).slice(0, 7))) {
    if (cfdi.cancelada || cfdi.numOrder === '') continue;
    const [cliente] = await pac.clientsByRfc(cfdi.rfc);
    if (cliente) return { numOrder: cfdi.numOrder, clienteUid: cliente.uid };
  }
  return undefined;
}

/** Asks the account about repeated order numbers when its keys are saved. The question makes nothing, so a lost answer is asked for again. */
export const sondearCuenta = defineEffect({
  type: 'pac.repetidos',
  label: 'Prueba de números de orden repetidos',
  connection: 'facturacom',
  request: z.object({ cuenta: z.string() }),
  evidence: z.object({}),
  key: ({ cuenta }) => `cuenta:${cuenta}`,
  subjects: () => [],
  unclear: 'repeat',
  sinMirada: 'Es una pregunta: no deja nada del otro lado.',
  async send({ db, clients }) {
    await refusesRepeats(db, await clients.pac());
    return {};
  },
  confirm: async (_call, evidence) => evidence,
  settle: () => Promise.resolve(),
});
