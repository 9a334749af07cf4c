export class RunFile {
  constructor(dataDir: string, facts: Record<string, unknown>);
  note(facts: Record<string, unknown>): void;
  started(name: string, pid: number): void;
  ended(name: string): void;
  close(): void;
}
export function livingRun(
  dataDir: string,
): { appUrl: string; databaseUrl?: string; launcher: { pid: number; start?: string } } | undefined;
export function kill(pid: number, signal: NodeJS.Signals): void;
