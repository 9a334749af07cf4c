import { z } from 'zod';
import { enumerate } from '~/core/hechos';
import {
  Mismatch,
  type AcceptedEffect,
  type EffectCall,
  type EffectDefinition,
  type Vivo,
} from '~/platform/effects/definition';
import { mayHaveLanded } from '~/platform/effects/late.server';
import { Refused, Uncertain } from '~/integrations/errors';
import type { CfdiPac, NewCfdi } from '~/integrations/facturacom/nouns';
import { unknownNoIn } from '~/integrations/facturacom/refusal';
import type { Trx } from '~db/client.server';
import { hasUnadopted } from './adopcion.server';
import { keepDocumento, type Kept, type Timbrado } from './internal/keepDocumento.server';
import { matchesRequest } from './internal/matchesRequest.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { noteCuentaPac, noteRechazaRepetidos } from './internal/cuentaPac.server';
import { requireEmisor } from './emisor.server';
import { refusesRepeats } from './internal/sondeo.server';

/**
 * The CFDI that the PAC named. `uid` is null only when a person captured the UUID on the board. `existed`: the PAC had the CFDI before our stamp. `rechazado`:
 * the PAC refused our stamp because of it. `refTaken`: the CFDI under our reference is cancelled.
 */
const Evidence = z.object({
  uid: z.string().nullable(),
  uuid: z.string(),
  existed: z.literal(true).optional(),
  rechazado: z.literal(true).optional(),
  refTaken: z.boolean().optional(),
});
type Evidence = z.infer<typeof Evidence>;

type Call = EffectCall<{ cfdi: NewCfdi }>;

type Calls<Req> = Pick<
  EffectDefinition<Req, Evidence, Timbrado>,
  | 'connection'
  | 'evidence'
  | 'stands'
  | 'byHand'
  | 'summary'
  | 'unclear'
  | 'ready'
  | 'send'
  | 'find'
  | 'confirm'
  | 'mayRepeat'
  | 'alive'
  | 'uidOf'
  | 'cancelaRepetida'
>;

/**
 * The calls that stamp any kind of CFDI, for `defineEffect`: one call to the PAC, found again by our reference, and believed once its XML says what was asked.
 */
export function stampCfdi<Req extends { cfdi: NewCfdi }>(): Calls<Req> {
  return {
    connection: 'facturacom',
    evidence: Evidence,
    byHand: { says: 'uuid', evidence: (uuid) => ({ uid: null, uuid }) },
    summary: ({ cfdi }) => ({ rfc: cfdi.receptor.rfc, total: cfdi.total }),
    unclear: 'find',
    ready: believeUnknownNo,
    async send(call) {
      const landed = await landedLate(call);
      if (landed) return landed;
      const { request, ref, clients } = call;
      const { kind, uid, uuid } = await (await clients.pac()).createCfdi(request.cfdi, ref);
      return kind === 'exists' ? { uid, uuid, existed: true, rechazado: true } : { uid, uuid };
    },
    find,
    async mayRepeat(call) {
      // The PAC's words were a no: `ready` tells them, and nothing is sent.
      if ((await unknownNoOf(call)) !== undefined) return true;
      if (await refusesRepeats(call.db, await call.clients.pac())) return true;
      return 'No está en factura.com, y no se sabe si la cuenta rechaza un número de orden repetido: si el primer envío llega tarde habría dos. Envíalo otra vez o da por hecho que no existe.';
    },
    async alive({ request, ref, clients }) {
      const found = await (
        await clients.pac()
      ).findByNumOrder(ref, { rfc: request.cfdi.receptor.rfc, fecha: request.cfdi.fecha });
      return found === 'absent' ? [] : [found, ...found.repetidos].filter(({ cancelada }) => !cancelada).map(vivoOf);
    },
    uidOf: ({ uid }) => uid,
    cancelaRepetida: true,
    async stands({ clients }, { uid, uuid }) {
      const pac = await clients.pac();
      const cfdi = uid ? await pac.findByUid(uid) : await pac.findByUuid(uuid);
      return cfdi !== undefined && !cfdi.cancelada;
    },
    async confirm(call, evidence) {
      const { request, clients, db } = call;
      if (evidence.existed) {
        await requireOurs(call, evidence.uid!);
        if (evidence.rechazado) await noteRechazaRepetidos(db);
      }
      const contenido = await (await clients.pac()).downloadXml(evidence.uid!);
      const xml = readCfdiXml(contenido);
      // No other company is linked while a stamp is under way, so the company of now is the one that asked.
      const differences = matchesRequest(xml, request.cfdi, {
        uuid: evidence.uuid,
        emisor: (await requireEmisor(db)).rfc,
      });
      if (differences.length > 0) throw new Mismatch(differences);
      return { uid: evidence.uid!, xml, contenido };
    },
  };
}

/**
 * Throws Refused with the PAC's words when the last send ended in a no that we do not know. Such a no is looked up first; once the CFDI is proven absent the
 * words are believed, so the same is not asked for without end.
 */
export async function believeUnknownNo(call: Pick<Call, 'id' | 'db'>): Promise<void> {
  const said = await unknownNoOf(call);
  if (said !== undefined) throw new Refused(said);
}

async function unknownNoOf({ id, db }: Pick<Call, 'id' | 'db'>): Promise<string | undefined> {
  const last = await db
    .selectFrom('effectAttempt')
    .select('message')
    .where('effectId', '=', id)
    .where('kind', '=', 'send')
    .where('phase', '=', 'ended')
    .where('outcome', '=', 'unclear')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return unknownNoIn(last?.message ?? '');
}

async function find(call: Call, known: Evidence | null): Promise<Evidence | 'absent'> {
  if (known?.uid) {
    const there = await (await call.clients.pac()).findByUid(known.uid);
    if (there) requireVigente(there, `El CFDI ${there.uuid}`, known);
    return known;
  }
  if (known) return findCaptured(call, known.uuid);
  const found = await findByRef(call);
  if (found === 'absent') return 'absent';
  requireVigente(found, `El CFDI ${found.uuid} de la orden ${call.ref}`, {
    uid: found.uid,
    uuid: found.uuid,
    refTaken: true,
  });
  return { uid: found.uid, uuid: found.uuid };
}

/** The CFDI that an earlier request of this sale, given up or forgotten since, left at the PAC. The next stamp takes it and makes no other. */
async function landedLate(call: Call): Promise<Evidence | undefined> {
  const doubts = await Promise.all([mayHaveLanded(call.db, call), sentByPerson(call), hasUnadopted(call.db)]);
  if (!doubts.includes(true)) return undefined;
  const found = await findByRef(call);
  return found === 'absent' || found.cancelada ? undefined : { uid: found.uid, uuid: found.uuid, existed: true };
}

/** Sent once more because a person asked for it: the first may have arrived while they thought about it. */
async function sentByPerson({ id, db }: Call): Promise<boolean> {
  const last = await db
    .selectFrom('effectAttempt')
    .select('message')
    .where('effectId', '=', id)
    .where('kind', '=', 'person')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

const vivoOf = (cfdi: CfdiPac): Vivo => ({ uid: cfdi.uid, uuid: cfdi.uuid, folio: folioOf(cfdi) });

/** The CFDI that the PAC has under our reference. Throws Mismatch when two are alive: people decide. */
async function findByRef({ request, ref, clients, db }: Call): Promise<CfdiPac | 'absent'> {
  const found = await (
    await clients.pac()
  ).findByNumOrder(ref, { rfc: request.cfdi.receptor.rfc, fecha: request.cfdi.fecha });
  if (found !== 'absent' && found.repetidos.length > 0) {
    const vivos = [found, ...found.repetidos].map(vivoOf);
    await noteCuentaPac(db, { repetidos: 'admite', repetidosEn: new Date().toISOString() });
    throw new Mismatch(
      [`El PAC tiene ${vivos.length} CFDI vigentes con la orden ${ref}: ${enumerate(vivos.map(({ folio }) => folio))}`],
      undefined,
      vivos,
    );
  }
  return found;
}

/** Throws Mismatch when the CFDI that the PAC says it had is cancelled, or is of another order. */
async function requireOurs({ ref, clients }: Call, uid: string): Promise<void> {
  const there = await (await clients.pac()).findByUid(uid);
  if (!there) throw new Uncertain('factura.com dice que el CFDI ya existe y no lo encuentra');
  requireVigente(there, `El CFDI ${there.uuid} de la orden ${ref}`);
  if (there.numOrder !== ref)
    throw new Mismatch([
      `El CFDI ${there.uuid} que el PAC dice tener es ${there.numOrder ? `de la orden ${there.numOrder}` : 'de ninguna orden'}`,
    ]);
}

function requireVigente({ cancelada }: CfdiPac, which: string, evidence?: Evidence): void {
  if (cancelada) throw new Mismatch([`${which} está cancelado en el PAC`], evidence);
}

/**
 * The CFDI of a UUID that a person captured. `confirm` compares its content, but two sales may be alike to the cent. So it throws Mismatch when the UUID is of
 * another factura or order, and when another CFDI lives under our reference.
 */
async function findCaptured(call: Call, uuid: string): Promise<Evidence> {
  const { id, ref, clients, db } = call;
  const other = await db
    .selectFrom('factura')
    .select(['serie', 'folio'])
    .where('uuid', '=', uuid)
    .where('effectId', '<>', id)
    .executeTakeFirst();
  if (other) throw new Mismatch([`El UUID ${uuid} es el de la factura ${other.serie}-${other.folio}`]);
  const captured = await (await clients.pac()).findByUuid(uuid);
  if (!captured) throw new Mismatch([`El PAC no tiene un CFDI con el UUID ${uuid}`]);
  requireVigente(captured, `El CFDI ${uuid}`);
  // A CFDI stamped by hand at the PAC may have no reference; a reference that is there must be ours.
  if (captured.numOrder && captured.numOrder !== ref)
    throw new Mismatch([`El CFDI ${uuid} es de la orden ${captured.numOrder}`]);
  const ours = await findByRef(call);
  if (ours !== 'absent' && !ours.cancelada && ours.uid !== captured.uid) {
    throw new Mismatch([
      `Además del CFDI ${uuid}, el PAC tiene vigente el ${ours.uuid} con la orden ${ref}: cancela uno de los dos en factura.com`,
    ]);
  }
  return { uid: captured.uid, uuid: captured.uuid };
}

/** 'F-160', or the UUID when the PAC gives no folio. */
export const folioOf = ({ serie, folio, uuid }: CfdiPac) => (folio === null ? uuid : `${serie}-${folio}`);

/** Keeps a stamped CFDI as it was asked for and returns the factura's id. */
export async function keepCfdi(
  trx: Trx,
  { id, usuarioId, request: { cfdi } }: AcceptedEffect<{ cfdi: NewCfdi }>,
  timbrado: Timbrado,
  { conceptoOrdenIds, ...kept }: Kept,
): Promise<string> {
  const { receptor } = cfdi;
  return keepDocumento(trx, timbrado, {
    ...kept,
    estatus: 'vigente',
    effectId: id,
    usuarioId,
    receptorUid: receptor.uid,
    rfc: receptor.rfc,
    razonSocial: receptor.nombre,
    cp: receptor.cp,
    regimen: receptor.regimen,
    usoCfdi: cfdi.usoCfdi,
    formaPago: cfdi.formaPago,
    subtotal: cfdi.subTotal,
    iva: cfdi.iva,
    total: cfdi.total,
    conceptos: cfdi.conceptos.map((concepto, posicion) => ({
      ordenId: conceptoOrdenIds[posicion] ?? null,
      claveProdServ: concepto.claveProdServ,
      noIdentificacion: concepto.noIdentificacion ?? null,
      cantidad: String(concepto.cantidad),
      claveUnidad: concepto.claveUnidad,
      descripcion: concepto.descripcion,
      valorUnitario: concepto.valorUnitario,
      importe: concepto.importe,
      base: concepto.base,
      tasaIva: concepto.tasaIva,
      iva: concepto.iva,
    })),
  });
}
