/** The PAC's section of the page '/'. */
import { localTime, table } from '../html';
import { escapeText } from '../service';
import { API_KEY, EMISOR, PLUGIN, SECRET_KEY } from './cuenta';
import type { State } from './state';

export function pageOf(state: State): string {
  const stamped = table(
    state.allCfdis().slice(-25).reverse(),
    [
      { header: 'Folio', cell: (cfdi) => `${escapeText(cfdi.serie)} ${cfdi.folio}` },
      { header: 'Timbrado', cell: (cfdi) => localTime(cfdi.creado) },
      { header: 'RFC', cell: (cfdi) => escapeText(cfdi.rfc) },
      { header: 'Razón social', kind: 'text', cell: (cfdi) => escapeText(cfdi.nombre) },
      { header: 'Total', kind: 'n', cell: (cfdi) => `$${escapeText(cfdi.total)}` },
      { header: 'NumOrder', cell: (cfdi) => escapeText(cfdi.numOrder) },
      {
        header: 'Estado',
        cell: (cfdi) => escapeText(cfdi.estado) + (cfdi.estado === 'cancelando' ? settleForms(cfdi.uuid) : ''),
      },
      {
        header: 'Archivos',
        cell: (cfdi) =>
          `<a href="/control/facturacom/cfdi/${cfdi.uuid}.pdf">PDF</a> <a href="/control/facturacom/cfdi/${cfdi.uuid}.xml">XML</a>`,
      },
    ],
    'Todavía no se timbra nada.',
  );
  const contribuyentes = table(
    [...state.contribuyentes.values()],
    [
      { header: 'RFC', cell: (one) => `<code>${escapeText(one.rfc)}</code>` },
      { header: 'Nombre', kind: 'text', cell: (one) => escapeText(one.nombre) },
      { header: 'CP', cell: (one) => escapeText(one.cp) },
      { header: 'Regímenes', cell: (one) => escapeText(one.regimenes.join(', ')) },
    ],
    '',
  );
  const { switches } = state;
  return `<h3>Últimos CFDI timbrados</h3>${stamped}<p class="soft">Todos: <a href="/control/facturacom/cfdi">JSON</a></p>
<h3>Cancelaciones</h3><form method="post" action="/control/facturacom/cancel"><label>Una cancelación<select name="mode">${modeOption('at-once', 'se hace al momento', switches.cancelar)}${modeOption('in-process', 'espera al receptor', switches.cancelar)}${modeOption('reject', 'se rechaza', switches.cancelar)}</select></label><button>Guardar</button></form>
<h3>Reglas</h3>${toggleForm('acepta-todo', 'Aceptar cualquier RFC bien formado', switches.aceptaTodo)}${toggleForm('global-en-egresos', 'Exigir InformacionGlobal también en egresos', switches.globalEnEgresos)}${toggleForm('ignora-importe', 'Ignorar el Importe enviado en los conceptos', switches.ignoraImporte)}
<details><summary>Llaves de la cuenta de demostración (${escapeText(EMISOR.nombre)}, ${EMISOR.rfc}, CP ${EMISOR.cp})</summary><p>F-PLUGIN <code>${PLUGIN}</code></p><p>F-Api-Key <code>${API_KEY}</code></p><p>F-Secret-Key <code>${SECRET_KEY}</code></p></details>
<details><summary>Contribuyentes que el SAT de esta sandbox conoce (${state.contribuyentes.size})</summary>${contribuyentes}
<form method="post" action="/control/facturacom/contribuyentes"><label>RFC<input name="rfc" required maxlength="13"></label><label>Nombre<input name="nombre" required></label><label>CP<input name="cp" required pattern="[0-9]{5}" size="6"></label><label>Regímenes<input name="regimenes" required placeholder="612, 626"></label><button>Agregar</button></form></details>`;
}

function modeOption(value: string, label: string, chosen: string): string {
  return `<option value="${value}"${value === chosen ? ' selected' : ''}>${label}</option>`;
}

function toggleForm(route: string, label: string, on: boolean): string {
  return `<form method="post" action="/control/facturacom/${route}" style="align-items:center"><input type="hidden" name="on" value="${on ? 'false' : 'true'}"><span>${label}: <b>${on ? 'sí' : 'no'}</b></span><button class="plain">Cambiar</button></form>`;
}

function settleForms(uuid: string): string {
  const button = (result: string, label: string) =>
    `<form method="post" action="/control/facturacom/cancel/settle"><input type="hidden" name="uuid" value="${uuid}"><input type="hidden" name="result" value="${result}"><button class="plain">${label}</button></form>`;
  return button('accepted', 'El receptor acepta') + button('rejected', 'Rechaza');
}
