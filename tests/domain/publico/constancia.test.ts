import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { leerPdf } from '~/domain/files/leerPdf.server';
import { leerConstancia } from '~/domain/publico/constancia';
import { constanciaPdf, pdfOf, pdfOfEchoes, pdfWithContent } from '../../support/constancia';

async function leida(pdf: Buffer) {
  const leido = await leerPdf(pdf);
  return leido.tipo === 'leido' ? leerConstancia(leido.lineas) : leido.tipo;
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
  ).toEqual({ rfc: 'EKU9003173C9', razonSocial: 'ESCUELA KEMPER URGATE', cp: '42501', regimenes: ['601'] });
});

test('every regime of the catalogue is known by the name the constancia gives it', async () => {
  const { REGIMENES } = await import('~/domain/catalogo/sat');
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
    expect(leerConstancia(lineas)?.regimenes, id).toEqual([id]);
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
    expect((await leerPdf(file)).tipo).toBe('ilegible');
  // Cut in the middle it may still be put together; it never takes the process with it.
  expect(['leido', 'ilegible']).toContain((await leerPdf(whole.subarray(0, whole.length / 2))).tipo);
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
  expect((await leerPdf(bomb)).tipo).toBe('limite');
  expect((await leerPdf(pdfOfEchoes())).tipo).toBe('limite');
  expect((await leerPdf(many)).tipo).toBe('limite');
  // A book on one page is read as far as a constancia goes.
  const text = `BT /F1 9 Tf 10 10 Td ${'(aaaaaaaaaaaaaaaaaaaa) Tj 1 0 Td '.repeat(100_000)} ET`;
  const book = await leerPdf(pdfWithContent(deflateSync(Buffer.from(text)), 'FlateDecode'));
  expect(book.tipo === 'leido' && book.lineas.join('').length).toBeLessThanOrEqual(60_000);
  expect(await leida(await constanciaPdf({ ...MARIA, regimenes: [] }))).toMatchObject({ cp: '06600' });
}, 60_000);
