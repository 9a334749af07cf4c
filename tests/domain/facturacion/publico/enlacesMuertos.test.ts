import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findEnlace, revokeEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { buildEnlace, post, visit } from '../../../support/builders/enlaces';
import { buildVenta } from '../../../support/builders/ventas';
import { datos, fetchFile, NUEVO, openPublico } from '../../../support/publico';
import { statementsDuring } from '../../../support/statements';

const { db, ana } = await openPublico();
const LONG = process.env.FAULTS === 'long';

test('wrong, ended, withdrawn and foreign links are one and the same, for the page, its forms and its files', async () => {
  const venta = await buildVenta(db);
  const [ended, withdrawn] = [await buildEnlace(db, venta), await buildEnlace(db, venta)];
  const foreign = await buildEnlace(db, venta, { proposito: 'datosEnvio' });
  await sql`update enlace set vence_en = now() - interval '1 second' where id = ${ended.id}`.execute(db);
  await revokeEnlace(db, withdrawn.id, ana.id);
  const tokens = [
    randomBytes(32).toString('base64url'),
    ended.token,
    withdrawn.token,
    foreign.token,
    'x',
    `${ended.token}A`,
    '../..',
    'ñ'.repeat(5_000),
  ];
  const answers = await Promise.all(
    tokens.map(async (token) => {
      const file = await fetchFile(token, 'xml').catch((thrown: unknown) => thrown as Response);
      const sent = await post(token, datos());
      return {
        page: await visit(token),
        sent: { ...sent, to: sent.to === new URL(`http://x/facturacion/${token}`).pathname },
        file: [file.status, await file.text()],
      };
    }),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({
    page: { status: 404, pagina: null },
    sent: { status: 302, to: true },
    file: [404, 'No existe.'],
  });
  expect(await db.selectFrom('facturaDraft').select('id').where('numOrden', '=', venta.numOrden).execute()).toEqual([]);
});

test('a dead link costs one and the same look, whatever is wrong with it', async () => {
  const venta = await buildVenta(db);
  const [ended, withdrawn, foreign, living] = [
    await buildEnlace(db, venta),
    await buildEnlace(db, venta),
    await buildEnlace(db, venta, { proposito: 'datosEnvio' }),
    await buildEnlace(db, venta),
  ];
  await sql`update enlace set vence_en = now() - interval '1 second' where id = ${ended.id}`.execute(db);
  await revokeEnlace(db, withdrawn.id, ana.id);
  const asked = (token: string) =>
    statementsDuring(async () => {
      await visit(token);
      await post(token, { intent: 'buscarRfc', rfc: NUEVO.rfc, version: '0' });
      await fetchFile(token, 'pdf').catch(() => undefined);
    });
  const never = await asked(randomBytes(32).toString('base64url'));
  expect(never).toHaveLength(3);
  expect(new Set(never).size).toBe(1);
  for (const { token } of [ended, withdrawn, foreign]) expect(await asked(token)).toEqual(never);
  expect((await asked(living.token)).length).toBeGreaterThan(3);
});

test(`${LONG ? '1,000,000' : '11,000'} random tokens open nothing`, { timeout: 900_000 }, async () => {
  await buildEnlace(db, await buildVenta(db));
  const draw = (n: number) => Array.from({ length: n }, () => randomBytes(32).toString('base64url'));
  const [asked, compared] = LONG ? [100_000, 900_000] : [1_000, 10_000];
  let hits = 0;
  // Through the door itself, one by one.
  for (let done = 0; done < asked; done += 250)
    hits += (await Promise.all(draw(250).map((token) => findEnlace(db, token)))).filter(Boolean).length;
  // And by thousands against what is kept of the living ones.
  for (let done = 0; done < compared; done += 5_000) {
    const hashes = draw(5_000).map((token) => createHash('sha256').update(token).digest());
    hits += (await sql`select from enlace where token_hash = any(${hashes}::bytea[])`.execute(db)).rows.length;
  }
  expect(hits).toBe(0);
});
