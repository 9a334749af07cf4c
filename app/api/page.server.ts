import type { Rol } from '~/access/screens';
import { labelOf, USO_LABEL } from './alcances';
import type { Caller } from './authenticate.server';
import { changes, rolesOf, type Call } from './call.server';
import { CALLS } from './catalog.server';
import { openApiOf, operationIdOf } from './openapi.server';
import { decodePath } from '~/http/address.server';
import { isLegacy } from './problem.server';
import { serveApi } from './serve.server';

type Json = Record<string, unknown>;
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Json;
};

const summaryOf = (call: Call) => ({
  id: operationIdOf(call),
  method: call.method,
  path: call.path,
  resumen: call.resumen,
  asunto: labelOf(call.alcance),
  permiso: typeof call.acceso === 'object' ? USO_LABEL[changes(call) ? 'escribir' : 'leer'] : null,
  anterior: isLegacy(call.path),
});

/** Returns the calls of a role, as the page of the API lists them. */
export const callsOf = (rol: Rol) => CALLS.filter((call) => rolesOf(call).includes(rol)).map(summaryOf);

const findCall = (rol: Rol, id: string | null) =>
  CALLS.find((call) => operationIdOf(call) === id && rolesOf(call).includes(rol));

/** Returns whether the page may try a call with the reader's session: a call that only reads and answers with text. */
const mayTry = (call: Call) => call.method === 'GET' && !call.archivo && call.acceso !== 'abierta';

/** Returns a call as OpenAPI describes it; null for an id that the role does not have. */
export function describeCall(rol: Rol, id: string | null) {
  const call = findCall(rol, id);
  if (!call) return null;
  const paths = openApiOf([call]).paths as Record<string, Record<string, Json>>;
  const said = paths[call.path]![call.method.toLowerCase()] as {
    description: string;
    parameters: Parameter[];
    requestBody?: Json;
    responses: Json;
  };
  return {
    ...summaryOf(call),
    descripcion: said.description,
    parametros: said.parameters.map(({ name, in: donde, required, description, schema }) => ({
      nombre: name,
      donde,
      requerido: required,
      descripcion: description ?? '',
      opciones: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
    })),
    recibe: said.requestBody ? JSON.stringify(said.requestBody, null, 2) : null,
    responde: JSON.stringify(said.responses, null, 2),
    sePrueba: mayTry(call),
  };
}

/** Longest part of an answer that the page shows, in characters. */
const MAX_SHOWN = 20_000;

/** Makes a call as the person who looks at the page. Their role decides, as with a token of theirs. */
export async function tryCall(
  caller: Caller,
  id: string,
  fields: URLSearchParams,
  { requestId, ip }: { requestId: string; ip: string },
): Promise<{ address: string; status: number; cuerpo: string } | null> {
  const call = findCall(caller.usuario.rol, id);
  if (!call || !mayTry(call)) return null;
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fields.get(name) || '-'));
  const query = new URLSearchParams(
    describeCall(caller.usuario.rol, id)!.parametros.flatMap(({ nombre, donde }) =>
      donde === 'query' && fields.get(nombre) ? [[nombre, fields.get(nombre)!]] : [],
    ),
  );
  // The page shows no whole lists.
  query.delete('formato');
  const address = path + (query.size > 0 ? `?${query}` : '');
  const request = new Request(new URL(address, 'http://pagina.local'));
  const answer = await serveApi({ request, path: decodePath(path), requestId, ip, caller });
  const text = await answer.text();
  return { address, status: answer.status, cuerpo: pretty(text).slice(0, MAX_SHOWN) };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
