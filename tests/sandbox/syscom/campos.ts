/** What a new order says, whichever way it was sent: JSON, or parts of which some hold JSON. */
import type { SandboxRequest } from '../service';

export type Campos = {
  direccion: Record<string, unknown>;
  productos: { id: number; cantidad: number }[];
  orden_compra: string;
  ordenar: boolean;
  testmode: boolean;
};

export function readCampos(request: SandboxRequest): { partes: boolean; campos: Campos | null; guia: Buffer | null } {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (!boundary)
    return { partes: false, campos: fieldsOf((request.data() ?? {}) as Record<string, unknown>), guia: null };
  const parts = partsOf(request.body, boundary);
  const { pdf_guia: guia, ...fields } = parts;
  const values = Object.fromEntries(Object.entries(fields).map(([name, bytes]) => [name, bytes.toString('utf8')]));
  return { partes: true, campos: fieldsOf(values), guia: guia ?? null };
}

function fieldsOf(fields: Record<string, unknown>): Campos | null {
  const direccion = jsonOf(fields.direccion);
  const productos = jsonOf(fields.productos);
  const needed = ['tipo_entrega', 'metodo_pago', 'moneda', 'uso_cfdi', 'fletera'];
  if (!Array.isArray(productos) || typeof direccion !== 'object' || needed.some((name) => !fields[name])) return null;
  const lines = (productos as { id: unknown; tipo: unknown; cantidad: unknown }[]).map(({ id, cantidad }) => ({
    id: Number(id),
    cantidad: Number(cantidad),
  }));
  return {
    direccion: direccion as Record<string, unknown>,
    productos: lines,
    orden_compra: String((fields.orden_compra as string | undefined) ?? ''),
    ordenar: isYes(fields.ordenar),
    testmode: isYes(fields.testmode),
  };
}

const isYes = (value: unknown) => value === true || value === 'true';

function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function partsOf(body: Buffer, boundary: string): Record<string, Buffer> {
  const parts: Record<string, Buffer> = {};
  const mark = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(mark); at >= 0;) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const part = body.subarray(at + mark.length + 2, next - 2);
    const head = part.indexOf('\r\n\r\n');
    const name = /name="([^"]+)"/.exec(part.subarray(0, head).toString('utf8'))?.[1];
    if (name) parts[name] = part.subarray(head + 4);
    at = next;
  }
  return parts;
}
