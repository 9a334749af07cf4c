import { z } from 'zod';

/** Codes of what an answer of `/api/v1` may refuse with. A program reads the code; people read `detail`. */
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

/** RFC 9457, with a code that stays. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  codigo: z.enum(Object.keys(CODES) as [Code, ...Code[]]),
  instance: z.string().meta({ description: 'Número de la petición, como lo guarda el registro.' }),
  errores: z.array(Campo).optional(),
});

/** How the calls of the old client refuse. */
export const LegacyError = z.object({ error: z.literal(true), message: z.string() });

type More = { titulo?: string; errores?: z.infer<typeof Campo>[]; headers?: Record<string, string>; cause?: unknown };

/** A refusal of the API itself, with what people read. */
export class ApiProblem extends Error {
  readonly titulo: string;
  readonly errores: z.infer<typeof Campo>[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    readonly codigo: Code,
    texto: string,
    { titulo = 'Error.', errores, headers = {}, cause }: More = {},
  ) {
    super(texto, { cause });
    this.name = 'ApiProblem';
    this.titulo = titulo;
    this.errores = errores;
    this.headers = headers;
  }

  get status(): number {
    return CODES[this.codigo];
  }
}

/** What a form with faults is told. */
export const LLENADO = {
  titulo: 'Error de llenado.',
  texto: 'Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
} as const;

export const notFound = () => new ApiProblem('no-encontrado', 'Lo que se pidió no existe.');

/** What was looked for, or 404. */
export async function found<T>(looking: Promise<T>): Promise<NonNullable<T>> {
  const what = await looking;
  if (what === null || what === undefined) throw notFound();
  return what;
}

export const isLegacy = (path: string) => !path.startsWith('/api/v1/');

/** The refusal as its caller reads it: a problem, or the old client's shape. */
export function responseOf(problem: ApiProblem, { path, requestId }: { path: string; requestId: string }): Response {
  const { codigo, message, titulo, errores, status, headers } = problem;
  if (isLegacy(path)) return Response.json({ error: true, message }, { status, headers });
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
