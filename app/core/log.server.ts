import { peticionActual } from './peticion.server';
import { trazaActual } from './traza.server';

/**
 * Fields of a line of the log, a JSON object per line. No personal data: no bodies, names, RFC, headers or query
 * strings. An id (request, effect, incident) identifies a case.
 */
type Fields = Record<string, string | number | boolean | null | undefined>;

// A full disk, or a closed reader of the output, loses a line and nothing else.
// The listener is added once per process, however often this module is loaded.
function lineLost() {}
if (!process.stdout.listeners('error').some(({ name }) => name === lineLost.name)) process.stdout.on('error', lineLost);

/** Levels, the least grave first. LOG_NIVEL names the least that is written; it is read here, since a wrong setting is told by the log too. */
const NIVELES = ['debug', 'info', 'warn', 'error'] as const;
type Nivel = (typeof NIVELES)[number];

function isWritten(level: Nivel): boolean {
  const least = NIVELES.findIndex((one) => one === process.env.LOG_NIVEL);
  return NIVELES.indexOf(level) >= (least < 0 ? NIVELES.indexOf('info') : least);
}

function write(level: Nivel, message: string, fields: Fields) {
  if (!isWritten(level)) return;
  const [requestId, traceId] = [peticionActual(), trazaActual()];
  const line = {
    at: new Date().toISOString(),
    level,
    message,
    ...(requestId && { requestId }),
    ...(traceId && { traceId }),
    ...fields,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Returns the stack of an error without what somebody sent: PostgreSQL (class 22) and the reader of JSON quote the value that they could not read.
 */
function withoutValues(error: Error): string {
  const { message, stack = message } = error;
  const quotes = error instanceof SyntaxError || String((error as { code?: unknown }).code).startsWith('22');
  return quotes ? stack.replace(message, message.replace(/"[\s\S]*"/, '«…»')) : stack;
}

/** Writes a line to the standard output, with the id of the request that it goes back to; never throws. */
export const log = {
  debug: (message: string, fields: Fields = {}) => write('debug', message, fields),
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  /** Writes the stack of the error. The messages of our errors may quote our own data and never a customer's; values that others quote are taken out. */
  error: (message: string, error: unknown, fields: Fields = {}) =>
    write('error', message, {
      ...fields,
      error: error instanceof Error ? withoutValues(error) : String(error),
    }),
};
