import type { RequestHandler } from 'express';
import { filesOf, ROLES } from '~/access/screens';
import { CLASES_MS, claseOf } from '~/core/histograma';

/** Kinds of requests that are told apart: documents, parts of an open page, forms, calls of the API, and notices of far sides. */
export type ClaseDePeticion = 'paginas' | 'partes' | 'envios' | 'api' | 'avisos';
/** Requests of one kind: durations by class, and how many ended with 500 or more. */
export type Cuenta = { duraciones: number[]; fallas: number };
export type Cuentas = Partial<Record<ClaseDePeticion, Cuenta>>;

/** First parts of the addresses under a role that are no page. */
const PARTES = new Set(ROLES.flatMap((rol) => filesOf(rol).map(([, { path }]) => path.split('/')[0]!)));

/** Returns the kind of a request; undefined for what says nothing of the product: assets and the questions of monitors. */
export function claseDePeticion(method: string, path: string): ClaseDePeticion | undefined {
  const [, first = '', second = ''] = path.split('/');
  if (first === 'assets' || first === 'metrics' || first === 'healthcheck') return undefined;
  if (first === 'api') return 'api';
  if (first === 'avisos') return 'avisos';
  if (method === 'POST') return 'envios';
  if (path.endsWith('.data')) return 'partes';
  if (ROLES.some((rol) => rol === first)) return PARTES.has(second) ? 'partes' : 'paginas';
  return /\.[a-z0-9]{2,5}$/.test(path) || first === 'fotos' ? undefined : 'paginas';
}

let counted: Cuentas = {};

/** Counts each request by kind and duration. */
export const countRequests: RequestHandler = (req, res, next) => {
  const began = performance.now();
  const clase = claseDePeticion(req.method, req.path);
  if (clase)
    res.once('close', () => {
      const cuenta = (counted[clase] ??= { duraciones: CLASES_MS.map(() => 0).concat(0), fallas: 0 });
      cuenta.duraciones[claseOf(performance.now() - began)]!++;
      if (res.statusCode >= 500) cuenta.fallas++;
    });
  next();
};

/** Returns what was counted since the last call. */
export function takeCuentas(): Cuentas {
  const taken = counted;
  counted = {};
  return taken;
}
