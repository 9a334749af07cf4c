/** Where the script of the public pages lies (bin/lib/publico.mjs). */
declare module 'virtual:publico' {
  const href: string;
  export default href;
}
