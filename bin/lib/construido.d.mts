type Half = 'node' | 'web';
export function currentBuilds(): Partial<Record<Half, string>>;
export function folderOf(half: Half, name?: string): string;
export function holdBuild(half: Half, name?: string): string;
export function isCurrent(half: Half, id: string): boolean;
export function makeBuild(
  half: Half,
  id: string,
  make: (folder: string) => unknown,
  options?: { force?: boolean },
): Promise<string>;
export function moveTo(names: Partial<Record<Half, string>>): void;
export function takeBuilds(from: string): Promise<string[]>;
export function removeOldBuilds(): string[];
