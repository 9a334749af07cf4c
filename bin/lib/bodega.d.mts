import type { Plugin } from 'vite';

export function bodega(): Plugin;
