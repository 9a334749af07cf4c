import { beforeAll, expect, test } from 'vitest';
import { tramoOf } from '~/http/tramo.server';
import { buildApk } from '../support/builders/app';
import { testDatabase } from '../support/db';
import { buildUsuarios, Web } from '../support/web';

let web: Web;
let sa: string;
let cont: string;
const file = buildApk({ relleno: 1_500_000, version: '5.0' });

beforeAll(async () => {
  await buildUsuarios(testDatabase().db);
  web = await Web.start();
  [sa, cont] = [await web.session('sa'), await web.session('cont')];
}, 180_000);

function send(path: string, cookie: string, bytes: Buffer) {
  const body = new FormData();
  body.set('archivo', new Blob([new Uint8Array(bytes)]), 'tienda.apk');
  return fetch(web.base + path, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Cookie: cookie, Origin: web.base },
  });
}
const fetchApp = (headers: Record<string, string> = {}) => web.fetch('/cont/descargas/app', { cookie: cont, headers });

test('where there is no app yet, whoever asks is told so', async () => {
  expect(await (await web.fetch('/sa/subirApp', { cookie: sa })).text()).toContain('Todavía no hay una app');
  const answer = await fetchApp();
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/cont']);
});

test('what is no app comes back with its reason, also in parts', async () => {
  const whole = await send('/sa/subirApp', sa, Buffer.from('nada'));
  expect([whole.status, await whole.text()]).toEqual([422, expect.stringContaining('no es un APK ni un AAB')]);
  const part = await send('/sa/subirApp/parte?desde=0&total=4', sa, Buffer.from('nada'));
  expect([part.status, await part.json()]).toEqual([
    422,
    expect.objectContaining({ texto: expect.stringMatching(/APK/) as string }),
  ]);
});

test('an app is sent whole, and everybody downloads it as it was, from where they were', async () => {
  expect((await send('/sa/subirApp', sa, file)).status).toBe(302);
  const whole = await fetchApp();
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'application/vnd.android.package-archive',
    'content-disposition': expect.stringContaining('filename="Trastienda.apk"') as string,
    'content-length': String(file.length),
    'accept-ranges': 'bytes',
  });
  expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
  const etag = whole.headers.get('ETag')!;
  const rest = await fetchApp({ Range: 'bytes=1048570-', 'If-Range': etag });
  expect([rest.status, rest.headers.get('Content-Range')]).toEqual([
    206,
    `bytes 1048570-${file.length - 1}/${file.length}`,
  ]);
  expect(Buffer.from(await rest.arrayBuffer()).equals(file.subarray(1_048_570))).toBe(true);
  expect((await fetchApp({ Range: `bytes=${file.length}-` })).status).toBe(416);
});

test('an app is sent in parts', async () => {
  const first = await send(`/sa/subirApp/parte?desde=0&total=${file.length}`, sa, file.subarray(0, 1_048_576));
  const { id, bytes } = (await first.json()) as { id: string; bytes: number };
  expect(bytes).toBe(1_048_576);
  const last = await send(`/sa/subirApp/parte?de=${id}&desde=${bytes}&total=${file.length}`, sa, file.subarray(bytes));
  expect(await last.json()).toEqual({ id, bytes: file.length, lista: true });
  expect(await (await web.fetch('/sa/subirApp', { cookie: sa })).text()).toContain('La que se descarga');
});

test('only sa sends one, and only sa asks for an older one', async () => {
  expect((await send('/cont/subirApp', cont, Buffer.from('nada'))).status).toBe(405);
  expect((await web.fetch(`/cont/descargas/app?id=${crypto.randomUUID()}`, { cookie: cont })).status).toBe(404);
});

test.each([
  [undefined, undefined],
  ['bytes=0-9', { from: 0, to: 10 }],
  ['bytes=90-', { from: 90, to: 100 }],
  ['bytes=-5', { from: 95, to: 100 }],
  ['bytes=-500', { from: 0, to: 100 }],
  ['bytes=90-900', { from: 90, to: 100 }],
  ['bytes=100-', 'fuera'],
  ['bytes=-0', 'fuera'],
  ['bytes=9-3', undefined],
  ['bytes=0-1,5-6', undefined],
  ['items=0-1', undefined],
])('the stretch of %s', (range, expected) => {
  expect(tramoOf(new Headers(range ? { Range: range } : {}), { bytes: 100, etag: '"a"' })).toEqual(expected);
});

test('a stretch of what is another file by now is all of it', () => {
  expect(tramoOf(new Headers({ Range: 'bytes=0-9', 'If-Range': '"b"' }), { bytes: 100, etag: '"a"' })).toBeUndefined();
});
