import bodega from 'virtual:bodega';
import type { Apariencia } from '~/core/aspecto';
import { env } from '~/core/env.server';
import { ZONA_HORARIA } from '~/core/time';
import { esquemaOf, FOLLOW_SYSTEM } from '~/ui/useEsquema';

type Pagina = { rol: string; nonce: string; apariencia: Apariencia; usuario: string | null };

/**
 * The warehouse's page, which is not React's: a phone with a bad signal opens its kept copy. Without `usuario` the page is the shell that phones keep, which
 * names nobody. Without JavaScript its form leads to the record of the piece.
 */
export function pagina({ rol, nonce, apariencia, usuario }: Pagina): string {
  const base = `/${rol}/bodega`;
  const seguir = apariencia === 'sistema' ? `<script nonce="${escaped(nonce)}">${FOLLOW_SYSTEM}</script>` : '';
  return `<!doctype html>
<html lang="es-MX" data-mantine-color-scheme="${esquemaOf(apariencia)}" data-zona="${escaped(ZONA_HORARIA)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Bodega · ${escaped(env().MARCA)}</title>
<meta name="robots" content="noindex">
${seguir}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="manifest" href="${base}/manifiesto" crossorigin="use-credentials">
<link rel="stylesheet" href="${bodega.estilo}">
<script type="module" src="${bodega.guion}"></script>
</head>
<body data-base="${base}" data-lector="${bodega.lector}"${dato('obrero', bodega.obrero)}${dato('usuario', usuario)}>
<header>
<a class="volver" href="/${rol}" aria-label="Volver a ${escaped(env().MARCA)}">‹</a>
<h1 tabindex="-1">Bodega</h1>
<p id="senal" class="chip aviso" hidden>Sin señal</p>
<a id="salir" href="/salir">Salir</a>
</header>
<main>
<div id="conexion" class="panel aviso" role="status" hidden>
<p id="conexion-dice"></p>
<button id="conexion-otra" type="button">Intentar ahora</button>
</div>
<div id="aviso" role="status"></div>
<div id="vista"><p>Escanea una etiqueta, o escribe su folio o el número de una orden.</p></div>
<section id="cola" aria-labelledby="cola-titulo" hidden>
<h2 id="cola-titulo">Por enviar</h2>
<ul></ul>
</section>
</main>
<div id="camara" hidden>
<video playsinline muted></video>
<button type="button">Cerrar la cámara</button>
</div>
<form id="pulgar" role="search" action="${base}" method="get">
<p>
<label for="texto">Folio u orden</label>
<input id="texto" name="texto" required maxlength="200" autocomplete="off" autocapitalize="characters" spellcheck="false" enterkeyhint="search">
</p>
<button type="submit">Buscar</button>
<button id="escanear" type="button" class="principal" hidden>Escanear</button>
</form>
</body>
</html>
`;
}

const dato = (nombre: string, valor: string | null) => (valor === null ? '' : ` data-${nombre}="${escaped(valor)}"`);
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Only the phone that was asked to keeps the page. */
export const comoPagina = (html: string): Response =>
  new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' } });
