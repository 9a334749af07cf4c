import { sql } from 'kysely';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { writeCount } from '~/core/count';
import { nombreOfMes } from '~/core/time';
import { nombreOf } from '~/domain/facturacion/cfdi/documento';
import type { Mes } from '~/domain/facturacion/mes/mes';
import { ofMes } from '~/domain/facturacion/mes/mes.server';
import { record } from '~/platform/bitacora.server';
import { readArchivo } from '~/platform/files/archivos.server';
import { streamZip } from '~/platform/files/zip.server';
import type { Db, Trx } from '~db/client.server';
import { writeExpediente, type Alcance } from './internal/expediente/entradas.server';
import { packEntradas, unpackEntradas } from './internal/expediente/kept.server';
import { fechaHora, pesos } from './internal/expediente/palabras';
import { parteSegura } from './internal/expediente/nombres';
import { readCfdi, type CfdiEntero } from './internal/expediente/ventas.server';

/** Name of the runs that prepare the expediente of a month, beside those of the Excel of its screen. */
export const EXPEDIENTE = 'balanceFiscal.expediente';

type Zip = { nombre: string; contenido: Readable };

/**
 * Streams the expediente of one CFDI: the proof that each of its sales was real, as far as it is kept here, and an index that names what is missing. The
 * audit trail keeps who took it. Undefined when there is no document by that id.
 */
export async function streamExpediente(
  db: Db,
  facturaId: string,
  usuarioId: string,
  ahora = new Date(),
): Promise<Zip | undefined> {
  const cfdi = z.uuid().safeParse(facturaId).success ? await readCfdi(db, facturaId) : undefined;
  if (!cfdi) return undefined;
  const alcance = { cfdi, ventas: await ventasOfCfdi(db, cfdi.id), portada: portadaOfCfdi(cfdi) };
  await record(db, {
    usuarioId,
    entidad: 'factura',
    entidadId: cfdi.id,
    accion: 'descargar expediente',
    datos: { ventas: alcance.ventas.length },
  });
  return {
    nombre: `Expediente ${parteSegura(cfdi.folio)}.zip`,
    contenido: streamZip(db, writeExpediente(db, alcance, { ahora })),
  };
}

const TIMBRADO: Record<CfdiEntero['estatus'], string> = {
  vigente: 'Vigente',
  cancelando: 'En proceso de cancelarse',
  cancelada: 'Cancelado',
};

const portadaOfCfdi = ({
  tipo,
  folio,
  uuid,
  rfc,
  razonSocial,
  total,
  fechaTimbrado,
  estatus,
}: CfdiEntero): Alcance['portada'] => ({
  titulo: `Expediente de la ${nombreOf(tipo)} ${folio}`,
  nada: 'falta: la venta. Ninguna venta guardada aquí tiene este CFDI.',
  datos: [
    ['Folio fiscal (UUID)', uuid],
    ['Receptor', `${rfc} ${razonSocial}`],
    ['Total', pesos(total)],
    ['Timbrado', fechaHora(fechaTimbrado)],
    ['Estado', TIMBRADO[estatus]],
  ],
});

/** Lists the sales that a document charges, or gives back. */
async function ventasOfCfdi(db: Db, facturaId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from orden o
    where o.id in (select orden_id from factura_orden where factura_id = ${facturaId}
      union select orden_id from nota_credito_orden where nota_id = ${facturaId})
    order by o.fecha_creacion, o.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the month of which Balance fiscal counts the sales, with those sales: paid ones that are ours to invoice, and those with a document. */
async function alcanceOfMes(db: Db | Trx, mes: Mes): Promise<Alcance> {
  const { rows } = await sql<{ id: string }>`
    select orden.id from orden join libro_venta on libro_venta.orden_id = orden.id
    where ${ofMes(mes)} and (libro_venta.pagado > 0 or libro_venta.cobrado > 0)
    order by orden.fecha_creacion, orden.id`.execute(db);
  return {
    ventas: rows.map(({ id }) => id),
    portada: {
      titulo: `Expediente de ${nombreOfMes(mes)}`,
      datos: [['Ventas', writeCount(rows.length)]],
      nada: 'El mes no tiene ventas pagadas ni facturadas.',
    },
  };
}

const nombreOfZip = (mes: Mes) => `Expediente ${nombreOfMes(mes)}.zip`;

const recordMes = (db: Db, mes: Mes, usuarioId: string) =>
  record(db, { usuarioId, entidad: 'mes', entidadId: mes, accion: 'descargar expediente' });

/** Streams the expediente of a month while it is read, as `streamExpediente` does. */
export async function streamExpedienteOfMes(db: Db, mes: Mes, usuarioId: string, ahora = new Date()): Promise<Zip> {
  const alcance = await alcanceOfMes(db, mes);
  await recordMes(db, mes, usuarioId);
  return { nombre: nombreOfZip(mes), contenido: streamZip(db, writeExpediente(db, alcance, { ahora })) };
}

/** Prepares the expediente of a month for its downloads, out of one snapshot. `tell` hears how many of how many sales are done. */
export async function packExpediente(
  trx: Trx,
  mes: Mes,
  tell: (escritas: number, total: number) => Promise<void>,
): Promise<{ nombre: string; tipo: string; contenido: Buffer; written: number }> {
  const alcance = await alcanceOfMes(trx, mes);
  const total = alcance.ventas.length;
  await tell(0, total);
  const contenido = await packEntradas(
    writeExpediente(trx, alcance, { ahora: new Date(), tell: (escritas) => tell(escritas, total) }),
  );
  return { nombre: nombreOfZip(mes), tipo: 'application/gzip', contenido, written: total };
}

/**
 * Streams a prepared expediente of a month; the audit trail keeps who took it. `usuarioId` is whoever asked for it, undefined for anybody. Undefined when there
 * is no such run.
 */
export async function streamPrepared(
  db: Db,
  runId: string,
  { usuarioId, quien }: { usuarioId: string | undefined; quien: string },
): Promise<Zip | undefined> {
  if (!z.uuid().safeParse(runId).success) return undefined;
  const run = await db
    .selectFrom('exportRun')
    .where('id', '=', runId)
    .where('list', '=', EXPEDIENTE)
    .where('state', '=', 'done')
    .$if(usuarioId !== undefined, (runs) => runs.where('usuarioId', '=', usuarioId!))
    .select(['archivoId', sql<string>`filter ->> 'search'`.as('mes')])
    .executeTakeFirst();
  const kept = run?.archivoId ? await readArchivo(db, run.archivoId) : undefined;
  if (!run || !kept) return undefined;
  await recordMes(db, run.mes, quien);
  return { nombre: kept.nombre, contenido: streamZip(db, unpackEntradas(kept.contenido)) };
}
