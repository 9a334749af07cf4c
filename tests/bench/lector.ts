/** Reads the catalogues of all wholesalers as the worker does, as fast as they answer, and tells what it came to in one line of JSON. */
import { readFileSync } from 'node:fs';
import { env } from '~/core/env.server';
import { atOnce } from '~/core/atOnce';
import { saveKeys } from '~/platform/connections/keys.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { bringCatalogo } from '~/domain/compras/catalogo/lecturas.server';
import { TIPOS, type Tipo } from '~/domain/compras/catalogo/internal/lecturaCatalogo.server';
import { openDatabase } from '~db/client.server';
import { createSandboxClient } from '../support/sandboxClient';

/** As many as the worker reads at once. */
const AT_ONCE = 2;

export type Leidos = { seconds: number; cpuSeconds: number; peakMb: number; how: Record<string, string> };

/** Of the processor of this process, in seconds. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

handIn();
const database = openDatabase(env().DATABASE_URL, { max: 4, name: 'trastienda-lector' });
const suppliers = CONNECTIONS.all().filter(({ proveedor }) => proveedor);
const [asked] = process.argv.slice(2);
if (asked === 'vincular') await vincular();
else process.stdout.write(`${JSON.stringify(await leer(asked as Tipo))}\n`);
await database.close();

/** With the keys that each impostor knows. */
async function vincular() {
  const client = createSandboxClient(env().SANDBOX_URL);
  for (const side of suppliers)
    await saveKeys(database.db, side, await client.proveedor(side.kind).get('/llaves'), null);
}

async function leer(tipo: Tipo): Promise<Leidos> {
  if (!TIPOS.includes(tipo)) throw new Error(`lector ${TIPOS.join(' | ')}, no ${String(tipo)}`);
  const sides = suppliers.filter(({ proveedor }) => {
    const lector = proveedor!.leer(database.db, 'maquina');
    return tipo === 'completa' ? lector.catalogo : lector.precios;
  });
  // The pace of the real ones is not what is measured.
  for (const { budget } of sides) Object.assign(budget, { perSecond: 1e6, burst: 1e6, forPeople: 0 });
  const [from, before] = [performance.now(), cpu()];
  const ended = await atOnce(AT_ONCE, sides, async (side) => [
    side.kind,
    await bringCatalogo(database.db, side, { tipo }),
  ]);
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return {
    seconds: (performance.now() - from) / 1000,
    cpuSeconds: cpu() - before,
    peakMb: Number(peak ?? process.resourceUsage().maxRSS) / 1024,
    how: Object.fromEntries(ended) as Record<string, string>,
  };
}
