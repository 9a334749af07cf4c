import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { findCredential } from '~/platform/connections/credentials.server';
import { MODOS_DE_LISTA } from '~/integrations/facturacom/read.server';
import type { Db, Trx } from '~db/client.server';

/**
 * What the account at the PAC was seen to do where its documentation says nothing, or two things. It belongs to one account of one environment:
 * with other keys everything is unknown again.
 */
const CuentaPac = z.object({
  /** How it hands over its list of CFDI; `listaError` where it was asked and no list came. */
  lista: z.enum(MODOS_DE_LISTA).optional(),
  listaError: z.string().nullable().optional(),
  /** What it does with an order number it has stamped before, and when that was seen. */
  repetidos: z.enum(['rechaza', 'admite']).optional(),
  repetidosEn: z.string().optional(),
  /** What the last test of it came to, when it showed nothing. */
  sondeo: z.string().nullable().optional(),
});
export type CuentaPac = z.infer<typeof CuentaPac>;

const Row = z.object({ cuenta: z.string(), visto: CuentaPac });

const CLAVE = 'pac.cuenta';

export async function readCuentaPac(db: Db | Trx): Promise<CuentaPac> {
  const cuenta = await cuentaLinked(db);
  const row = await db.selectFrom('ajuste').select('valor').where('clave', '=', CLAVE).executeTakeFirst();
  const read = row && Row.parse(row.valor);
  return read && read.cuenta === cuenta ? read.visto : {};
}

/** Adds to what is known. What was seen of another account is forgotten. */
export async function noteCuentaPac(db: Db | Trx, seen: CuentaPac): Promise<void> {
  const cuenta = await cuentaLinked(db);
  if (cuenta === null) return;
  const valor = JSON.stringify(Row.parse({ cuenta, visto: seen }));
  await db
    .insertInto('ajuste')
    .values({ clave: CLAVE, valor })
    .onConflict((conflict) =>
      conflict.column('clave').doUpdateSet({
        valor: sql`case when ajuste.valor ->> 'cuenta' = ${cuenta}
          then jsonb_set(ajuste.valor, '{visto}', (ajuste.valor -> 'visto') || ${JSON.stringify(seen)}::jsonb) else ${valor}::jsonb end`,
        actualizadoEn: new Date(),
      }),
    )
    .execute();
}

/** The account refused a repeated order number before our eyes. Where two were ever seen alive, one refusal proves nothing. */
export async function noteRechazaRepetidos(db: Db | Trx): Promise<void> {
  if ((await readCuentaPac(db)).repetidos !== undefined) return;
  await noteCuentaPac(db, { repetidos: 'rechaza', repetidosEn: new Date().toISOString(), sondeo: null });
}

async function cuentaLinked(db: Db | Trx): Promise<string | null> {
  const credential = await findCredential(db, 'facturacom');
  return credential && `${credential.account} ${env().FACTURACOM_URL}`;
}
