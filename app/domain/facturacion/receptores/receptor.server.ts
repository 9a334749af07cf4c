import { sql } from 'kysely';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { NewClientePac, type ClientePac, type NewCfdi } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import { NotAllowed } from '~/core/errors';
import { livingAbout, type Living } from '~/platform/effects/subjects.server';
import { findClientes } from './clientes.server';
import { ownUid, savePacClient } from './internal/savePacClient.server';
import { lockShelves } from '~db/locks.server';
import { env } from '~/core/env.server';
import { RFC_PUBLICO } from '~/core/rfc';
import { REGIMEN_GENERICO, USO_GENERICO } from '~/domain/facturacion/sat/opciones';
import { acceptEffect, waitForEffect } from '~/platform/effects/effects.server';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { NOMBRE_PUBLICO_GENERAL } from '~/domain/facturacion/cfdi/nombreFiscal';

/** The four values that make a receiver: for the SAT, two that agree in them are the same. */
export type Receptor = Pick<NewClientePac, 'rfc' | 'razonSocial' | 'cp' | 'regimen'>;

/**
 * Makes a new receiver at the PAC for the data that a customer typed. A receiver that is there is never updated: it belongs to staff's record, or to
 * another sale that is being invoiced right now (docs/decisions/facturacion-publica.md).
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

/** The receiver with exactly these data that no stored record has: an earlier try made it and lost its answer. */
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

/** The PAC's id of the receiver that customers' data made before, for the same four values; undefined when there is none. */
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

type Elegido = Receptor & { uid: string; /** The data come from a stored record. */ registrado: boolean };

/** Tells whether two receivers of one RFC are the same for the SAT. */
export const sameReceptor = (known: Omit<Receptor, 'rfc'>, wanted: Omit<Receptor, 'rfc'>) =>
  known.razonSocial === wanted.razonSocial && known.cp === wanted.cp && known.regimen === wanted.regimen;

/**
 * Tells whether the chosen receiver has other data by now, or a save of other data is under way. The PAC stamps to the data its client has at that moment, so a
 * stamp would make a living CFDI with data that nobody asked for.
 */
export async function hasReceptorChanged(db: Db | Trx, elegido: Elegido): Promise<boolean> {
  const ahora = (await findClientes(db, elegido.rfc)).find(({ uid }) => uid === elegido.uid);
  if (ahora ? !sameReceptor(ahora, elegido) : elegido.registrado) return true;
  const guardando = (await livingAbout(db, ['rfc', elegido.rfc], savePacClient)).filter(
    ({ request: { cliente, uid } }) =>
      uid === null ? cliente.razonSocial === elegido.razonSocial : uid === elegido.uid,
  );
  return (
    guardando.some(({ request: { cliente } }) => !sameReceptor(cliente, elegido)) &&
    !(await publicosOf(db, elegido.rfc)).has(elegido.uid)
  );
}

/** The PAC's ids of receivers that customers' data made. No save of staff touches them. */
async function publicosOf(db: Db | Trx, rfc: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('clientePublico').select('uid').where('rfc', '=', rfc).execute();
  return new Set(rows.map(({ uid }) => uid));
}

/** Number of locks that all receivers share. A month of credit notes asks for hundreds of receivers, and each shelf is one lock of PostgreSQL. */
const SHELVES = 64;

/**
 * Locks receivers until the transaction ends: stamps ('timbrar') share the lock, a change ('cambiar') has it alone, and each sees what the
 * one before it accepted. The lock is by RFC, since a save may not know yet which client of the PAC it will touch.
 */
export async function lockReceptores(trx: Trx, rfcs: readonly string[], para: 'timbrar' | 'cambiar'): Promise<void> {
  await lockShelves(trx, 'receptor', [...new Set(rfcs)], { shelves: SHELVES, shared: para === 'timbrar' });
}

/** The part of a stamp's request that names its receiver and its sale. A global is of no one sale. */
const Documento = z.object({
  cfdi: z.object({
    receptor: z.object({
      uid: z.string(),
      rfc: z.string(),
      nombre: z.string(),
      cp: z.string(),
      regimen: z.string(),
    }),
  }),
  numOrden: z.string().optional(),
  ordenIds: z.array(z.string()).optional(),
});
type EnCurso = Living<z.infer<typeof Documento>>;

/**
 * Throws NotAllowed while a document is being stamped to this receiver, or nobody knows whether it was, and the save changes data that the SAT reads. Such a
 * document would be refused, or be alive with other data than were asked. E-mail and telephone may change. Locks the receiver for a change.
 */
export async function requireNoneEnCurso(
  trx: Trx,
  titulo: string,
  cliente: NewClientePac,
  uid: string | null,
): Promise<void> {
  await lockReceptores(trx, [cliente.rfc], 'cambiar');
  const own = await ownUid(trx, uid);
  const documentos = (await livingAbout(trx, ['receptor', cliente.rfc], { request: Documento })).filter(
    ({ request: { cfdi } }) =>
      (own === null ? cfdi.receptor.nombre === cliente.razonSocial : cfdi.receptor.uid === own) &&
      !sameReceptor({ ...cfdi.receptor, razonSocial: cfdi.receptor.nombre }, cliente),
  );
  const publicos = own === null ? await publicosOf(trx, cliente.rfc) : new Set();
  const enCurso = documentos.filter(({ request: { cfdi } }) => !publicos.has(cfdi.receptor.uid));
  const [en] = enCurso;
  if (en) throw new NotAllowed(titulo, textOfEnCurso(en, enCurso.length), { asunto: asuntoOfEnCurso(en) });
}

function textOfEnCurso({ type, state, request: { numOrden } }: EnCurso, cuantas: number): string {
  const que =
    type === 'cfdi.global'
      ? 'La factura global'
      : `${type === 'cfdi.notaCredito' ? 'La nota de crédito' : 'La factura'} de la orden ${numOrden ?? ''}`;
  const mas = cuantas === 1 ? '' : `, como ${cuantas === 2 ? 'otra más' : `otras ${cuantas - 1}`} de este cliente,`;
  return state === 'manual'
    ? `${que}${mas} se pidió con los datos de antes y espera una decisión en Pendientes. Resuélvela primero y después corrige el nombre, el código postal o el régimen.`
    : `${que}${mas} se está timbrando con los datos de antes. Espera a que termine y guarda otra vez; si tiene que decir los nuevos, después se sustituye.`;
}

function asuntoOfEnCurso({ id, type, state, request: { numOrden, ordenIds: [ordenId] = [] } }: EnCurso) {
  if (state === 'manual') return { texto: 'Decidir en Pendientes', pantalla: `pendientes?ver=${id}` };
  if (ordenId === undefined || type === 'cfdi.global') return undefined;
  return { texto: `Ver la orden ${numOrden ?? ''}`, pantalla: `ordenes?ver=${ordenId}` };
}

/** PUBLICO EN GENERAL as a CFDI names it. The PAC stamps to clients of its own only, so the general public is one of them too. */
type PublicoGeneral = NewCfdi['receptor'];

const PATIENCE_MS = 15_000;

/** PUBLICO EN GENERAL as the PAC has it; undefined when the PAC lacks it, or has it with another place of issue. */
async function findPublicoGeneral(db: Db | Trx): Promise<PublicoGeneral | undefined> {
  const { cp } = await requireEmisor(db);
  const row = await db
    .selectFrom('clienteFiscal')
    .select(['uid', 'cp', 'regimen'])
    .where('rfc', '=', RFC_PUBLICO)
    .where('razonSocial', '=', NOMBRE_PUBLICO_GENERAL)
    .where('cp', '=', cp)
    .where('regimen', '=', REGIMEN_GENERICO)
    .where('uid', 'is not', null)
    .executeTakeFirst();
  return row && { uid: row.uid!, rfc: RFC_PUBLICO, nombre: NOMBRE_PUBLICO_GENERAL, cp, regimen: row.regimen };
}

/**
 * The receiver of a global, made at the PAC first when it is missing there. Throws NotAllowed when the PAC refuses it or takes too long;
 * nothing was taken then.
 */
export async function ensurePublicoGeneral(db: Db, titulo: string, usuarioId: string | null): Promise<PublicoGeneral> {
  const known = await findPublicoGeneral(db);
  if (known) return known;
  const { cp } = await requireEmisor(db);
  const cliente = {
    rfc: RFC_PUBLICO,
    razonSocial: NOMBRE_PUBLICO_GENERAL,
    cp,
    regimen: REGIMEN_GENERICO,
    usoCfdi: USO_GENERICO,
    emails: [correoPropio()],
  };
  const { id } = await db
    .transaction()
    .execute((trx) => acceptEffect(trx, savePacClient, { request: { cliente, uid: null }, usuarioId }));
  const effect = await waitForEffect(db, id, PATIENCE_MS);
  const saved = await findPublicoGeneral(db);
  if (saved) return saved;
  throw new NotAllowed(
    titulo,
    effect?.state === 'refused'
      ? `factura.com no aceptó al receptor PUBLICO EN GENERAL: ${effect.reason ?? ''}`
      : 'factura.com todavía no contesta por el receptor PUBLICO EN GENERAL. Inténtalo de nuevo en un momento.',
  );
}

/** An address of our own, since the PAC demands one of every client. Nobody is written to at it. */
function correoPropio(): string {
  const remitente = env().CORREO_REMITENTE;
  return /<([^<>]+)>/.exec(remitente)?.[1] ?? remitente;
}
