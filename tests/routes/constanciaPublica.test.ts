import type { ActionFunctionArgs } from '@remix-run/node';
import { beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Answer } from '~/core/submission';
import { action } from '~/routes/public/facturacion';
import { buildEnlace } from '../support/builders/enlaces';
import { constanciaPdf, pdfOf } from '../support/constancia';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
beforeEach(() => sql`delete from rate_limit`.execute(db));

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

test('of several regimes the person says which, and what is not in it is named', async () => {
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
    [pdf(Buffer.from('una foto')), 'No se puede leer ese archivo.'],
    [pdf(await pdfOf(() => undefined)), 'es una imagen'],
    [pdf(await pdfOf((doc) => doc.text('Estado de cuenta'))), 'no parece una Constancia'],
  ] as const) {
    const { data } = await upload(token, file, typed);
    expect(data.resultado).toMatchObject({ leida: false, texto: expect.stringContaining(says) as string });
    expect(data.resultado).toMatchObject({ texto: expect.stringContaining('a mano: vale igual.') as string });
    expect(data.initialValue).toMatchObject(typed);
  }
  for (const file of [new File([], ''), new File([Buffer.alloc(2_200_000)], 'grande.pdf'), 'nada']) {
    const { data, init } = await upload(token, file, typed);
    expect(init.status).toBe(422);
    expect(data.error?.constancia?.[0]).toMatch(/^Elige el PDF|pesa más de 2 MB/);
  }
});

test('a link reads ten constancias in an hour, and is told so', async () => {
  const token = await newLink();
  const file = pdf(Buffer.from('no'));
  for (let at = 0; at < 10; at++) expect((await upload(token, file)).init.status).toBe(200);
  expect((await upload(token, file)).init.status).toBe(429);
  expect((await upload(await newLink(), file)).init.status).toBe(200);
});
