/** Entry of every npm command. This file and bin/lib use only built-in modules until npm ci has run. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Trastienda necesita Node 20.19 o posterior y este es ${process.versions.node}.`);
  process.exit(1);
}

const COMMANDS = {
  start: async () => (await import('./lib/start.mjs')).start(),
  dev: async () => (await import('./lib/start.mjs')).start({ dev: true }),
  test: async (args) => (await import('./lib/test.mjs')).test(args),
  todo: async (args) => (await import('./lib/test.mjs')).todo(args),
  check: async () => (await import('./lib/test.mjs')).test(['--only=format,types,lint,architecture']),
  format: async () => (await import('./lib/test.mjs')).format(),
  entradas: async () => (await import('./lib/largas.mjs')).entradas(),
  historias: async (args) => (await import('./lib/largas.mjs')).historias(args),
  manos: async (args) => (await import('./lib/largas.mjs')).manos(args),
  pantallas: async (args) => (await import('./lib/largas.mjs')).pantallas(args),
  faults: async (args) => (await import('./lib/largas.mjs')).faults(args),
  despliegue: async () => (await import('./lib/largas.mjs')).despliegue(),
  tormenta: async () => (await import('./lib/largas.mjs')).tormenta(),
  mundo: async (args) => (await import('./lib/largas.mjs')).mundo(args),
  bench: async (args) => (await import('./lib/bench.mjs')).bench(args),
  respaldar: async () => (await import('./lib/respaldo.mjs')).makeBackup(),
  restaurar: async (args) => (await import('./lib/respaldo.mjs')).restoreBackup(args),
  capturas: async (args) => (await import('./lib/capturas.mjs')).capturas(args),
  usuario: async (args) => (await import('./lib/tool.mjs')).tool('usuario', args),
  negocios: async (args) => (await import('./lib/tool.mjs')).program('negocios', args),
  sepomex: async (args) => (await import('./lib/tool.mjs')).tool('sepomex', args),
  'api:cliente': async () => (await import('./lib/cliente.mjs')).writeClient(),
  node: async (args) => (await import('./lib/node.mjs')).tryNode(args),
  ajustes: async () => (await import('./lib/tool.mjs')).program('ajustes', []),
  'db:types': async () => (await import('./lib/dbTypes.mjs')).generateTypes(),
  iconos: async () => (await import('./lib/iconos.mjs')).writeSprite(),
  sbom: async () => (await import('./lib/sbom.mjs')).writeSbom(),
};

const [name = 'start', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) {
  console.error(`No conozco «${name}». Hay: ${Object.keys(COMMANDS).join(', ')}.`);
  process.exit(1);
}
// A signal ends the process, and `exit` handlers end its children, until a command installs an orderly stop.
for (const [signal, number] of [
  ['SIGTERM', 15],
  ['SIGINT', 2],
  ['SIGHUP', 1],
])
  process.on(signal, () => process.exit(128 + number));
try {
  await command(args);
} catch (error) {
  const { Complaint } = await import('./lib/project.mjs');
  console.error(error instanceof Complaint ? error.message : error);
  process.exit(1);
}
