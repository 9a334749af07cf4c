/** The client of the bucket against a store that checks each signature itself. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { signAws } from '~/integrations/firmaAws.server';
import { createBucket } from '~/integrations/s3/client.server';
import { S3 } from '../sandbox/s3/index';

const s3 = await S3.start({ pageSize: 3 });
afterAll(() => s3.stop());

const open = (more: Partial<Parameters<typeof createBucket>[0]> = {}) =>
  createBucket({
    url: `${s3.url}/tienda/uno`,
    region: s3.account.region,
    llave: { llave: s3.account.key, secreto: s3.account.secret },
    esperaMs: 1,
    ...more,
  });

beforeEach(() => {
  s3.objects.clear();
  s3.requests.length = 0;
  s3.heal();
  s3.now = () => new Date();
});

/** The examples that Amazon prints beside its description of the signature, with the keys of those. */
const PRINTED: { url: string; method: string; headers?: Record<string, string>; body?: string; firma: string }[] = [
  {
    url: 'https://examplebucket.s3.amazonaws.com/test.txt',
    method: 'GET',
    headers: { Range: 'bytes=0-9' },
    firma: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    url: 'https://examplebucket.s3.amazonaws.com/test%24file.text',
    method: 'PUT',
    headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    body: 'Welcome to Amazon S3.',
    firma: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    url: 'https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J',
    method: 'GET',
    firma: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

test.each(PRINTED)('$method $url is signed as Amazon prints it', ({ firma, ...request }) => {
  const { authorization } = signAws({
    ...request,
    conResumen: true,
    region: 'us-east-1',
    servicio: 's3',
    llave: { llave: 'AKIAIOSFODNN7EXAMPLE', secreto: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    now: new Date('2013-05-24T00:00:00Z'),
  });
  expect(authorization).toMatch(new RegExp(`Signature=${firma}$`));
});

test('what is written is read again below its prefix, and a list follows all its pages', async () => {
  const bucket = open();
  const names = Array.from({ length: 10 }, (_, n) => `wal/${String(n).padStart(2, '0')}.gz`);
  for (const name of names) await bucket.put(name, Buffer.from(name));
  s3.objects.set('tienda/dos/wal/ajeno.gz', { body: Buffer.from('de otra'), at: new Date() });
  expect((await bucket.get('wal/03.gz'))?.toString()).toBe('wal/03.gz');
  expect(await bucket.get('wal/99.gz')).toBeUndefined();
  s3.requests.length = 0;
  expect((await bucket.list('wal/')).map(({ nombre, bytes }) => [nombre, bytes])).toEqual(
    names.map((name) => [name, 9]),
  );
  expect(s3.requests).toEqual(['GET ?list', 'GET ?list', 'GET ?list', 'GET ?list']);
  expect(await bucket.list('base/')).toEqual([]);
  await bucket.remove('wal/03.gz');
  await bucket.remove('wal/03.gz');
  expect(await bucket.list('wal/')).toHaveLength(9);
});

test('each refusal is told in words, and is not tried again', async () => {
  const said = async (bucket: ReturnType<typeof open>) => {
    s3.requests.length = 0;
    const error = await bucket.put('x', Buffer.from('x')).then(
      () => 'nada',
      (reason: Error) => reason.message,
    );
    expect(s3.requests).toHaveLength(1);
    return error;
  };
  const { key, secret } = s3.account;
  expect(await said(open({ llave: { llave: key, secreto: 'otro' } }))).toMatch(/no aceptó la firma.*SECRETO/);
  expect(await said(open({ llave: { llave: 'AKIAOTRA', secreto: secret } }))).toMatch(/no conoce la llave/);
  expect(await said(open({ region: 'us-east-1' }))).toMatch(/otra región.*RESPALDOS_S3_REGION/);
  expect(await said(open({ url: s3.url.replace('respaldos', 'otros') }))).toMatch(/no existe con ese nombre/);
  s3.fail('denied');
  expect(await said(open())).toMatch(/les falta permiso/);
  s3.now = () => new Date(Date.now() + 20 * 60_000);
  expect(await said(open())).toMatch(/reloj de esta máquina/);
  expect(s3.objects.size).toBe(0);
});

test('a store that is busy, and a connection that is cut in the middle of a body, are tried again and again', async () => {
  const bucket = open();
  const body = Buffer.alloc(300_000, 7);
  s3.fail('slow-down', { times: 2 });
  s3.fail('cut', { times: 2 });
  await bucket.put('grande', body);
  expect(s3.requests).toHaveLength(5);
  s3.fail('cut', { route: 'GET tienda/uno/grande', times: 1 });
  expect(await bucket.get('grande')).toEqual(body);
  s3.requests.length = 0;
  s3.fail('slow-down', { times: 9 });
  await expect(bucket.put('otro', body)).rejects.toThrow('no contesta');
  expect(s3.requests).toHaveLength(5);
});

test('an answer that takes too long is not waited for', async () => {
  s3.fail('slow', { times: 1, ms: 2_000 });
  const began = performance.now();
  await open({ timeoutMs: 100 }).put('lento', Buffer.from('x'));
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(s3.requests).toHaveLength(2);
});
