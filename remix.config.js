/** Read by vite.config.ts: `remix vite:build` does not look for this file by itself. */
export default {
  appDirectory: 'app',
  // bin/lib/build.mjs names a new folder for each build.
  buildDirectory: process.env.CONSTRUIR_EN ?? 'build/mano',
  serverModuleFormat: 'esm',
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
    v3_routeConfig: true,
    unstable_optimizeDeps: true,
  },
};
