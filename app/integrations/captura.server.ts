import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '~/core/carpetas.server';
import { log } from '~/core/log.server';
import { isWord, routeOf } from './ruta';

/**
 * An answer of a far side without anybody's data, to compare its impostor with (docs/decisions/impostores.md). Only the
 * kind of each value is stored, so no name, key or amount can leak. Off unless CAPTURAS names a folder.
 */
export type Captured = {
  side: string;
  method: string;
  route: string;
  status: number;
  contentType: string;
  shape: Shape;
};

/** Shape of a value: a value is its kind, an object its keys, a list the distinct shapes of its items. */
export type Shape = string | { [key: string]: Shape } | Shape[];

type Exchange = {
  side: { name: string; root: string };
  method: string;
  url: string;
  status: number;
  contentType: string | null;
  body: Buffer;
};

/** Most shapes per route. Endpoints answer in a few shapes; further shapes teach nothing. */
const SHAPES_PER_ROUTE = 40;
const DEPTH = 12;
/** Files written by this process, so a busy day looks at the disk once per shape. */
const written = new Set<string>();

/** Stores the shape of an answer under CAPTURAS; never throws. */
export function capture(exchange: Exchange): void {
  // Commands call far sides without the other settings.
  const folder = process.env.CAPTURAS;
  if (!folder) return;
  try {
    keep(folder, capturedOf(exchange));
  } catch (error) {
    // A full disk or a closed folder must not turn an answer into a failure.
    log.error('no se guardó una captura', error, { lado: exchange.side.name });
  }
}

function keep(folder: string, captured: Captured): void {
  const text = `${JSON.stringify(captured, null, 2)}\n`;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const place = join(folder, captured.side, `${captured.method} ${captured.route}`.replace(/[^\w{}.-]+/g, '_'));
  const file = join(place, `${captured.status}-${name}.json`);
  if (written.has(file)) return;
  makeFolder(place, 0o700);
  const kept = readdirSync(place);
  if (kept.length < SHAPES_PER_ROUTE && !kept.includes(`${captured.status}-${name}.json`))
    writeFileSync(file, text, { mode: 0o600 });
  written.add(file);
}

/** Returns the stored form of an exchange. */
export function capturedOf({ side, method, url, status, contentType, body }: Exchange): Captured {
  return {
    side: side.name,
    method,
    route: routeOf(url, side.root),
    status,
    contentType: contentType?.split(';')[0]!.trim().toLowerCase() ?? '',
    shape: shapeOfBody(body),
  };
}

function shapeOfBody(body: Buffer): Shape {
  const text = body.toString('utf8');
  try {
    return shapeOf(JSON.parse(text.replace(/^\ufeff/, '')), 0);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return body.length === 0 ? 'vacío' : body.subarray(0, 5).toString('latin1') === '%PDF-' ? 'PDF' : xmlOr(text);
  }
}

const xmlOr = (text: string) => (/^\s*<(?:\?xml|cfdi:)/.test(text) ? 'XML' : 'texto que no es JSON');

function shapeOf(value: unknown, depth: number): Shape {
  if (value === null) return 'null';
  if (depth > DEPTH) return '…';
  if (Array.isArray(value)) {
    const shapes = value.map((item) => shapeOf(item, depth + 1));
    const each = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
    return [...each].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, shape]) => shape);
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, item]) => [isWord(key) ? key : '{}', shapeOf(item, depth + 1)]);
    return Object.fromEntries(entries) as Shape;
  }
  return typeof value === 'string' ? kindOf(value) : typeof value === 'number' ? numberOf(value) : typeof value;
}

const numberOf = (value: number) => (Number.isInteger(value) ? 'entero' : 'decimal');

const KINDS: [kind: string, pattern: RegExp][] = [
  ['texto vacío', /^$/],
  ['texto de dígitos', /^\d+$/],
  ['texto de importe', /^-?\d+\.\d+$/],
  ['texto de día', /^\d{4}-\d{2}-\d{2}$/],
  ['texto de instante', /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/],
  ['texto de UUID', /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i],
];

const kindOf = (text: string) => KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'texto';
