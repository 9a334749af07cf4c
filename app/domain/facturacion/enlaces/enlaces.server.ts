import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { Market, OrigenEnlace, PropositoEnlace } from '~db/columns';
import { readAjustesFacturacion } from '~/domain/facturacion/cfdi/ajustes.server';
import {
  textOfClaim,
  findClaim,
  ordenesOfNumber,
  requireFacturables,
} from '~/domain/facturacion/cfdi/facturables.server';
import { hasLeft } from '~/domain/ventas/envios/envio';
import { readPropio, requireViva } from '~/domain/ventas/envios/propios.server';

/** A living link of a sale. */
export type Enlace = { id: string; market: Market; numOrden: string; venceEn: Date };

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** The address that a customer opens to invoice their purchase. */
export function enlaceUrl(token: string): string {
  return `${env().APP_URL}/facturacion/${token}`;
}

type NewEnlace = {
  market: Market;
  numOrden: string;
  origen: OrigenEnlace;
  usuarioId: string | null;
  proposito?: PropositoEnlace;
};

/** Makes a link and returns its token. The database keeps only a hash, so the token exists nowhere else. */
export async function createEnlace(
  trx: Trx,
  { market, numOrden, origen, usuarioId, proposito = 'facturacion' }: NewEnlace,
): Promise<{ id: string; token: string; venceEn: Date }> {
  const token = randomBytes(32).toString('base64url');
  const { enlaceDias } = await readAjustesFacturacion(trx);
  const { id, venceEn } = await trx
    .insertInto('enlace')
    .values({
      tokenHash: hashOf(token),
      proposito,
      market,
      numOrden,
      origen,
      creadoPor: usuarioId,
      venceEn: sql<Date>`now() + make_interval(days => ${enlaceDias})`,
    })
    .returning(['id', 'venceEn'])
    .executeTakeFirstOrThrow();
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: numOrden,
    accion: 'crear enlace',
    datos: { enlace: id, origen },
  });
  return { id, token, venceEn };
}

/**
 * The living link of a token, for one purpose; undefined otherwise. A token that never existed, ended, was withdrawn, or is for another
 * purpose costs the same one look by hash, so the answer's time tells nothing.
 */
export async function findEnlace(
  db: Db | Trx,
  token: string,
  proposito: PropositoEnlace = 'facturacion',
): Promise<Enlace | undefined> {
  const row = await db
    .selectFrom('enlace')
    .select(['id', 'market', 'numOrden', 'venceEn'])
    .where('tokenHash', '=', hashOf(token))
    .where('proposito', '=', proposito)
    .where('revocadoEn', 'is', null)
    .where('venceEn', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row;
}

/** Counts a use of the link by its holder, for the list of links. */
export async function noteUse(trx: Trx, enlaceId: string): Promise<void> {
  await trx
    .updateTable('enlace')
    .set({ usos: sql`usos + 1`, usadoEn: sql<Date>`now()` })
    .where('id', '=', enlaceId)
    .execute();
}

/** The sale of a number, when a link can be made for it. Throws NotAllowed with the reason otherwise. */
export async function requireVentaConEnlace(
  db: Db | Trx,
  numero: string,
): Promise<{ market: Market; numOrden: string }> {
  const { ordenes } = requireFacturables(await ordenesOfNumber(db, numero.trim()));
  const { market, numOrden } = ordenes[0]!;
  const claim = await findClaim(
    db,
    ordenes.map(({ id }) => id),
  );
  if (claim?.folio) throw new NotAllowed('Orden', textOfClaim(claim), { campo: 'numOrden' });
  return { market, numOrden };
}

/** 'Crear enlace' by staff: makes a link and returns its address, which is shown this once. Throws as `requireVentaConEnlace`. */
export async function createEnlaceFor(
  db: Db,
  numero: string,
  usuarioId: string,
): Promise<{ url: string; venceEn: Date }> {
  return db.transaction().execute(async (trx) => {
    const { token, venceEn } = await createEnlace(trx, {
      ...(await requireVentaConEnlace(trx, numero)),
      origen: 'personal',
      usuarioId,
    });
    return { url: enlaceUrl(token), venceEn };
  });
}

/** A link as lists show it. */
export type EnlaceFila = {
  id: string;
  origen: OrigenEnlace;
  creadoEn: Date;
  creadoPor: string | null;
  venceEn: Date;
  usos: number;
  usadoEn: Date | null;
  estado: 'vigente' | 'vencido' | 'revocado';
};

/** The links of a sale for one purpose, newest first, 50 at most. */
export async function listEnlaces(
  db: Db,
  numOrden: string,
  proposito: PropositoEnlace = 'facturacion',
): Promise<EnlaceFila[]> {
  return rows(db)
    .where('numOrden', '=', numOrden)
    .where('proposito', '=', proposito)
    .orderBy('creadoEn', 'desc')
    .orderBy('enlace.id', 'desc')
    .limit(50)
    .execute();
}

/** One link by its id; undefined when there is none. */
export async function readEnlace(db: Db | Trx, id: string): Promise<(EnlaceFila & { numOrden: string }) | undefined> {
  return rows(db).select('enlace.numOrden').where('enlace.id', '=', id).executeTakeFirst();
}

const rows = (db: Db | Trx) =>
  db
    .selectFrom('enlace')
    .leftJoin('usuario', 'usuario.id', 'enlace.creadoPor')
    .select(['enlace.id', 'origen', 'creadoEn', 'usuario.nombre as creadoPor', 'venceEn', 'usos', 'usadoEn'])
    .select(
      sql<
        EnlaceFila['estado']
      >`case when revocado_en is not null then 'revocado' when vence_en <= now() then 'vencido' else 'vigente' end`.as(
        'estado',
      ),
    );

/** Revokes a link: from now on its token opens nothing. Throws NotAllowed when it is gone or was revoked. */
export async function revokeEnlace(db: Db, id: string, usuarioId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const revoked = z.uuid().safeParse(id).success
      ? await trx
          .updateTable('enlace')
          .set({ revocadoEn: sql<Date>`now()`, revocadoPor: usuarioId })
          .where('id', '=', id)
          .where('revocadoEn', 'is', null)
          .returning('numOrden')
          .executeTakeFirst()
      : undefined;
    if (!revoked) throw new NotAllowed('Error de actualización.', 'Ese enlace ya no existe o ya estaba revocado.');
    await record(trx, {
      usuarioId,
      entidad: 'orden',
      entidadId: revoked.numOrden,
      accion: 'revocar enlace',
      datos: { enlace: id },
    });
  });
}

/** Revokes a link whose letter or message was refused: it reached nobody. */
export async function withdrawEnlace(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('enlace')
    .set({ revocadoEn: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revocadoEn', 'is', null)
    .execute();
}

/**
 * Makes the link with which a customer gives the address of a shipment. Its address is shown this once. Throws NotAllowed when the sale
 * needs no address any more.
 */
export async function createEnlaceDatosEnvio(
  db: Db,
  ordenId: string,
  usuarioId: string,
): Promise<{ url: string; numOrden: string; venceEn: Date }> {
  return db.transaction().execute(async (trx) => {
    const orden = await readPropio(trx, ordenId);
    if (!orden) throw new NotAllowed('Error de carga.', 'La orden ya no existe o no es de envío propio.');
    requireViva(orden);
    if (orden.envio && hasLeft(orden.envio))
      throw new NotAllowed('Error de carga.', 'El envío ya tiene guía o ya salió: sus datos no se piden otra vez.');
    const { market, numOrden } = orden;
    const { token, venceEn } = await createEnlace(trx, {
      market,
      numOrden,
      origen: 'personal',
      usuarioId,
      proposito: 'datosEnvio',
    });
    return { url: `${env().APP_URL}/datosEnvio/${token}`, numOrden, venceEn };
  });
}
