import type { GetManualChunk } from 'rollup';
import type { Plugin } from 'vite';

export function trozos(): GetManualChunk;
export function sinComunes(files: string[]): string[];
export function comunes(): Plugin;
