import type { ActionFunctionArgs } from '@remix-run/node';
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '~/core/submission';
import { action } from '~/routes/public/facturacion';
import { buildEnlace } from '../support/builders/enlaces';
import { codigoDe, escaneada, pngOf, qrPng } from '../support/codigoQr';
import { constanciaPdf, pdfOf } from '../support/constancia';
import { testDatabase } from '../support/db';
import { startTestSandbox } from '../support/sandbox';
import { wholeQuotas } from '../support/cuotas';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
wholeQuotas(db);
afterEach(() => sandbox.reset('sat'));

const CONSTANCIA = {
  rfc: 'RAOF850412K20',
  persona: ['MARIA FERNANDA', 'RAMIREZ', 'OCHOA'] as [string, string, string],
  cp: '06600',
  regimenes: [{ texto: 'Régimen Simplificado de Confianza' }],
};

async function upload(token: string, file: File | string, typed: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    intent: 'guardar',
    formulario: 'datos-nuevo',
    version: '0',
    mostrado: '{}',
    ...typed,
  }))
    body.append(name, value);
  body.append('constancia', file);
  body.append('intent', 'leerConstancia');
  const answer: unknown = await action({
    request: new Request(`http://trastienda.test/facturacion/${token}`, { method: 'POST', body }),
    params: { token },
    context: { ip: '10.0.0.1' },
  } as unknown as ActionFunctionArgs);
  return answer as { data: Answer; init: { status: number } };
}

const pdf = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'constancia.pdf', { type: 'application/pdf' });
const newLink = async () => (await buildEnlace(db, { numOrden: '2000009100000001' })).token;

test('a constancia fills the form beside what was typed, and nothing of it is kept', async () => {
  const token = await newLink();
  const { data, init } = await upload(token, pdf(await constanciaPdf(CONSTANCIA)), {
    rfc: 'OTRO',
    email: 'maria@correo.test',
  });
  expect(init.status).toBe(200);
  expect(data.formId).toBe('datos-nuevo');
  expect(data.resultado).toEqual({ leida: true, faltan: [], regimenes: ['626'] });
  expect(data.initialValue).toMatchObject({
    rfc: 'RAOF850412K20',
    razonSocial: 'MARIA FERNANDA RAMIREZ OCHOA',
    cp: '06600',
    regimen: '626',
    email: 'maria@correo.test',
  });
  for (const table of ['archivo', 'facturaDraft', 'clienteFiscal'] as const)
    expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
});

const CODIGO = codigoDe('15060398465', CONSTANCIA.rfc);
const png = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'foto.png', { type: 'image/png' });
const DEL_SAT = {
  rfc: 'RAOF850412K20',
  razonSocial: 'MARIA FERNANDA RAMIREZ OCHOA',
  cp: '06600',
  regimen: '612',
};

test('a constancia whose text tells everything asks nobody', async () => {
  await upload(await newLink(), pdf(await constanciaPdf(CONSTANCIA)));
  expect(await sandbox.requests('sat')).toEqual([]);
});

test('a photographed code, and a scanned constancia, are asked of the SAT', async () => {
  for (const file of [png(await qrPng(CODIGO)), pdf(await escaneada('cadena original', CODIGO))]) {
    const { data, init } = await upload(await newLink(), file, { email: 'maria@correo.test' });
    expect(init.status).toBe(200);
    expect(data.resultado).toEqual({ leida: true, faltan: [], regimenes: ['612'] });
    expect(data.initialValue).toMatchObject({ ...DEL_SAT, email: 'maria@correo.test' });
  }
  for (const table of ['archivo', 'facturaDraft', 'clienteFiscal'] as const)
    expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
});

test('what the text of a constancia lacks comes from the SAT, and what it says stands', async () => {
  const sinCp = await constanciaPdf({ ...CONSTANCIA, cp: '' });
  const { data } = await upload(await newLink(), pdf(sinCp));
  expect(data.resultado).toEqual({ leida: true, faltan: [], regimenes: ['626'] });
  expect(data.initialValue).toMatchObject({ ...DEL_SAT, regimen: '626' });
});

test.each(['503', 'reset', 'html', 'half-answer'])(
  'a SAT that fails (%s) leaves the RFC, and the rest to be typed',
  async (mode) => {
    await sandbox.sat.failNext(mode);
    const { data, init } = await upload(await newLink(), png(await qrPng(CODIGO)), { cp: '12' });
    expect(init.status).toBe(200);
    expect(data.resultado).toMatchObject({
      leida: true,
      faltan: ['Razón Social', 'Código postal', 'Regimen a facturar'],
      aviso: expect.stringContaining('El SAT no contestó') as string,
    });
    expect(data.initialValue).toMatchObject({ rfc: 'RAOF850412K20', razonSocial: '' });
  },
);

test('a cédula the SAT does not have is told, and so is a code of something else', async () => {
  const { data } = await upload(await newLink(), png(await qrPng(codigoDe('99999999999', 'EKU9003173C9'))));
  expect(data.resultado).toMatchObject({ leida: true, aviso: expect.stringContaining('no reconoce') as string });
  expect(data.initialValue).toMatchObject({ rfc: 'EKU9003173C9', razonSocial: '' });
  for (const [says, texto] of [
    ['https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=1', 'no es el de una Constancia'],
    [CODIGO.replace('siat.sat.gob.mx', 'siat.sat.gob.mx.example.test'), 'no es el de una Constancia'],
    [`${sandbox.url}/sat/app/qr/faces/pages/mobile/validadorqr.jsf?D1=10&D2=1&D3=1_1`, 'no es el de una Constancia'],
  ] as const) {
    const answer = await upload(await newLink(), png(await qrPng(says)));
    expect(answer.data.resultado).toMatchObject({ leida: false, texto: expect.stringContaining(texto) as string });
  }
  expect(await sandbox.requests('sat')).toHaveLength(1);
  const blank = pngOf({ side: 64, depth: 8, kind: 0, dark: () => false });
  expect((await upload(await newLink(), png(blank))).data.resultado).toMatchObject({
    leida: false,
    texto: expect.stringContaining('No encontramos el código QR') as string,
  });
});

test('of several regimes the person says which, and what is found nowhere is named', async () => {
  await sandbox.sat.addCedula({ idCif: '15060398465', rfc: CONSTANCIA.rfc, persona: ['MARIA'], cp: '', regimenes: [] });
  const two = await constanciaPdf({
    ...CONSTANCIA,
    cp: '',
    regimenes: [{ texto: 'Régimen de Arrendamiento' }, { texto: 'Régimen Simplificado de Confianza' }],
  });
  const { data } = await upload(await newLink(), pdf(two));
  expect(data.resultado).toEqual({ leida: true, faltan: ['Código postal'], regimenes: ['606', '626'] });
  expect(data.initialValue).toMatchObject({ regimen: '', cp: '' });
});

test('whatever cannot be read leaves what was typed, and says what else there is to do', async () => {
  const token = await newLink();
  const typed = { rfc: 'RAOF850412K20', razonSocial: 'MARIA' };
  for (const [file, says] of [
    [pdf(Buffer.from('una carta')), 'No se puede leer ese archivo.'],
    [png(Buffer.from('ffd8ffe000104a46', 'hex')), 'No se puede leer ese archivo.'],
    [pdf(await pdfOf(() => undefined)), 'es una imagen'],
    [pdf(await pdfOf((doc) => doc.text('Estado de cuenta'))), 'no parece una Constancia'],
  ] as const) {
    const { data } = await upload(token, file, typed);
    expect(data.resultado).toMatchObject({ leida: false, texto: expect.stringContaining(says) as string });
    expect(data.resultado).toMatchObject({ texto: expect.stringContaining('a mano: vale igual.') as string });
    expect(data.initialValue).toMatchObject(typed);
  }
  for (const file of [new File([], ''), new File([Buffer.alloc(6_300_000)], 'grande.pdf'), 'nada']) {
    const { data, init } = await upload(token, file, typed);
    expect(init.status).toBe(422);
    expect(data.error?.constancia?.[0]).toMatch(/^Elige el PDF|pesa más de 6 MB/);
  }
});

test('a link reads ten constancias in an hour, and is told so', async () => {
  const token = await newLink();
  const file = pdf(Buffer.from('no'));
  for (let at = 0; at < 10; at++) expect((await upload(token, file)).init.status).toBe(200);
  expect((await upload(token, file)).init.status).toBe(429);
  expect((await upload(await newLink(), file)).init.status).toBe(200);
});
