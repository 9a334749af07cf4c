/**
 * `npm run mundo -- --semilla=1 --dias=3 --ventas=40`: lives days of a shop by a clock, and holds the product against what is true outside.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Afuera } from './afuera';
import { audit, monthOf } from './auditar';
import { azarOf } from './azar';
import { Cliente } from './cliente';
import { groupBy } from './groupBy';
import { prepareShop } from './preparar';
import { openTienda } from './tienda';
import { Mes } from './vivir';

const HOUR = 3_600_000;
const option = (name: string, otherwise: number) =>
  Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);

async function main(): Promise<number> {
  const [semilla, dias, ventas] = [option('semilla', 1), option('dias', 3), option('ventas', 40)];
  const began = performance.now();
  const say = (line: string) =>
    console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  const folder = mkdtempSync(join(tmpdir(), 'mundo-'));
  const tienda = await openTienda(folder, say);
  try {
    const afuera = new Afuera(tienda.outside);
    const admin = new Cliente(tienda.url, 'admin');
    await tienda.settle();
    await admin.signIn('Trastienda#1');
    const sa = new Cliente(tienda.url, 'sa');
    await sa.signIn('Trastienda#1');
    for (const missing of await prepareShop(sa)) say(`still missing: ${missing}`);
    const since = tienda.now();
    const mes = new Mes({ afuera, admin, azar: azarOf(semilla), porDia: ventas, say });
    for (let hour = 0; hour < dias * 24; hour++) {
      await mes.hour(tienda.now());
      await tienda.advance(HOUR);
      await mes.work(tienda.now());
      if (hour % 6 === 5)
        say(
          `day ${Math.floor(hour / 24) + 1}, hour ${(hour % 24) + 1}: ${mes.hecho.vendidas} sold, ${mes.hecho.pedidas} ordered, ${mes.hecho.facturadas} invoiced`,
        );
    }
    // Nobody restarts anything, and what was asked for is done by itself.
    for (let hour = 0; hour < 4; hour++) await tienda.advance(HOUR);
    const [sold, today] = [monthOf(since), monthOf(tienda.now())];
    if (sold !== today) {
      for (const told of await mes.closeMonth(sold)) say(`closed ${sold}, ${told}`);
      await tienda.advance(HOUR);
    }
    const differences = await audit(admin, afuera, process.argv.includes('--todo') ? 0 : since, tienda.now());
    for (const [told, times] of mes.hecho.negadas) say(`refused ${times} times: ${told}`);
    for (const [propiedad, own] of groupBy(differences, (one) => one.propiedad)) {
      say(`${propiedad}: ${own.length} differences`);
      for (const { numOrden, detalle } of own.slice(0, 6)) say(`    ${numOrden}  ${detalle}`);
    }
    say(`semilla ${semilla}, ${dias} days, ${mes.hecho.vendidas} sales: ${differences.length} differences`);
    return differences.length === 0 ? 0 : 1;
  } finally {
    await tienda.stop();
    if (process.argv.includes('--guardar')) say(`kept in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
