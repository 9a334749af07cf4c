import { expect, test } from 'vitest';
import { readPaquete, type Lector } from '~/domain/operacion/aplicacion/internal/paquete.server';
import { buildAab, buildApk, manifiestoBinario, zipDe } from '../../../support/builders/app';

const lector = (file: Buffer): Lector => ({
  bytes: file.length,
  lee: (from, to) => Promise.resolve(file.subarray(Math.max(0, from), to)),
});
const leer = (file: Buffer) => readPaquete(lector(file));

test('an APK tells its name and version, however its texts are written', async () => {
  expect(await leer(buildApk({ version: '3.0.1 «ñ»', codigo: 301 }))).toEqual({
    formato: 'apk',
    paquete: 'mx.tienda.app',
    version: '3.0.1 «ñ»',
    codigo: '301',
  });
  const ancho = zipDe({
    'AndroidManifest.xml': manifiestoBinario({ version: '9' }, false),
    'META-INF/A.RSA': Buffer.from('x'),
  });
  expect(await leer(ancho)).toMatchObject({ formato: 'apk', version: '9' });
});

test('an AAB tells them too', async () => {
  expect(await leer(buildAab())).toEqual({ formato: 'aab', paquete: 'mx.tienda.app', version: '2.4.1', codigo: '241' });
});

test('what is no app, or is signed by nobody, is refused with its reason', async () => {
  await expect(leer(Buffer.from('%PDF-1.7'))).rejects.toThrow(/no es un APK/);
  await expect(leer(Buffer.alloc(0))).rejects.toThrow(/no es un APK/);
  await expect(leer(buildApk().subarray(0, -5))).rejects.toThrow(/no es un APK/);
  await expect(leer(zipDe({ 'hola.txt': Buffer.from('hola') }))).rejects.toThrow(/AndroidManifest/);
  await expect(leer(zipDe({ 'AndroidManifest.xml': manifiestoBinario({}) }))).rejects.toThrow(/no está firmada/);
});

test('a manifest that unpacks to more than one has is not unpacked', async () => {
  const bomb = zipDe({ 'AndroidManifest.xml': Buffer.alloc(64 * 1024 * 1024), 'META-INF/A.RSA': Buffer.from('x') });
  await expect(leer(bomb)).rejects.toThrow(/no se puede leer/);
});

test('a broken manifest says nothing and breaks nothing', async () => {
  const whole = manifiestoBinario({});
  for (let at = 0; at < whole.length; at += 3) {
    const broken = Buffer.from(whole);
    broken.fill(0xff, at, at + 2);
    for (const manifest of [broken, whole.subarray(0, at)])
      await expect(
        leer(zipDe({ 'AndroidManifest.xml': manifest, 'META-INF/A.RSA': Buffer.from('x') })),
      ).resolves.toMatchObject({ formato: 'apk' });
  }
});
