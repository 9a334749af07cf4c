import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createRouter } from '~/api/router';
import { decodePath } from '~/http/address.server';
import { openApi, serveApi } from '~/api/serve.server';

type Json = Record<string, unknown>;
type Operation = { responses: Record<string, { content?: Record<string, { schema: Json }> }> };
export type Asking = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  ip?: string;
};
export type Answered = { status: number; headers: Headers; body: never; text: string };

type Described = {
  openapi: string;
  paths: Record<string, Record<string, Operation & Json>>;
  components: { schemas: Record<string, Json> };
};
let known: {
  described: Described;
  find: ReturnType<typeof createRouter<{ method: string; path: string; operation: Operation }>>;
};

/** The description as a program from elsewhere reads it: nothing of our schemas is known here. Settings are read by then. */
function description() {
  if (known) return known;
  const described = JSON.parse(openApi()) as Described;
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return (known = { described, find: createRouter(operations) });
}

export const described = () => description().described;

const read = new WeakMap<Json, z.ZodType>();
function readerOf(schema: Json): z.ZodType {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
  if (name) return readerOf(described().components.schemas[name]!);
  let reader = read.get(schema);
  if (!reader) read.set(schema, (reader = z.fromJSONSchema(schema)));
  return reader;
}

/** What is wrong with an answer by the description; null when nothing is. */
export function misfit(method: string, path: string, answer: { status: number; type: string; text: string }) {
  // What the old client changes by GET, where its setting lets it, answers as the POST in its place.
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = description().find(asked, path).call ?? description().find('POST', path).call;
  const refused = path.startsWith('/api/v1/') ? 'Problema' : 'ErrorAnterior';
  const said = found?.operation.responses[String(answer.status)] ?? found?.operation.responses.default;
  if (answer.status < 400 && !found?.operation.responses[String(answer.status)])
    return [204, 206, 304].includes(answer.status) ? null : `no describe un ${answer.status}`;
  const type = answer.type.split(';')[0]!;
  const schema = said
    ? (said.content?.[type] ?? said.content?.['*/*'])?.schema
    : described().components.schemas[refused];
  if (!schema) return `no describe ${type}`;
  if (schema.format === 'binary') return null;
  // An old call answers what it says, or refuses by its flag: the fault is told of the one that was meant.
  if (refused === 'ErrorAnterior' && schema.anyOf) {
    const [hecho, aviso] = schema.anyOf as [Json, Json];
    const body = JSON.parse(answer.text) as { error?: unknown } | null;
    const parsed = readerOf(body?.error === true ? aviso : hecho).safeParse(body);
    return parsed.success ? null : `${z.prettifyError(parsed.error)}\n${answer.text.slice(0, 300)}`;
  }
  const lines = type === 'application/x-ndjson' ? answer.text.split('\n').filter((line) => line !== '') : [answer.text];
  for (const line of lines) {
    const parsed = readerOf(schema).safeParse(JSON.parse(line));
    if (!parsed.success) return `${z.prettifyError(parsed.error)}\n${line.slice(0, 300)}`;
  }
  return null;
}

/** Asks the API in this process, and holds its answer to the description. */
export async function ask(
  method: string,
  address: string,
  { token, body, headers = {}, ip = '10.0.0.1' }: Asking = {},
) {
  const url = new URL(address, 'http://api.local');
  const form = body instanceof FormData;
  const request = new Request(url, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !form && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: form ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const path = decodePath(url.pathname);
  const answer = await serveApi({ request, path, requestId: randomUUID(), ip });
  const text = answer.headers.get('Content-Type')?.includes('json') ? await answer.text() : '';
  const wrong = misfit(method, path, {
    status: answer.status,
    type: answer.headers.get('Content-Type') ?? '',
    text,
  });
  if (wrong) throw new Error(`${method} ${address} (${answer.status}): ${wrong}`);
  const parsed =
    /^\s*[[{"ntf\d-]/.test(text) && !text.includes('\n') ? (JSON.parse(text) as never) : (undefined as never);
  return { status: answer.status, headers: answer.headers, body: parsed, text, response: answer };
}

/** The words of an old call that refuses by its flag; undefined for every other answer. */
export const avisoOf = ({ status, body }: { status: number; body: unknown }) =>
  status === 200 && (body as { error?: boolean }).error === true ? (body as { message: string }).message : undefined;

export const get = (address: string, token?: string) => ask('GET', address, { token });
export const post = (address: string, body: unknown, token?: string, headers?: Record<string, string>) =>
  ask('POST', address, { body, token, ...(headers && { headers }) });
