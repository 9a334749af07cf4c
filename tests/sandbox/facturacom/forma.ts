/** The form of answers where no source fixes it, as the switch `forma` says. */
import { html, json, type SandboxResponse } from '../service';
import type { Forma, State } from './state';

/** The answer of a search that found nothing. `text` is said under the usual form. */
export function nothing(text: string, state: State): SandboxResponse {
  const { nada } = state.switches.forma;
  if (nada === '404') return json(404, { status: 'error', message: text });
  if (nada === '404-html') return html(404, '<!DOCTYPE html><html><title>404 Not Found</title></html>');
  return json(200, { status: 'error', message: nada === 'error' ? text : 'Sin información' });
}

/** A JSON answer as this account writes it; files and pages pass as they are. */
export function dress(answer: SandboxResponse, forma: Forma): SandboxResponse {
  const type = answer.headers?.['content-type'] ?? '';
  if (!type.startsWith('application/json') || typeof answer.body !== 'string') return answer;
  const body = JSON.stringify(rewrite(JSON.parse(answer.body), forma));
  return {
    ...answer,
    headers: { ...answer.headers, 'content-type': forma.contentType },
    body: forma.bom ? `\uFEFF${body}` : body,
  };
}

function rewrite(value: unknown, forma: Forma): unknown {
  if (typeof value === 'number') return forma.numerosComoTexto ? String(value) : value;
  if (Array.isArray(value)) return value.map((one) => rewrite(one, forma));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      /^uid$/i.test(name) && forma.uid !== 'UID' ? forma.uid : name,
      rewrite(inner, forma),
    ]),
  );
}
