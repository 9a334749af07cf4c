import { z } from 'zod';
import { env } from '~/core/env.server';
import { rowOf } from '~/core/table';

/** Codes of refusals of `/api/v1`. Programs read the code, people read `detail`. */
export const CODES = {
  'peticion-invalida': 400,
  'sin-autenticar': 401,
  'sin-permiso': 403,
  'prueba-requerida': 403,
  'segundo-factor-requerido': 403,
  'no-encontrado': 404,
  'metodo-no-permitido': 405,
  conflicto: 409,
  'en-curso': 409,
  'version-movida': 412,
  'demasiado-grande': 413,
  'tipo-no-soportado': 415,
  'regla-de-negocio': 422,
  'datos-invalidos': 422,
  'llave-reutilizada': 422,
  'version-requerida': 428,
  'limite-alcanzado': 429,
  'fallo-interno': 500,
  'servicio-externo': 502,
  saturado: 503,
  'sin-espacio': 507,
} as const;
export type Code = keyof typeof CODES;

export const Campo = z.object({ campo: z.string(), texto: z.string() });

/** A problem of RFC 9457, with a code that never changes. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  codigo: z.enum(Object.keys(CODES) as [Code, ...Code[]]),
  instance: z.string().meta({ description: 'Número de la petición, como lo guarda el registro.' }),
  errores: z.array(Campo).optional(),
});

/** A refusal of the old client's calls. `response` stands where the documents of a call have it. */
export const LegacyError = z.object({
  error: z.literal(true),
  message: z.string(),
  titulo: z.string().optional(),
  response: z.literal('error').optional(),
  errores: z.array(Campo).optional(),
});

type More = {
  titulo?: string;
  errores?: z.infer<typeof Campo>[];
  headers?: Record<string, string>;
  cause?: unknown;
  /** True where an old call tells the refusal by the flag; by its status otherwise. */
  bandera?: boolean;
};

/** A refusal of the API, with words for people. */
export class ApiProblem extends Error {
  readonly titulo: string;
  readonly errores: z.infer<typeof Campo>[] | undefined;
  readonly headers: Record<string, string>;
  readonly bandera: boolean | undefined;

  constructor(
    readonly codigo: Code,
    texto: string,
    { titulo = 'Error.', errores, headers = {}, cause, bandera }: More = {},
  ) {
    super(texto, { cause });
    this.name = 'ApiProblem';
    this.titulo = titulo;
    this.errores = errores;
    this.headers = headers;
    this.bandera = bandera;
  }

  /** Returns the same refusal with the fields named as a caller sent them. */
  named(campos: Readonly<Record<string, string>> = {}): ApiProblem {
    const { codigo, message, titulo, headers, cause, bandera } = this;
    const errores = this.errores?.map((error) => ({ ...error, campo: rowOf(campos, error.campo) ?? error.campo }));
    const more = { titulo, headers, cause, ...(errores && { errores }), ...(bandera !== undefined && { bandera }) };
    return new ApiProblem(codigo, message, more);
  }

  get status(): number {
    return CODES[this.codigo];
  }
}

/** Returns the refusal of a form with faults. */
export const LLENADO = {
  titulo: 'Error de llenado.',
  texto: 'Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
} as const;

/** Returns the refusal of an unknown address: 404, also for the old client, since no call is there to use the flag. */
export const noCall = () => new ApiProblem('no-encontrado', 'Lo que se pidió no existe.', { bandera: false });

/** Returns why a far side told nothing. What our own account there keeps from being asked is ours to mend, and no failure of theirs. */
export const noAnswer = ({ falla, cuenta }: { falla: string; cuenta: boolean }) =>
  new ApiProblem(cuenta ? 'regla-de-negocio' : 'servicio-externo', falla, { titulo: 'Error al consultar.' });

export const notFound = () => new ApiProblem('no-encontrado', 'Lo que se pidió no existe.');

/** Returns what was looked for. Throws 404 for nothing. */
export async function found<T>(looking: Promise<T>): Promise<NonNullable<T>> {
  const what = await looking;
  if (what === null || what === undefined) throw notFound();
  return what;
}

export const isLegacy = (path: string) => !path.startsWith('/api/v1/');

/** Statuses that the old client shows as 'Uuups!'. Its calls refuse with 200 and the flag instead. */
const POR_BANDERA = new Set([404, 409, 412, 422, 428]);

/** Returns a refusal in the shape that its caller reads: a problem, or that of the old client. */
export function responseOf(
  problem: ApiProblem,
  { path, requestId, conResponse = false }: { path: string; requestId: string; conResponse?: boolean },
): Response {
  const { codigo, message, titulo, errores, status, headers } = problem;
  if (isLegacy(path)) return legacyOf(problem, conResponse);
  const said: z.infer<typeof Problem> = {
    type: `urn:trastienda:problema:${codigo}`,
    title: titulo,
    status,
    detail: message,
    codigo,
    instance: requestId,
    ...(errores && { errores }),
  };
  return new Response(JSON.stringify(said), {
    status,
    headers: { ...headers, 'Content-Type': 'application/problem+json' },
  });
}

function legacyOf(problem: ApiProblem, conResponse: boolean): Response {
  const { titulo, errores, status, headers, bandera } = problem;
  const byFlag = env().API_ESTADOS_ANTERIORES !== '1' && (bandera ?? POR_BANDERA.has(status));
  const said: z.infer<typeof LegacyError> = {
    error: true,
    message: conCampos(problem),
    titulo,
    ...(conResponse && { response: 'error' }),
    ...(errores && { errores }),
  };
  return Response.json(said, { status: byFlag ? 200 : status, headers });
}

/** Returns a message with its faults, each with the name of its field. The old client shows nothing but the message. */
function conCampos({ codigo, message, errores = [] }: ApiProblem): string {
  if (codigo !== 'datos-invalidos' || errores.length === 0) return message;
  const faults = errores.slice(0, 5).map(({ campo, texto }) => (campo === '' ? texto : `${texto} (${campo})`));
  return [...(message === LLENADO.texto ? [`${message}:`] : []), faults.join('. ')].join(' ');
}
