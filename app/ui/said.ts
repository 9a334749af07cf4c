import { isRouteErrorResponse } from '@remix-run/react';

/** What an error says to people: the words of a refusal, or an incident's number. */
export type Said = { titulo?: string; texto?: string; incidente?: string };

export function saidOf(error: unknown): Said {
  const data: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  const said: Record<string, unknown> = typeof data === 'object' && data !== null ? { ...data } : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { titulo: text(said.titulo), texto: text(said.texto), incidente: text(said.incidente) };
}
