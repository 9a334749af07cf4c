/** Builds the requested halves whose sources changed, and returns the built halves. */
export function ensureBuilt(options?: { halves?: ('node' | 'web')[]; force?: boolean }): Promise<string[]>;
