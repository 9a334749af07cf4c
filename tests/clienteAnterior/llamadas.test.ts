import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ROLES, type Rol } from '~/core/usuario';
import { CALLS } from '~/api/catalog.server';
import { ask, avisoOf } from '../support/api';
import { runJobs, withWorker } from '../support/jobs';
import { openPac } from '../support/pac';
import { LLAMADAS, type Llamada, type Mundo, type Tipo } from './llamadas';
import { buildMundo } from './mundo';

process.env.API_POR_MINUTO = '100000';
// Pictures of suppliers cannot be reached from a test: the marketplace is left to fetch them.
process.env.IMAGENES_DE = 'syscom.mx.invalid';
const { db, sandbox } = await openPac({ publicoGeneral: true });
let mundo: Mundo;
let tokens: Record<Rol, string>;

beforeAll(async () => {
  ({ mundo, tokens } = await buildMundo(db, sandbox));
}, 60_000);

type Json = Record<string, unknown>;
type Dicho = { cuerpo?: unknown; forma?: Record<string, string | File | Blob> };

const metodoDe = ({ dice, ahora }: Llamada) => ahora ?? dice.split(' ')[0]!;
const direccionDe = (llamada: Llamada) => llamada.en?.(mundo) ?? llamada.dice.slice(llamada.dice.indexOf(' ') + 1);
const dichoDe = ({ cuerpo, forma }: Llamada): Dicho => ({ cuerpo: cuerpo?.(mundo), forma: forma?.(mundo) });

async function play(llamada: Llamada, { cuerpo, forma }: Dicho = dichoDe(llamada), token?: string) {
  await sql`delete from rate_limit`.execute(db);
  let body = cuerpo;
  if (forma) {
    const data = new FormData();
    for (const [name, value] of Object.entries(forma))
      if (typeof value === 'string') data.set(name, value);
      else data.set(name, value, value instanceof File ? value.name : 'blob');
    body = data;
  }
  const send = () => ask(metodoDe(llamada), direccionDe(llamada), { token, body });
  return llamada.conTrabajador ? withWorker(send) : send();
}

const quienes = ({ quien }: Llamada) => (quien === 'abierta' ? [undefined] : [...quien]);
const tokenOf = (rol: Rol | undefined) => rol && tokens[rol];

/** What an answer lacks of a name with its type; a list has at least one element to look at. */
function faltas(body: unknown, name: string, tipo: Tipo): string[] {
  if (name === '') return esDe(body, tipo) ? [] : [`(todo): ${tipo}`];
  let here: unknown[] = [body];
  for (const part of name.split('.')) {
    const [campo, ...lista] = part.split('[]');
    if (campo !== '') {
      if (here.some((one) => typeof one !== 'object' || one === null || !(campo! in one))) return [`${name}: falta`];
      here = here.map((one) => (one as Json)[campo!]);
    }
    for (const _ of lista) {
      if (!here.every(Array.isArray)) return [`${name}: no es lista`];
      here = here.flat();
      if (here.length === 0) return [`${name}: la lista está vacía`];
    }
  }
  return here.every((one) => esDe(one, tipo))
    ? []
    : [`${name}: no es ${tipo}, ${JSON.stringify(here[0])?.slice(0, 80)}`];
}

function esDe(value: unknown, tipo: Tipo): boolean {
  if (tipo.endsWith('?')) return value === null || esDe(value, tipo.slice(0, -1) as Tipo);
  if (tipo === 'lista') return Array.isArray(value);
  return typeof value === { texto: 'string', numero: 'number', si: 'boolean', objeto: 'object' }[tipo as 'texto'];
}

type Flag = { error?: boolean; message?: string };
const esNo = (body: unknown) => (body as Flag | null)?.error === true;
/** What no old call answers to whoever may call it: a status that its client shows as 'Uuups!'. */
const uups = (said: { status: number; text: string }) =>
  said.status === 200 ? [] : [`${said.status} ${said.text.slice(0, 200)}`];

test.each(LLAMADAS.map((llamada) => [llamada.dice, llamada] as const))('%s', async (_, llamada) => {
  const { responde, rechaza = [], quien, deja, archivo, unaVez } = llamada;
  const suyas = quienes(llamada);
  const lee = metodoDe(llamada) === 'GET' && !archivo;
  const wrong: string[] = [];

  // Whoever may not is told 403, and nobody at all 401.
  if (quien !== 'abierta') {
    for (const rol of ROLES.filter((one) => !quien.includes(one)))
      expect([rol, (await play(llamada, {}, tokens[rol])).status]).toEqual([rol, 403]);
    expect((await play(llamada, {})).status).toBe(401);
  }

  // Each role as an old client sends it where it reads; where it changes, the first role does it, and the others are refused in words.
  for (const [n, rol] of suyas.entries()) {
    if (n > 0 && unaVez) continue;
    const dicho = n === 0 || lee || archivo ? dichoDe(llamada) : { cuerpo: {}, forma: llamada.forma && {} };
    let said = await play(llamada, dicho, tokenOf(rol));
    // Success is told with a folio and never before: the same is asked again.
    for (let tries = 0; tries < 10 && n === 0 && /en proceso|en camino/.test(said.text) && esNo(said.body); tries++) {
      await runJobs();
      said = await play(llamada, dicho, tokenOf(rol));
    }
    wrong.push(...uups(said).map((one) => `${rol}: ${one}`));
    if (archivo || wrong.length > 0) continue;
    if (n === 0 || lee) {
      if (esNo(said.body)) {
        if (Object.keys(responde).length > 0 && !rechaza.some(([over]) => Object.keys(over).length === 0))
          wrong.push(`${rol}: ${(said.body as Flag).message}`);
      } else {
        const esperados = { ...responde, ...(n === 0 && llamada.alPrimero) };
        wrong.push(...Object.entries(esperados).flatMap(([name, tipo]) => faltas(said.body, name, tipo)));
        if (n === 0) deja?.(said.body, mundo);
      }
    }
  }
  expect(wrong).toEqual([]);

  // Blank, without anything, each field left out, twice, and put back as it was read: words or an answer, never another status.
  const [primero] = suyas;
  const token = tokenOf(primero);
  const { cuerpo } = dichoDe(llamada);
  if (cuerpo && typeof cuerpo === 'object' && !unaVez) {
    const campos = Object.keys(cuerpo);
    const blancos = Object.fromEntries(campos.map((campo) => [campo, '']));
    const nulos = Object.fromEntries(campos.map((campo) => [campo, null]));
    const dichas: unknown[] = [blancos, nulos, {}, [cuerpo], cuerpo];
    for (const dicha of dichas)
      wrong.push(
        ...uups(await play(llamada, { cuerpo: dicha }, token)).map((one) => `${JSON.stringify(dicha)}: ${one}`),
      );
  }
  for (const [over, texto] of rechaza) {
    const said = await play(llamada, { cuerpo: { ...(cuerpo as Json), ...over } }, token);
    expect(said.body).toMatchObject({ error: true, message: expect.stringMatching(texto) as string });
  }
  expect(wrong).toEqual([]);
});

test('a filter by payment tells the paid sales from the others, by each of its three ways; what is not understood is said', async () => {
  const { orden, pago } = mundo;
  expect(pago).toBeTypeOf('string');
  const rango = `${mundo.desde}/${mundo.hasta}`;
  const ids = async (address: string) =>
    ((await ask('GET', address, { token: tokens.sa })).body as { _id: string }[]).map(({ _id }) => _id);
  const waysOf = (filtro: object) => {
    const text = encodeURIComponent(JSON.stringify(filtro));
    return [
      `/api/ordenes/rangoFecha/${rango}?query=${text}`,
      `/api/ordenes/rangoFecha/${rango}?filtro=${text}`,
      `/api/ordenes/rangoFechaV2/${rango}/${text}`,
    ];
  };
  for (const pagada of [{ 'proveedorPagos.0': { $exists: true } }, { proveedorPagos: { $ne: [] } }])
    for (const way of waysOf(pagada)) expect(await ids(way)).toEqual([orden]);
  for (const sinPago of [
    { proveedorPagos: { $size: 0 } },
    { proveedorPagos: [] },
    { proveedorPagos: { $exists: false } },
  ])
    for (const way of waysOf(sinPago)) expect(await ids(way)).not.toContain(orden);
  const avisoDe = async (address: string) => avisoOf(await ask('GET', address, { token: tokens.sa }));
  expect(await avisoDe(`/api/ordenes/rangoFecha/${mundo.hasta}/${mundo.desde}`)).toContain(
    'El rango de fechas no es válido',
  );
  expect(await avisoDe(`/api/ordenes/rangoFecha/${rango}?otro=%7B%7D`)).toContain('«filtro» o en «query»');
  expect(await avisoDe(`/api/productos?query=${encodeURIComponent('{"ordenar":{"precio":1}}')}`)).toContain('ordenar');
});

/** The lines of both tables of calls, word for word. */
const SPEC = readFileSync(new URL('spec.txt', import.meta.url), 'utf8');
/** Where the table has the place of a value, whatever its name. */
const forma = (call: string) => call.replace(/\{[^{}]*\}/g, '{}');

/** A call, the words that stand after it, and the row of a table that it shares with others. */
type Linea = { call: string; dice: string; fila: string | null };

/** Reads methods and paths in the order of the text, each with the words that stand after it. */
function lineasOf(text: string): Linea[] {
  const lineas: Linea[] = [];
  let metodos: string[] = [];
  let antes = '';
  for (const renglon of text.split('\n').filter((one) => /\/api\/|same paths/.test(one))) {
    metodos = [];
    const celda = renglon.startsWith('|') ? renglon.split('|')[1]! : renglon;
    const resto = renglon.startsWith('|') ? renglon.split('|').slice(2).join(' ') : '';
    const parts = celda.matchAll(
      /\b(GET|POST|PUT|DELETE)\b( same paths)?|((?:\/api\/|\.\.\.\/)(?:\{[^{}]*\}|[^\s{}();:,])+)|([^/\s]+)/g,
    );
    const fila = renglon.startsWith('|') ? renglon : null;
    let fresh = false;
    for (const [, metodo, mismas, path, words] of parts) {
      if (metodo) {
        if (!fresh) metodos = [];
        metodos.push(metodo);
        fresh = true;
        if (mismas)
          for (const { call } of lineas.slice(-2)) lineas.push({ call: call.replace(/^\w+/, metodo), dice: '', fila });
      } else if (path) {
        const clean = path.replace(/\.$/, '');
        const whole = clean.startsWith('...') ? antes + clean.slice(3) : clean;
        if (!clean.startsWith('...') && !whole.includes('/publico/')) antes = whole;
        for (const one of metodos) lineas.push({ call: `${one} ${whole}`, dice: '', fila });
        fresh = false;
      } else if (words && lineas.length > 0 && words.trim() !== 'and') {
        lineas.at(-1)!.dice += ` ${words}`;
        if (/[;.]/.test(words)) fresh = false;
      }
    }
    if (resto) for (const linea of lineas.slice(-celda.split('/api/').length + 1)) linea.dice += ` ${resto}`;
  }
  return lineas;
}

test('the table has the lines of both documents, each once, and no other', () => {
  const lineas = [...new Set(lineasOf(SPEC).map(({ call }) => forma(call)))].sort();
  const tabla = LLAMADAS.map(({ dice }) => forma(dice)).filter((call) => !call.includes('/codigoPostal/'));
  expect(tabla.toSorted()).toEqual(lineas);
  const hay = new Set(CALLS.map(({ method, path }) => `${method} ${forma(path)}`));
  expect(
    LLAMADAS.filter((llamada) => !hay.has(forma(`${metodoDe(llamada)} ${llamada.dice.split(' ').slice(1).join(' ')}`))),
  ).toEqual([]);
  expect(LLAMADAS.reduce((sum, { responde }) => sum + Object.keys(responde).length, 0)).toBeGreaterThan(950);
});

/** Words of the documents that are no field: prose, kinds of values, and nouns that stand for a whole answer. */
const PROSA = new Set(
  `a an and or of the by for with without as to from no none not its it is be if each only same optional options list array lists record body multipart file
  files query param holding filter path paths public excludes customer invoice invoices yet orders users created updated result saves link emails supplier sends
  refresh stores product products paged remove confirm form data blob upload app download map status code label browser redirected timeout JSON filters used
  cancelled unfulfilled exclude own shipping payment range descending search plus limit arrays byte PDF questions claims buyer blocked agents category
  categories suggestions tree published price object projection what server does beyond response deactivate payments save change delivered saved
  shipment returns fields attribute returned authorises later calls client File value shape removed new items pending creates carries shown customers first
  names ids invoice_file where PUT GET POST field order number ml XML folios`.split(/\s+/),
);

test('each field that the documents name stands in the table', () => {
  const lineas = lineasOf(SPEC).flatMap((linea) => {
    const llamada = LLAMADAS.find((una) => forma(una.dice) === forma(linea.call));
    return llamada ? [{ ...linea, tiene: nombresDe(llamada) }] : [];
  });
  const faltan: string[] = [];
  let campos = 0;
  for (const { call, dice, fila, tiene } of lineas) {
    // Calls of one row share its words.
    const deLaFila = fila === null ? tiene : lineas.filter((una) => una.fila === fila).flatMap((una) => una.tiene);
    const dichos = dice.replace(/'[^']*'|\{\w+\}\.\w+/g, ' ').match(/[A-Za-z_][\w\u00C0-\u00FF]*/g) ?? [];
    for (const name of new Set(dichos.filter((one) => !PROSA.has(one)))) {
      campos++;
      if (!deLaFila.includes(name)) faltan.push(`${call}: ${name}`);
    }
  }
  expect(faltan).toEqual([]);
  expect(campos).toBeGreaterThan(250);
});

/** The names of what is sent and what comes back. Every call refuses by `error` and `message`, which the walk holds it to. */
function nombresDe({ cuerpo, en, forma: form, responde, alPrimero }: Llamada): string[] {
  // What is sent has its names whatever was played before.
  const cualquiera = new Proxy({} as Mundo, { get: () => '{}' });
  const enviado = [JSON.stringify(cuerpo?.(cualquiera)), decodeURIComponent(en?.(cualquiera) ?? ''), String(form)].join(
    ' ',
  );
  return [
    ...['error', 'message'],
    ...Object.keys({ ...responde, ...alPrimero }).flatMap((name) => name.split(/[.[\]]+/)),
    ...(enviado.match(/[\w\u00C0-\u00FF]+/g) ?? []),
  ];
}
