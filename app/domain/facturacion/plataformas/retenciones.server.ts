import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { MARKET_LABEL, marketOfNombre, type Market } from '~/core/market';
import type { Money } from '~/core/money';
import { nombreOfMes } from '~/core/time';
import { readRetencionXml } from '~/integrations/sat/retencionXml.server';
import { record } from '~/platform/bitacora.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import {
  deOtraEmpresa,
  receiveXmls,
  requireNuestroRfc,
  type Leido,
  type Recibidos,
  type Subido,
} from '~/platform/files/xmlSubidos.server';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';
import type { Mes } from '~/domain/facturacion/mes/mes';
import { retencionRecibida, type RetencionRecibida } from './internal/retencionRecibida';

/** Largest CFDI de retenciones, in bytes: it has a row for each service of the month. One of 9,000 rows takes a second to read. */
export const MAX_RETENCION = 4 * 1024 * 1024;
const TAMANO = { tags: 40_000, attributes: 100_000 };

/**
 * Keeps the CFDI de retenciones that can be read and are ours, and returns their ids with the reason for each refused one. An issuer is known by the documents
 * that stand here, by its name, or by the `market` that a person named. Throws `NotAllowed` while factura.com is not linked, because our RFC is unknown then.
 */
export async function receiveRetenciones(
  trx: Trx,
  subidos: readonly Subido[],
  { market, usuarioId }: { market: Market | null; usuarioId: string },
): Promise<Recibidos> {
  const nuestro = await requireNuestroRfc(trx);
  return receiveXmls(trx, subidos, {
    max: MAX_RETENCION,
    tamano: TAMANO,
    read: (contenido) => readRetencion(contenido, nuestro),
    keep: (retencion, contenido) => keep(trx, retencion, contenido, { market, usuarioId }),
  });
}

function readRetencion(contenido: Buffer, nuestro: string): Leido<RetencionRecibida> {
  const read = retencionRecibida(new Date()).safeParse(readRetencionXml(contenido));
  if (!read.success) return { motivo: read.error.issues[0]!.message };
  const { receptorRfc } = read.data;
  if (receptorRfc === '') return { motivo: 'Está a nombre de un extranjero: no es de esta empresa.' };
  return receptorRfc === nuestro ? { leido: read.data } : { motivo: deOtraEmpresa(receptorRfc, nuestro) };
}

async function keep(
  trx: Trx,
  retencion: RetencionRecibida,
  contenido: Buffer,
  { market: elegido, usuarioId }: { market: Market | null; usuarioId: string },
): Promise<string | { motivo: string }> {
  const { emisor, receptorRfc: _, ...datos } = retencion;
  // Two people who drop documents of one issuer agree about its marketplace.
  await lockName(trx, 'retenciones', emisor.rfc);
  const held = await trx
    .selectFrom('retencionCfdi')
    .select(['market', 'mes'])
    .where('uuid', '=', datos.uuid)
    .executeTakeFirst();
  if (held) return { motivo: `Ya está aquí: es de ${nombreOfMes(held.mes)}, de ${MARKET_LABEL[held.market]}.` };
  const conocido = (await marketOfEmisor(trx, emisor.rfc)) ?? marketOfNombre(emisor.nombre);
  const market = conocido ?? elegido;
  if (!market)
    return {
      motivo: `No se sabe de qué mercado es ${emisor.nombre || 'su emisor'} (${emisor.rfc}). Elige el mercado y vuelve a soltarlo.`,
    };
  if (elegido && elegido !== market)
    return { motivo: `Su emisor, ${emisor.rfc}, es de ${MARKET_LABEL[market]} y no de ${MARKET_LABEL[elegido]}.` };
  const archivoId = await storeArchivo(trx, { nombre: `${datos.uuid}.xml`, tipo: 'application/xml', contenido });
  const { id } = await trx
    .insertInto('retencionCfdi')
    .values({ ...datos, archivoId, market, emisorRfc: emisor.rfc, emisorNombre: emisor.nombre, usuarioId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(trx, {
    usuarioId,
    entidad: 'retencionCfdi',
    entidadId: id,
    accion: 'crear',
    datos: { uuid: datos.uuid, emisor: emisor.rfc, market, mes: datos.mes },
  });
  return id;
}

async function marketOfEmisor(trx: Trx, rfc: string): Promise<Market | undefined> {
  const known = await trx
    .selectFrom('retencionCfdi')
    .select('market')
    .where('emisorRfc', '=', rfc)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return known?.market;
}

/** Takes a document away. Its issuer may then be named anew. Throws `NotAllowed` when it is gone. */
export async function removeRetencion(trx: Trx, id: string, usuarioId: string): Promise<void> {
  const gone = await trx
    .deleteFrom('retencionCfdi')
    .where('id', '=', id)
    .returning(['uuid', 'market', 'mes', 'retenido'])
    .executeTakeFirst();
  if (!gone) throw new NotAllowed('Error al eliminar.', 'Otra persona ya quitó este CFDI.');
  await record(trx, { usuarioId, entidad: 'retencionCfdi', entidadId: id, accion: 'eliminar', datos: gone });
}

/** A CFDI de retenciones as the screen lists it. */
export type Retencion = {
  id: string;
  uuid: string;
  market: Market;
  emisorRfc: string;
  emisorNombre: string;
  emitidoEn: Date;
  sinIva: Money;
  isrRetenido: Money;
  ivaRetenido: Money;
  observaciones: string[];
  sustituida: boolean;
};

/** SQL over `retencion_cfdi`: another document of its issuer replaces it. */
export const SUSTITUIDA = sql<boolean>`exists (
  select from retencion_cfdi otra where otra.sustituye = retencion_cfdi.uuid and otra.emisor_rfc = retencion_cfdi.emisor_rfc)`;

/** Returns the documents of a month, by marketplace, the newest first. */
export function listRetenciones(db: Db, mes: Mes): Promise<Retencion[]> {
  return db
    .selectFrom('retencionCfdi')
    .select([
      'id',
      'uuid',
      'market',
      'emisorRfc',
      'emisorNombre',
      'emitidoEn',
      'sinIva',
      'isrRetenido',
      'ivaRetenido',
      'observaciones',
      SUSTITUIDA.as('sustituida'),
    ])
    .where('mes', '=', mes)
    .orderBy('market', 'desc')
    .orderBy('emitidoEn', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns the months of some documents, the newest first. */
export async function mesesOfRetenciones(db: Db | Trx, ids: readonly string[]): Promise<Mes[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('retencionCfdi')
    .select('mes')
    .distinct()
    .where('id', 'in', [...ids])
    .orderBy('mes', 'desc')
    .execute();
  return rows.map(({ mes }) => mes);
}

/** Returns where the file of a document is kept; undefined when there is none. */
export async function findArchivoOfRetencion(db: Db, id: string) {
  return db
    .selectFrom('retencionCfdi')
    .select(['archivoId', 'market', 'mes', 'uuid'])
    .where('id', '=', id)
    .executeTakeFirst();
}
