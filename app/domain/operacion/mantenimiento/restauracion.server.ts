import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { addDays, civilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { parseEstadoSat } from '~/domain/facturacion/cancelacion/cancelacion';
import { adoptCancelada } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { readCfdiXml, type CfdiXml } from '~/integrations/sat/cfdiXml.server';
import type { Ajeno } from '~/domain/facturacion/cfdi/adopcion.server';
import { folioOf } from '~/domain/facturacion/cfdi/timbrado.server';
import { pauseConnection } from '~/platform/connections/pause.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { EffectCatalog } from '~/platform/effects/definition';
import { doubtOpenEffects } from '~/platform/effects/restored.server';
import { adoptFactura, numerosOfRef } from '~/domain/facturacion/emision/adoptFactura.server';
import { adoptGlobal } from '~/domain/facturacion/mes/adoptGlobal.server';
import { adoptNota } from '~/domain/facturacion/notasCredito/adoptNota.server';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';

export type Respaldo = { nombre: string; sabeHasta: Date };

/**
 * Marks a database that came back from a backup, before anybody works with it: the database knows nothing of the time since `sabeHasta`. Every connection
 * is paused. An effect that waited to be sent may have been sent since: it is looked for first, and people decide about one that cannot be found.
 */
export async function markRestaurada(db: Db, catalog: EffectCatalog, { nombre, sabeHasta }: Respaldo): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('restauracion').values({ respaldo: nombre, sabeHasta }).execute();
    for (const { kind } of CONNECTIONS.all()) if (CONNECTIONS.isKind(kind)) await pauseConnection(trx, kind);
    await sql`update connection set paused_at = now()`.execute(trx);
    await sql`update empresa set activo = false, version = version + 1 where conexion is not null and activo`.execute(
      trx,
    );
    await doubtOpenEffects(trx, catalog);
    // Of workers that are gone with the machine.
    await sql`delete from worker_heartbeat`.execute(trx);
    await sql`select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker._private_jobs where locked_by is not null))`.execute(
      trx,
    );
    await record(trx, {
      usuarioId: null,
      entidad: 'mantenimiento',
      entidadId: 'restauracion',
      accion: 'restaurar',
      datos: { respaldo: nombre, sabeHasta },
    });
  });
}

/** The reads of the PAC that the reconciliation needs. */
export type LectorDeCfdis = Pick<FacturacomReader, 'cfdisOfMonth' | 'downloadXml' | 'cancelStatus' | 'clientsByRfc'>;

export type Conciliacion = {
  conocidas: number;
  /** UUID of the documents that were taken, and of those whose cancellation was. */
  adoptadas: string[];
  canceladas: string[];
  /** Documents that nobody here can explain: their folio, the reason, and the cure. */
  inexplicadas: string[];
};

/** A document that the PAC knows and this database does not. `adopt` throws `NotAllowed` while the document cannot be taken. */
type Pendiente = { cfdi: CfdiPac; xml?: CfdiXml; adopt(): Promise<unknown> };

/**
 * Reads the PAC's months since the backup, with the days before it, and takes what is there and not here: facturas, globals and credit notes by their reference, and
 * cancellations, also of documents of earlier months. Nothing is sent. What cannot be told apart is named, for people, and the sales it may charge wait.
 */
export async function reconcilePac(db: Db, pac: LectorDeCfdis, now = new Date()): Promise<Conciliacion> {
  const last = await db
    .selectFrom('restauracion')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(() => new Error('esta base no volvió de un respaldo'));
  const { conocidas, desconocidas, canceladas } = await readPac(db, pac, { sabeHasta: last.sabeHasta, now });
  const pendientes: Pendiente[] = canceladas.map(({ id, ...cfdi }) => ({
    cfdi,
    adopt: () => cancel(db, pac, { ...cfdi, id }),
  }));
  for (const cfdi of desconocidas) pendientes.push(await pendienteOf(db, pac, cfdi));
  const motivos = await takeAll(pendientes);
  const done = (of: readonly CfdiPac[]) => of.filter(({ uuid }) => !motivos.has(uuid)).map(({ uuid }) => uuid);
  const result: Conciliacion = {
    conocidas,
    adoptadas: done(desconocidas),
    canceladas: done(canceladas),
    inexplicadas: pendientes.flatMap(({ cfdi }) => {
      const motivo = motivos.get(cfdi.uuid);
      return motivo === undefined ? [] : [`${folioOf(cfdi)} (${cfdi.uuid}): ${motivo}`];
    }),
  };
  const porAdoptar = pendientes.filter(({ cfdi }) => motivos.has(cfdi.uuid) && !cfdi.cancelada);
  await db.transaction().execute(async (trx) => {
    await keepPorAdoptar(trx, porAdoptar);
    const all = (before: unknown, found: string[]) => JSON.stringify([...new Set([...(before as string[]), ...found])]);
    await trx
      .updateTable('restauracion')
      .set({
        conciliadaEn: sql<Date>`now()`,
        adoptadas: all(last.adoptadas, result.adoptadas),
        canceladas: all(last.canceladas, result.canceladas),
        inexplicadas: JSON.stringify(result.inexplicadas),
      })
      .where('id', '=', last.id)
      .execute();
  });
  return result;
}

type Leido = { conocidas: number; desconocidas: CfdiPac[]; canceladas: (CfdiPac & { id: string })[] };

/**
 * A document that the SAT still lets be cancelled may be of this year or of the one before, so their months are read for cancellations. A document that is not here and was
 * stamped before the backup was never ours.
 */
async function readPac(db: Db, pac: LectorDeCfdis, { sabeHasta, now }: { sabeHasta: Date; now: Date }): Promise<Leido> {
  const since = addDays(civilDay(sabeHasta), -4);
  const facturas = await db.selectFrom('factura').select(['id', 'uuid', 'estatus', 'fechaTimbrado']).execute();
  const here = new Map(facturas.map((factura) => [factura.uuid, factura]));
  const vigentes = facturas.flatMap(({ estatus, fechaTimbrado }) =>
    estatus === 'cancelada' ? [] : [civilDay(fechaTimbrado)],
  );
  const oldest = vigentes.reduce((first, day) => (day < first ? day : first), since);
  const cancelable = `${Number(since.slice(0, 4)) - 1}-01-01`;
  const read: Leido = { conocidas: 0, desconocidas: [], canceladas: [] };
  for (const month of monthsBetween(oldest > cancelable ? oldest : cancelable, civilDay(now))) {
    for await (const cfdi of pac.cfdisOfMonth(month)) {
      const known = here.get(cfdi.uuid);
      if (known) read.conocidas += 1;
      if (known?.estatus === 'vigente' && cfdi.cancelada) read.canceladas.push({ ...cfdi, id: known.id });
      if (!known && month >= since.slice(0, 7)) read.desconocidas.push(cfdi);
    }
  }
  return read;
}

function monthsBetween(first: string, last: string): string[] {
  const months = [first.slice(0, 7)];
  while (months.at(-1)! < last.slice(0, 7)) months.push(addDays(`${months.at(-1)!}-01`, 32).slice(0, 7));
  return months;
}

async function pendienteOf(db: Db, pac: LectorDeCfdis, cfdi: CfdiPac): Promise<Pendiente> {
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

/** The PAC's list says that it is cancelled, and the SAT's word is what counts. */
async function cancel(db: Db, pac: LectorDeCfdis, { id, uid }: CfdiPac & { id: string }): Promise<void> {
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
async function takeAll(pendientes: readonly Pendiente[]): Promise<Map<string, string>> {
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
async function keepPorAdoptar(trx: Trx, pendientes: readonly Pendiente[]): Promise<void> {
  await trx.deleteFrom('cfdiPorAdoptar').execute();
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
