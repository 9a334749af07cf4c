import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkForm } from '~/core/fieldRules';
import { Dia, Email, Id, Importe, Lista, opcional, Rfc, Texto, TextoOpcional, Version } from '~/core/fields';
import { NewUsuario } from '~/domain/personal/forms';
import { NewProveedor } from '~/domain/compras/directorio/forms';
import { describeForm } from '~/http/describeForm.server';
import { readForm, readQuery } from '~/http/readForm.server';

const Venta = z.object({
  id: Id,
  version: Version,
  nombre: Texto(10),
  nota: TextoOpcional(5),
  dia: opcional(Dia()),
  importe: opcional(Importe),
  articulos: Lista(z.object({ nombre: Texto(5) }), 3).optional(),
});
const ID = '019a0000-0000-7000-8000-000000000000';
const NUL = String.fromCharCode(0);

function formOf(fields: Record<string, string | string[]>) {
  const form = new FormData();
  for (const [name, values] of Object.entries({ id: ID, version: '3', nombre: 'Ana', ...fields }))
    for (const value of [values].flat()) form.append(name, value);
  return form;
}
const read = (fields: Record<string, string | string[]>) => readForm(formOf(fields), Venta);
const errorOf = (fields: Record<string, string | string[]>) => read(fields).reply().error;
const statusOf = (run: () => unknown) => {
  try {
    run();
    return 200;
  } catch (thrown) {
    return (thrown as { init: { status: number } }).init.status;
  }
};

describe('what a form may hold', () => {
  test('the schema says: numbers, days, amounts and lists come out as what they are', () => {
    const submission = read({ nota: '', dia: '2026-02-28', importe: '$1,250.5', 'articulos[0].nombre': 'Cable' });
    expect(submission.status === 'success' && submission.value).toMatchObject({
      version: 3,
      nota: null,
      dia: '2026-02-28',
      articulos: [{ nombre: 'Cable' }],
    });
    expect(submission.status === 'success' && submission.value.importe).toBe('1250.50');
  });

  test.each([
    ['NUL in a text', { nombre: `a${NUL}b` }, 'nombre', 'Este texto tiene caracteres que no se pueden guardar.'],
    ['NUL where nothing is expected', { nota: NUL }, 'nota', 'Este texto tiene caracteres que no se pueden guardar.'],
    ['a key that is none', { id: 'nada' }, 'id', 'Lo que se pidió no existe.'],
    ['int4 + 1', { version: '2147483648' }, 'version', 'Lo que se pidió no existe.'],
    [
      'a version that the next save could not write',
      { version: '2147483647' },
      'version',
      'Lo que se pidió no existe.',
    ],
    ['a version below 0', { version: '-1' }, 'version', expect.any(String)],
    ['30 February', { dia: '2026-02-30' }, 'dia', 'La fecha no es válida.'],
    ['the year 9999', { dia: '9999-01-01' }, 'dia', 'La fecha no es válida.'],
    ['an object for a text', { nombre: [], 'nombre.x': 'Ana' }, 'nombre', expect.any(String)],
    ['a text that is too long', { nombre: 'once letras' }, 'nombre', 'Máximo 10 caracteres'],
    ['too many rows', { 'articulos[3].nombre': 'x' }, 'articulos', expect.any(String)],
    ['an amount that is none', { importe: 'mil' }, 'importe', 'El importe no es válido.'],
  ])('%s is told at its field, in Spanish', (_, fields, campo, text) => {
    expect(errorOf(fields as Record<string, string>)?.[campo]?.[0]).toEqual(text);
    expect(JSON.stringify(errorOf(fields as Record<string, string>))).not.toMatch(/invalid|expected|too /i);
  });

  test('a field of one value that is sent twice is refused, in whatever form and row it stands', () => {
    const EnDos = z.discriminatedUnion('modo', [
      z.object({ modo: z.literal('a'), clave: Texto(5), varios: Lista(Texto(5), 3).optional() }),
      z.object({ modo: z.literal('b'), clave: Texto(5) }),
    ]);
    const twice = (schema: z.ZodType, fields: Record<string, string | string[]>) =>
      statusOf(() => readForm(formOf(fields), schema));
    expect(twice(Venta, { nombre: ['Ana', 'Luz'] })).toBe(400);
    expect(twice(Venta, { nota: ['', ''] })).toBe(400);
    expect(twice(Venta, { 'articulos[0].nombre': ['a', 'a'] })).toBe(400);
    expect(twice(EnDos, { modo: 'a', clave: ['a', 'b'] })).toBe(400);
    expect(twice(EnDos, { modo: 'a', clave: 'a', varios: ['a', 'b'] })).toBe(200);
    expect(twice(Venta, { ajeno: ['a', 'b'] })).toBe(200);
  });

  test('what a lonely surrogate is part of is no text', () => {
    expect(Texto(10).safeParse('a\ud800').success).toBe(false);
    expect(Texto(10).safeParse('a😀').success).toBe(true);
  });

  test('names nobody asked for are dropped, whatever they are', () => {
    const submission = read({
      '__proto__.polluted': '1',
      'constructor[0]': '1',
      otro: '1',
      'a b': '1',
      __state__: '{',
    });
    expect(submission.status).toBe('success');
    expect(submission.reply().initialValue).not.toHaveProperty('otro');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(['nombre[20000000]', 'nombre.__proto__.x', 'nombre[', 'articulos[0]..nombre', `nombre${'.a'.repeat(200)}`])(
    'a name no form of ours makes is 400: %s',
    (name) => {
      expect(statusOf(() => read({ [name]: '1' }))).toBe(400);
    },
  );

  test('rows of a list come and go without JavaScript; other buttons of conform are not understood', () => {
    const button = (type: string, payload: object) => ({ __intent__: JSON.stringify({ type, payload }) });
    const added = read(button('insert', { name: 'articulos', defaultValue: { nombre: 'uno' } }));
    expect(added.status).toBeUndefined();
    expect(added.reply().initialValue).toMatchObject({ articulos: [{ nombre: 'uno' }] });
    for (const bad of [
      button('insert', { name: 'nombre' }),
      button('insert', { name: 'articulos', index: 5_000_000 }),
      button('remove', { name: 'articulos', index: -1 }),
      button('insert', { name: 'articulos', defaultValue: { nombre: NUL } }),
      button('update', { name: 'articulos', value: 1 }),
      { __intent__: '{' },
      { __intent__: 'null' },
    ])
      expect(
        statusOf(() => read(bad)),
        JSON.stringify(bad),
      ).toBe(400);
  });
});

describe('what an address may ask', () => {
  const request = (search: string) => new Request(`http://trastienda.test/x?${search}`);
  const Filtro = z.object({ dia: Dia(), uno: TextoOpcional(5) });

  test('what its schema refuses is 400, what it does not name is dropped', () => {
    expect(readQuery(request('dia=2026-01-01&uno=&otro=%00'), Filtro)).toEqual({ dia: '2026-01-01', uno: null });
    for (const bad of ['', 'dia=ayer', 'dia=2026-01-01&dia=2026-01-02', 'dia=2026-01-01&uno=%00'])
      expect(
        statusOf(() => readQuery(request(bad), Filtro)),
        bad,
      ).toBe(400);
  });
});

describe('what a browser knows of a schema', () => {
  /** The first error of each field, by the browser's reading and by the schema itself. */
  function both(schema: z.ZodType, typed: Record<string, string>) {
    const form = new FormData();
    for (const [name, value] of Object.entries(typed)) form.append(name, value);
    const first = (errors: Record<string, string[] | null> | null | undefined) =>
      Object.fromEntries(Object.entries(errors ?? {}).map(([name, texts]) => [name, texts?.[0]]));
    return [first(checkForm(describeForm(schema), typed)), first(readForm(form, schema).reply().error)];
  }

  test.each([
    ['nothing typed', NewProveedor, {}],
    ['spaces', NewProveedor, { label: '  ', value: ' ', rfc: ' ', reglaFactura: 'ninguna' }],
    [
      'everything wrong',
      NewProveedor,
      { label: 'x'.repeat(41), value: 'A-', rfc: 'XX', email: 'no', linkHome: 'ftp://x', reglaFactura: 'ninguna' },
    ],
    [
      'as people write it',
      NewProveedor,
      { label: ' Uno ', value: ' uno ', rfc: 'cva-991214 jv2', linkHome: 'https://x.mx', reglaFactura: 'ninguna' },
    ],
    ['a person without anything', NewUsuario, { rol: 'admin' }],
    [
      'a weak password',
      NewUsuario,
      { nombre: 'A', apellidos: 'B', usuario: 'a b', email: 'a@b.mx', rol: 'admin', password: 'corta', confirmar: 'x' },
    ],
    [
      'a password repeated badly',
      NewUsuario,
      {
        nombre: 'A',
        apellidos: 'B',
        usuario: 'ab',
        email: 'a@b.mx',
        rol: 'admin',
        password: 'Trastienda#1',
        confirmar: 'Trastienda#2',
      },
    ],
    ['nested rows', Venta, { id: ID, version: '1', nombre: 'Ana' }],
  ] as [string, z.ZodType, Record<string, string>][])('says what the server would: %s', (_, schema, typed) => {
    const [inBrowser, onServer] = both(schema, typed);
    expect(inBrowser).toEqual(onServer);
  });

  test('the browser says nothing of what it cannot know, and nothing wrong', () => {
    const Secret = z.object({ clave: Texto(20).refine((text) => text === 'abracadabra', 'Esa no es.') });
    expect(both(Secret, { clave: 'otra' })).toEqual([{}, { clave: 'Esa no es.' }]);
    expect(describeForm(z.object({ email: opcional(Email), rfc: Rfc }))).toEqual({
      forma: expect.any(String),
      fields: {
        email: { steps: expect.any(Array) },
        rfc: { required: 'Este dato es requerido', steps: expect.any(Array) },
      },
    });
  });
});

test('a text sent as an object or a list is as if it was not sent, and a list of rows is told by its rows', () => {
  const schema = z.object({
    nombre: Texto(10),
    filas: z.array(z.object({ tasa: Texto(10) })),
    ids: z.array(Texto(10)),
  });
  const read = (fields: [string, string][]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return readForm(form, schema).reply().initialValue;
  };
  expect(
    read([
      ['nombre.x', 'a'],
      ['filas[0].tasa.x', 'b'],
      ['filas', 'c'],
      ['ids', 'd'],
      ['ids', 'e'],
    ]),
  ).toEqual({
    ids: ['d', 'e'],
  });
  expect(
    read([
      ['nombre', 'a'],
      ['filas[0].tasa', 'b'],
      ['filas[0].otra', 'c'],
    ]),
  ).toEqual({
    nombre: 'a',
    filas: [{ tasa: 'b' }],
  });
});
