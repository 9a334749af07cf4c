import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../../bin/lib/build.mjs';
import { programOf } from '../../bin/lib/settings.mjs';

beforeAll(() => ensureBuilt({ halves: ['node'] }), 120_000);

test('the bench starts on the built product, and tells its names to who asks for another', async () => {
  const asked = promisify(execFile)(process.execPath, [...programOf('bench'), 'ninguno']);
  const { stderr, stdout } = await asked.catch((error: { stderr: string; stdout: string }) => error);
  expect(stderr + stdout).toMatch(/^No conozco ninguno\. Hay: start negocios lists /);
});
