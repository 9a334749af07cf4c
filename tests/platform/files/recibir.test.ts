import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createClamd } from '~/integrations/clamd/client.server';
import { Unavailable, UnexpectedShape } from '~/integrations/errors';
import { cleanImagen } from '~/platform/files/internal/cleanImagen.server';
import { readArchivo, receiveArchivos, tipoOf } from '~/platform/files/receiveFile.server';
import { nombreOfArchivo } from '~/platform/files/tipos';
import { app1, cep, exifConLugar, jpeg, pdf, png, segmento, trozo, webp } from '../../support/builders/archivos';

const limpia = (tipo: Parameters<typeof cleanImagen>[0], file: Buffer) => {
  const { tipo: como, ...rest } = cleanImagen(tipo, file);
  expect(como).toBe('limpia');
  return (rest as { contenido: Buffer }).contenido;
};
const LUGAR = /19\.4326|Camara de Ana/;

describe('a picture is kept without what it tells besides itself', () => {
  test('a JPEG loses its place, notes, small copies and what hangs behind its end; its points and its side stay', () => {
    const puntos = jpeg();
    const sucia = jpeg({
      antes: [
        app1(exifConLugar(6)),
        segmento(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x>19.4326</x>')),
        segmento(0xed, Buffer.from('Photoshop 3.0\0Camara de Ana')),
        segmento(0xfe, Buffer.from('<script>alert(1)</script>')),
        segmento(0xe2, Buffer.from('MPF\0aaaa')),
      ],
      despues: Buffer.from('PK\x03\x04<html>19.4326'),
    });
    const cleaned = limpia('image/jpeg', sucia);
    expect(cleaned.toString('latin1')).not.toMatch(LUGAR);
    expect(cleaned.toString('latin1')).not.toMatch(/script|PK|MPF|xap/);
    // 36 bytes say which side is up, and all else is as it was.
    expect(cleaned.length).toBe(puntos.length + 36);
    expect(Buffer.concat([cleaned.subarray(0, 2), cleaned.subarray(38)])).toEqual(puntos);
    expect(cleaned.subarray(2, 38).toString('hex')).toContain('01120003000000010006');
    expect(limpia('image/jpeg', cleaned)).toEqual(cleaned);
    expect(limpia('image/jpeg', puntos)).toEqual(puntos);
  });

  test('a PNG and a WebP do too', () => {
    const pngSucio = png({
      antes: [
        trozo('tEXt', Buffer.from('Comment\0Camara de Ana')),
        trozo('eXIf', exifConLugar(3)),
        trozo('zzZz', Buffer.from('<script>')),
      ],
      despues: Buffer.from('<html>19.4326'),
    });
    const cleaned = limpia('image/png', pngSucio);
    expect(cleaned.toString('latin1')).not.toMatch(LUGAR);
    expect(cleaned.toString('latin1')).not.toMatch(/script|html/);
    expect(cleaned.toString('hex')).toContain('01120003000000010003');
    expect(limpia('image/png', png())).toEqual(png());
    const webpLimpio = limpia('image/webp', webp({ exif: exifConLugar(8), despues: Buffer.from('19.4326') }));
    expect(webpLimpio.toString('latin1')).not.toMatch(/19\.4326|Camara|XMP/);
    expect(webpLimpio.toString('hex')).toContain('01120003000000010008');
    expect(webpLimpio.readUInt32LE(4)).toBe(webpLimpio.length - 8);
    expect(limpia('image/webp', webp())).toEqual(webp());
  });

  test('notes that are broken are dropped, and the picture stays', () => {
    const rota = Buffer.concat([Buffer.from('II*\0'), Buffer.from([255, 255, 255, 255])]);
    expect(limpia('image/jpeg', jpeg({ antes: [app1(rota)] }))).toEqual(jpeg());
  });
});

const bmp = Buffer.from('BM\x46\0\0\0\0\0\0\0', 'latin1');
const HOSTILES: [string, Buffer, string][] = [
  ['nothing', Buffer.alloc(0), 'otro'],
  ['one byte', Buffer.from([0xff]), 'otro'],
  ['zeros', Buffer.alloc(1_000), 'otro'],
  ['html called jpg', Buffer.from('<!doctype html><script>alert(1)</script>'), 'otro'],
  ['html with a mark of order', Buffer.from('\ufeff<html onload=alert(1)>'), 'otro'],
  ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'otro'],
  ['svg under an xml head with a DOCTYPE', Buffer.from('<?xml version="1.0"?><!DOCTYPE svg><svg/>'), 'ilegible'],
  [
    'an XML of a thousand laughs',
    Buffer.from('<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'),
    'ilegible',
  ],
  [
    'an XML that reads a file',
    Buffer.from('<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'),
    'ilegible',
  ],
  [
    'an XML of a hundred thousand elements',
    Buffer.from(`<?xml version="1.0"?><r>${'<a/>'.repeat(20_000)}</r>`),
    'ilegible',
  ],
  ['an XML of a hundred thousand depths', Buffer.from(`<?xml version="1.0"?>${'<a>'.repeat(100_000)}`), 'ilegible'],
  ['an XML that ends nowhere', Buffer.from('<?xml version="1.0"?><r>'), 'ilegible'],
  ['an XML of a megabyte', Buffer.from(`<?xml version="1.0"?><r>${'x'.repeat(1_048_576)}</r>`), 'ilegible'],
  [
    'an XML that is no UTF-8',
    Buffer.concat([Buffer.from('<?xml version="1.0"?><r>'), Buffer.from([0xff, 0xfe]), Buffer.from('</r>')]),
    'ilegible',
  ],
  ['xml without its head', Buffer.from('<r/>'), 'otro'],
  ['javascript', Buffer.from('alert(1)'), 'otro'],
  ['a shell script', Buffer.from('#!/bin/sh\nrm -rf /'), 'otro'],
  ['a zip', Buffer.from('PK\x03\x04aaaa', 'latin1'), 'otro'],
  ['a zip of a zip', Buffer.from('PK\x05\x06', 'latin1'), 'otro'],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'otro'],
  ['an executable', Buffer.from('MZ\x90\0', 'latin1'), 'otro'],
  ['another executable', Buffer.from('\x7fELF', 'latin1'), 'otro'],
  ['a bmp', bmp, 'otro'],
  ['a gif that is a script', Buffer.from('GIF89a=1;alert(1)//'), 'otro'],
  ['a tiff', Buffer.from('II*\0', 'latin1'), 'otro'],
  ['heic', Buffer.from('\0\0\0\x18ftypheic', 'latin1'), 'otro'],
  ['mp4', Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), 'otro'],
  ['flash', Buffer.from('CWS\x0a', 'latin1'), 'otro'],
  ['rtf', Buffer.from('{\\rtf1}'), 'otro'],
  ['word of old', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'otro'],
  ['eicar', Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR'), 'otro'],
  ['html before a PDF', Buffer.from('<html><script>alert(1)</script>%PDF-1.4'), 'otro'],
  ['a blank before a PDF', Buffer.from(' %PDF-1.4'), 'otro'],
  ['a jpeg of its mark alone', Buffer.from([0xff, 0xd8, 0xff]), 'ilegible'],
  ['a jpeg that ends in its head', jpeg().subarray(0, 30), 'ilegible'],
  ['a jpeg without an end', jpeg().subarray(0, -2), 'ilegible'],
  [
    'a jpeg that is html behind its mark',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<html>')]),
    'ilegible',
  ],
  [
    'a jpeg whose segment is longer than the file',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]), Buffer.alloc(10)]),
    'ilegible',
  ],
  [
    'a jpeg whose segment has no length',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), Buffer.alloc(10)]),
    'ilegible',
  ],
  ['a jpeg without points', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xd9])]), 'ilegible'],
  [
    'a jpeg with points before their frame',
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segmento(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
      Buffer.from([1, 0xff, 0xd9]),
    ]),
    'ilegible',
  ],
  ['a jpeg of no height', jpeg({ alto: 0 }), 'ilegible'],
  ['a jpeg that unpacks to four thousand million points', jpeg({ ancho: 65_535, alto: 65_535 }), 'enorme'],
  ['a png of its mark alone', png().subarray(0, 8), 'ilegible'],
  ['a png that ends in a chunk', png().subarray(0, 40), 'ilegible'],
  ['a png without an end', png().subarray(0, -12), 'ilegible'],
  ['a png whose sums are wrong', Buffer.from(png().map((byte, at) => (at === 45 ? byte ^ 1 : byte))), 'ilegible'],
  [
    'a png of another first chunk',
    Buffer.concat([png().subarray(0, 8), trozo('tEXt', Buffer.from('a')), png().subarray(8)]),
    'ilegible',
  ],
  ['a png of two heads', png({ antes: [png().subarray(8, 33)] }), 'ilegible'],
  ['a png without points', Buffer.concat([png().subarray(0, 33), trozo('IEND', Buffer.alloc(0))]), 'ilegible'],
  ['a png that unpacks to four thousand million points', png({ ancho: 65_535, alto: 65_535 }), 'enorme'],
  ['a png of negative width', png({ ancho: 0xffffffff, alto: 1 }), 'enorme'],
  ['a png of no width', png({ ancho: 0 }), 'ilegible'],
  ['a webp of its head alone', webp().subarray(0, 12), 'ilegible'],
  ['a webp that is shorter than it says', webp().subarray(0, -4), 'ilegible'],
  ['a webp whose part is longer than it', Buffer.from(webp().map((byte, at) => (at === 16 ? 255 : byte))), 'ilegible'],
  ['a sound that calls itself RIFF', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), 'otro'],
  ['a cursor that moves', Buffer.from('RIFF\x24\0\0\0ACON', 'latin1'), 'otro'],
  ['text', Buffer.from('Hola'), 'otro'],
  ['a mail', Buffer.from('From: a@b\r\nContent-Type: text/html\r\n\r\n<script>'), 'otro'],
];

describe('sixty hostile files', () => {
  test.each(HOSTILES)('%s is refused, whatever it is called', (_, contenido, motivo) => {
    for (const nombre of ['foto.jpg', 'pago.pdf']) expect(readArchivo(nombre, contenido)).toBe(motivo);
  });
  test('there are sixty', () => expect(HOSTILES.length).toBeGreaterThanOrEqual(60));

  test('what is two things at once is kept as the one it begins as, without the other', () => {
    const conHtml = readArchivo('a.html', jpeg({ despues: Buffer.from('<html><script>alert(1)</script>') }));
    expect(conHtml).toMatchObject({ nombre: 'a.jpg', tipo: 'image/jpeg', contenido: jpeg() });
    expect(readArchivo('a.exe', png({ despues: Buffer.from('PK\x03\x04') }))).toMatchObject({
      nombre: 'a.png',
      contenido: png(),
    });
  });

  test('a file is what it holds, and not what it is called', () => {
    expect([jpeg(), png(), webp(), pdf(), cep()].map(tipoOf)).toEqual([
      'image/jpeg',
      'image/png',
      'image/webp',
      'application/pdf',
      'application/xml',
    ]);
    expect(readArchivo('foto.jpg.exe', pdf())).toMatchObject({ nombre: 'foto.jpg.pdf', tipo: 'application/pdf' });
  });

  test.each([
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\pagos\\SPEI 12.PDF', 'SPEI 12.pdf'],
    ['', 'archivo.pdf'],
    ['...', 'archivo.pdf'],
    ['a\0b\r\nSet-Cookie: x.pdf', 'abSet-Cookie x.pdf'],
    ['factura\u202efdp.exe', 'facturafdp.pdf'],
    ['<img src=x onerror=alert(1)>.pdf', 'img src=x onerror=alert(1).pdf'],
    ['ñandú 中文.pdf', 'ñandú 中文.pdf'],
    ['página '.repeat(100_000), `${'página '.repeat(100).slice(0, 120).trim()}.pdf`],
  ])('a name is one line without a folder: %s', (nombre, se_llama) => {
    expect(nombreOfArchivo(nombre, 'application/pdf')).toBe(se_llama);
  });
});

describe('the virus scanner', () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));
  /** Takes the stream as clamd does, and answers what `contesta` makes of it. */
  async function impostor(contesta: (recibido: Buffer) => string | null): Promise<string> {
    server = createServer((socket) => {
      let all = Buffer.alloc(0);
      socket.on('error', () => undefined);
      socket.on('data', (part) => {
        all = Buffer.concat([all, part]);
        if (!all.subarray(-4).equals(Buffer.alloc(4))) return;
        expect(all.subarray(0, 10).toString()).toBe('zINSTREAM\0');
        const pieces: Buffer[] = [];
        let at = 10;
        for (let size = all.readUInt32BE(at); size > 0; size = all.readUInt32BE(at)) {
          pieces.push(all.subarray(at + 4, at + 4 + size));
          at += 4 + size;
        }
        const answer = contesta(Buffer.concat(pieces));
        if (answer === null) socket.destroy();
        else socket.end(answer);
      });
    });
    await new Promise<void>((listening) => server!.listen(0, '127.0.0.1', () => listening()));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('hands it all the bytes, and says what it found', async () => {
    const file = Buffer.alloc(200_000, 7);
    const clean = createClamd(await impostor((got) => (got.equals(file) ? 'stream: OK\0' : 'stream: Otro FOUND\0')));
    expect(await clean.scan(file)).toBeNull();
    expect(await clean.scan(Buffer.from([1]))).toBe('Otro');
  });

  test.each([
    ['it takes no more', 'INSTREAM size limit exceeded. ERROR\0', UnexpectedShape],
    ['it answers something else', 'HTTP/1.1 200 OK\r\n\r\n', UnexpectedShape],
    ['it hangs up', null, Unavailable],
    ['its answer is cut', 'stream: O', Unavailable],
  ])('has looked at nothing when %s', async (_, answer, error) => {
    await expect(createClamd(await impostor(() => answer)).scan(pdf())).rejects.toBeInstanceOf(error);
  });

  test('takes a file only after it looked at it: what it finds is named, and while it is silent nothing is taken', async () => {
    const file = new File([new Uint8Array(pdf())], 'pago.pdf');
    const clamd = await impostor(() => 'stream: Win.Test.EICAR_HDB-1 FOUND\0');
    await expect(receiveArchivos([file], 'archivos', clamd)).rejects.toMatchObject({
      campo: 'archivos',
      message: 'pago.pdf: El antivirus encontró Win.Test.EICAR_HDB-1.',
    });
    await new Promise<void>((done) => server!.close(() => done()));
    server = undefined;
    await expect(receiveArchivos([file], 'archivos', clamd)).rejects.toThrow(/El antivirus no responde/);
    expect(await receiveArchivos([file], 'archivos', '')).toMatchObject([{ nombre: 'pago.pdf' }]);
  });

  test('has looked at nothing where nobody listens', async () => {
    const address = await impostor(() => null);
    await new Promise<void>((done) => server!.close(() => done()));
    server = undefined;
    await expect(createClamd(address).scan(pdf())).rejects.toBeInstanceOf(Unavailable);
  });
});
