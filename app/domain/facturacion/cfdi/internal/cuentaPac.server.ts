import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { enMiles } from '~/core/importe';
import { civilDateTime, toInstant } from '~/core/time';
import { findCredential } from '~/platform/connections/credentials.server';
import { MODOS_DE_LISTA } from '~/integrations/facturacom/read.server';
import type { Db, Trx } from '~db/client.server';

/**
 * Facts about the account at the PAC that its documentation leaves open and that we saw. The facts belong to one account of one environment: with other keys
 * everything is unknown again.
 */
const CuentaPac = z.object({
  /** The way the account hands over its list of CFDI; `listaError` when it was asked and no list came. */
  lista: z.enum(MODOS_DE_LISTA).optional(),
  listaError: z.string().nullable().optional(),
  /** The account's answer to an order number that it stamped before (refuses or admits), and the instant we saw it. */
  repetidos: z.enum(['rechaza', 'admite']).nullish(),
  repetidosEn: z.string().optional(),
  /** The answer to the last test of repeated numbers, when it proved nothing. */
  sondeo: z.string().nullable().optional(),
  /** The instant of that test. */
  sondeoEn: z.string().optional(),
});
export type CuentaPac = z.infer<typeof CuentaPac>;

const Row = z.object({ cuenta: z.string(), visto: CuentaPac });

const CLAVE = 'pac.cuenta';

/** How long a seen refusal of a repeated number is believed: the account may be set otherwise at any time. */
const CREE_MS = 86_400_000;

/** The facts about the linked account; empty when nothing was seen yet. That it refuses a repeated number is forgotten after a day. */
export async function readCuentaPac(db: Db | Trx): Promise<CuentaPac> {
  const cuenta = await cuentaLinked(db);
  const row = await db.selectFrom('ajuste').select('valor').where('clave', '=', CLAVE).executeTakeFirst();
  const read = row && Row.parse(row.valor);
  if (!read || read.cuenta !== cuenta) return {};
  const { repetidos, repetidosEn, ...visto } = read.visto;
  const vieja = repetidosEn === undefined || toInstant(repetidosEn).getTime() < Date.now() - CREE_MS;
  return !repetidos || (repetidos === 'rechaza' && vieja) ? visto : { ...visto, repetidos, repetidosEn };
}

/** Adds facts about the linked account. Facts about another account are dropped. */
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
          then jsonb_set(ajuste.valor, '{visto}', (ajuste.valor -> 'visto') || ${JSON.stringify(seen)}::jsonb)
            else ${valor}::jsonb end`,
        actualizadoEn: new Date(),
      }),
    )
    .execute();
}

/** Notes that the account refused a repeated order number. Where two were ever seen alive, a refusal proves nothing and changes nothing. */
export async function noteRechazaRepetidos(db: Db | Trx): Promise<void> {
  if ((await readCuentaPac(db)).repetidos === 'admite') return;
  await noteCuentaPac(db, { repetidos: 'rechaza', repetidosEn: new Date().toISOString(), sondeo: null });
}

/** How many facturas are counted, so that a card never counts a year. */
const CONTADOS = 1_000;

/**
 * Returns the sentence about the last test that proved nothing: when it was, what the account answered, and what was invoiced since. Null without such a test, and
 * for one whose moment nobody kept.
 */
export async function sondeoDicho(db: Db, { sondeo, sondeoEn }: CuentaPac): Promise<string | null> {
  if (!sondeo || !sondeoEn) return null;
  // The moment of a stamp is the PAC's, in whole seconds and by its clock: the order of the two is told by our own.
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
    from (
      select from factura
      where tipo <> 'notaCredito'
        and fecha_timbrado > ${sondeoEn}::timestamptz - interval '1 day'
        and creada_en > ${sondeoEn}::timestamptz
      limit ${CONTADOS}
    ) f`.execute(db);
  const n = rows[0]!.n;
  const [day, time = ''] = civilDateTime(toInstant(sondeoEn)).split('T');
  const cuando = `${day!.split('-').reverse().join('/')} ${time.slice(0, 5)}`;
  const desde =
    n === 0
      ? ''
      : ` Desde entonces se ${n === 1 ? 'timbró una factura' : `timbraron ${n === CONTADOS ? 'más de ' : ''}${enMiles(String(n))} facturas`}.`;
  return `Última prueba, automática, del ${cuando}: ${sondeo.endsWith('.') ? sondeo.slice(0, -1) : sondeo}.${desde} Se prueba otra vez cuando un timbrado quede sin respuesta.`;
}

async function cuentaLinked(db: Db | Trx): Promise<string | null> {
  const credential = await findCredential(db, 'facturacom');
  return credential && `${credential.account} ${env().FACTURACOM_URL}`;
}
