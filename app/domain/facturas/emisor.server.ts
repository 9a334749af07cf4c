import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { record } from '~/domain/bitacora.server';
import { openCredential, saveCredential } from '~/domain/cuentas/credentials.server';
import { forgetFailures } from '~/domain/effects/connections.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { createFacturacomReader, type FacturacomReader } from '~/integrations/facturacom/read.server';
import type { Trace } from '~/integrations/http.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~jobs/catalog.server';

/** The company that issues, as the PAC knows it, with the series each kind of document uses. */
const Emisor = z.object({
  rfc: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  serieFactura: z.number().int(),
  serieNotaCredito: z.number().int().nullable(),
});
export type Emisor = z.infer<typeof Emisor>;

export type PacKeys = { baseUrl: string; apiKey: string; secret: string };

/** The keys of factura.com, or Refused (account) when nobody linked it. */
export async function pacKeys(db: Db | Trx): Promise<PacKeys> {
  const credential = await openCredential(db, 'facturacom');
  if (!credential) throw new Refused('factura.com no está vinculado. Guarda sus llaves en Activación de API.', { account: true });
  return { baseUrl: env().FACTURACOM_URL, apiKey: credential.secrets.apiKey ?? '', secret: credential.secrets.secret ?? '' };
}

/** For what only reads; pages give it a short patience. */
export async function connectPacReader(db: Db | Trx, options: { timeoutMs?: number; trace?: Trace } = {}): Promise<FacturacomReader> {
  return createFacturacomReader(await pacKeys(db), options);
}

/** Checks new keys against the account behind them, and keeps keys, company and series together. */
export async function linkFacturacom(db: Db, { apiKey, secret, usuarioId }: { apiKey: string; secret: string; usuarioId: string | null }): Promise<Emisor> {
  const pac = createFacturacomReader({ baseUrl: env().FACTURACOM_URL, apiKey, secret }, { timeoutMs: 10_000 });
  const [cuenta, series] = await readAccount(pac);
  const serieOf = (kind: RegExp) => series.find((serie) => serie.activa && kind.test(serie.tipo))?.id ?? null;
  const serieFactura = serieOf(/^(f|factura)$/i);
  if (serieFactura === null) throw new NotAllowed('Error de actualización.', 'La cuenta de factura.com no tiene una serie activa de facturas.');
  const emisor: Emisor = { rfc: cuenta.rfc, razonSocial: cuenta.razonSocial, cp: cuenta.cp, serieFactura, serieNotaCredito: serieOf(/^(nc|nota_credito)$/i) };
  await db.transaction().execute(async (trx) => {
    await saveCredential(trx, 'facturacom', { account: cuenta.rfc, label: cuenta.razonSocial, secrets: { apiKey, secret } });
    await trx
      .insertInto('ajuste').values({ clave: 'emisor', valor: JSON.stringify(emisor) })
      .onConflict((conflict) => conflict.column('clave').doUpdateSet({ valor: JSON.stringify(emisor), actualizadoEn: new Date() }))
      .execute();
    await forgetFailures(trx, 'facturacom');
    await enqueue(trx, 'catalogos.refresh', {});
    await record(trx, { usuarioId, entidad: 'credential', entidadId: 'facturacom', accion: 'vincular', datos: { cuenta: cuenta.rfc } });
  });
  return emisor;
}

async function readAccount(pac: FacturacomReader) {
  try {
    return await Promise.all([pac.account(), pac.series()]);
  } catch (error) {
    if (error instanceof Refused) throw new NotAllowed('Error de actualización.', 'factura.com no reconoce esas llaves. Revisa que sean de esta cuenta y ambiente.', { cause: error });
    if (error instanceof Unavailable) throw new NotAllowed('Error de actualización.', 'factura.com no contesta en este momento. Tus llaves no se guardaron; inténtalo en unos minutos.', { cause: error });
    throw error;
  }
}

export async function findEmisor(db: Db | Trx): Promise<Emisor | undefined> {
  const row = await db.selectFrom('ajuste').select('valor').where('clave', '=', 'emisor').executeTakeFirst();
  return row && Emisor.parse(row.valor);
}

export async function requireEmisor(db: Db | Trx): Promise<Emisor> {
  const emisor = await findEmisor(db);
  if (!emisor) throw new NotAllowed('Facturación', 'factura.com no está vinculado. Un administrador debe guardar sus llaves en Activación de API.');
  return emisor;
}
