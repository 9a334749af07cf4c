/** Where the script of the public pages lies (bin/lib/publico.mjs). */
declare module 'virtual:publico' {
  const href: string;
  export default href;
}

/** Where the files of the warehouse's page lie (bin/lib/bodega.mjs); in dev it has no service worker. */
declare module 'virtual:bodega' {
  const archivos: { guion: string; estilo: string; lector: string; obrero: string | null };
  export default archivos;
}
