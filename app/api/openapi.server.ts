import { z } from 'zod';
import { env } from '~/core/env.server';
import { ROL_LABEL } from '~/core/usuario';
import type { Evento } from './eventos.server';
import { alcanceLabel } from './alcances';
import { alcanceOf, changes, rolesOf, wantsProof, type Call } from './call.server';
import { XLSX } from '~/platform/lists/xlsx.server';
import { NDJSON } from './list.server';
import { isLegacy, LegacyError, Problem } from './problem.server';

type Json = Record<string, unknown>;

/** Returns a schema as JSON Schema 2020-12. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...said } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as Json;
  return said;
}

const HEADER = (description: string): Json => ({ description, schema: { type: 'string' } });

function parametersOf(call: Call): Json[] {
  const params = objectOf(call.params, 'input');
  const query = objectOf(call.query, 'input');
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: params.properties[name] ?? { type: 'string' },
    })),
    ...Object.entries(query.properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: query.required.includes(name),
      ...(description !== undefined && { description }),
      schema,
    })),
    ...(call.conVersion
      ? [{ name: 'If-Match', in: 'header', required: true, description: 'El ETag que se leyó.', schema: STRING }]
      : []),
    ...(changes(call) && !call.secreta
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            description: 'Con la misma llave, durante 24 horas, la misma respuesta; otra petición con ella es un 422.',
            schema: { type: 'string', maxLength: 200 },
          },
        ]
      : []),
  ];
}

const STRING = { type: 'string' } as const;

function objectOf(schema: z.ZodType | undefined, io: 'input' | 'output') {
  const said = schema ? schemaOf(schema, io) : {};
  return {
    properties: (said.properties ?? {}) as Record<string, Json>,
    required: (said.required ?? []) as string[],
  };
}

function answersOf(call: Call): Json {
  const refused = isLegacy(call.path)
    ? { 'application/json': { schema: { $ref: '#/components/schemas/ErrorAnterior' } } }
    : { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problema' } } };
  const said = schemaOf(call.answer, 'output');
  const content = call.archivo
    ? {
        [call.archivo]: { schema: { type: 'string', format: 'binary' } },
        ...(isLegacy(call.path) && { 'application/json': { schema: schemaOf(LegacyError, 'output') } }),
      }
    : {
        'application/json': {
          // Refusals of old calls come with 200 and the flag.
          schema: isLegacy(call.path) ? { anyOf: [said, schemaOf(LegacyError, 'output')] } : said,
        },
        ...(call.fila && {
          [NDJSON]: { schema: schemaOf(call.fila, 'output') },
          [XLSX]: { schema: { type: 'string', format: 'binary' } },
        }),
      };
  return {
    [String(call.status ?? 200)]: {
      description: 'Hecho.',
      headers: {
        RateLimit: HEADER('Cuántas peticiones quedan en la ventana.'),
        'RateLimit-Policy': HEADER('Cuántas caben y en cuántos segundos.'),
        ...((call.etag || call.method === 'GET') && !call.archivo && { ETag: HEADER('La marca de lo que se leyó.') }),
        ...(call.location && { Location: HEADER('Dónde se lee lo que se hizo o se pidió.') }),
      },
      content,
    },
    default: { description: 'No se hizo, y por qué.', content: refused },
  };
}

/** Returns the body of a call: JSON, or a form with files. */
function bodyOf({ recibe, body }: Call): Json | undefined {
  const said = body && schemaOf(body, 'input');
  const json = said && { 'application/json': { schema: said } };
  if (!recibe) return json;
  const { campo, cuerpo, opcional, varios } = recibe;
  const file = { type: 'string', format: 'binary' };
  const fields =
    cuerpo === undefined ? objectOf(body, 'input') : { properties: { [cuerpo]: said! }, required: [cuerpo] };
  return {
    ...(opcional && json),
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { [campo]: varios ? { type: 'array', items: file } : file, ...fields.properties },
        required: [...(opcional ? [] : [campo]), ...fields.required],
      },
      ...(cuerpo !== undefined && { encoding: { [cuerpo]: { contentType: 'application/json' } } }),
    },
  };
}

function tokenNeeds(call: Call): string {
  if (wantsProof(call)) return 'Pide una contraseña dada hace un momento: ningún token personal lo hace.';
  if (call.acceso === 'sesion') return 'No pide permisos a un token.';
  return `Permiso de un token: «${alcanceLabel(alcanceOf(call))}».`;
}

function operationOf(call: Call): Json {
  const roles = rolesOf(call).map((rol) => ROL_LABEL[rol]);
  const open = call.acceso === 'abierta';
  const body = bodyOf(call);
  return {
    operationId: operationIdOf(call),
    summary: call.resumen,
    tags: [isLegacy(call.path) ? 'anterior' : 'v1', call.alcance],
    description: [
      open ? 'Sin token.' : `Para: ${roles.join(', ')}. ${tokenNeeds(call)}`,
      ...(call.sucesor ? [`Usa en su lugar \`${call.sucesor}\`, que no pone el dato en la dirección.`] : []),
    ].join(' '),
    ...(call.sucesor && { deprecated: true }),
    security: open ? [] : [{ bearer: [] }],
    parameters: parametersOf(call),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: answersOf(call),
  };
}

/** Returns the id of an operation: `GET /api/v1/ordenes/{id}` is `getV1OrdenesId`. */
export function operationIdOf({ method, path }: Pick<Call, 'method' | 'path'>): string {
  const words = path
    .replace(/^\/api\//, '')
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** Returns the description of the webhooks. */
function webhookOf(tipo: string, { resumen, data, leer }: Evento): Json {
  return {
    post: {
      operationId: `aviso${tipo
        .split('.')
        .map((word) => word[0]!.toUpperCase() + word.slice(1))
        .join('')}`,
      summary: resumen,
      tags: ['webhooks'],
      description: SIGNED,
      security: [],
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: STRING,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                type: { const: tipo },
                timestamp: { type: 'string', format: 'date-time' },
                ...(leer === null && { text: STRING }),
                data: schemaOf(data, 'output'),
              },
              required: ['type', 'timestamp', ...(leer === null ? ['text'] : []), 'data'],
              additionalProperties: false,
            },
          },
        },
      },
      responses: { '2XX': { description: 'Recibido. Cualquier otra respuesta se intenta de nuevo durante 24 horas.' } },
    },
  };
}

const SIGNED =
  'Firmado como Standard Webhooks: webhook-signature trae v1 y el HMAC-SHA256 en base64 de id.timestamp.cuerpo, con el secreto del receptor; mientras un ' +
  'secreto cambia, una firma por cada uno. El mismo aviso puede llegar dos veces, con el mismo webhook-id.';

/** Returns the description of the whole API, made of the schemas that read its requests and write its answers. */
export function openApiOf(calls: readonly Call[], eventos: Readonly<Record<string, Evento>> = {}): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls) (paths[call.path] ??= {})[call.method.toLowerCase()] = operationOf(call);
  return {
    openapi: '3.1.0',
    info: { title: `${env().MARCA}: API`, version: '1', description: ABOUT },
    servers: [{ url: env().APP_URL }],
    paths,
    webhooks: Object.fromEntries(Object.entries(eventos).map(([tipo, evento]) => [tipo, webhookOf(tipo, evento)])),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problema: schemaOf(Problem, 'output'), ErrorAnterior: schemaOf(LegacyError, 'output') },
    },
  };
}

const ABOUT =
  'Importes como texto decimal, instantes ISO 8601 con zona, días en la zona del negocio. Las llamadas bajo /api/v1 rechazan con application/problem+json; ' +
  'las del cliente anterior, con 200 y { error: true, message }, que nombra el campo (API_ESTADOS_ANTERIORES=1 pone los estados de antes). Sin permiso, con límites o ' +
  'por una falla contestan con su estado. Lo que cambian sin version se guarda sobre lo último que haya.';
