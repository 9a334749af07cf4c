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

type Elegido = Receptor & { uid: string; /** It came from a stored record. */ registrado: boolean };

/** The same receiver for the SAT, of those with one RFC. */
export const sameReceptor = (known: Omit<Receptor, 'rfc'>, wanted: Omit<Receptor, 'rfc'>) =>
  known.razonSocial === wanted.razonSocial && known.cp === wanted.cp && known.regimen === wanted.regimen;

/**
 * Whether the receiver that was chosen says something else by now, or the PAC is being told so this very moment: it stamps to what its
 * client says then, and a CFDI to another postal code than asked would be alive and nobody's.
 */
export async function receptorCambio(db: Db | Trx, elegido: Elegido): Promise<boolean> {
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

/** The clients of the PAC that customers typed: no save of staff touches them. */
async function publicosOf(db: Db | Trx, rfc: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('clientePublico').select('uid').where('rfc', '=', rfc).execute();
  return new Set(rows.map(({ uid }) => uid));
}

/** Receivers, in so many shelves: a month of credit notes asks for hundreds of them, and PostgreSQL keeps one lock for each shelf. */
const SHELVES = 64;

/**
 * Who stamps to a receiver and who changes it pass one after the other, each seeing what the first one accepted: many may stamp at once, and
 * one changes alone. By RFC, since a save may not know yet which client of the PAC it will touch.
 */
export async function lockReceptores(trx: Trx, rfcs: readonly string[], para: 'timbrar' | 'cambiar'): Promise<void> {
  await lockShelves(trx, 'receptor', [...new Set(rfcs)], { shelves: SHELVES, shared: para === 'timbrar' });
}

/** What any document that is being stamped says of its receiver and its sale; a global is of no one sale. */
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
 * While a document is being stamped to a receiver, or nobody knows whether it was, what the SAT reads of that receiver does not change: it would be
 * refused, or be alive with other data than were asked. How to write to them may change.
 */
export async function requireNadaEnCurso(
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
  if (en) throw new NotAllowed(titulo, textoEnCurso(en, enCurso.length), { asunto: asuntoEnCurso(en) });
}

function textoEnCurso({ type, state, request: { numOrden } }: EnCurso, cuantas: number): string {
  const que =
    type === 'cfdi.global'
      ? 'La factura global'
      : `${type === 'cfdi.notaCredito' ? 'La nota de crédito' : 'La factura'} de la orden ${numOrden ?? ''}`;
  const mas = cuantas === 1 ? '' : `, como ${cuantas === 2 ? 'otra más' : `otras ${cuantas - 1}`} de este cliente,`;
  return state === 'manual'
    ? `${que}${mas} se pidió con los datos de antes y espera una decisión en Pendientes. Resuélvela primero y después corrige el nombre, el código postal o el régimen.`
    : `${que}${mas} se está timbrando con los datos de antes. Espera a que termine y guarda otra vez; si tiene que decir los nuevos, después se sustituye.`;
}

function asuntoEnCurso({ id, type, state, request: { numOrden, ordenIds: [ordenId] = [] } }: EnCurso) {
  if (state === 'manual') return { texto: 'Decidir en Pendientes', pantalla: `pendientes?ver=${id}` };
  if (ordenId === undefined || type === 'cfdi.global') return undefined;
  return { texto: `Ver la orden ${numOrden ?? ''}`, pantalla: `ordenes?ver=${ordenId}` };
}

/** PUBLICO EN GENERAL as a CFDI names it. The PAC stamps to clients of its own only, so the general public is one of them too. */
type PublicoGeneral = NewCfdi['receptor'];

const PATIENCE_MS = 15_000;

/** The receiver as the PAC knows it now; undefined when it does not, or knows it with another place of issue. */
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

/** Makes sure of it before a global is accepted; when the PAC takes too long the person tries again, and nothing was taken meanwhile. */
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

/** The PAC demands an address of every client; nobody is written to at this one. */
function correoPropio(): string {
  const remitente = env().CORREO_REMITENTE;
  return /<([^<>]+)>/.exec(remitente)?.[1] ?? remitente;
}
