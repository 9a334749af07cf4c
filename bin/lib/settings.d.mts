export function freePort(): Promise<number>;
export function quietPort(): Promise<number>;
export function sandboxAddresses(api: string, smtpPort: number): Record<string, string> & { SANDBOX_URL: string };
export const FRUGAL_ENV: Record<string, string>;
export const SANDBOX_APPLICATION: Record<string, string>;
export const WORKER_OPTIONS: string[];
export function programOf(name: string, folder?: string): string[];
export function webOf(folder?: string): string[];
export function workerOf(folder?: string): string[];
