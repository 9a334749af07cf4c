import { createHash } from 'node:crypto';
import { isStorable } from '~/core/text';
import { readSent } from '~/http/sent.server';
import type { Call, Recibe } from './call.server';
import { ApiProblem, LLENADO } from './problem.server';

const MAX_DEPTH = 12;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const FORM_TYPE = /^multipart\/form-data\s*;/i;

/** What was sent: what it says, its files, and a text that is the same when the same is sent. */
export type Body = { text: string; value: unknown; archivos: readonly File[] };

const NOTHING: Body = { text: '', value: undefined, archivos: [] };

export async function readBody(call: Call, request: Request): Promise<Body> {
  if (request.method === 'GET' || request.method === 'HEAD') return NOTHING;
  const type = request.headers.get('Content-Type') ?? '';
  const { recibe } = call;
  if (recibe?.corriente) {
    if (!FORM_TYPE.test(type)) throw noForm(recibe);
    return { ...NOTHING, text: `${request.headers.get('Content-Length') ?? ''} bytes` };
  }
  if (recibe && FORM_TYPE.test(type)) return readForm(recibe, request);
  if (recibe && !recibe.opcional) throw noForm(recibe);
  return readJson(call, request, type);
}

const noForm = ({ campo }: Recibe) =>
  new ApiProblem(
    'tipo-no-soportado',
    `Lo que se envía es un formulario multipart/form-data con el archivo en «${campo}».`,
  );

async function readJson(call: Call, request: Request, type: string): Promise<Body> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length === 0) return { ...NOTHING, value: call.body ? {} : undefined };
  if (!call.body) return NOTHING;
  if (!JSON_TYPE.test(type))
    throw new ApiProblem('tipo-no-soportado', 'Lo que se envía es JSON: Content-Type: application/json.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw noJson(cause);
  }
  return { ...NOTHING, text, value: parse(text) };
}

const noJson = (cause: unknown) =>
  new ApiProblem('peticion-invalida', 'No se entiende el JSON que se envió.', { cause });

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw noJson(cause);
  }
  requireStorable(value, '', MAX_DEPTH);
  return value;
}

async function readForm({ campo, cuerpo, varios }: Recibe, request: Request): Promise<Body> {
  const form = await readSent(request);
  // An empty file is what a browser sends for a field without any.
  const found = form.getAll(campo).filter((one): one is File => one instanceof File && one.size > 0);
  const archivos = varios ? found : found.slice(0, 1);
  const said = [...form].filter((field): field is [string, string] => typeof field[1] === 'string');
  const fields = Object.fromEntries(said);
  if (Object.keys(fields).length < said.length)
    throw new ApiProblem('datos-invalidos', 'Un campo del formulario se envió dos veces.', { titulo: LLENADO.titulo });
  requireStorable(fields, '', MAX_DEPTH);
  // The JSON of a form arrives as a text or as a file with a name. The description asks for a file.
  const json = cuerpo === undefined ? undefined : form.get(cuerpo);
  const cuerpoDicho = json instanceof File ? await json.text() : json;
  const value = cuerpo === undefined ? fields : parse(cuerpoDicho || '{}');
  const hashes = await Promise.all(archivos.map(async (file) => [file.name, sha(await file.arrayBuffer())]));
  return { text: JSON.stringify([fields, cuerpoDicho ?? null, hashes]), value, archivos };
}

const sha = (bytes: ArrayBuffer) => createHash('sha256').update(new Uint8Array(bytes)).digest('base64url');

/** Throws 400 for a text that the database cannot keep, at any depth of a body. */
function requireStorable(value: unknown, at: string, depth: number): void {
  if (depth === 0)
    throw new ApiProblem('peticion-invalida', 'El JSON que se envió es demasiado profundo.', { bandera: true });
  if (typeof value === 'string' && !isStorable(value)) {
    const texto = 'Este texto tiene caracteres que no se pueden guardar.';
    throw new ApiProblem('datos-invalidos', texto, { titulo: LLENADO.titulo, errores: [{ campo: at, texto }] });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) requireStorable(one, at === '' ? name : `${at}.${name}`, depth - 1);
}
