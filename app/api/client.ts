type Json = Record<string, unknown>;
type Parameter = { name: string; in: string; required: boolean; schema: Json };
type Operation = {
  summary: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
};

/** Returns the TypeScript type of a schema. */
function typeOf(schema: Json | undefined): string {
  if (!schema) return 'undefined';
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const either = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (either) return `(${either.map(typeOf).join(' | ')})`;
  if (Array.isArray(schema.type)) return `(${schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')})`;
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return `${wrapped(typeOf((schema.items ?? {}) as Json))}[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    default:
      return 'unknown';
  }
}

const wrapped = (type: string) => (/^[\w"]+$/.test(type) || type.startsWith('(') ? type : `(${type})`);

function objectOf({ properties = {}, required = [], additionalProperties }: Json): string {
  const fields = Object.entries(properties as Record<string, Json>).map(
    ([name, one]) => `${JSON.stringify(name)}${(required as string[]).includes(name) ? '' : '?'}: ${typeOf(one)}`,
  );
  if (fields.length === 0 && typeof additionalProperties === 'object' && additionalProperties !== null)
    return `Record<string, ${typeOf(additionalProperties as Json)}>`;
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

const fieldsIn = (parameters: Parameter[], where: string, leaving: string[] = []) => {
  const own = parameters.filter((one) => one.in === where && !leaving.includes(one.name));
  if (own.length === 0) return undefined;
  return `{ ${own.map(({ name, required, schema }) => `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')} }`;
};

/** Returns the type of a form with files: each file is a Blob, the other data are fields. */
function formOf(schema: Json): string {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  const typed = (one: Json): string =>
    one.format === 'binary' ? 'Blob' : one.type === 'array' ? `${typed(one.items as Json)}[]` : typeOf(one);
  const fields = Object.entries(properties).map(
    ([name, one]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typed(one)}`,
  );
  return `{ ${fields.join('; ')} }`;
}

function callOf(operation: Operation): string {
  const { parameters, requestBody, responses, summary } = operation;
  const [answered] = Object.entries(responses).filter(([status]) => status !== 'default');
  const content = answered?.[1].content ?? {};
  const json = content['application/json']?.schema;
  // A file is answered as bytes. Where a call has several kinds of answer, the client asks for the first.
  const bytes = Object.values(content)[0]?.schema.format === 'binary';
  const body = requestBody?.content['application/json']?.schema;
  const form = requestBody?.content['multipart/form-data']?.schema;
  const parts = [
    ['params', fieldsIn(parameters, 'path')],
    // A page with some fields only is another type, and a whole list is not JSON.
    ['query', fieldsIn(parameters, 'query', ['campos', 'formato'])],
    [body && form ? 'body?' : 'body', body && typeOf(body)],
    [body && form ? 'form?' : 'form', form && formOf(form)],
    ['ifMatch', parameters.some(({ name }) => name === 'If-Match') ? 'string' : undefined],
  ].flatMap(([name, type]) => (type === undefined ? [] : [`${name}: ${type}`]));
  const answers = bytes ? 'Blob' : json ? typeOf(json) : 'unknown';
  return `/** ${summary.replaceAll('*/', '')} */ %NAME%: { asks: { ${parts.join('; ')} }; answers: ${answers} }`;
}

/** Returns a typed client of the API, written from its description: one file without dependencies. */
export function clientOf({ paths }: { paths: Record<string, Record<string, Operation>> }): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      callOf(operation).replace('%NAME%', JSON.stringify(`${method.toUpperCase()} ${path}`)),
    ),
  );
  return `${HEAD}export type Llamadas = {\n  ${calls.join(';\n  ')};\n};\n${TAIL}`;
}

const HEAD = '// Generado por `npm run api:cliente` a partir de OpenAPI. No se edita.\n\n';
const TAIL = `
export class ErrorDeApi extends Error {
  constructor(readonly status: number, readonly dicho: unknown) {
    const { detail, message } = (dicho ?? {}) as { detail?: string; message?: string };
    super(detail ?? message ?? \`HTTP \${status}\`);
    this.name = 'ErrorDeApi';
  }
}

type Opciones = { base: string; token?: string; fetch?: (request: Request) => Promise<Response> };
type Mas = { llave?: string; signal?: AbortSignal };
type Escrito = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: Record<string, unknown>;
  ifMatch?: string;
};

/** Lo que se respondió, con lo que dicen sus encabezados: el ETag que un cambio lleva de regreso como ifMatch, y dónde preguntar otra vez. */
export type Respuesta<T> = { datos: T; etag: string | null; location: string | null; status: number };

/** Los archivos van como son, y lo demás como JSON. */
function formulario(campos: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(campos))
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      if (one instanceof Blob) form.append(name, one, one instanceof File ? one.name : name);
      else form.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
    }
  return form;
}

export function crearCliente({ base, token, fetch: pedir = fetch }: Opciones) {
  /** Como \`llamar\`, con el ETag y Location de la respuesta. */
  async function pedirTodo<K extends keyof Llamadas>(
    llamada: K,
    asks: Llamadas[K]['asks'],
    { llave, signal }: Mas = {},
  ): Promise<Respuesta<Llamadas[K]['answers']>> {
    const [method, path] = llamada.split(' ') as [string, string];
    const { params = {}, query = {}, body, form, ifMatch } = asks as Escrito;
    const url = new URL(path.replace(/\\{(\\w+)\\}/g, (_, name: string) => encodeURIComponent(String(params[name]))), base);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers({ Accept: 'application/json, */*;q=0.5' });
    if (token !== undefined) headers.set('Authorization', \`Bearer \${token}\`);
    if (llave !== undefined) headers.set('Idempotency-Key', llave);
    if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
    if (body !== undefined && !form) headers.set('Content-Type', 'application/json');
    const answer = await pedir(
      new Request(url, {
        method,
        headers,
        ...(form ? { body: formulario(form) } : body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    );
    const esJson = /\\bjson\\b/.test(answer.headers.get('Content-Type') ?? '');
    const said = (await (esJson || !answer.ok ? answer.json().catch(() => null) : answer.blob())) as unknown;
    if (!answer.ok) throw new ErrorDeApi(answer.status, said);
    return {
      datos: said as Llamadas[K]['answers'],
      etag: answer.headers.get('ETag'),
      location: answer.headers.get('Location'),
      status: answer.status,
    };
  }
  const llamar = async <K extends keyof Llamadas>(llamada: K, asks: Llamadas[K]['asks'], mas: Mas = {}) =>
    (await pedirTodo(llamada, asks, mas)).datos;
  return { llamar, pedirTodo };
}
`;
