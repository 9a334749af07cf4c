import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Afuera } from './afuera';
import { audit, monthOf } from './auditar';
import { azarOf } from './azar';
import { Caja } from './caja';
import { Cliente, Navegador } from './cliente';
import { eleccionOf, type Eleccion } from './eleccion';
import { Fallas } from './fallas';
import { prepareShop } from './preparar';
import { judge } from './plantadas';
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
  /** What happens, where it is not the choice of the seed. */
  eleccion?: Eleccion;
  /** Hours after the last one in which nobody does anything and nothing fails. */
  reposo?: number;
  /** Audits the months of the demo before the run as well. */
  todo?: boolean;
  /** Plants the faults of the ledger one by one after the run, and audits each time. */
  plantadas?: boolean;
  /** Keeps the folder of the run. */
  guardar?: boolean;
  say(line: string): void;
}

/** Opens a shop, lives hours of it, closes the month that ended meanwhile, and returns what is not so. */
export async function liveShop({
  semilla,
  horas,
  ventas,
  eleccion = eleccionOf(semilla),
  reposo = 4,
  todo = false,
  plantadas = false,
  guardar = false,
  say,
}: Campania) {
  const folder = mkdtempSync(join(tmpdir(), 'mundo-'));
  const tienda = await openTienda(folder, say);
  try {
    const afuera = new Afuera(tienda.outside);
    const [admin, sa] = [new Cliente(tienda.url, 'admin'), new Cliente(tienda.url, 'sa')];
    const dueno = new Navegador(tienda.url, 'sa');
    await tienda.settle();
    for (const quien of [admin, sa]) await quien.signIn(DEMO_PASSWORD);
    for (const missing of await prepareShop(sa)) say(`still missing: ${missing}`);
    // The outside dates its sales some minutes back.
    const since = tienda.now() - SOLD_BACK_MS;
    const mes = new Mes({ afuera, admin, azar: azarOf(semilla), eleccion, porDia: ventas });
    const caja = new Caja({ afuera, admin }, semilla);
    const fallas = new Fallas(eleccion, semilla);
    /** A person consents again where a permission ended: its last answer was lost, and the marketplace takes no permission twice. */
    const mendConnections = async (when: string) => {
      for (const conexion of await brokenConnections(sa)) {
        say(`${when}: activates ${conexion} again`);
        // Hours went by, and keys are changed by who gave the password a moment ago.
        await dueno.signIn(DEMO_PASSWORD);
        await dueno.activate(conexion);
        await tienda.settle();
      }
    };
    for (let hour = 1; hour <= horas; hour++) {
      await mes.hour(tienda.now());
      const dies = await fallas.arm(afuera);
      await tienda.advance(HOUR, dies);
      await mendConnections(`hour ${hour}`);
      await mes.work(tienda.now());
      await caja.work(tienda.now(), mes.hecho.compras);
      if (hour % 6 === 0) say(`hour ${hour}: ${sayHecho(mes.hecho)}`);
    }
    // Nobody restarts anything: what was asked for is done by itself.
    await afuera.mend();
    for (let quarter = 0; quarter < reposo * 4; quarter++) {
      await tienda.advance(HOUR / 4);
      if (quarter === 0) await mendConnections('at rest');
    }
    await caja.work(tienda.now(), mes.hecho.compras);
    say(`${caja.hecho.anotadas} invoices of suppliers written down, ${caja.hecho.pagadas} paid`);
    const [sold, today] = [monthOf(since), monthOf(tienda.now())];
    if (sold !== today) {
      for (const told of await mes.closeMonth(sa, sold)) say(`closed ${sold}, ${told}`);
      await tienda.advance(HOUR);
    }
    say(`${fallas.hechas} faults outside, ${fallas.muertes} workers killed`);
    const { hecho } = mes;
    const auditNow = () => {
      const now = tienda.now();
      return audit(admin, afuera, { now, since: todo ? now - SHOWN_MS : since, lived: since, compras: hecho.compras });
    };
    const told = await auditNow();
    const juicio = plantadas ? await judge(tienda.client, async () => (await auditNow()).differences, say) : null;
    return { hecho, ...told, juicio };
  } finally {
    await tienda.stop();
    if (guardar) say(`kept in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the marketplaces whose permission ended. */
async function brokenConnections(sa: Cliente): Promise<string[]> {
  const all = await sa.get<{ kind: string; vinculada: boolean; accountProblem: string | null }[]>('/api/v1/conexiones');
  return all
    .filter(({ kind, vinculada, accountProblem }) => kind === 'mercadolibre' && (!vinculada || accountProblem !== null))
    .map(({ kind }) => kind);
}

export const sayHecho = (hecho: Hecho) =>
  `${hecho.vendidas} sold, ${hecho.pedidas} ordered, ${hecho.facturadas} invoiced, ${hecho.devueltas} given back, ` +
  `${hecho.respondidas} of ${hecho.preguntadas} questions answered, ${hecho.reclamadas} claims`;
