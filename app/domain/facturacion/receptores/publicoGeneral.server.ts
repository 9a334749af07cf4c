import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { RFC_PUBLICO } from '~/core/rfc';
import { REGIMEN_GENERICO, USO_GENERICO } from '~/domain/facturacion/sat/opciones';
import { acceptEffect, waitForEffect } from '~/platform/effects/effects.server';
import type { NewCfdi } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { NOMBRE_PUBLICO_GENERAL } from '~/domain/facturacion/cfdi/nombreFiscal';
import { savePacClient } from './savePacClient.server';

/** The receiver of a global: the PAC stamps to clients of its own only, so PUBLICO EN GENERAL is one too. */
type Receptor = NewCfdi['receptor'];

const PATIENCE_MS = 15_000;

/** The receiver as the PAC knows it now; undefined when it does not, or knows it with another place of issue. */
async function findPublicoGeneral(db: Db | Trx): Promise<Receptor | undefined> {
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
export async function ensurePublicoGeneral(db: Db, titulo: string, usuarioId: string | null): Promise<Receptor> {
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
