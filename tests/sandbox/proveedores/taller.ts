/** Tools that impostors share: a clock that tests move, a limit of calls, switches for unconfirmed facts, and accounts with their keys. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bodyOf, json } from '../service';
import type { Routes } from '../routes';

/** The time of an impostor in milliseconds. Tests move it forward, never back. */
export class Reloj {
  #ahead = 0;
  readonly now = () => Date.now() + this.#ahead;
  readonly date = () => new Date(this.now());
  reset() {
    this.#ahead = 0;
  }

  readonly control: Routes = {
    'POST /reloj': (request) => {
      this.#ahead += (Number(bodyOf(request).segundos) || 0) * 1000;
      return json(200, { ahora: this.date().toISOString() });
    },
  };
}

/** The hour by which a wholesaler opens and closes, when a test sets one. With a file, the product reads the same hour. */
export class Horas {
  #hora: string | undefined;
  constructor(readonly file?: string) {}

  /** 'HH:MM'; undefined while the clock alone says the hour. */
  readonly hora = (): string | undefined => {
    if (this.file === undefined) return this.#hora;
    try {
      return readFileSync(this.file, 'utf8').trim() || undefined;
    } catch {
      return undefined;
    }
  };
  readonly reset = () => {
    this.#hora = undefined;
    if (this.file !== undefined) rmSync(this.file, { force: true });
  };

  readonly control: Routes = {
    'POST /horas': (request) => {
      const { hora = null } = bodyOf(request) as { hora?: string | null };
      if (hora !== null && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(hora))
        return json(400, { error: 'bad_hour', message: 'hora va de 00:00 a 23:59' });
      this.reset();
      if (hora !== null) {
        this.#hora = hora;
        if (this.file !== undefined) {
          mkdirSync(dirname(this.file), { recursive: true });
          writeFileSync(this.file, hora);
        }
      }
      return json(200, { hora });
    },
  };
}

/** A limit of calls in any minute; 0 lets every call through. */
export class Limite {
  #seen: number[] = [];
  readonly #documented: number;
  constructor(
    public porMinuto: number,
    readonly now: () => number,
  ) {
    this.#documented = porMinuto;
  }
  /** Counts a call and returns 0, or returns the seconds to wait and counts nothing. */
  take(): number {
    if (this.porMinuto === 0) return 0;
    const now = this.now();
    this.#seen = this.#seen.filter((at) => at > now - 60_000);
    if (this.#seen.length >= this.porMinuto) return Math.max(1, Math.ceil((this.#seen[0]! + 60_000 - now) / 1000));
    this.#seen.push(now);
    return 0;
  }
  reset() {
    this.porMinuto = this.#documented;
    this.#seen = [];
  }
}

/** Unconfirmed facts by name, each with the ways it may be. The first way is played until a test asks for another. */
export type Opciones = Readonly<Record<string, readonly [string, ...string[]]>>;

/** The switches of an impostor: the way in which each unconfirmed fact is played at present. */
export class Interruptores<O extends Opciones> {
  #set: Partial<Record<keyof O, string>> = {};
  constructor(readonly opciones: O) {}

  is<N extends keyof O>(name: N, option: O[N][number]): boolean {
    return (this.#set[name] ?? this.opciones[name]![0]) === option;
  }

  reset() {
    this.#set = {};
  }

  readonly control: Routes = {
    'GET /interruptores': () => json(200, this.opciones),
    'POST /interruptores': (request) => {
      const asked = bodyOf(request) as Record<string, string>;
      const wrong = Object.entries(asked).filter(([name, option]) => !this.opciones[name]?.includes(option));
      if (wrong.length > 0) return json(400, { error: 'unknown_switch', message: JSON.stringify(wrong) });
      Object.assign(this.#set, asked);
      return json(200, { ok: true });
    },
  };
}

/**
 * An account of the shop and the keys that it was given, which serve until the account is closed. With `prefijo` the keys are exchanged for tokens.
 */
export class Cuenta {
  #state: { cerrada: boolean; vivas: string[]; dadas: number } = { cerrada: false, vivas: [], dadas: 0 };
  constructor(
    readonly llaves: Readonly<Record<string, string>>,
    readonly changed: () => void,
    readonly prefijo?: string,
  ) {}

  get cerrada() {
    return this.#state.cerrada;
  }

  /** A new token for a caller who brings these keys; undefined when a key is wrong or the account is closed. */
  issue(given: Readonly<Record<string, unknown>>, keys: Readonly<Record<string, string>>): string | undefined {
    if (this.cerrada || Object.entries(keys).some(([name, value]) => given[name] !== value)) return undefined;
    const ficha = `${this.prefijo}${++this.#state.dadas}`;
    this.#state.vivas.push(ficha);
    this.changed();
    return ficha;
  }
  knows = (ficha: string | undefined) => ficha !== undefined && !this.cerrada && this.#state.vivas.includes(ficha);
  reset() {
    this.#state = { cerrada: false, vivas: [], dadas: 0 };
  }
  /** Plain data, as it is kept on disk. */
  snapshot = (): object => (this.prefijo ? { ...this.#state } : { cerrada: this.cerrada });
  restore(saved: object = {}) {
    Object.assign(this.#state, saved);
  }

  get control(): Routes {
    const done = (change: () => void) => () => {
      change();
      this.changed();
      return json(200, { ok: true });
    };
    return {
      'GET /llaves': () => json(200, this.llaves),
      /** Closes the account: keys and tokens stop working. */
      'POST /llaves': done(() => (this.#state.cerrada = true)),
      ...(this.prefijo && {
        'GET /tokens': () => json(200, { dados: this.#state.dadas }),
        /** Forgets the tokens: those given so far stop working. */
        'POST /olvidaTokens': done(() => (this.#state.vivas = [])),
      }),
    };
  }
}

/** The rows of one page, the number of that page (from 1), and the number of the last page. */
export function pageOf<Row>(rows: readonly Row[], asked: string | null, size: number) {
  const page = Math.max(1, Number(asked ?? 1));
  return { page, slice: rows.slice((page - 1) * size, page * size), last: Math.ceil(rows.length / size) };
}

/** 'YYYY-MM-DD HH:MM:SS' in Mexico City, six hours behind UTC. */
export const horaLocal = (ms: number) => new Date(ms - 6 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
