export const SPRITE: string;
export function writeSprite(): Promise<void>;
export function spriteOf(names: Record<string, string>): Promise<string>;
