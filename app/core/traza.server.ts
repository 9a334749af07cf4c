/**
 * What a process tells of its work as spans of a trace. Nothing is told, kept or loaded until `giveTracer` hands in how
 * (`trazas.server.ts`, by a setting). All work that goes back to one request is one trace, whatever process does it and
 * whenever: the trace's id comes from the request's, which jobs and effects carry already.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { peticionActual } from './peticion.server';

/** Facts of a span. Nothing of a person, no key and no address with an id belongs there. */
export type Datos = Record<string, string | number | undefined>;

/** Work to be told: `recibe` a request, `trabajo` of the queue, `interno`, or `llama` a far side. */
export type Labor = { nombre: string; clase: 'recibe' | 'trabajo' | 'interno' | 'llama'; datos?: Datos };

/** A span under way. */
export type Tramo = {
  traceId: string;
  spanId: string;
  /** Adds facts. */
  describe(datos: Datos): void;
  rename(nombre: string): void;
  /** Marks the work as failed, by the kind of failure alone. */
  fail(tipo: string): void;
  end(): void;
};

/** Ids of a span: of the one that begins, or of the one that it belongs to. */
export type Lugar = { traceId: string; spanId: string };

/** How spans begin. `propio` is the place of the span itself, `padre` of the one around it. */
export type Tracer = (labor: Labor, lugar: { propio?: Lugar; padre?: Lugar }) => Tramo;

let tracer: Tracer | undefined;
const actual = new AsyncLocalStorage<Tramo>();

/** Hands in how spans begin; undefined ends it. */
export function giveTracer(one: Tracer | undefined): void {
  tracer = one;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns the place of a request: its trace, and its own span. A request's id of 32 hexadecimal digits is the trace's id, so whoever has one finds the other. */
export function placeOf(peticion: string): Lugar {
  const digits = peticion.replaceAll('-', '').toLowerCase();
  return {
    traceId: /^(?!0+$)[0-9a-f]{32}$/.test(digits) ? digits : hash(`traza:${peticion}`).slice(0, 32),
    spanId: hash(`tramo:${peticion}`).slice(0, 16),
  };
}

/** Returns the place that work belongs to: inside the span under way, unless the work goes back to another request. */
function padreOf(peticion: string | undefined): Lugar | undefined {
  const around = actual.getStore();
  const own = peticion === undefined ? undefined : placeOf(peticion);
  return around && (!own || around.traceId === own.traceId) ? around : own;
}

/** Returns the id of the trace under way; undefined where nothing is told. */
export const trazaActual = (): string | undefined => actual.getStore()?.traceId;

/** Adds facts to the span under way. */
export const describeTramo = (datos: Datos): void => actual.getStore()?.describe(datos);

/** Begins the span of a request, runs `work` inside, and returns the span for its end; undefined where nothing is told. */
export function receiveIn(peticion: string, labor: Labor, work: () => void): Tramo | undefined {
  const tramo = tracer?.(labor, { propio: placeOf(peticion) });
  if (tramo) actual.run(tramo, work);
  else work();
  return tramo;
}

/** Runs the work as a span. A failure is told by its name. */
export async function trazar<T>(labor: Labor, work: () => Promise<T>): Promise<T> {
  const tramo = tracer?.(labor, { padre: padreOf(peticionActual()) });
  if (!tramo) return await work();
  return await actual.run(tramo, async () => {
    try {
      return await work();
    } catch (error) {
      tramo.fail(error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      tramo.end();
    }
  });
}
