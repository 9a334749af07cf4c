import pg from 'pg';
import { vi } from 'vitest';

/** The SQL this process asked of PostgreSQL while `work` ran, in order. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return asked.mock.calls.map(([first]) =>
      typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text),
    );
  } finally {
    asked.mockRestore();
  }
}
