export function isDiskFault(error: unknown): boolean;
export function openLog(path: string): number | undefined;
export function closeLog(log: number | undefined): void;
export function rotateLog(path: string, options?: { max?: number; kept?: number }): boolean;
export function lastLines(path: string, lines: number): string[];
