export function freePort(): Promise<number>;
export function quietPort(): Promise<number>;
export function sandboxAddresses(api: string, smtpPort: number): Record<string, string> & { SANDBOX_URL: string };
export const FRUGAL_ENV: Record<string, string>;
export const SANDBOX_APPLICATION: Record<string, string>;
export const WEB: string[];
export const WORKER: string[];
