import type { Plugin } from 'vite';

export function publico(): Plugin;
