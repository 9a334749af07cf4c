import { readFile } from 'node:fs/promises';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import QRCode from 'qrcode';
import { expect, test } from 'vitest';
import { readCodigos, readPdf } from '~/platform/files/readFile.server';
import { parseConstancia } from '~/domain/facturacion/publico/internal/constancia';
import { chunk, codigoDe, escaneada, FOTO, PNG, pngOf, qrPng } from '../../../support/codigoQr';
import { constanciaPdf, pdfOf, pdfOfEchoes, pdfWithContent } from '../../../support/constancia';

async function leida(pdf: Buffer) {
  const leido = await readPdf(pdf);
  return leido.tipo === 'leido' ? parseConstancia(leido.dice) : leido.tipo;
}

const MARIA = {
  rfc: 'RAOF850412K20',
  persona: ['MARIA FERNANDA', 'RAMIREZ', 'OCHOA'] as [string, string, string],
  cp: '06600',
};
const PROFESIONAL = 'Régimen de las Personas Físicas con Actividades Empresariales y Profesionales';
const PLATAFORMAS = 'Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas.';

test('a person is read with the regimes that still hold, also where a row takes two lines', async () => {
  expect(
    await leida(
      await constanciaPdf({
        ...MARIA,
        regimenes: [
          { texto: PROFESIONAL },
          { texto: 'Régimen de Arrendamiento', fin: '31/12/2021' },
          { texto: PLATAFORMAS },
          { texto: 'Régimen de Incorporación Fiscal', fin: '31/12/2021' },
          { texto: 'Régimen de Sueldos y Salarios e Ingresos Asimilados a Salarios' },
        ],
      }),
    ),
  ).toEqual({
    rfc: 'RAOF850412K20',
    razonSocial: 'MARIA FERNANDA RAMIREZ OCHOA',
    cp: '06600',
    regimenes: ['612', '625', '605'],
    idCif: '15060398465',
  });
});

test('a row of two lines that ended is left out', async () => {
  const pdf = await constanciaPdf({
    ...MARIA,
    regimenes: [{ texto: PROFESIONAL, fin: '31/12/2021' }, { texto: 'Régimen Simplificado de Confianza' }],
  });
  expect(await leida(pdf)).toMatchObject({ regimenes: ['626'] });
});

test('a company is read without its kind, and gets no regime of a person', async () => {
  expect(
    await leida(
      await constanciaPdf({
        rfc: 'EKU9003173C9',
        razonSocial: 'ESCUELA KEMPER URGATE',
        cp: '42501',
        regimenes: [{ texto: 'Régimen General de Ley Personas Morales' }],
      }),
    ),
  ).toEqual({
    rfc: 'EKU9003173C9',
    razonSocial: 'ESCUELA KEMPER URGATE',
    cp: '42501',
    regimenes: ['601'],
    idCif: '15060398465',
  });
});

test('every regime of the catalogue is known by the name the constancia gives it', async () => {
  const { REGIMENES } = await import('~/domain/facturacion/sat/sat');
  for (const { id, texto, persona } of REGIMENES) {
    const rfc = persona === 'M' ? 'EKU9003173C9' : MARIA.rfc;
    const lineas = [
      'CONSTANCIA DE SITUACIÓN FISCAL',
      `RFC:\t${rfc}`,
      'Regímenes:',
      'Régimen\tFecha Inicio\tFecha Fin',
      `Régimen de ${texto}\t01/01/2020`,
      'Obligaciones:',
    ];
    expect(parseConstancia(lineas)?.regimenes, id).toEqual([id]);
  }
});

test('another document is told from a constancia', async () => {
  expect(await leida(await pdfOf((doc) => doc.text('Estado de cuenta. RFC: RAOF850412K20')))).toBeNull();
  expect(await leida(await pdfOf((doc) => doc.text('Constancia de situación fiscal, sin RFC')))).toBeNull();
  expect(await leida(await pdfOf(() => undefined))).toBeNull();
});

test('what is no PDF, or a broken one, is only illegible', async () => {
  const whole = await constanciaPdf({ ...MARIA, regimenes: [] });
  for (const file of [
    Buffer.from(''),
    Buffer.from('MZ a program'),
    Buffer.from('%PDF-1.7\nnothing else'),
    Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 1 0 R >> endobj trailer << /Root 1 0 R >>'),
  ])
    expect((await readPdf(file)).tipo).toBe('ilegible');
  // Cut in the middle it may still be put together; it never takes the process with it.
  expect(['leido', 'ilegible']).toContain((await readPdf(whole.subarray(0, whole.length / 2))).tipo);
});

test('a hostile PDF is ended at its limits, and the next one is read', async () => {
  // A gigabyte of blanks in a megabyte.
  const block = deflateRawSync(Buffer.alloc(16 * 1_048_576, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const bomb = pdfWithContent(
    Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 64 }, () => block)]),
    'FlateDecode',
  );
  expect(bomb.length).toBeLessThan(2 * 1_048_576);
  const many = await pdfOf((doc) => {
    for (let page = 0; page < 400; page++) doc.addPage().text('x');
  });
  expect((await readPdf(bomb)).tipo).toBe('limite');
  expect((await readPdf(pdfOfEchoes())).tipo).toBe('limite');
  expect((await readPdf(many)).tipo).toBe('limite');
  // A book on one page is read as far as a constancia goes.
  const text = `BT /F1 9 Tf 10 10 Td ${'(aaaaaaaaaaaaaaaaaaaa) Tj 1 0 Td '.repeat(100_000)} ET`;
  const book = await readPdf(pdfWithContent(deflateSync(Buffer.from(text)), 'FlateDecode'));
  expect(book.tipo === 'leido' && book.dice.join('').length).toBeLessThanOrEqual(60_000);
  expect(await leida(await constanciaPdf({ ...MARIA, regimenes: [] }))).toMatchObject({ cp: '06600' });
}, 60_000);

const MIO = codigoDe('15060398465', MARIA.rfc);
const codigos = async (file: Buffer) => {
  const leido = await readCodigos(file);
  return leido.tipo === 'leido' ? leido.dice : leido.tipo;
};

test('the codes of a picture, of a photograph and of a scanned page are read', async () => {
  expect(await codigos(await qrPng(MIO))).toEqual([MIO]);
  expect(await codigos(await readFile(FOTO))).toEqual([MIO]);
  expect(await codigos(await escaneada(MIO, 'otra cosa'))).toEqual([MIO, 'otra cosa']);
  expect(await codigos(await constanciaPdf({ ...MARIA, regimenes: [] }))).toEqual([]);
});

test('a PNG is read in each of the ways it may be written', async () => {
  const modules = QRCode.create(MIO, {}).modules;
  const dark = (x: number, y: number) => {
    const [column, row] = [(x >> 2) - 4, (y >> 2) - 4];
    return row >= 0 && column >= 0 && row < modules.size && column < modules.size && modules.get(row, column) === 1;
  };
  const side = (modules.size + 8) * 4;
  for (const [depth, kind] of [
    [1, 0],
    [16, 0],
    [8, 2],
    [4, 3],
    [8, 4],
    [8, 6],
  ] as const)
    expect([depth, kind, await codigos(pngOf({ side, depth, kind, dark }))]).toEqual([depth, kind, [MIO]]);
}, 30_000);

test('a hostile picture is ended at its limits, and the next one is read', async () => {
  const png = (width: number, height: number, ...parts: Buffer[]) => {
    const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    return Buffer.concat([PNG, chunk('IHDR', header), ...parts]);
  };
  const jpeg = (width: number, height: number) => {
    const frame = Buffer.from('ffd8ffc0001108000000000301220002110103110100', 'hex');
    frame.writeUInt16BE(height, 7);
    frame.writeUInt16BE(width, 9);
    return frame;
  };
  expect(await codigos(png(60_000, 60_000))).toBe('limite');
  expect(await codigos(jpeg(60_000, 60_000))).toBe('limite');
  // Far more than it says it is.
  expect(await codigos(png(10, 10, chunk('IDAT', deflateSync(Buffer.alloc(200 * 1_048_576)))))).toBe('ilegible');
  for (const file of [
    png(0, 0),
    png(10, 10),
    png(10, 10, chunk('IDAT', Buffer.from('no'))),
    PNG,
    jpeg(10, 10).subarray(0, 6),
    Buffer.from('ffd8ffffffffffffffffffffffff', 'hex'),
    Buffer.from('GIF89a'),
    Buffer.from('RIFF....WEBP'),
  ])
    expect(await codigos(file)).toBe('ilegible');
  // A picture that begins well and ends nowhere: whatever comes of it, in its time.
  expect(['ilegible', 'limite', '']).toContain(String(await codigos(jpeg(4_000, 4_000))));
  expect(await codigos(await qrPng(MIO))).toEqual([MIO]);
}, 60_000);
