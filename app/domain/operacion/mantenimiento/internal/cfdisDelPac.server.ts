import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { addDays } from '~/core/time';
import { parseEstadoSat } from '~/domain/facturacion/cancelacion/cancelacion';
import { adoptCancelada } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import type { Ajeno } from '~/domain/facturacion/cfdi/adopcion.server';
import { folioOf } from '~/domain/facturacion/cfdi/timbrado.server';
import { adoptFactura, numerosOfRef } from '~/domain/facturacion/emision/adoptFactura.server';
import { adoptGlobal } from '~/domain/facturacion/mes/adoptGlobal.server';
import { adoptNota } from '~/domain/facturacion/notasCredito/adoptNota.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import { readCfdiXml, type CfdiXml } from '~/integrations/sat/cfdiXml.server';
import type { Db, Trx } from '~db/client.server';

/* What the PAC has and this database has not, or has otherwise: how each such document is taken over here. */

/** The reads of the PAC that a comparison with it needs. */
export type LectorDeCfdis = Pick<FacturacomReader, 'cfdisOfMonth' | 'downloadXml' | 'cancelStatus' | 'clientsByRfc'>;

/** A document that the PAC knows and this database does not. `adopt` throws `NotAllowed` while the document cannot be taken. */
export type Pendiente = { cfdi: CfdiPac; xml?: CfdiXml; adopt(): Promise<unknown> };

/** Returns the months from one day to another, both included, as 'YYYY-MM'. */
export function monthsBetween(first: string, last: string): string[] {
  const months = [first.slice(0, 7)];
  while (months.at(-1)! < last.slice(0, 7)) months.push(addDays(`${months.at(-1)!}-01`, 32).slice(0, 7));
  return months;
}

/** Reads a document that is not here, for the act that takes it. */
export async function pendienteOf(db: Db, pac: LectorDeCfdis, cfdi: CfdiPac): Promise<Pendiente> {
  const contenido = await pac.downloadXml(cfdi.uid);
  const xml = readCfdiXml(contenido);
  const adopt = xml.tipo === 'E' ? adoptNota : xml.informacionGlobal ? adoptGlobal : adoptFactura;
  const ajeno: Ajeno = { cfdi, uid: cfdi.uid, xml, contenido, receptorUid: await receptorOf(db, pac, xml) };
  return {
    cfdi,
    xml,
    async adopt() {
      if (xml.tipo !== 'I' && xml.tipo !== 'E')
        throw new NotAllowed('Restauración', `es un comprobante de tipo ${xml.tipo}, que aquí no se hace`);
      await db.transaction().execute((trx) => adopt(trx, ajeno));
    },
  };
}

/** The PAC's client it was stamped to: ours by RFC and name, or the PAC's own. A credit note is made out to it. */
async function receptorOf(db: Db, pac: LectorDeCfdis, { receptor: { rfc, nombre } }: CfdiXml): Promise<string | null> {
  const ours = await db
    .selectFrom('clienteFiscal')
    .select('uid')
    .where('rfc', '=', rfc)
    .where('razonSocial', '=', nombre)
    .where('uid', 'is not', null)
    .executeTakeFirst();
  if (ours) return ours.uid;
  return (await pac.clientsByRfc(rfc)).find(({ razonSocial }) => razonSocial.toUpperCase() === nombre)?.uid ?? null;
}

/** Cancels here what the PAC's list says is cancelled. The SAT's word is what counts: throws NotAllowed when it says otherwise. */
export async function cancelHere(db: Db, pac: LectorDeCfdis, { id, uid }: CfdiPac & { id: string }): Promise<void> {
  const estado = await pac.cancelStatus(uid);
  const dice = estado.estatusCancelacion || estado.estado;
  if (parseEstadoSat(estado) !== 'cancelada')
    throw new NotAllowed(
      'Restauración',
      `factura.com la da por cancelada y el SAT contesta «${dice}»: aquí sigue vigente hasta que concilies otra vez`,
    );
  await db.transaction().execute((trx) => adoptCancelada(trx, id, dice));
}

/**
 * One may need another first: a note its factura, a factura the cancellation of the one before. So they are tried until none can be taken any more: substitutes before
 * what they replace is let go, notes after what they take back from, the rest in the order they were stamped. Answers why each of the others could not.
 */
export async function takeAll(pendientes: readonly Pendiente[]): Promise<Map<string, string>> {
  const rank = ({ cfdi, xml }: Pendiente) => {
    const turn = !xml ? 1 : xml.tipo === 'E' ? 3 : xml.relacionados.length > 0 ? 0 : 2;
    return `${turn} ${cfdi.fechaTimbrado}`;
  };
  let left = [...pendientes].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const motivos = new Map<string, string>();
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const still: Pendiente[] = [];
    for (const pendiente of left) {
      try {
        await pendiente.adopt();
        motivos.delete(pendiente.cfdi.uuid);
      } catch (error) {
        if (!(error instanceof NotAllowed)) throw error;
        motivos.set(pendiente.cfdi.uuid, error.message);
        still.push(pendiente);
      }
    }
    left = still;
  }
  return motivos;
}

/** The sales that a document of the PAC may charge and that is not here: nobody invoices them until it is. */
export async function keepPorAdoptar(trx: Trx, pendientes: readonly Pendiente[]): Promise<void> {
  const rows = pendientes.flatMap(({ cfdi, xml }) => {
    // A factura of one sale names its articles there, and not the sale.
    const deVentas = xml && (xml.informacionGlobal || xml.tipo === 'E') ? xml.conceptos : [];
    const numbers = [...numerosOfRef(cfdi.numOrder), ...deVentas.map((one) => one.noIdentificacion)];
    return [...new Set(numbers)]
      .filter(Boolean)
      .map((numOrden) => ({ numOrden, uuid: cfdi.uuid, folio: folioOf(cfdi) }));
  });
  await sql`insert into cfdi_por_adoptar (num_orden, uuid, folio)
    select * from unnest(${rows.map(({ numOrden }) => numOrden)}::text[], ${rows.map(({ uuid }) => uuid)}::text[], ${rows.map(({ folio }) => folio)}::text[])`.execute(
    trx,
  );
}
