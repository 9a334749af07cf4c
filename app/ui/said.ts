import { isRouteErrorResponse } from '@remix-run/react';

/** The words of an error for people: those of a refusal, or the number of an incident. */
export type Said = { titulo?: string; texto?: string; incidente?: string };

export function saidOf(error: unknown): Said {
  const data: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  const said: Record<string, unknown> = typeof data === 'object' && data !== null ? { ...data } : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { titulo: text(said.titulo), texto: text(said.texto), incidente: text(said.incidente) };
}
