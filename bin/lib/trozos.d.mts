import type { GetManualChunk } from 'rollup';

export function trozos(): GetManualChunk;
