import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accessOf } from '~/access/guard.server';
import { CALLS } from '~/api/catalog.server';
import { rolesOf, type Call } from '~/api/call.server';
import { ROLES, type Rol } from '~/access/screens';
import { schemasOf } from '~/http/actions.server';
import { LISTS } from '~/domain/operacion/exports/lists.server';
import { entriesOf, type Entry } from '../support/routes';
import {
  BODIES,
  CONFORM,
  encode,
  JSON_VALUES,
  JSONS,
  LONG_VALUES,
  METHODS,
  multipart,
  QUERIES,
  SHAPES,
  urlencoded,
  VALUES,
  type Part,
} from './hostil';
import { keysOf, validForm, type Field, type Ids } from './valida';

export type Visitor = Rol | 'anonimo';

/** One request, written down so that it can be told and sent again. */
export type Shot = {
  visitor: Visitor;
  method: string;
  path: string;
  /** What of the product it tries: the loader of a module, or one intent of its action. */
  door: string;
  /** What is wrong with it, for whoever reads a failure. */
  what: string;
  body?: () => { type: string | undefined; text: string };
};

/** Numbers that look drawn by lot and are the same each time (mulberry32). */
export function lot(seed: number): () => number {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MODULES = import.meta.glob('../../app/routes/**/*.{ts,tsx}');

type Screen = Entry & {
  visitors: Visitor[];
  params: string[];
  query: string[];
  /** An action that reads no form: what machines send. */
  machines: boolean;
  intents: [string, ReturnType<typeof schemasOf>[string]][];
};

/** Every route with who may ask it, the names its address takes and the intents of its action, read from the product itself. */
async function screens(): Promise<Screen[]> {
  const common = new Set(Object.values(LISTS).flatMap((list) => Object.keys(list.parse(new URLSearchParams()))));
  return Promise.all(
    entriesOf().map(async (entry) => {
      const access = accessOf(entry.id);
      const source = readFileSync(fileURLToPath(new URL(`../../app/${entry.file}`, import.meta.url)), 'utf8');
      const { action } = /^export (?:const|async function) action\b/m.test(source)
        ? ((await MODULES[`../../app/${entry.file}`]!()) as { action?: object })
        : {};
      // Every word of the module that could be a name: more than it reads, and none that it reads is left out.
      const named = [...source.matchAll(/\b(\w{1,24})'?[):,]/g)].map(([, name]) => name!);
      return {
        ...entry,
        visitors: access === 'open' ? ['anonimo', 'sa'] : [...access.roles],
        params: [...entry.path.matchAll(/:(\w+)|\*/g)].map(([whole]) => whole),
        query: [...new Set([...common, 'pagina', 'ver', 'editar', 'paso', 'volver', 'mes', ...named])],
        machines: action !== undefined && Object.keys(schemasOf(action)).length === 0,
        intents: action ? Object.entries(schemasOf(action)) : [],
      };
    }),
  );
}

/** Every request of one round: each address, each part of it, each form and each of its fields, with everything that can be wrong there. */
export async function plan(ids: Ids, pick: () => number): Promise<Shot[]> {
  const all = await screens();
  const names = [
    ...new Set(
      all.flatMap(({ intents }) =>
        intents.flatMap(([, schema]) => (schema ? validForm(schema, ids).map(([name]) => name) : [])),
      ),
    ),
  ];
  return [
    ...all.flatMap((screen) => [...addresses(screen, ids, pick), ...forms(screen, ids, names, pick)]),
    ...CALLS.flatMap((call) => calls(call, ids, pick)),
  ];
}

/** Every call of the API: its address, its query, its method and each field of what is sent, with everything that can be wrong there. */
function calls(call: Call, ids: Ids, pick: () => number): Shot[] {
  const shots: Shot[] = [];
  const roles = rolesOf(call);
  const path = () => call.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(ids.random(name)));
  const shoot = (
    what: string,
    { at = path(), method = call.method as string, body }: Partial<Record<'at' | 'method' | 'body', string>>,
    type = 'application/json',
  ) =>
    shots.push({
      visitor: call.acceso === 'abierta' || pick() < 0.1 ? 'anonimo' : one(roles, pick),
      method,
      path: at,
      door: `api/${call.alcance}`,
      what: `${call.method} ${call.path}: ${what}`,
      ...(method !== 'GET' && method !== 'HEAD' && { body: () => ({ type, text: body ?? '{}' }) }),
    });
  for (const [name] of call.path.matchAll(/\{\w+\}/g))
    for (const value of VALUES)
      shoot(`${name} = ${tell(value)}`, { at: call.path.replace(name, encode(value)).replace(/\{\w+\}/g, 'x') });
  for (const query of QUERIES) shoot(`query ${query.slice(0, 20)}`, { at: path() + query });
  for (const method of METHODS) if (method !== call.method) shoot(`by ${method}`, { method });
  const names = call.query ? keysOf(call.query) : [];
  for (const name of names)
    for (const value of [one(VALUES, pick), one(VALUES, pick), one(VALUES, pick)])
      shoot(`${name} = ${tell(value)}`, {
        at: `${path()}?${encode(name)}=${encode(value)}&${encode(name)}=a&${encode(name)}[a]=b`,
      });
  if (call.method === 'GET') return shots;
  for (const json of JSONS) shoot(`JSON ${tell(json)}`, { body: json });
  for (const [type, text] of BODIES) shoot(`body ${type ?? 'of no type'}`, { body: text }, type ?? '');
  const base = call.body ? Object.fromEntries(validForm(call.body, ids)) : {};
  for (const name of call.body ? keysOf(call.body) : [])
    for (const value of JSON_VALUES)
      shoot(`${name} = ${tell(JSON.stringify(value))}`, { body: JSON.stringify({ ...base, [name]: value }) });
  shoot('as it should be', { body: JSON.stringify(base) });
  return shots;
}

const one = <T>(from: readonly T[], pick: () => number): T => from[Math.floor(pick() * from.length)]!;

function addressOf({ path, url }: Entry, ids: Ids): string {
  return path.includes(':') ? path.replace(/:(\w+)/g, (_, name: string) => ids.random(name)) : url;
}

function addresses(screen: Screen, ids: Ids, pick: () => number): Shot[] {
  const shots: Shot[] = [];
  const get = (path: string, what: string) =>
    shots.push({ visitor: one(screen.visitors, pick), method: 'GET', path, door: screen.file, what });
  const url = addressOf(screen, ids);
  const data = `${url === '/' ? '/_root' : url}.data`;
  for (const query of QUERIES) {
    get(url + query, `query ${query.slice(0, 20)}`);
    get(data + query, `data, query ${query.slice(0, 20)}`);
  }
  for (const param of screen.params)
    for (const value of [...VALUES, 'x'.repeat(400)])
      get(screen.path.replace(param, encode(value)), `${param} = ${tell(value)}`);
  for (const name of screen.query) {
    for (const value of [one(VALUES, pick), one(VALUES, pick), 'x'.repeat(8_000)])
      get(`${pick() < 0.5 ? url : data}?${encode(name)}=${encode(value).slice(0, 9_000)}`, `${name} = ${tell(value)}`);
    get(`${url}?${name}=a&${name}=b&${name}[]=c&${name}[x]=d`, `${name} several times`);
  }
  return shots;
}

function forms(screen: Screen, ids: Ids, names: readonly string[], pick: () => number): Shot[] {
  const shots: Shot[] = [];
  const url = addressOf(screen, ids);
  const index = screen.index ? '?index' : '';
  const post = (
    what: string,
    body: Shot['body'],
    { visitor = one(screen.visitors, pick), intent = '', query = index } = {},
  ) =>
    // Most as the browser sends them while the page stands; some as a whole page, as without JavaScript.
    shots.push({
      visitor,
      method: 'POST',
      path: (pick() < 0.8 && url !== '/' && !screen.machines ? `${url}.data` : url) + query,
      door: `${screen.file}#${intent}`,
      what,
      body,
    });
  if (screen.machines)
    for (const [what, text] of notices(screen.query)) post(what, () => ({ type: 'application/json', text }));
  for (const [type, text] of BODIES) post(`body ${type ?? 'of no type'}`, () => ({ type, text }));
  for (const query of QUERIES) {
    const intent = screen.intents.length > 0 ? one(screen.intents, pick)[0] : 'x';
    const body = () => bodyOf([['intent', intent]], pick);
    post(`query ${query.slice(0, 20)}`, body, { query });
  }
  for (const [intent, schema] of screen.intents) {
    const base = () =>
      schema ? validForm(schema, ids) : names.slice(0, 60).map((name): Field => [name, ids.random(name)]);
    // Written down when it is sent: there are more of them than are sent at once.
    const send = (what: string, fields: () => readonly Field[], visitor?: Visitor) =>
      post(
        `${intent}: ${what}`,
        () => bodyOf([['intent', intent], ...(pick() < 0.7 ? [['confirmado', '1'] as Field] : []), ...fields()], pick),
        { intent, ...(visitor && { visitor }) },
      );
    const without = (name: string) => base().filter(([other]) => other !== name);
    for (const visitor of screen.visitors) send('as it should be', base, visitor);
    send('nothing', () => []);
    for (const name of ['__proto__', 'constructor', 'toString'])
      send(`a button of ${name}`, () => [...base(), ['intent', name]]);
    for (const [name, value] of CONFORM) send(`${name} = ${tell(value)}`, () => [...base(), [name, value]]);
    for (const name of new Set(base().map(([one]) => one))) {
      for (const value of [...VALUES, ...LONG_VALUES])
        send(`${name} = ${tell(value)}`, () => [...without(name), [name, value]]);
      for (const [at, shape] of SHAPES.entries())
        send(`${name} in shape ${at}`, () => [...without(name), ...shape(name, ids.random(name))]);
    }
    for (let made = 0; made < 20; made++)
      send('all of it wrong', () => base().map(([name]): Field => [name, one(VALUES, pick)]));
  }
  return shots;
}

/** JSON with each name the module knows holding what it should not. */
function notices(names: readonly string[]): [what: string, text: string][] {
  const odd: unknown[] = [...VALUES, ...LONG_VALUES, 0, -1, 1e308, null, true, [], {}, [[]], { toString: 'x' }];
  const whole = Object.fromEntries(names.map((name) => [name, '1']));
  return odd.flatMap((value): [string, string][] => [
    [`JSON ${tell(JSON.stringify(value))}`, JSON.stringify(value)],
    [
      `JSON, all of it ${tell(JSON.stringify(value))}`,
      JSON.stringify({ ...Object.fromEntries(names.slice(0, 12).map((name) => [name, value])), topic: 'orders_v2' }),
    ],
    [
      `JSON, resource ${tell(JSON.stringify(value))}`,
      JSON.stringify({ ...whole, topic: 'orders_v2', resource: value }),
    ],
    [
      `JSON, user ${tell(JSON.stringify(value))}`,
      JSON.stringify({ topic: 'orders_v2', resource: '/orders/1', user_id: value }),
    ],
  ]);
}

function bodyOf(fields: readonly Field[], pick: () => number) {
  if (fields.every(([, value]) => typeof value === 'string') && pick() < 0.9)
    return { type: 'application/x-www-form-urlencoded', text: urlencoded(fields as [string, string][]) };
  return { type: 'multipart/form-data; boundary=----entradas', text: multipart(fields as readonly Part[]) };
}

export const tell = (text: string) =>
  JSON.stringify(text.length > 24 ? `${text.slice(0, 20)}… (${text.length})` : text);

/** In an order drawn by lot, so that a few of them are of everywhere. */
export function shuffled<T>(items: readonly T[], pick: () => number): T[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const with_ = Math.floor(pick() * (at + 1));
    [all[at], all[with_]] = [all[with_]!, all[at]!];
  }
  return all;
}

/** The same with one of each door before all others: however few are sent, every door is tried. */
export function doorsFirst(shots: readonly Shot[]): Shot[] {
  const first = new Map(shots.map((shot) => [shot.door, shot]));
  const early = new Set(first.values());
  return [...early, ...shots.filter((shot) => !early.has(shot))];
}

export const VISITORS: readonly Visitor[] = ['anonimo', ...ROLES];
