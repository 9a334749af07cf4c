/** The fields of a new order, sent as JSON or in parts of which some hold JSON. */
import { partsOf } from '../multipart';
import { bodyOf, type SandboxRequest } from '../service';

export type Campos = {
  direccion: Record<string, unknown>;
  productos: { id: number; cantidad: number }[];
  metodo_pago: string;
  tipo_pago: string;
  fletera: string;
  orden_compra: string;
  ordenar: boolean;
  testmode: boolean;
};

/** Returns the fields of an order, or null for them when one that is needed is missing. An order in parts may bring its label. */
export function readCampos(request: SandboxRequest): { partes: boolean; campos: Campos | null; guia: Buffer | null } {
  const partes = /^multipart\/form-data;/i.test(request.headers['content-type'] ?? '');
  if (!partes) return { partes, campos: fieldsOf(bodyOf(request)), guia: null };
  const parts = partsOf(request);
  const guia = parts.find(({ field }) => field === 'pdf_guia')?.bytes ?? null;
  const values = Object.fromEntries(parts.map(({ field, bytes }) => [field, bytes.toString('utf8')]));
  return { partes, campos: fieldsOf(values), guia };
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
    metodo_pago: String(fields.metodo_pago),
    tipo_pago: String((fields.tipo_pago as string | undefined) ?? 'pue'),
    fletera: String(fields.fletera),
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
