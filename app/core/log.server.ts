/**
 * Structured logs, one JSON line each. Never personal data: no bodies, no names, no RFC, no headers, no query strings.
 * What identifies a case is its id (request, effect, incident).
 */
type Fields = Record<string, string | number | boolean | null | undefined>;

// A full disk, or whoever read our output gone: a line is lost, and nothing else is.
// Once per process, however often this module is read.
function lineLost() {}
if (!process.stdout.listeners('error').some(({ name }) => name === lineLost.name)) process.stdout.on('error', lineLost);

function write(level: 'info' | 'warn' | 'error', message: string, fields: Fields) {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...fields })}\n`);
}

export const log = {
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  /**
   * The error's stack goes in. Its message may quote our data and never a customer's: errors are written that way.
   */
  error: (message: string, error: unknown, fields: Fields = {}) =>
    write('error', message, {
      ...fields,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
};
