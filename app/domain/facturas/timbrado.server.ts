import { z } from 'zod';
import { instantOf } from '~/core/time';
import { Mismatch, type AcceptedEffect, type EffectCall, type EffectDefinition } from '~/domain/effects/definition';
import { storeArchivo } from '~/domain/files/archivos.server';
import type { NewCfdi } from '~/integrations/facturacom/nouns';
import type { Trx } from '~db/client.server';
import { matchesRequest, readCfdiXml, type CfdiXml } from './cfdiXml.server';

/** What stamping is for every kind of CFDI: one call to the PAC, found again by our reference, believed once its XML says what we asked. */

/** What the PAC told us. `uid` is missing only when a person captured the UUID on the board. */
const Evidence = z.object({ uid: z.string().nullable(), uuid: z.string() });
type Evidence = z.infer<typeof Evidence>;

export type Timbrado = { uid: string; xml: CfdiXml; contenido: Buffer };

type Calls<Req> = Pick<EffectDefinition<Req, Evidence, Timbrado>, 'connection' | 'evidence' | 'stands' | 'byHand' | 'unclear' | 'send' | 'find' | 'confirm'>;

export function timbrar<Req extends { cfdi: NewCfdi }>(): Calls<Req> {
  return {
    connection: 'facturacom',
    evidence: Evidence,
    byHand: { says: 'uuid', evidence: (uuid) => ({ uid: null, uuid }) },
    unclear: 'find',
    async send({ request, ref, clients }) {
      const { uid, uuid } = await (await clients.pac()).createCfdi(request.cfdi, ref);
      return { uid, uuid };
    },
    find,
    async stands({ clients }, { uid, uuid }) {
      const pac = await clients.pac();
      const cfdi = uid ? await pac.findByUid(uid) : await pac.findByUuid(uuid);
      return cfdi !== undefined && !cfdi.cancelada;
    },
    async confirm({ request, clients }, evidence) {
      const contenido = await (await clients.pac()).downloadXml(evidence.uid!);
      const xml = readCfdiXml(contenido);
      const differences = matchesRequest(xml, request.cfdi, evidence.uuid);
      if (differences.length > 0) throw new Mismatch(differences);
      return { uid: evidence.uid!, xml, contenido };
    },
  };
}

async function find(call: EffectCall<{ cfdi: NewCfdi }>, known: Evidence | null): Promise<Evidence | 'absent'> {
  if (known?.uid) return known;
  if (known) return findCaptured(call, known.uuid);
  const { request, ref, clients } = call;
  const pac = await clients.pac();
  const found = await pac.findByNumOrder(ref, { rfc: request.cfdi.receptor.rfc, fecha: request.cfdi.fecha });
  if (found === 'absent') return 'absent';
  if (found.repetidos > 0) throw new Mismatch([`El PAC tiene ${found.repetidos + 1} CFDI vigentes con la orden ${ref}`]);
  if (found.cancelada) throw new Mismatch([`El CFDI ${found.uuid} de la orden ${ref} está cancelado en el PAC`]);
  return { uid: found.uid, uuid: found.uuid };
}

/** A UUID that a person captured. Its content is compared later, but two sales may be alike to the cent: it must not be another's. */
async function findCaptured({ id, ref, clients, db }: EffectCall<{ cfdi: NewCfdi }>, uuid: string): Promise<Evidence> {
  const other = await db.selectFrom('factura').select(['serie', 'folio']).where('uuid', '=', uuid).where('effectId', '<>', id).executeTakeFirst();
  if (other) throw new Mismatch([`El UUID ${uuid} es el de la factura ${other.serie}-${other.folio}`]);
  const captured = await (await clients.pac()).findByUuid(uuid);
  if (!captured) throw new Mismatch([`El PAC no tiene un CFDI con el UUID ${uuid}`]);
  if (captured.cancelada) throw new Mismatch([`El CFDI ${uuid} está cancelado en el PAC`]);
  // Stamped by hand at the PAC it may carry no reference; one that is there is ours or another's.
  if (captured.numOrder && captured.numOrder !== ref) throw new Mismatch([`El CFDI ${uuid} es de la orden ${captured.numOrder}`]);
  return { uid: captured.uid, uuid: captured.uuid };
}

type Kept = {
  tipo: 'individual' | 'global' | 'notaCredito';
  market: string | null;
  numOrden: string | null;
  clienteFiscalId: string | null;
  emails: string[];
  /** The orden each concept comes from, in the order of the concepts. */
  conceptoOrdenIds: (string | null)[];
  sustituyeId?: string | null;
};

/** Keeps a stamped CFDI: its XML, its row and its concepts. */
export async function keepCfdi(trx: Trx, effect: AcceptedEffect<{ cfdi: NewCfdi }>, { uid, xml, contenido }: Timbrado, kept: Kept): Promise<string> {
  const { cfdi } = effect.request;
  const { conceptoOrdenIds, ...rest } = kept;
  const xmlId = await storeArchivo(trx, { nombre: `${xml.serie}-${xml.folio}.xml`, tipo: 'application/xml', contenido });
  const { id } = await trx
    .insertInto('factura')
    .values({
      ...rest, estatus: 'vigente', effectId: effect.id, uuid: xml.uuid, uid, serie: xml.serie, folio: Number(xml.folio),
      fecha: instantOf(xml.fecha), fechaTimbrado: instantOf(xml.fechaTimbrado),
      rfc: cfdi.receptor.rfc, razonSocial: cfdi.receptor.nombre, cp: cfdi.receptor.cp, regimen: cfdi.receptor.regimen,
      usoCfdi: cfdi.usoCfdi, formaPago: cfdi.formaPago, subtotal: cfdi.subTotal, iva: cfdi.iva, total: cfdi.total,
      usuarioId: effect.usuarioId, xmlId,
    })
    .returning('id').executeTakeFirstOrThrow();
  await trx.insertInto('facturaConcepto').values(cfdi.conceptos.map((concepto, posicion) => ({
    facturaId: id, posicion, ordenId: conceptoOrdenIds[posicion] ?? null,
    claveProdServ: concepto.claveProdServ, noIdentificacion: concepto.noIdentificacion ?? null, cantidad: String(concepto.cantidad), claveUnidad: concepto.claveUnidad,
    descripcion: concepto.descripcion, valorUnitario: concepto.valorUnitario, importe: concepto.importe, base: concepto.base, tasaIva: concepto.tasaIva, iva: concepto.iva,
  }))).execute();
  return id;
}
