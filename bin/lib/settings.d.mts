export function freePort(): Promise<number>;
export function quietPort(): Promise<number>;
export const WEB: string[];
export const WORKER: string[];
