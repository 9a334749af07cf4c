import { sql, type Insertable } from 'kysely';
import { z } from 'zod';
import { isGenericRfc } from '~/core/rfc';
import { record } from '~/platform/bitacora.server';
import { defineEffect, each } from '~/platform/effects/definition';
import { NewClientePac, type ClientePac } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import type { DB } from '~db/types';
import { DOMICILIO } from './domicilio';

const Request = z.object({ cliente: NewClientePac, uid: z.string().nullable() });

/**
 * Keeps a customer's tax data at the PAC, which stamps to its own clients only, and then in our records. The PAC allows an RFC several times, once
 * per legal name, so an unclear answer is looked up by RFC and name before anything is sent again.
 */
export const savePacClient = defineEffect({
  type: 'pac.client',
  label: 'Datos fiscales del cliente',
  connection: 'facturacom',
  request: Request,
  evidence: z.object({ uid: z.string() }),
  key: ({ cliente }) => `cliente:${cliente.rfc}:${cliente.razonSocial}`,
  subjects: ({ cliente, uid }) => [['rfc', cliente.rfc], ...each('cliente', uid === null ? [] : [uid])],
  summary: ({ cliente }) => ({ que: `${cliente.rfc} · ${cliente.razonSocial}` }),
  unclear: 'find',
  async send({ request, clients, db }) {
    const pac = await clients.pac();
    const uid =
      (await sameClient(db, request)) ??
      (await recordsOf(db, await pac.clientsByRfc(request.cliente.rfc))).find((known) =>
        sameName(known, request.cliente),
      )?.uid;
    if (!uid) return pac.createClient(request.cliente);
    // An update replaces the whole client: fields that this form lacks go as they are known, or the PAC would empty them.
    return pac.updateClient(uid, { ...(await contactOf(db, uid, await pac.clientByUid(uid))), ...request.cliente });
  },
  async find({ request, clients, db }, known) {
    // A client of that name with other data was there before: the save was lost, and sent again it updates that client.
    const clientes = await recordsOf(db, await (await clients.pac()).clientsByRfc(request.cliente.rfc));
    const found = clientes.find((cliente) => (known ? cliente.uid === known.uid : says(cliente, request.cliente)));
    return found ? { uid: found.uid } : 'absent';
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { id: effectId, request, usuarioId }, { uid }) {
    const { cliente } = request;
    const values = {
      rfc: cliente.rfc,
      razonSocial: cliente.razonSocial,
      cp: cliente.cp,
      regimen: cliente.regimen,
      emails: cliente.emails,
      uid,
      ...(Object.fromEntries(OPTIONAL.map((name) => [name, cliente[name] ?? null])) as Pick<
        Values,
        (typeof OPTIONAL)[number]
      >),
    };
    const id = await keep(trx, values, await sameClient(trx, request));
    await sql`update factura_draft set version = version + 1, actualizado_en = now(),
      cliente = cliente || ${JSON.stringify({ modo: 'lectura', uid, clienteFiscalId: id, guardando: null, origen: null })}::jsonb
      where cliente ->> 'guardando' = ${effectId}`.execute(trx);
    await record(trx, {
      usuarioId,
      entidad: 'clienteFiscal',
      entidadId: id,
      accion: 'guardar',
      datos: { cp: values.cp, regimen: values.regimen },
    });
  },
});

/** Fields that only some forms have. Empty text clears a field; an absent field stays as it was. */
const OPTIONAL = ['usoCfdi', 'telefono', ...DOMICILIO] as const satisfies (keyof NewClientePac)[];

type Contact = Partial<Pick<NewClientePac, (typeof OPTIONAL)[number]>>;

/** The optional fields of a client: from our record, and where it is empty from the PAC's. */
async function contactOf(db: Db, uid: string, there: ClientePac | undefined): Promise<Contact> {
  const ours = await db.selectFrom('clienteFiscal').select(OPTIONAL).where('uid', '=', uid).executeTakeFirst();
  return Object.fromEntries(
    OPTIONAL.flatMap((name) => {
      const value = ours?.[name] ?? there?.[name];
      return value ? [[name, value]] : [];
    }),
  ) as Contact;
}

type Values = Pick<
  Insertable<DB['clienteFiscal']>,
  'rfc' | 'razonSocial' | 'cp' | 'regimen' | 'emails' | 'uid' | (typeof OPTIONAL)[number]
>;

/**
 * Writes our record and returns its id. The record is found by the PAC's id, since an edit may change the legal name; fields that the form
 * lacks stay as they were.
 */
async function keep(trx: Trx, values: Values, uid: string | null): Promise<string> {
  const isOptional = (name: string) => OPTIONAL.some((one) => one === name);
  const required = Object.fromEntries(Object.entries(values).filter(([name]) => !isOptional(name)));
  const optional = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => isOptional(name) && value !== null),
  );
  const touched = { actualizadoEn: new Date(), version: sql<number>`cliente_fiscal.version + 1` };
  const edited =
    uid === null
      ? undefined
      : await trx
          .updateTable('clienteFiscal')
          .set({ ...required, ...optional, ...touched })
          .where('uid', '=', uid)
          .returning('id')
          .executeTakeFirst();
  if (edited) return edited.id;
  const { id } = await trx
    .insertInto('clienteFiscal')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['rfc', 'razonSocial']).doUpdateSet({ ...required, ...optional, ...touched }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The client that the request updates; null for a new one. Under a generic RFC another name is another client, and the record of the first stays as it was. */
async function sameClient(db: Db | Trx, { uid, cliente }: z.infer<typeof Request>): Promise<string | null> {
  const own = await ownUid(db, uid);
  if (own === null || !isGenericRfc(cliente.rfc)) return own;
  const known = await db.selectFrom('clienteFiscal').select('razonSocial').where('uid', '=', own).executeTakeFirst();
  return known === undefined || known.razonSocial === cliente.razonSocial ? own : null;
}

/**
 * The client that staff's save may update. A client made for a customer's own data is not staff's, though the PAC lists it: then staff get
 * a new one (null).
 */
export async function ownUid(db: Db | Trx, uid: string | null): Promise<string | null> {
  if (uid === null) return null;
  const publico = await db.selectFrom('clientePublico').select('uid').where('uid', '=', uid).executeTakeFirst();
  return publico ? null : uid;
}

/**
 * The clients among these that staff may update. Receivers of customers' own data are left out: a sale may be waiting to be stamped to one
 * (see savePublicClient).
 */
async function recordsOf(db: Db, known: ClientePac[]): Promise<ClientePac[]> {
  if (known.length === 0) return known;
  const publicos = await db
    .selectFrom('clientePublico')
    .select('uid')
    .where(
      'uid',
      'in',
      known.map(({ uid }) => uid),
    )
    .execute();
  return known.filter(({ uid }) => !publicos.some((one) => one.uid === uid));
}

const sameName = (known: ClientePac, wanted: NewClientePac) => known.razonSocial.toUpperCase() === wanted.razonSocial;
const says = (known: ClientePac, wanted: NewClientePac) =>
  sameName(known, wanted) &&
  known.cp === wanted.cp &&
  known.regimen === wanted.regimen &&
  known.emails.join() === wanted.emails.join() &&
  OPTIONAL.every((name) => wanted[name] === undefined || known[name] === wanted[name]);
