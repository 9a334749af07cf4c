/** Answers that many calls of Amazon give, and the types that its parts share. */
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import type { Interruptores } from '../proveedores/taller';
import { MARKETPLACE_ID } from './constants';
import type { Operation } from './rates';
import type { SWITCHES } from './switches';
import type { Venta } from './ventas';

/** Clock, sales, switches and address of the impostor, as each of its parts sees them. */
export type World = {
  now(): number;
  ventas(): readonly Venta[];
  interruptores: Interruptores<typeof SWITCHES>;
  baseUrl(): string;
  changed(): void;
};

/** Kinds of token: the seller's, the application's alone, and one for data of people. */
export type TokenKind = 'deVendedor' | 'deAplicacion' | 'restringida';
/** An operation as its rate limit names it, its work, and its kind of token (the seller's when unsaid). */
export type Route = [Operation, (request: SandboxRequest) => SandboxResponse, TokenKind?];
export type Operations = Readonly<Record<string, Route>>;

export const no = (status: number, code: string, message: string | null, details = ''): SandboxResponse =>
  json(status, { errors: [{ code, message, details }] });
export const invalid = (message: string, status = 400) => no(status, 'InvalidInput', message);
export const notFound = (id: string) => no(404, 'NotFound', `Order ${id} not found`);
export const denied = (details = '') => no(403, 'Unauthorized', 'Access to requested resource is denied.', details);

/** The refusal of a signed address, in XML. */
export const unsigned = (code: string, message?: string): SandboxResponse => ({
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: `<Error><Code>${code}</Code>${message === undefined ? '' : `<Message>${message}</Message>`}</Error>`,
});

/** Whether a request asks about Amazon México. */
export const inMexico = ({ url }: SandboxRequest) => url.searchParams.get('marketplaceIds') === MARKETPLACE_ID;

/** An instant without milliseconds: '2026-11-20T18:20:00Z'. */
export const zulu = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
export const pesos = (centavos: number) => (centavos / 100).toFixed(2);
