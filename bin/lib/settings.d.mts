export function freePort(): Promise<number>;
export const WORKER: string[];
