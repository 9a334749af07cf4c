import type { Plugin } from 'vite';
/** Returns the Vite plugin that keeps the page where the files of a screen do not arrive. */
export function sinRecargar(): Plugin;
