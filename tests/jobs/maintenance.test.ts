import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { enqueue } from '~db/queue/catalog.server';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { runJobs } from '../support/jobs';

test('the nightly cleaning removes what expired and keeps the rest', async () => {
  const { db } = testDatabase();
  await sql`insert into rate_limit (key, window_start) values ('viejo', now() - interval '3 days'), ('nuevo', now())`.execute(
    db,
  );
  await sql`insert into inbox (source, dedupe_key, topic, resource, received_at, state) values
    ('ml', '1', 't', 'r', now() - interval '40 days', 'done'), ('ml', '2', 't', 'r', now() - interval '40 days', 'pending')`.execute(
    db,
  );
  await sql`insert into sync_run (source, kind, started_at) values
    ('ml', 'sweep', now() - interval '90 days'), ('ml', 'sweep', now() - interval '80 days'), ('ml', 'missed', now() - interval '90 days')`.execute(
    db,
  );
  await sql`insert into espera (clave, fallos, ultimo_en, abre_en) values ('vieja', 1, now() - interval '3 days', now()), ('nueva', 1, now(), now())`.execute(
    db,
  );
  const { id } = await buildPersona(db);
  await sql`insert into bodega_envio (clave, usuario_id, respuesta, en)
    select uuidv7(), ${id}, to_jsonb(dias), now() - make_interval(days => dias) from unnest(array[91, 89]) dias`.execute(
    db,
  );
  await enqueue(db, 'maintenance.clean', {});
  await runJobs();
  expect(await db.selectFrom('rateLimit').select('key').execute()).toEqual([{ key: 'nuevo' }]);
  expect(await db.selectFrom('bodegaEnvio').select('respuesta').execute()).toEqual([{ respuesta: 89 }]);
  expect(await db.selectFrom('espera').select('clave').execute()).toEqual([{ clave: 'nueva' }]);
  expect(await db.selectFrom('inbox').select('dedupeKey').execute()).toEqual([{ dedupeKey: '2' }]);
  expect(await db.selectFrom('syncRun').select('kind').orderBy('kind').execute()).toEqual([
    { kind: 'missed' },
    { kind: 'sweep' },
  ]);
});
