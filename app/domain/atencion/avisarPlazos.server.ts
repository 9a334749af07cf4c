import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { civilDateTime } from '~/core/time';
import { defineEffect } from '~/domain/effects/definition';
import { acceptEffect } from '~/domain/effects/effects.server';
import type { Db, Trx } from '~db/client.server';

/** Hours before the day of a claim at which its people are written to; 0 is once it is past. */
export const AVISOS = [48, 24, 4, 0] as const;

/** The letter that says what is left of a claim's day: one for each warning. */
export const mailPlazo = defineEffect({
  type: 'reclamo.aviso',
  label: 'Aviso de un reclamo por vencer',
  connection: 'correo',
  request: z.object({
    reclamoId: z.string(),
    vence: z.string(),
    horas: z.number(),
    emails: z.array(z.string()).min(1),
    asunto: z.string(),
    texto: z.string(),
  }),
  evidence: z.object({ messageId: z.string() }),
  byHand: { says: 'done', evidence: { messageId: 'confirmado' } },
  key: ({ reclamoId, vence, horas }) => `${reclamoId}:${vence}:${horas}`,
  subjects: ({ reclamoId }) => [['reclamo', reclamoId]],
  summary: ({ asunto, emails }) => ({ que: asunto, emails }),
  unclear: 'repeat',
  async send({ request: { emails, asunto, texto }, ref, clients }) {
    const { messageId } = await clients.correo().send({
      messageId: `<${ref}@trastienda>`,
      from: env().CORREO_REMITENTE,
      to: emails,
      subject: `${env().MARCA}: ${asunto}`,
      text: texto,
      attachments: [],
    });
    return { messageId };
  },
  confirm: async (_call, evidence) => evidence,
  settle: async () => undefined,
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
 * is told and the others with it.
 */
export async function avisarPlazos(db: Db): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<Vence>`
      with pasadas as (
        select r.id, r.market_id, r.titulo, r.orden_market_id as num_orden, r.vence_en, a.horas
        from reclamo r cross join unnest(${[...AVISOS]}::int[]) as a (horas)
        where r.estatus = 'abierto' and r.vence_en is not null and r.vence_en - make_interval(hours => a.horas) <= now()
      ), nuevas as (
        insert into aviso_plazo (reclamo_id, vence_en, horas) select id, vence_en, horas from pasadas on conflict do nothing
        returning reclamo_id, vence_en, horas
      )
      select distinct on (p.id) p.id, p.market_id, p.titulo, p.num_orden, p.vence_en, p.horas
      from pasadas p join nuevas n on n.reclamo_id = p.id and n.vence_en = p.vence_en and n.horas = p.horas
      order by p.id, p.horas`.execute(trx);
    for (const vence of rows) await tell(trx, vence);
    return rows.length;
  });
}

async function tell(trx: Trx, { id, marketId, titulo, numOrden, venceEn, horas }: Vence) {
  const emails = await emailsDe(trx, id);
  if (emails.length === 0) return;
  const asunto =
    horas === 0 ? `Venció el reclamo ${marketId}` : `El reclamo ${marketId} vence en menos de ${horas} horas`;
  const texto = [
    titulo ?? `Reclamo ${marketId}`,
    ...(numOrden ? [`Orden ${numOrden}`] : []),
    `${horas === 0 ? 'Venció' : 'Vence'} el ${civilDateTime(venceEn).replace('T', ' a las ').slice(0, 22)}.`,
    '',
    `${env().APP_URL}`,
  ].join('\n');
  await acceptEffect(trx, mailPlazo, {
    request: { reclamoId: id, vence: venceEn.toISOString(), horas, emails, asunto, texto },
  });
}

/** Whose it was last, whatever its day was then; of what is nobody's, everybody who sees to claims. */
async function emailsDe(trx: Trx, reclamoId: string): Promise<string[]> {
  const { rows: duenos } = await sql<{ email: string }>`
    select u.email from encargo e join usuario u on u.id = e.dueno_id
    where e.cola = 'reclamos' and split_part(e.cosa, ':', 1) = ${reclamoId} and u.activo order by e.actualizado_en desc limit 1`.execute(
    trx,
  );
  if (duenos.length > 0) return [duenos[0]!.email];
  const todos = await trx
    .selectFrom('usuario')
    .select('email')
    .where('rol', 'in', ['sa', 'admin'])
    .where('activo', '=', true)
    .orderBy('email')
    .execute();
  return [...new Set(todos.map(({ email }) => email))];
}
