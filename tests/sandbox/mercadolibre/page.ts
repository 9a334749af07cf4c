import { escapeText } from '../service';
import { table } from '../html';
import { CLIENT_ID, CLIENT_SECRET } from './constants';
import { saleFacts } from './facts';
import { orderTime } from './clock';
import type { Notifier } from './notifications';
import type { Oauth } from './oauth';
import type { Sale } from './sale';
import { SCENARIOS, type ScenarioName } from './scenarios';

const amount = (pesos: number) => pesos.toLocaleString('es-MX', { style: 'currency', currency: 'MXN' });
const hour = (ms: number) =>
  new Intl.DateTimeFormat('es-MX', { timeStyle: 'medium', timeZone: 'America/Mexico_City' }).format(new Date(ms));
const labelOf = (name: string) => SCENARIOS[name as ScenarioName].label;

/** Scenarios that mean something only among other sales. */
const DEMO_ONLY = ['ordenDividida', 'bordeDeMes'];

function buttons(sale: Sale): string {
  const [order] = sale.orders;
  if (!order) return '';
  const button = (action: string, label: string) =>
    `<form method="post" action="/control/mercadolibre/ordenes/${order.id}/${action}" style="display:inline-flex;margin:0"><button class="plain" style="padding:.2rem .45rem">${label}</button></form>`;
  return `${button('cancelar', 'Cancelar')} ${button('devolver', 'Devolver')} ${button('actualizar', 'Avanzar envío')}`;
}

const TOLD_SHOWN = 8;

/** Packages that the seller told of, the newest first. */
function toldOf(sales: Iterable<Sale>): string {
  const told = [...sales]
    .flatMap((sale) => sale.told.map((one) => ({ sale, ...one })))
    .sort((a, b) => b.at - a.at)
    .slice(0, TOLD_SHOWN);
  if (told.length === 0) return '';
  return `<h3>Rastreo que recibió de la aplicación</h3>${table(
    told,
    [
      { header: 'Número de venta', cell: ({ sale }) => `<b>${saleFacts(sale).numOrden}</b>` },
      { header: 'Hora', cell: ({ at }) => `<time datetime="${orderTime(at)}">${hour(at)}</time>` },
      { header: 'Estado', cell: ({ status }) => escapeText(status) },
      { header: 'Guía', cell: ({ number }) => escapeText(number ?? '') },
      { header: 'Página', kind: 'text', cell: ({ url }) => escapeText(url ?? '') },
    ],
    '',
  )}`;
}

/** The section of the page: 'Simular venta', and the last simulated sales. */
export function pageOf({
  oauth,
  notifier,
  recent,
  sales,
  webhookUrl,
}: {
  oauth: Oauth;
  notifier: Notifier;
  recent: Sale[];
  sales(): Iterable<Sale>;
  webhookUrl: string | undefined;
}): string {
  const options = Object.entries(SCENARIOS)
    .filter(([name]) => !DEMO_ONLY.includes(name))
    .map(([name, { label }]) => `<option value="${name}">${escapeText(label)}</option>`)
    .join('');
  const notices = notifier.summary();
  const { linked, living } = oauth.summary();
  const last = recent[0];
  return `<h3>Simular venta</h3>
<form method="post" action="/control/mercadolibre/ordenes"><label>Escenario<select name="scenario">${options}</select></label><button>Simular venta</button></form>
${last ? `<p class="mark" role="status">Venta creada: <b>${saleFacts(last).numOrden}</b> (${escapeText(labelOf(last.scenario))}, ${amount(saleFacts(last).total)})</p>` : ''}
${table(
  recent,
  [
    { header: 'Número de venta', cell: (sale) => `<b>${saleFacts(sale).numOrden}</b>` },
    { header: 'Escenario', kind: 'text', cell: (sale) => escapeText(labelOf(sale.scenario)) },
    { header: 'Hora', cell: (sale) => `<time datetime="${orderTime(sale.bornAt)}">${hour(sale.bornAt)}</time>` },
    { header: 'Total', kind: 'n', cell: (sale) => amount(saleFacts(sale).total) },
    { header: 'RFC', cell: (sale) => escapeText(saleFacts(sale).rfc ?? '') },
    { header: '', cell: buttons },
  ],
  'Todavía no has simulado ninguna venta.',
)}
${toldOf(sales())}
<ul class="counts"><li>Avisos entregados: <b>${notices.delivered}</b></li><li>Por entregar: <b>${notices.pendientes}</b></li><li>Perdidos: <b>${notices.perdidos}</b></li></ul>
<p class="soft">Los avisos van a ${webhookUrl ? `<code>${escapeText(webhookUrl)}</code>` : 'ninguna parte (la aplicación los recoge después)'}. Cuenta ${linked ? 'vinculada' : 'sin vincular'}, ${living} ${living === 1 ? 'token vigente' : 'tokens vigentes'}.</p>
<p class="soft">Aplicación de prueba: client_id <code>${CLIENT_ID}</code>, client_secret <code>${CLIENT_SECRET}</code>, redirección a <code>/activacion</code> de esta máquina.</p>
<form method="post" action="/control/mercadolibre/token"><button class="plain" name="expireNow" value="1">Vencer el token</button><button class="plain" name="revoke" value="1">Revocar la autorización</button></form>`;
}
