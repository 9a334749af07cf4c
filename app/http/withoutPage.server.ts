import { FALLO } from '~/core/errors';
import type { DataFunction } from '~/access/guard.server';

type Said = { titulo?: string; texto?: string; incidente?: string };
type Args = Parameters<DataFunction>[0];

/**
 * Answers a refusal or a failure of a route without a page, where Remix would answer in English. Programs and navigations of the browser get the words
 * as data; a person who followed a link gets them as a small page.
 */
export function answerWithoutPage(said: Said, init: ResponseInit | null | undefined, { request, context }: Args) {
  const { titulo = FALLO.titulo, texto = FALLO.texto, incidente } = said;
  const headers = new Headers(init?.headers);
  headers.set('Cache-Control', 'no-store');
  const answer = { ...init, headers };
  if (!request.headers.get('Accept')?.includes('text/html'))
    return Response.json({ titulo, texto, ...(incidente && { incidente }) }, answer);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const lines = [texto, ...(incidente ? [`Número de incidente: ${incidente}`] : [])];
  return new Response(
    `<!doctype html><html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
      `<meta name="color-scheme" content="light dark"><title>${escaped(titulo)}</title>` +
      `<style nonce="${escaped(context.nonce)}">body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1rem}</style></head>` +
      `<body><main role="alert"><h1>${escaped(titulo)}</h1>${lines.map((line) => `<p>${escaped(line)}</p>`).join('')}` +
      `<p><a href="${escaped(cameFrom(request))}">Volver</a></p></main></body></html>`,
    answer,
  );
}

/** Returns the path of the page of ours that led here, from Referer. */
function cameFrom(request: Request): string {
  const referer = request.headers.get('Referer') ?? '';
  if (!URL.canParse(referer)) return '/login';
  const { pathname, search } = new URL(referer);
  return pathname.startsWith('//') ? '/login' : pathname + search;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
