import { vi } from 'vitest';

const said: string[] = [];

export function watchConsole() {
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    said.push(words.map((word) => (word instanceof Error ? (word.stack ?? word.message) : String(word))).join(' '));
  });
}

/** Throws for what a test wrote with console.error: nothing is expected to. */
export function settleConsole() {
  const lines = said.splice(0);
  if (lines.length > 0) throw new Error(`console.error que nadie esperaba:\n${lines.join('\n')}`);
}
