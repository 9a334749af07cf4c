import { fileURLToPath } from 'node:url';
import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig } from 'vite';
import { bodega } from './bin/lib/bodega.mjs';
import { publico } from './bin/lib/publico.mjs';
import { sinRecargar } from './bin/lib/sinRecargar.mjs';
import { comunes, sinComunes, trozos } from './bin/lib/trozos.mjs';
import options from './remix.config.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [publico(), bodega(), remix(options), ...(isSsrBuild ? [] : [sinRecargar(), comunes()])],
  resolve: { alias: { '~db': at('./db'), '~jobs': at('./jobs'), '~': at('./app') } },
  build: {
    target: 'es2022',
    sourcemap: false,
    modulePreload: { resolveDependencies: (_file, files) => sinComunes(files) },
    // The server is one file, which knows where the assets lie beside it.
    rollupOptions: {
      output: isSsrBuild
        ? { inlineDynamicImports: true }
        : { manualChunks: trozos(), onlyExplicitManualChunks: true, experimentalMinChunkSize: 2_000 },
    },
  },
  // Mantine is some thousand small files: bundled, the web starts twice as fast.
  // Dev looks for dependencies of the browser in every file, also in what only the server imports.
  optimizeDeps: { exclude: ['@node-rs/argon2', 'pg', 'pg-cursor', 'graphile-worker', 'nodemailer', 'pdfkit'] },
  ssr: { noExternal: [/^@mantine\//] },
  server: { host: '127.0.0.1' },
}));
