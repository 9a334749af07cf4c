/** What the impostors of the wholesalers share: a clock one may move, the limit of calls, unconfirmed facts as switches, and their doors. */
import { json, type Handler, type SandboxRequest } from '../service';

/** Milliseconds; tests move it forward, never back. */
export class Reloj {
  #ahead = 0;
  readonly now = () => Date.now() + this.#ahead;
  readonly date = () => new Date(this.now());
  adelanta(segundos: number) {
    this.#ahead += segundos * 1000;
  }
  reset() {
    this.#ahead = 0;
  }
}

/** So many calls in any minute. */
export class Limite {
  #seen: number[] = [];
  constructor(
    readonly porMinuto: number,
    readonly now: () => number,
  ) {}
  /** Seconds to wait; 0 lets the call go. */
  pide(): number {
    const now = this.now();
    this.#seen = this.#seen.filter((at) => at > now - 60_000);
    if (this.#seen.length >= this.porMinuto) return Math.max(1, Math.ceil((this.#seen[0]! + 60_000 - now) / 1000));
    this.#seen.push(now);
    return 0;
  }
  reset() {
    this.#seen = [];
  }
}

/** An unconfirmed fact by its name, and each way it may be. The first is played until somebody asks for another. */
export type Opciones = Readonly<Record<string, readonly [string, ...string[]]>>;

export class Interruptores<O extends Opciones> {
  #set: Partial<Record<keyof O, string>> = {};
  constructor(readonly opciones: O) {}

  is<N extends keyof O>(name: N, option: O[N][number]): boolean {
    return (this.#set[name] ?? this.opciones[name]![0]) === option;
  }

  reset() {
    this.#set = {};
  }

  readonly control: Record<string, Handler> = {
    'GET /interruptores': () => json(200, this.opciones),
    'POST /interruptores': (request) => {
      const asked = (request.data() ?? {}) as Record<string, string>;
      const wrong = Object.entries(asked).filter(([name, option]) => !this.opciones[name]?.includes(option));
      if (wrong.length > 0) return json(400, { error: 'unknown_switch', message: JSON.stringify(wrong) });
      Object.assign(this.#set, asked);
      return json(200, { ok: true });
    },
  };
}

/** The tokens an account was given. What is saved is plain data. */
export class Fichas {
  vivas: string[] = [];
  dadas = 0;
  revocadas = false;
  constructor(readonly prefijo: string) {}

  da(): string {
    const ficha = `${this.prefijo}${++this.dadas}`;
    this.vivas.push(ficha);
    return ficha;
  }
  vive = (ficha: string | undefined) => ficha !== undefined && !this.revocadas && this.vivas.includes(ficha);
  reset() {
    [this.vivas, this.dadas, this.revocadas] = [[], 0, false];
  }
  snapshot = () => ({ vivas: this.vivas, dadas: this.dadas, revocadas: this.revocadas });
  restore(saved: Partial<ReturnType<Fichas['snapshot']>> = {}) {
    Object.assign(this, saved);
  }

  readonly control: Record<string, Handler> = {
    'GET /tokens': () => json(200, { dados: this.dadas }),
    /** Every token given so far stops working. */
    'POST /olvidaTokens': () => {
      this.vivas = [];
      return json(200, { ok: true });
    },
    /** The account was closed there: neither its keys nor its tokens serve. */
    'POST /llaves': () => {
      this.revocadas = true;
      return json(200, { ok: true });
    },
  };
}

/** The doors all of them have. */
export const puertas = (reloj: Reloj, interruptores: Interruptores<Opciones>, more: Record<string, Handler>) => ({
  ...interruptores.control,
  'POST /reloj': (request: SandboxRequest) => {
    const { segundos } = (request.data() ?? {}) as { segundos?: unknown };
    reloj.adelanta(Number(segundos) || 0);
    return json(200, { ahora: reloj.date().toISOString() });
  },
  ...more,
});

/** A piece as tests compare with it. */
export type Ejemplo = {
  id: string;
  precio: string | null;
  moneda: string | null;
  existencia: number | null;
  texto: string;
};

/** Some pieces of each class there is. */
export function porClase(ids: readonly number[], claseOf: (n: number) => string, ejemplo: (n: number) => Ejemplo) {
  const found: Record<string, Ejemplo[]> = {};
  for (const n of ids) {
    const some = (found[claseOf(n)] ??= []);
    if (some.length < 5) some.push(ejemplo(n));
  }
  return json(200, found);
}

/** 'YYYY-MM-DD HH:MM:SS' in Mexico City, six hours behind UTC. */
export const horaLocal = (ms: number) => new Date(ms - 6 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
