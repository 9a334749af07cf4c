/** A web whose database cannot keep up: who comes then is told at once, and who came before is answered. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownerDatabase, testDatabase } from '../support/db';
import { buildUsuarios, Web } from '../support/web';

const { db } = testDatabase();

test('while requests wait too long for the database, new ones get a 503 in words, and none of them is lost at the end', async () => {
  await buildUsuarios(db);
  const web = await Web.start({ DB_POOL: '2', DB_ESPERA: '0.3' });
  const cookie = await web.session('sa');
  const page = () => web.fetch('/sa/usuarios', { cookie });
  const answered: Promise<number>[] = [];
  await ownerDatabase()
    .db.transaction()
    .execute(async (held) => {
      // Who asks for a session waits, and holds its connection.
      await sql`lock table usuario in access exclusive mode`.execute(held);
      await expect
        .poll(
          async () => {
            const asked = page();
            const status = await Promise.race([
              asked.then((one) => one.status),
              new Promise((later) => setTimeout(later, 400, 0)),
            ]);
            if (status !== 503) answered.push(asked.then((one) => one.status));
            return status;
          },
          { timeout: 10_000 },
        )
        .toBe(503);
      const refused = await page();
      expect([refused.status, refused.headers.get('Retry-After'), await refused.text()]).toEqual([
        503,
        '5',
        'Hay demasiado trabajo en este momento y no se hizo nada. Vuelve a intentarlo en unos segundos.',
      ]);
      // A form of a page with scripts is kept by the page, which takes this for a server that is away.
      const form = await web.post('/sa/usuarios.data', { intent: 'agregar' }, { cookie });
      expect([form.status, form.headers.get('X-Remix-Response')]).toEqual([503, null]);
      const api = await web.fetch('/api/v1/hoy');
      expect([api.status, await api.json()]).toMatchObject([503, { codigo: 'saturado', status: 503 }]);
      expect((await web.post('/avisos/mercadolibre/secreto-de-prueba', {})).status).toBe(503);
      // What needs no database.
      expect((await web.fetch('/healthcheck/vivo')).status).toBe(200);
      expect((await web.fetch('/favicon.ico')).status).toBe(200);
    });
  expect(answered.length).toBeGreaterThanOrEqual(2);
  expect(new Set(await Promise.all(answered))).toEqual(new Set([200]));
  expect((await page()).status).toBe(200);
  expect(web.lines.filter(({ message }) => message.startsWith('la base de datos no alcanza'))).toHaveLength(1);
  await web.stop();
});
