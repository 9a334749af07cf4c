/** Builds the halves asked for whose sources changed; tells which it built. */
export function ensureBuilt(options?: { halves?: ('node' | 'web')[]; force?: boolean }): Promise<string[]>;
