/** What the impostors of the wholesalers share: a clock one may move, the limit of calls, unconfirmed facts as switches, and their doors. */
import { cambia } from './catalogo';
import { json, type Handler, type SandboxRequest, type ServiceOptions } from '../service';

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
    public porMinuto: number,
    readonly now: () => number,
  ) {
    this.#documented = porMinuto;
  }
  readonly #documented: number;
  /** Seconds to wait; 0 lets the call go. */
  pide(): number {
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

/** An account there and the keys it was given, which serve until it is closed. What is saved is plain data. */
export class Cuenta {
  cerrada = false;
  constructor(readonly llaves: Readonly<Record<string, string>>) {}

  reset() {
    this.cerrada = false;
  }
  snapshot = (): object => ({ cerrada: this.cerrada });
  restore(saved: object = {}) {
    Object.assign(this, saved);
  }

  control(changed: () => void): Record<string, Handler> {
    return {
      'GET /llaves': () => json(200, this.llaves),
      /** Neither its keys nor its tokens serve from now on. */
      'POST /llaves': () => {
        this.cerrada = true;
        changed();
        return json(200, { ok: true });
      },
    };
  }
}

/** An account whose keys are changed for tokens. */
export class CuentaConFichas extends Cuenta {
  vivas: string[] = [];
  dadas = 0;
  constructor(
    llaves: Readonly<Record<string, string>>,
    readonly prefijo: string,
  ) {
    super(llaves);
  }

  da(): string {
    const ficha = `${this.prefijo}${++this.dadas}`;
    this.vivas.push(ficha);
    return ficha;
  }
  vive = (ficha: string | undefined) => ficha !== undefined && !this.cerrada && this.vivas.includes(ficha);
  override reset() {
    super.reset();
    [this.vivas, this.dadas] = [[], 0];
  }
  override snapshot = () => ({ cerrada: this.cerrada, vivas: this.vivas, dadas: this.dadas });

  override control(changed: () => void): Record<string, Handler> {
    return {
      ...super.control(changed),
      'GET /tokens': () => json(200, { dados: this.dadas }),
      /** Every token given so far stops working. */
      'POST /olvidaTokens': () => {
        this.vivas = [];
        changed();
        return json(200, { ok: true });
      },
    };
  }
}

/** A piece as tests compare with it. */
export type Ejemplo = {
  id: string;
  precio: string | null;
  moneda: string | null;
  existencia: number | null;
  texto: string;
};

/** So many pieces of each class there is. */
function porClase(
  ids: readonly number[],
  claseOf: (n: number) => string,
  ejemplo: (n: number) => Ejemplo,
  cuantas: number,
) {
  const found: Record<string, Ejemplo[]> = {};
  for (const n of ids) {
    const some = (found[claseOf(n)] ??= []);
    if (some.length < cuantas) some.push(ejemplo(n));
  }
  return found;
}

/** An order as tests compare with it. */
type Tomado = { folio: string; referencia: string; guias?: readonly object[] };

type Mayorista<E extends object> = {
  store: ServiceOptions['store'];
  reloj: Reloj;
  interruptores: Interruptores<Opciones>;
  cuenta: Cuenta;
  ids: readonly number[];
  claseOf: (n: number) => string;
  ejemplo: (n: number) => Ejemplo;
  /** What it begins with and keeps on disk; where it takes no orders, nothing. */
  estado?: { fresh: () => E; get: () => E; set: (estado: E) => void };
  pedidos?: () => Tomado[];
  /** How many calls it lets through. */
  limite?: Limite;
  /** What else begins anew on the first day. */
  alEmpezar?: () => void;
  puertas?: Record<string, Handler>;
};

/** The doors, the memory and the first day that all wholesalers share. */
export function mayorista<E extends object>(one: Mayorista<E>) {
  const { store, reloj, interruptores, cuenta, estado, pedidos = () => [] } = one;
  return {
    control: {
      ...interruptores.control,
      'POST /reloj': (request: SandboxRequest) => {
        const { segundos } = (request.data() ?? {}) as { segundos?: unknown };
        reloj.adelanta(Number(segundos) || 0);
        return json(200, { ahora: reloj.date().toISOString() });
      },
      ...cuenta.control(() => store.changed()),
      'GET /ejemplos': (request: SandboxRequest) =>
        json(200, porClase(one.ids, one.claseOf, one.ejemplo, Number(request.url.searchParams.get('n') ?? 5))),
      'GET /catalogo': () =>
        json(
          200,
          one.ids.map((n) => one.ejemplo(n).id),
        ),
      'GET /pedidos': () => json(200, pedidos()),
      /** So many calls a minute instead of those it documents; 0 lets all through, which measurements ask for. */
      'POST /limite': (request: SandboxRequest) => {
        const { porMinuto } = (request.data() ?? {}) as { porMinuto?: unknown };
        if (one.limite) one.limite.porMinuto = Number(porMinuto) || 0;
        return json(200, { ok: true });
      },
      /** At all of them one piece in so many costs more, and there is more of it. */
      'POST /cambia': (request: SandboxRequest) => {
        const { cada } = (request.data() ?? {}) as { cada?: unknown };
        return json(200, cambia(Number(cada) || 0));
      },
      ...one.puertas,
    } satisfies Record<string, Handler>,
    counts: () => ({ Productos: one.ids.length, ...(estado && { Pedidos: pedidos().length }) }),
    snapshot: () => ({ ...estado?.get(), cuenta: cuenta.snapshot() }),
    restore(saved: unknown) {
      const { cuenta: kept, ...rest } = saved as { cuenta?: object };
      estado?.set({ ...estado.fresh(), ...rest });
      cuenta.restore(kept);
    },
    reset() {
      estado?.set(estado.fresh());
      cuenta.reset();
      interruptores.reset();
      reloj.reset();
      one.limite?.reset();
      one.alEmpezar?.();
      cambia(0);
    },
  };
}

/** 'YYYY-MM-DD HH:MM:SS' in Mexico City, six hours behind UTC. */
export const horaLocal = (ms: number) => new Date(ms - 6 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
