import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { LimitReached, NotAllowed } from '~/core/errors';
import { Id, opcional, Secreto, Texto } from '~/core/fields';
import type { Answer } from '~/core/submission';
import { defineActions, definePublicActions, outcome } from '~/http/actions.server';
import { answering } from '~/http/answers.server';
import { describeForm } from '~/http/describeForm.server';
import { openSession } from '~/domain/personal/sesiones.server';
import { testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';
import { buildUsuarios, PASSWORD } from '../support/web';

const { db } = testDatabase();
const ID = '019a0000-0000-7000-8000-000000000000';
const QUESTION = { titulo: 'Borrar', texto: '¿Seguro?' };
const hechos = () => 'Lo que pasa.';
const Nombre = z.object({ nombre: Texto(10) });

const done = vi.fn((..._: unknown[]) => Promise.resolve());
const action = defineActions({
  guardar: { schema: Nombre, right: 'usuarios.editar', run: (_, form) => done(form), aviso: 'Hecho.', to: '?listo=1' },
  borrar: {
    schema: z.object({ id: Id }),
    confirm: { ...QUESTION, destruye: true },
    hechos: (_, { id }) => Promise.resolve(`Registro ${id}`),
    run: (_, form) => done(form),
  },
  preguntar: {
    schema: Nombre,
    confirm: (_, { nombre }) =>
      nombre === 'Ana' ? { ...QUESTION, texto: `¿${nombre}?`, hechos: `Se llama ${nombre}.` } : null,
    run: (_, form) => done(form),
  },
  pesar: {
    schema: z.object({ nombre: Texto(10), costo: Texto(10).default('') }),
    confirm: (_, { nombre }) => {
      if (nombre === 'Eva') throw new NotAllowed('No.', 'Está detenido.');
      return { ...QUESTION, hechos: 'Cuesta 2.', marcas: { costo: '2' } };
    },
    run: (_, form) => done(form),
  },
  terminar: { schema: Nombre, alIr: 'anotar', confirm: QUESTION, hechos, run: () => Promise.reject(new Error('done')) },
  anotar: {
    schema: z.object({ nombre: Texto(10).default('') }),
    run: (_, form) => done(form),
    to: (_, { ir }) => `?paso=${ir}`,
  },
  clave: { schema: z.object({ password: Texto(10) }), confirm: QUESTION, hechos, run: (_, form) => done(form) },
  rechazar: {
    schema: z.object({ ...Nombre.shape, password: opcional(Texto(10)) }),
    run: () => Promise.reject(new NotAllowed('No se puede.', 'Ya existe.', { campo: 'nombre' })),
  },
  negar: { schema: z.object({}), run: () => Promise.reject(new NotAllowed('No.', 'No se puede.')) },
  llaves: {
    schema: z.object({ api: Secreto(20), nombre: Texto(10) }),
    confirm: QUESTION,
    hechos,
    run: (_, form) => done(form),
  },
  llenar: { schema: Nombre, run: () => Promise.reject(Object.assign(new Error('disk full'), { code: '53100' })) },
  agotar: { schema: z.object({}), run: () => Promise.reject(new LimitReached('Mañana.', 60)) },
  buscar: {
    schema: z.object({ nombre: z.string().optional() }),
    run: () => Promise.resolve(outcome({ resultado: { colonias: ['Centro'] }, valores: { nombre: 'Encontrado' } })),
  },
  enLaBase: {
    schema: Nombre,
    commit: async (trx, { nombre }) => {
      await trx.insertInto('proveedor').values({ value: nombre, label: nombre }).execute();
      throw new NotAllowed('No.', 'A medias.');
    },
  },
});

const args = (fields: [string, string][], rol = 'sa', query = '?q=1&index'): ActionFunctionArgs => ({
  request: new Request(`http://trastienda.test/${rol}/x.data${query}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  }),
  params: {},
  context: { ip: '::1', requestId: 'r', usuario: { id: ID, rol }, sesion: PROBADA } as unknown as AppLoadContext,
});
const press = (fields: Record<string, string>, rol?: string) => action(args(Object.entries(fields), rol));
async function answerOf(asked: Promise<unknown>) {
  const { data, init } = (await asked) as { data: Answer; init: ResponseInit | null };
  return { ...data, httpStatus: init?.status, retryAfter: new Headers(init?.headers).get('Retry-After') };
}
const placeOf = async (asked: Promise<unknown>) => {
  const response = (await asked) as Response;
  return [response.status, response.headers.get('Location'), response.headers.has('Set-Cookie')];
};

test('the right is asked before the form is looked at', async () => {
  await expect(press({ intent: 'guardar' }, 'cont')).rejects.toThrow(
    'El rol de este usuario no puede hacer este cambio.',
  );
  expect(await answerOf(press({ intent: 'guardar' }))).toMatchObject({
    httpStatus: 422,
    formId: 'guardar',
    error: { nombre: ['Este dato es requerido'] },
  });
  expect(done).not.toHaveBeenCalled();
});

test('what is done goes on with its notice, to the address it names or the one it stood at', async () => {
  expect(await placeOf(press({ intent: 'guardar', nombre: 'Luz', otro: 'x' }))).toEqual([302, '?listo=1', true]);
  expect(done).toHaveBeenLastCalledWith({ nombre: 'Luz' });
  expect(await placeOf(press({ intent: 'preguntar', nombre: 'Luz' }))).toEqual([302, '?q=1', false]);
});

test('when nothing more fits on the disk the form keeps what was typed and says so', async () => {
  expect(await answerOf(press({ intent: 'llenar', nombre: 'Luz' }))).toMatchObject({
    httpStatus: 507,
    initialValue: { nombre: 'Luz' },
    error: { '': [expect.stringContaining('No hay espacio en el disco')] },
  });
});

test('an intent this screen does not know is a 400, also one of every object', async () => {
  for (const intent of ['otra', 'constructor', '__proto__', ''])
    await expect(press({ intent })).rejects.toMatchObject({ init: { status: 400 } });
  await expect(press({})).rejects.toMatchObject({ init: { status: 400 } });
});

test('a button says what is done; the answer goes to the form it stands in', async () => {
  const pressed = action(
    args([
      ['intent', 'guardar'],
      ['nombre', ''],
      ['intent', 'buscar'],
    ]),
  );
  expect(await answerOf(pressed)).toMatchObject({
    httpStatus: 200,
    formId: 'guardar',
    initialValue: { nombre: 'Encontrado' },
    resultado: { colonias: ['Centro'] },
  });
  const second = press({ intent: 'guardar', formulario: 'guardar-2' });
  expect(await answerOf(second)).toMatchObject({ formId: 'guardar-2' });
});

test('a question is asked back with what it is about and what was sent, and a yes does it', async () => {
  done.mockClear();
  expect(await answerOf(press({ intent: 'borrar', id: ID }))).toMatchObject({
    confirmar: {
      ...QUESTION,
      destruye: true,
      hechos: `Registro ${ID}`,
      campos: [
        ['intent', 'borrar'],
        ['id', ID],
      ],
    },
  });
  expect(await answerOf(press({ intent: 'preguntar', nombre: 'Ana' }))).toMatchObject({
    confirmar: { texto: '¿Ana?', hechos: 'Se llama Ana.' },
  });
  expect(done).not.toHaveBeenCalled();
  await press({ intent: 'borrar', id: ID, confirmado: '1' });
  expect(done).toHaveBeenCalledWith({ id: ID });
});

test('what stops it is said in place of the question', async () => {
  done.mockClear();
  const stopped = await answerOf(press({ intent: 'pesar', nombre: 'Eva' }));
  expect(stopped).toMatchObject({ formId: 'pesar', titulo: 'No.', error: { '': ['Está detenido.'] } });
  expect(stopped).not.toHaveProperty('confirmar');
  expect(await answerOf(press({ intent: 'pesar', nombre: 'Eva', confirmado: '1' }))).toMatchObject({ titulo: 'No.' });
  expect(done).not.toHaveBeenCalled();
});

test('a yes is about the figures that the question told, whatever its form was sent with', async () => {
  const { confirmar } = await answerOf(press({ intent: 'pesar', nombre: 'Ana', costo: '1' }));
  expect(confirmar).toEqual({
    ...QUESTION,
    hechos: 'Cuesta 2.',
    campos: [
      ['intent', 'pesar'],
      ['nombre', 'Ana'],
      ['costo', '2'],
    ],
  });
});

test('a no comes back to the form with what was typed, and does nothing', async () => {
  done.mockClear();
  const declined = await answerOf(press({ intent: 'preguntar', nombre: 'Ana', confirmado: '0' }));
  expect(declined).toMatchObject({ httpStatus: 200, formId: 'preguntar', initialValue: { nombre: 'Ana' } });
  expect(declined).not.toHaveProperty('confirmar');
  expect([declined.status, declined.error]).toEqual([undefined, undefined]);
  expect(done).not.toHaveBeenCalled();
});

test('a step of the header keeps what was typed, whatever the form itself would do', async () => {
  done.mockClear();
  expect(await placeOf(press({ intent: 'terminar', ir: '2', confirmado: '1' }))).toEqual([302, '?paso=2', false]);
  expect(done).toHaveBeenCalledExactlyOnceWith({ nombre: '' });
});

test('what asks before it acts says so to its form', () => {
  const asking = Object.entries(action.formularios).flatMap(([name, { asks }]) => (asks ? [name] : []));
  expect(asking).toEqual(['borrar', 'preguntar', 'pesar', 'terminar', 'clave', 'llaves']);
});

test('nothing is asked of a form that would be refused', async () => {
  expect(await answerOf(press({ intent: 'borrar', id: 'x' }))).not.toHaveProperty('confirmar');
});

test('a secret travels through no page: neither in a question nor in what was typed', async () => {
  const asked = await answerOf(press({ intent: 'clave', password: 'Secreta#1' }));
  expect(asked).toMatchObject({ httpStatus: 422, titulo: 'Borrar', error: { '': ['¿Seguro?'] } });
  const refused = await answerOf(press({ intent: 'rechazar', nombre: 'Ana', password: 'Secreta#1' }));
  expect(refused).toMatchObject({ titulo: 'No se puede.', error: { nombre: ['Ya existe.'] } });
  expect(JSON.stringify([asked, refused])).not.toContain('Secreta');
  expect(refused.initialValue).toEqual({ nombre: 'Ana' });
  // A field is a secret by its schema too, whatever it is called.
  const keys = await answerOf(press({ intent: 'llaves', api: 'Secreta#1', nombre: 'Ana' }));
  expect([keys.confirmar, keys.initialValue]).toEqual([undefined, { nombre: 'Ana' }]);
});

test('a refusal goes back with its title; a quota says how long', async () => {
  expect(await answerOf(press({ intent: 'negar' }))).toMatchObject({
    httpStatus: 422,
    titulo: 'No.',
    error: { '': ['No se puede.'] },
  });
  const [first, second] = [await answerOf(press({ intent: 'negar' })), await answerOf(press({ intent: 'negar' }))];
  expect(first.id).not.toBe(second.id);
  expect(await answerOf(press({ intent: 'agotar' }))).toMatchObject({ httpStatus: 429, retryAfter: '60' });
});

test('what is committed is all or nothing', async () => {
  expect(await answerOf(press({ intent: 'enLaBase', nombre: 'medio' }))).toMatchObject({
    error: { '': ['A medias.'] },
  });
  expect(await db.selectFrom('proveedor').select('value').where('value', '=', 'medio').execute()).toEqual([]);
});

test('where nobody signed in, a command acts on what the address opened', async () => {
  const open = ({ params }: ActionFunctionArgs) => ({ token: params.token });
  const publica = definePublicActions(open, {
    ver: { schema: z.object({}), run: (_, _form, { token }, at) => done(token, at.opened.token, at.path, at.ip) },
  });
  await publica({ ...args([['intent', 'ver']]), params: { token: 'abc' } });
  expect(done).toHaveBeenLastCalledWith('abc', 'abc', '/sa/x', '::1');
});

test('the forms of a screen travel with its loader, without zod', async () => {
  expect(JSON.parse(JSON.stringify(action.formularios))).toMatchObject({
    guardar: { fields: { nombre: { required: 'Este dato es requerido' } } },
    borrar: { question: QUESTION },
  });
  const { request, ...rest } = args([]);
  const opened = (answer: unknown) =>
    answering('sa/x', () => answer, { page: true, action })({
      request: new Request(request.url),
      ...rest,
    }) as Promise<object>;
  expect(await opened({ filas: 1 })).toMatchObject({ filas: 1, formularios: { guardar: expect.anything() } });
  expect(await opened(null)).toMatchObject({ formularios: { borrar: expect.anything() } });
  const response = new Response('pdf');
  expect(await opened(response)).toBe(response);
});

test('a form of another version is refused in words while its fields are others, and taken while they are the same', async () => {
  done.mockClear();
  const { forma } = action.formularios.guardar!;
  const marked = (fields: Record<string, string>, byRouter = true) => {
    const { context, ...rest } = args(Object.entries({ intent: 'guardar', ...fields }));
    return action({ ...rest, context: { ...context, byRouter } as AppLoadContext });
  };
  expect(await placeOf(marked({ nombre: 'Luz', forma: forma! }))).toEqual([302, '?listo=1', true]);
  expect(done).toHaveBeenCalledTimes(1);
  // The page of before called the field otherwise, so all that the schema could say is that a field is missing that the page does not have.
  for (const fields of [{ nombreCompleto: 'Luz' }, { nombre: 'Luz' }] as Record<string, string>[]) {
    const refused = await answerOf(marked({ ...fields, forma: 'de-antes' }));
    expect(refused).toMatchObject({
      httpStatus: 409,
      formId: 'guardar',
      titulo: 'Esta pantalla cambió.',
      otraForma: true,
    });
    expect(refused.error).toEqual({ '': [expect.stringContaining('no se guardó nada. Vuelve a cargar la página')] });
    expect(refused.state?.validated).toMatchObject({ [Object.keys(fields)[0]!]: true });
    // The page keeps what was typed: nothing is written over it.
    expect(refused).not.toHaveProperty('initialValue');
  }
  // Without scripts the page that comes is of this version, and has what was typed.
  const page = await answerOf(marked({ nombre: 'Luz', forma: 'de-antes' }, false));
  expect(page).toMatchObject({ httpStatus: 409, initialValue: { nombre: 'Luz' }, titulo: 'Esta pantalla cambió.' });
  expect(page.error).toEqual({ '': [expect.stringContaining('vuelve a enviarlo')] });
  expect(page).not.toHaveProperty('otraForma');
  // An intent that is gone is such a form too.
  expect(await answerOf(marked({ intent: 'guardarTodo', nombre: 'Luz', forma: 'x' }))).toMatchObject({
    httpStatus: 409,
    formId: 'guardarTodo',
    otraForma: true,
  });
  expect(done).toHaveBeenCalledTimes(1);
});

test('a form without a mark from a page of another version is taken, or refused by its version and not by its fields', async () => {
  done.mockClear();
  const from = (fields: Record<string, string>, otraConstruccion: boolean, byRouter = true) => {
    const { context, ...rest } = args(Object.entries({ intent: 'guardar', ...fields }));
    return action({ ...rest, context: { ...context, byRouter, otraConstruccion } as AppLoadContext });
  };
  expect(await answerOf(from({}, true))).toMatchObject({ httpStatus: 409, titulo: 'Esta pantalla cambió.' });
  expect(await answerOf(from({}, false))).toMatchObject({ httpStatus: 422, error: { nombre: [expect.any(String)] } });
  // Its own page has what the error is about, and so has one that comes with the answer.
  const { forma } = action.formularios.guardar!;
  expect(await answerOf(from({ forma: forma! }, true))).toMatchObject({ httpStatus: 422 });
  expect(await answerOf(from({}, true, false))).toMatchObject({ httpStatus: 422 });
  expect(await placeOf(from({ nombre: 'Luz' }, true))).toEqual([302, '?listo=1', true]);
  expect(done).toHaveBeenCalledTimes(1);
});

test('the mark of a form is that of its fields, whatever their rules are', () => {
  const markOf = (schema: z.ZodType) => describeForm(schema).forma;
  const fila = z.object({ nombre: Texto(10), articulos: z.array(z.object({ sku: Texto(10) })) });
  expect(markOf(z.object({ articulos: z.array(z.object({ sku: Texto(99) })), nombre: Texto(4) }))).toBe(markOf(fila));
  const otras = [
    z.object({ nombre: Texto(10), articulos: z.array(z.object({ clave: Texto(10) })) }),
    z.object({ nombre: Texto(10) }),
    z.object({ ...fila.shape, nota: opcional(Texto(10)) }),
    z.object({}),
  ].map(markOf);
  expect(new Set([markOf(fila), ...otras]).size).toBe(5);
  // What makes its fields itself is not told apart.
  expect(markOf(z.preprocess((all) => all, z.object({})))).toBeUndefined();
});

test('where there is no page to show the form again, what was wrong with it is the answer', async () => {
  const asked = answering('sa/exportaciones', (sent) => action(sent as ActionFunctionArgs), { page: false });
  const answer = (await Promise.resolve(asked(args([['intent', 'borrar']]))).catch(
    (thrown: unknown) => thrown,
  )) as Response;
  expect([answer.status, await answer.json()]).toEqual([
    422,
    { titulo: 'Error.', texto: 'Lo que se pidió no existe.' },
  ]);
});

test.each([
  ['NUL in a text', (nul: string) => db.insertInto('proveedor').values({ value: nul, label: 'x' }).execute()],
  [
    'NUL in jsonb',
    (nul: string) =>
      db
        .insertInto('bitacora')
        .values({ entidad: 'x', entidadId: 'x', accion: 'x', datos: JSON.stringify({ nul }) })
        .execute(),
  ],
  [
    'a number too large',
    () => db.updateTable('proveedor').set({ version: 2_147_483_648 }).where('value', '=', 'ct').execute(),
  ],
  ['a schema outside its place', () => Promise.resolve(Texto(3).parse('mucho'))],
])('%s that no schema stopped is 422 and a line in the log, never 500', async (_, run) => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const asked = answering('sa/x', () => run(String.fromCharCode(0)), { page: true })(args([]));
  await expect(asked).rejects.toMatchObject({ init: { status: 422 }, data: { titulo: 'Error de llenado.' } });
  expect(lines).toHaveBeenCalledWith(expect.stringContaining('"ruta":"sa/x"'));
  lines.mockRestore();
});

test('a proof that ended under an upload is asked before the file, which is chosen again', async () => {
  const { sa } = await buildUsuarios(db);
  const usuario = { id: sa, rol: 'sa', usuario: 'sa' } as const;
  const token = await db.transaction().execute((trx) => openSession(trx, usuario, true));
  const context = { ip: '::1', requestId: 'r', usuario, sesion: { ...PROBADA, probada: false, token, usuario } };
  const send = async (fields: [string, string | Blob][]) => {
    const body = new FormData();
    for (const [name, value] of [['intent', 'guardar'], ...fields] as [string, string][]) body.append(name, value);
    const request = new Request('http://trastienda.test/sa/x', { method: 'POST', body });
    return action({ request, params: {}, context: context as unknown as AppLoadContext }) as Promise<unknown>;
  };
  done.mockClear();
  const { data: asked } = (await send([
    ['nombre', 'Ana'],
    ['foto', new Blob(['x'])],
  ])) as { data: Answer };
  expect(asked.probar).toMatchObject({ intent: 'guardar', conArchivo: true, conCodigo: false });
  const wrong = await send([
    ['porProbar', asked.probar!.token],
    ['passwordDePrueba', 'otra'],
  ]);
  expect(wrong).toMatchObject({
    data: { probar: { conArchivo: true, error: { passwordDePrueba: [expect.anything()] } } },
  });
  expect(done).not.toHaveBeenCalled();
  await send([
    ['porProbar', asked.probar!.token],
    ['passwordDePrueba', PASSWORD],
  ]);
  expect(done).toHaveBeenCalledWith({ nombre: 'Ana' });
});

test('a body that is no form is 400, and a database that is away 503 with the time to come back', async () => {
  const comeBackIn = vi.fn();
  const torn = {
    method: 'POST',
    body: '--x\r\nContent-Disposition: form-data; name="a',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  };
  const open = (run: (sent: ActionFunctionArgs) => unknown, page: boolean) => {
    const request = new Request('http://trastienda.test/sa/x', torn);
    const { context } = args([]);
    const sent = { request, params: {}, context: { ...context, comeBackIn } as AppLoadContext };
    return Promise.resolve(answering('sa/x', () => run(sent), { page })(sent)).catch((thrown: unknown) => thrown);
  };
  expect(await open(action, true)).toMatchObject({
    init: { status: 400 },
    data: { texto: 'No se entiende lo que se envió.' },
  });

  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  for (const away of [
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('timeout exceeded when trying to connect'),
  ]) {
    expect(await open(() => Promise.reject(away), true)).toMatchObject({ init: { status: 503 } });
    const file = (await open(() => Promise.reject(away), false)) as Response;
    expect([file.status, file.headers.get('Retry-After')]).toEqual([503, '10']);
  }
  expect(comeBackIn).toHaveBeenCalledWith('10');
  const full = () => Promise.reject(Object.assign(new Error('could not extend file'), { code: '53100' }));
  expect(await open(full, true)).toMatchObject({
    init: { status: 507 },
    data: { texto: expect.stringContaining('No hay espacio en el disco del servidor') },
  });
  expect(((await open(full, false)) as Response).status).toBe(507);
  expect(await open(() => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' })), true)).toMatchObject({
    init: { status: 500 },
  });
  lines.mockRestore();
});

test.each([
  (name: string) => name,
  (name: string) => `${name}[]`,
  (name: string) => `${name}[0]`,
  (name: string) => `${name}.x`,
  (name: string) => `__proto__.${name}`,
  (name: string) => `constructor.prototype.${name}`,
  (name: string) => `otra.${name}`,
])('a secret in another shape comes back in none (%#)', async (shape) => {
  for (const [intent, name] of [
    ['rechazar', 'password'],
    ['clave', 'password'],
    ['llaves', 'api'],
  ] as const) {
    const answer = await press({ intent, nombre: 'Ana', [shape(name)]: 'muy-secreta' });
    expect(`${intent}: ${JSON.stringify(answer)}`).not.toContain('muy-secreta');
  }
});
