import { expect, test } from 'vitest';

import { testDatabase } from '../support/db';
import { buildUsuarios, Web } from '../support/web';

test('Estado is for sa, drawn without a script, and says what gives no data', async () => {
  const { db } = testDatabase();
  await buildUsuarios(db);
  await db.deleteFrom('muestra').execute();
  const web = await Web.start({ PRIMERA_DICHA: '1' });
  const [sa, admin] = [await web.session('sa'), await web.session('admin')];
  expect((await web.fetch('/admin/estado', { cookie: admin })).status).toBe(418);
  const ask = async () => (await web.fetch('/sa/estado', { cookie: sa })).text();
  expect(await ask()).toContain('El worker no dice cómo está');
  // The web tells itself two seconds after its start.
  await expect.poll(ask, { timeout: 20_000, interval: 1_000 }).toMatch(/<path d="M\d+ /);
  const page = await ask();
  expect(page).toContain('Peticiones por clase');
  expect(page).not.toContain('La web no dice cómo está');
  await web.stop();
});
