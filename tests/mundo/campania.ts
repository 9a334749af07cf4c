import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Afuera } from './afuera';
import { audit, monthOf } from './auditar';
import { azarOf } from './azar';
import { Cliente } from './cliente';
import { prepareShop } from './preparar';
import { openTienda } from './tienda';
import { Mes, type Hecho } from './vivir';

const HOUR = 3_600_000;
const SOLD_BACK_MS = 5 * 60_000;
/** The list of orders shows so much of the past. */
const SHOWN_MS = 90 * 24 * HOUR;
const DEMO_PASSWORD = 'Trastienda#1';

export interface Campania {
  semilla: number;
  horas: number;
  /** Sales a day. */
  ventas: number;
  /** Hours after the last one in which nobody does anything. */
  reposo?: number;
  /** Audits the months of the demo before the run as well. */
  todo?: boolean;
  /** Keeps the folder of the run. */
  guardar?: boolean;
  say(line: string): void;
}

/** Opens a shop, lives hours of it, closes the month that ended meanwhile, and returns what is not so. */
export async function liveShop({ semilla, horas, ventas, reposo = 4, todo = false, guardar = false, say }: Campania) {
  const folder = mkdtempSync(join(tmpdir(), 'mundo-'));
  const tienda = await openTienda(folder, say);
  try {
    const afuera = new Afuera(tienda.outside);
    const [admin, sa] = [new Cliente(tienda.url, 'admin'), new Cliente(tienda.url, 'sa')];
    await tienda.settle();
    for (const quien of [admin, sa]) await quien.signIn(DEMO_PASSWORD);
    for (const missing of await prepareShop(sa)) say(`still missing: ${missing}`);
    // The outside dates its sales some minutes back.
    const since = tienda.now() - SOLD_BACK_MS;
    const mes = new Mes({ afuera, admin, azar: azarOf(semilla), porDia: ventas });
    for (let hour = 1; hour <= horas; hour++) {
      await mes.hour(tienda.now());
      await tienda.advance(HOUR);
      await mes.work(tienda.now());
      if (hour % 6 === 0) say(`hour ${hour}: ${sayHecho(mes.hecho)}`);
    }
    // Nobody restarts anything: what was asked for is done by itself.
    for (let quarter = 0; quarter < reposo * 4; quarter++) await tienda.advance(HOUR / 4);
    const [sold, today] = [monthOf(since), monthOf(tienda.now())];
    if (sold !== today) {
      for (const told of await mes.closeMonth(sa, sold)) say(`closed ${sold}, ${told}`);
      await tienda.advance(HOUR);
    }
    return { hecho: mes.hecho, ...(await audit(admin, afuera, todo ? tienda.now() - SHOWN_MS : since)) };
  } finally {
    await tienda.stop();
    if (guardar) say(`kept in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

export const sayHecho = ({ vendidas, pedidas, facturadas, devueltas }: Hecho) =>
  `${vendidas} sold, ${pedidas} ordered, ${facturadas} invoiced, ${devueltas} given back`;
