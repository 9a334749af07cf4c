import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { groupBy } from '~/core/groupBy';
import { civilDateTime } from '~/core/time';
import { defineCarta } from '~/platform/effects/carta.server';
import { acceptEffect } from '~/platform/effects/effects.server';
import type { Db, Trx } from '~db/client.server';
import type { Rol } from '~db/columns';

/** Hours before the day of a claim at which people are written to; 0 is once the day is past. */
export const AVISOS = [48, 24, 4, 0] as const;

/** The letter that says what is left of a claim's day, one for each warning. */
export const mailPlazo = defineCarta({
  type: 'reclamo.aviso',
  label: 'Aviso de un reclamo por vencer',
  request: z.object({
    reclamoId: z.string(),
    vence: z.string(),
    horas: z.number(),
    emails: z.array(z.string()).min(1),
    asunto: z.string(),
    texto: z.string(),
  }),
  key: ({ reclamoId, vence, horas, emails }) => `${reclamoId}:${vence}:${horas}:${emails.join()}`,
  subjects: ({ reclamoId }) => [['reclamo', reclamoId]],
  summary: ({ asunto, emails }) => ({ que: asunto, emails }),
  write: ({ request: { emails, asunto, texto } }) => ({
    to: emails,
    subject: `${env().MARCA}: ${asunto}`,
    text: texto,
  }),
});

type Vence = {
  id: string;
  marketId: string;
  titulo: string | null;
  numOrden: string | null;
  venceEn: Date;
  horas: number;
};

/**
 * Writes about each claim whose day comes near, and once it is past. Each warning is told once; of several that are due at once, as after an outage, the most urgent
 * is told and the others with it. A claim that the marketplace ended because nobody answered is past its day, whether or not we saw that day go by.
 */
export async function tellPlazos(db: Db): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<Vence>`
      with vencen as (
        select r.id, r.vence_en from reclamo r where r.estatus = 'abierto' and r.vence_en is not null
        union all
        select r.id, max(a.vence_en) from reclamo r join aviso_plazo a on a.reclamo_id = r.id
        where r.estatus = 'cerrado' and r.resolucion ->> 'motivo' = ${SIN_RESPUESTA} group by r.id
      ), pasadas as (
        select v.id, v.vence_en, a.horas from vencen v cross join unnest(${[...AVISOS]}::int[]) as a (horas)
        where v.vence_en - make_interval(hours => a.horas) <= now()
      ), nuevas as (
        insert into aviso_plazo (reclamo_id, vence_en, horas) select id, vence_en, horas from pasadas on conflict do nothing
        returning reclamo_id, vence_en, horas
      )
      select distinct on (r.id) r.id, r.market_id, r.titulo, coalesce(o.num_orden, r.orden_market_id) as num_orden, n.vence_en, n.horas
      from nuevas n join reclamo r on r.id = n.reclamo_id left join orden o on o.market = r.market and o.market_id = r.orden_market_id
      order by r.id, n.horas`.execute(trx);
    for (const vence of rows) await tell(trx, vence);
    return rows.length;
  });
}

/** Reason of a claim that the marketplace ended because its day went by. */
const SIN_RESPUESTA = 'respondent_timeout';

async function tell(trx: Trx, { id, marketId, titulo, numOrden, venceEn, horas }: Vence) {
  const asunto =
    horas === 0 ? `Venció el reclamo ${marketId}` : `El reclamo ${marketId} vence en menos de ${horas} horas`;
  for (const [rol, emails] of await emailsOf(trx, id)) {
    const texto = [
      titulo ?? `Reclamo ${marketId}`,
      ...(numOrden ? [`Orden ${numOrden}`] : []),
      `${horas === 0 ? 'Venció' : 'Vence'} el ${diaYHora(venceEn)}.`,
      '',
      `${env().APP_URL}/${rol}/reclamos?ver=${id}`,
    ].join('\n');
    await acceptEffect(trx, mailPlazo, {
      request: { reclamoId: id, vence: venceEn.toISOString(), horas, emails, asunto, texto },
    });
  }
}

/** '23/11/2026 a las 08:20'. */
function diaYHora(instant: Date): string {
  const [dia, hora] = civilDateTime(instant).split('T') as [string, string];
  return `${dia.split('-').reverse().join('/')} a las ${hora.slice(0, 5)}`;
}

/**
 * Returns the addresses to write to about a claim, by role, since each role opens its own address. The last owner of the claim outranks all, whatever
 * its day was then; a claim without owner is told to everybody who sees to claims.
 */
async function emailsOf(trx: Trx, reclamoId: string): Promise<[Rol, string[]][]> {
  const quienes = trx
    .selectFrom('usuario')
    .select(['rol', 'email'])
    .where('rol', 'in', ['sa', 'admin'])
    .where('activo', '=', true);
  const dueno = await quienes
    .innerJoin('encargo', 'encargo.duenoId', 'usuario.id')
    .where('encargo.cola', '=', 'reclamos')
    .where(sql<boolean>`split_part(encargo.cosa, ':', 1) = ${reclamoId}`)
    .orderBy('encargo.actualizadoEn', 'desc')
    .executeTakeFirst();
  const suyos = dueno ? [dueno] : await quienes.orderBy('email').execute();
  return [...groupBy(suyos, ({ rol }) => rol).values()].map((de) => [
    de[0]!.rol,
    [...new Set(de.map(({ email }) => email))],
  ]);
}
