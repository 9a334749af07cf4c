/**
 * Fields of a line of the log, a JSON object per line. No personal data: no bodies, names, RFC, headers or query
 * strings. An id (request, effect, incident) identifies a case.
 */
type Fields = Record<string, string | number | boolean | null | undefined>;

// A full disk, or a closed reader of the output, loses a line and nothing else.
// The listener is added once per process, however often this module is loaded.
function lineLost() {}
if (!process.stdout.listeners('error').some(({ name }) => name === lineLost.name)) process.stdout.on('error', lineLost);

function write(level: 'info' | 'warn' | 'error', message: string, fields: Fields) {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...fields })}\n`);
}

/**
 * Returns the stack of an error without what somebody sent: PostgreSQL (class 22) and the reader of JSON quote the value that they could not read.
 */
function withoutValues(error: Error): string {
  const { message, stack = message } = error;
  const quotes = error instanceof SyntaxError || String((error as { code?: unknown }).code).startsWith('22');
  return quotes ? stack.replace(message, message.replace(/"[\s\S]*"/, '«…»')) : stack;
}

/** Writes a line to the standard output; never throws. */
export const log = {
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  /** Writes the stack of the error. The messages of our errors may quote our own data and never a customer's; values that others quote are taken out. */
  error: (message: string, error: unknown, fields: Fields = {}) =>
    write('error', message, {
      ...fields,
      error: error instanceof Error ? withoutValues(error) : String(error),
    }),
};
