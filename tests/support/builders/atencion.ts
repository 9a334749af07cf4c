import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { vacuumAnalyze } from '../plans';

/** A year of questions until the end of October of 2026, some of them waiting. */
export async function seedAtencion(db: Db, cuantas: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into pregunta (id, market, market_id, publicacion_id, titulo, texto, estatus, respuesta, respondida_en, fecha, leida_en, datos)
    select uuidv7(at - now()), 'ml', (13811110000 + n)::text, 'MLM' || n % 800, 'Cámara ' || n % 800, case n % 3 when 0 then '¿Tienen disponible?' else '¿Sirve para ' || n || '?' end,
      case when n % 200 = 0 then 'pendiente' else 'respondida' end, case when n % 200 <> 0 then 'Hola, sí.' end, case when n % 200 <> 0 then at + make_interval(mins => n % 150) end, at, at,
      jsonb_build_object('id', 13811110000 + n, 'seller_id', 2050000001, 'item_id', 'MLM' || n % 800, 'text', '¿Tienen disponible?', 'status', 'ANSWERED', 'date_created', at,
        'answer', jsonb_build_object('text', 'Hola, sí.', 'status', 'ACTIVE', 'date_created', at), 'from', jsonb_build_object('id', 900000000 + n), 'hold', false,
        'deleted_from_listing', false)
    from (select n, timestamptz '2026-10-31 18:00Z' - (${cuantas}::int - n) * interval '1 year' / ${cuantas}::int as at from generate_series(1, ${cuantas}::int) n) g`.execute(
      trx,
    );
  });
  await vacuumAnalyze(db, 'pregunta');
}
