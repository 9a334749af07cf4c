/** The two pages of the sandbox itself: its services ('/') and its faults ('/control'). */
import { MODES, type Faults } from './faults';
import { layout, localTime, table } from './html';
import type { RequestLog } from './server';
import { escapeText, html, type SandboxResponse, type Service } from './service';

export function homePage(services: Service[], smtpPort: number, appUrl: string | undefined): SandboxResponse {
  const sections = services.map(
    (
      service,
    ) => `<section id="${service.name}"><h2>${escapeText(service.title)}</h2><p class="soft">${escapeText(service.about)}</p>
<p class="soft">Responde en ${service.prefixes.map((prefix) => `<code>${escapeText(prefix)}</code>`).join(', ')}${service.name === 'correo' ? ` y por SMTP en <code>127.0.0.1:${smtpPort}</code>` : ''}</p>
<ul class="counts">${Object.entries(service.counts?.() ?? {})
      .map(([label, count]) => `<li>${escapeText(label)}: <b>${escapeText(count)}</b></li>`)
      .join('')}</ul>
${service.page?.() ?? ''}${faultForm(service)}</section>`,
  );
  const links = services.map((service) => `<a href="#${service.name}">${escapeText(service.title)}</a>`).join('');
  return html(
    200,
    layout(
      'Sandbox de Trastienda',
      `<h1>Sandbox de servicios externos</h1>
<p class="mark">Nada de lo que pasa aquí es real: los CFDI no tienen validez fiscal, las ventas son inventadas y los correos no salen de esta máquina.</p>
<nav>${links}<a href="/control">Fallas y peticiones</a>${appUrl ? `<a href="${escapeText(appUrl)}">Ir a Trastienda</a>` : ''}</nav>${sections.join('')}`,
    ),
  );
}

/** A form with the faults that people try most. */
function faultForm({ name, faultRoute }: Service): string {
  const labels: [mode: string, label: string][] = [
    ['503', 'no está disponible'],
    ['refuse', 'dice que no'],
    ['slow', 'tarda tres segundos'],
    ['reset-after-doing', 'lo hace y se corta'],
    ['hang-after-doing', 'lo hace y no contesta'],
    ['500-after-doing', 'lo hace y contesta error'],
  ];
  const options = labels.map(([mode, label]) => `<option value="${mode}">${label}</option>`).join('');
  return `<h3>Fallas</h3><form method="post" action="/control/fail"><input type="hidden" name="api" value="${name}"><label>La próxima petición${faultRoute ? ` (${escapeText(faultRoute)})` : ''}<select name="mode">${options}</select></label><button class="plain">Programar falla</button></form>`;
}

export function controlPage(services: Service[], faults: Faults, log: RequestLog): SandboxResponse {
  const options = services
    .map((service) => `<option value="${service.name}">${escapeText(service.title)}</option>`)
    .join('');
  const ownModes = [...new Set(services.flatMap((service) => Object.keys(service.modes ?? {})))];
  const modes = [...MODES, ...ownModes].map((mode) => `<option>${mode}</option>`).join('');
  const defaults = services
    .map((service) => `${escapeText(service.title)}: <code>${escapeText(service.faultRoute || 'todas')}</code>`)
    .join(' · ');
  const pending = table(
    faults.list(),
    [
      { header: 'Servicio', cell: (fault) => escapeText(fault.api) },
      { header: 'Modo', cell: (fault) => escapeText(fault.mode) },
      { header: 'Veces', kind: 'n', cell: (fault) => String(fault.times) },
      { header: 'Ruta', cell: (fault) => `<code>${escapeText(fault.route || 'todas')}</code>` },
    ],
    'No hay fallas pendientes: todo contesta bien.',
  );
  const latencies = Object.entries(faults.allLatencies())
    .map(([api, ms]) => `<li>${escapeText(api)}: <b>${ms} ms</b></li>`)
    .join('');
  const seen = table(
    log.last(50).reverse(),
    [
      { header: 'Hora', cell: (request) => localTime(request.at) },
      { header: 'Servicio', cell: (request) => escapeText(request.api) },
      {
        header: 'Petición',
        kind: 'text',
        cell: (request) => `<code>${escapeText(`${request.method} ${request.path}`)}</code>`,
      },
      {
        header: 'Respuesta',
        kind: 'n',
        cell: (request) => (request.status === 0 ? 'ninguna' : String(request.status)),
      },
      { header: 'Tardó', kind: 'n', cell: (request) => `${request.ms} ms` },
      { header: 'Falla', cell: (request) => escapeText(request.fault ?? '') },
    ],
    'Todavía no llega ninguna petición.',
  );
  return html(
    200,
    layout(
      'Fallas y peticiones',
      `<nav><a href="/">Sandbox</a></nav><h1>Fallas y peticiones</h1>
<section><h2>La próxima petición falla</h2>
<form method="post" action="/control/fail"><label>Servicio<select name="api">${options}</select></label><label>Modo<select name="mode">${modes}</select></label>
<label>Veces<input name="times" type="number" min="1" value="1" style="width:6rem"></label><label>Ruta que la contenga<input name="route" placeholder="la usual"></label><label>Milisegundos<input name="ms" type="number" min="0" style="width:8rem"></label>
<label>Código (refuse)<input name="code" placeholder="CFDI40145"></label><label>Mensaje (refuse)<input name="message"></label><button>Programar falla</button></form>
<p class="soft">Ruta usual. ${defaults}</p>
<h3>Pendientes</h3>${pending}<form method="post" action="/control/clear"><button class="plain">Quitar todas las fallas y demoras</button></form></section>
<section><h2>Demora de cada respuesta</h2><form method="post" action="/control/latency"><label>Servicio<select name="api">${options}</select></label><label>Milisegundos<input name="ms" type="number" min="0" value="300"></label><button>Guardar</button></form><ul class="counts">${latencies}</ul></section>
<section><h2>Últimas peticiones</h2>${seen}</section>
<section><h2>Olvidar todo</h2><form method="post" action="/control/reset"><label>Servicio<select name="api"><option value="">Todos</option>${options}</select></label><button class="plain">Empezar de nuevo</button></form></section>`,
    ),
  );
}
