import { z } from 'zod';
import { env } from '~/core/env.server';
import { CompanyFault, NotAllowed } from '~/core/errors';
import { civilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { saveCredential, findCredential } from '~/platform/connections/credentials.server';
import { noteCuentaPac, readCuentaPac, type CuentaPac } from './internal/cuentaPac.server';
import { facturacom, pacKeys } from './facturacom.server';
import { rechazoOfLlaves } from '~/platform/connections/keys.server';
import { acceptEffect, LIVE_STATES } from '~/platform/effects/effects.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { createFacturacomReader, type FacturacomReader } from '~/integrations/facturacom/read.server';
import type { Trace } from '~/integrations/http.server';
import { sondearCuenta } from './internal/sondeo.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { refreshCatalogos } from '~/domain/facturacion/sat/catalogos.server';
import { isPaused } from '~/platform/connections/pause.server';
import type { CatalogoSat } from '~db/columns';

/** The company that issues, as the PAC knows it, with the PAC's series for facturas and for credit notes. */
const Emisor = z.object({
  rfc: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  serieFactura: z.number().int(),
  serieNotaCredito: z.number().int().nullable(),
});
export type Emisor = z.infer<typeof Emisor>;

/** A client of the PAC that only reads; pages give it a short timeout. Throws Refused (account) when factura.com is not linked. */
export async function connectPacReader(
  db: Db | Trx,
  options: { timeoutMs?: number; trace?: Trace } = {},
): Promise<FacturacomReader> {
  const { lista, ...credentials } = await pacKeys(db);
  return createFacturacomReader(credentials, { ...options, lista });
}

/**
 * Checks new keys against their account and saves keys, company and series together. Throws NotAllowed for keys that the PAC does not
 * accept, for a PAC that does not answer, and for keys of another company while calls are under way: they would be looked for in the other
 * account, not found and stamped again.
 */
export async function linkFacturacom(
  db: Db,
  { apiKey, secret, usuarioId }: { apiKey: string; secret: string; usuarioId: string | null },
): Promise<Emisor> {
  const pac = createFacturacomReader({ baseUrl: env().FACTURACOM_URL, apiKey, secret }, { timeoutMs: 10_000 });
  const [cuenta, series] = await readAccount(pac);
  const lista = await learnList(pac);
  const serieOf = (kind: RegExp) => series.find((serie) => serie.activa && kind.test(serie.tipo))?.id ?? null;
  const serieFactura = serieOf(/^(f|factura)$/i);
  if (serieFactura === null)
    throw new NotAllowed('Error de actualización.', 'La cuenta de factura.com no tiene una serie activa de facturas.');
  const emisor: Emisor = {
    rfc: cuenta.rfc,
    razonSocial: cuenta.razonSocial,
    cp: cuenta.cp,
    serieFactura,
    serieNotaCredito: serieOf(/^(nc|nota_credito)$/i),
  };
  await db.transaction().execute(async (trx) => {
    await requireNothingOfAnother(trx, emisor);
    await saveCredential(trx, 'facturacom', {
      account: cuenta.rfc,
      label: cuenta.razonSocial,
      secrets: { apiKey, secret },
    });
    await trx
      .insertInto('ajuste')
      .values({ clave: 'emisor', valor: JSON.stringify(emisor) })
      .onConflict((conflict) =>
        conflict.column('clave').doUpdateSet({ valor: JSON.stringify(emisor), actualizadoEn: new Date() }),
      )
      .execute();
    await noteCuentaPac(trx, lista);
    await forgetFailures(trx, 'facturacom');
    if ((await readCuentaPac(trx)).repetidos === undefined)
      await acceptEffect(trx, sondearCuenta, { request: { cuenta: cuenta.rfc }, usuarioId });
    await enqueue(trx, 'catalogos.refresh', {});
    await record(trx, {
      usuarioId,
      entidad: 'credential',
      entidadId: 'facturacom',
      accion: 'vincular',
      datos: { cuenta: cuenta.rfc },
    });
  });
  return emisor;
}

/**
 * The way in which the account hands over its list of CFDI. Without it the keys are good, but no unclear stamp can be looked up; the card
 * of the connection says so.
 */
async function learnList(pac: FacturacomReader): Promise<CuentaPac> {
  try {
    return { lista: await pac.learnList(civilDay(new Date()).slice(0, 7)), listaError: null };
  } catch (error) {
    if (error instanceof Unavailable || error instanceof UnexpectedShape || error instanceof Refused)
      return { listaError: error.message };
    throw error;
  }
}

/** Throws NotAllowed while calls of another company are under way. */
async function requireNothingOfAnother(trx: Trx, { rfc }: Emisor): Promise<void> {
  const row = await emisorRow(trx).forUpdate().executeTakeFirst();
  const linked = row && Emisor.parse(row.valor).rfc;
  if (linked === undefined || linked.toUpperCase() === rfc.toUpperCase()) return;
  const { n } = await trx
    .selectFrom('effect')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('connection', '=', 'facturacom')
    .where('state', 'in', LIVE_STATES)
    .executeTakeFirstOrThrow();
  if (n === 0) return;
  throw new NotAllowed(
    'Error de actualización.',
    `Esas llaves son de ${rfc} y hay ${n} ${n === 1 ? 'solicitud' : 'solicitudes'} de ${linked} sin terminar en factura.com. Espera a que terminen o decídelas en Pendientes; después guarda las llaves.`,
  );
}

async function readAccount(pac: FacturacomReader) {
  try {
    return await Promise.all([pac.account(), pac.series()]);
  } catch (error) {
    if (error instanceof Refused)
      throw new NotAllowed(
        'Error de actualización.',
        'factura.com no reconoce esas llaves. Revisa que sean de esta cuenta y ambiente.',
        { rechazo: rechazoOfLlaves(facturacom, error), cause: error },
      );
    if (error instanceof Unavailable)
      throw new NotAllowed(
        'Error de actualización.',
        'factura.com no contesta en este momento. Tus llaves no se guardaron; inténtalo en unos minutos.',
        { rechazo: rechazoOfLlaves(facturacom, error), cause: error },
      );
    throw error;
  }
}

/** The company that issues; undefined when factura.com is not linked. */
export async function findEmisor(db: Db | Trx): Promise<Emisor | undefined> {
  const row = await emisorRow(db).executeTakeFirst();
  return row && Emisor.parse(row.valor);
}

/** The company that issues. Throws CompanyFault when factura.com is not linked. Inside a transaction the company cannot change until the transaction ends. */
export async function requireEmisor(db: Db | Trx): Promise<Emisor> {
  const row = await emisorRow(db)
    .$if(db.isTransaction, (query) => query.forShare())
    .executeTakeFirst();
  if (!row)
    throw new CompanyFault(
      'Facturación',
      'factura.com no está vinculado. Un administrador debe guardar sus llaves en Activación de API.',
    );
  return Emisor.parse(row.valor);
}

const emisorRow = (db: Db | Trx) => db.selectFrom('ajuste').select('valor').where('clave', '=', 'emisor');

/**
 * Reads the SAT's catalogues from the PAC and returns those that were read; the daily job calls it. Reads none without a link, or while
 * factura.com is paused.
 */
export async function refreshCatalogosOfPac(db: Db): Promise<CatalogoSat[]> {
  if ((await findCredential(db, 'facturacom'))?.status !== 'linked' || (await isPaused(db, 'facturacom'))) return [];
  return refreshCatalogos(db, await connectPacReader(db, { timeoutMs: 60_000 }));
}
