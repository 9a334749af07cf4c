import type { Afuera } from './afuera';
import { azarOf, type Azar } from './azar';
import type { Eleccion, Falla } from './eleccion';

/** Ways to fail, by family. Nothing hangs: a wait of minutes is one of the machine, and the clock of the run does not shorten it. */
const MODOS: Readonly<Record<Exclude<Falla, 'muerte'>, readonly string[]>> = {
  rechazo: ['429', '503', 'mantenimiento'],
  corte: ['reset', 'half-answer', 'html'],
  duda: ['500-after-doing', 'reset-after-doing'],
};
const LEJOS = ['mercadolibre', 'amazon', 'facturacom', 'syscom', 'ct', 'cva', 'tvc', 'ts'] as const;
/** Share of the hours in which a far side fails, and of those in which a worker dies: two a day. */
const [HOUR_FAILS, HOUR_KILLS] = [0.4, 2 / 24];

/** Draws the faults of each hour. Its chance is its own: the same sales happen with faults and without. */
export class Fallas {
  readonly #azar: Azar;
  readonly #modos: string[];
  hechas = 0;
  muertes = 0;

  constructor(
    readonly eleccion: Eleccion,
    semilla: number,
  ) {
    this.#azar = azarOf(semilla ^ 0xfa11);
    this.#modos = Object.entries(MODOS).flatMap(([falla, modos]) => (eleccion.has(falla as Falla) ? modos : []));
  }

  /** Arms what fails in the hour that comes. Returns whether a worker dies in it. */
  async arm(afuera: Pick<Afuera, 'fail'>): Promise<boolean> {
    for (const api of LEJOS) {
      if (this.#modos.length === 0 || !this.#azar.chance(HOUR_FAILS)) continue;
      const times = this.#azar.int(1, 3);
      await afuera.fail({ api, mode: this.#azar.pick(this.#modos), times, route: '/' });
      this.hechas += times;
    }
    const dies = this.eleccion.has('muerte') && this.#azar.chance(HOUR_KILLS);
    if (dies) this.muertes++;
    return dies;
  }
}
