import { sql } from 'kysely';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { NewClientePac, type ClientePac } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';

/** What makes a receiver: two that agree in these are the same one for the SAT. */
export type Receptor = Pick<NewClientePac, 'rfc' | 'razonSocial' | 'cp' | 'regimen'>;

/**
 * Makes a receiver of its own at the PAC for what a customer typed. It never updates one that is there: that one belongs to staff's
 * record, or to another sale that is being invoiced right now (docs/decisions/facturacion-publica.md).
 */
export const savePublicClient = defineEffect({
  type: 'pac.publicClient',
  label: 'Datos fiscales capturados por el cliente',
  connection: 'facturacom',
  request: z.object({ cliente: NewClientePac }),
  evidence: z.object({ uid: z.string() }),
  key: ({ cliente: { rfc, razonSocial, cp, regimen } }) => `publico:${rfc}:${razonSocial}:${cp}:${regimen}`,
  subjects: ({ cliente }) => [['rfc', cliente.rfc]],
  summary: ({ cliente }) => ({ que: `${cliente.rfc} · ${cliente.razonSocial}` }),
  unclear: 'find',
  async send({ request: { cliente }, clients, db }) {
    const pac = await clients.pac();
    return (await ownOf(db, await pac.clientsByRfc(cliente.rfc), cliente)) ?? pac.createClient(cliente);
  },
  async find({ request: { cliente }, clients, db }, known) {
    return known ?? (await ownOf(db, await (await clients.pac()).clientsByRfc(cliente.rfc), cliente)) ?? 'absent';
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { id: effectId, request: { cliente }, usuarioId }, { uid }) {
    const { rfc, razonSocial, cp, regimen } = cliente;
    await trx
      .insertInto('clientePublico')
      .values({ uid, rfc, razonSocial, cp, regimen })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`update factura_draft set version = version + 1, actualizado_en = now(),
      cliente = cliente || ${JSON.stringify({ modo: 'lectura', uid, clienteFiscalId: null, guardando: null, origen: null })}::jsonb
      where cliente ->> 'guardando' = ${effectId}`.execute(trx);
    await record(trx, {
      usuarioId,
      entidad: 'clientePublico',
      entidadId: uid,
      accion: 'crear',
      datos: { cp, regimen },
    });
  },
});

/** One that says exactly this and is not the receiver of a stored record: made by an earlier try whose answer was lost. */
async function ownOf(db: Db, known: ClientePac[], wanted: Receptor): Promise<{ uid: string } | undefined> {
  const same = known.filter(
    (cliente) =>
      cliente.razonSocial.toUpperCase() === wanted.razonSocial &&
      cliente.cp === wanted.cp &&
      cliente.regimen === wanted.regimen,
  );
  if (same.length === 0) return undefined;
  const ofStaff = await db
    .selectFrom('clienteFiscal')
    .select('uid')
    .where(
      'uid',
      'in',
      same.map(({ uid }) => uid),
    )
    .execute();
  const own = same.find(({ uid }) => !ofStaff.some((one) => one.uid === uid));
  return own && { uid: own.uid };
}

/** The receiver made before for the same four values. */
export async function findPublicClient(
  db: Db | Trx,
  { rfc, razonSocial, cp, regimen }: Receptor,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('clientePublico')
    .select('uid')
    .where('rfc', '=', rfc)
    .where('razonSocial', '=', razonSocial)
    .where('cp', '=', cp)
    .where('regimen', '=', regimen)
    .executeTakeFirst();
  return row?.uid;
}
