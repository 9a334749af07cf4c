/** Control routes of the PAC, which take no keys. */
import { answerOrBack, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { RESULTS, settleCancel } from './cancel';
import { isRfc } from './clientes';
import { API_KEY, PLUGIN, SECRET_KEY } from './cuenta';
import { isBody, textOf } from './read';
import { Refusal } from './refusals';
import { FORMAS, type Cfdi, type Forma, type State, type Switches } from './state';

export function controlRoutes(state: State): Record<string, Handler> {
  return {
    'GET /cfdi': ({ url }) => {
      const numOrder = url.searchParams.get('NumOrder');
      const all = state.allCfdis();
      return json(200, (numOrder === null ? all : all.filter((cfdi) => cfdi.numOrder === numOrder)).map(summary));
    },
    'GET /cfdi/:file': ({ params }) => file(params.file ?? '', state),
    'POST /cancel': (request) => {
      const mode = textOf(bodyOf(request).mode);
      const modes: Switches['cancelar'][] = ['at-once', 'in-process', 'reject'];
      const chosen = modes.find((one) => one === mode);
      if (!chosen) return json(400, { error: 'unknown_mode', modes });
      state.changeSwitches({ cancelar: chosen });
      return answerOrBack(request, { ok: true, mode: chosen });
    },
    'POST /cancel/settle': (request) => settle(request, state),
    'POST /cancel/status': (request) => {
      const { uuid, dice } = bodyOf(request);
      const cfdi = state.findCfdi(textOf(uuid));
      if (!cfdi) return json(404, { error: 'not_found', message: 'No existe ese CFDI' });
      if (dice === null) state.satDice.delete(cfdi.uuid);
      else state.satDice.set(cfdi.uuid, textOf(dice));
      return answerOrBack(request, { ok: true });
    },
    'POST /contribuyentes': (request) => addContribuyente(request, state),
    'GET /contribuyentes': () => json(200, [...state.contribuyentes.values()]),
    'POST /acepta-todo': (request) => toggle(request, 'aceptaTodo', state),
    'POST /global-en-egresos': (request) => toggle(request, 'globalEnEgresos', state),
    'POST /ignora-importe': (request) => toggle(request, 'ignoraImporte', state),
    'POST /admite-repetidos': (request) => toggle(request, 'admiteRepetidos', state),
    'POST /forma': (request) => changeForma(request, state),
    'GET /switches': () => json(200, state.switches),
    'GET /llaves': () => json(200, { plugin: PLUGIN, apiKey: API_KEY, secretKey: SECRET_KEY }),
    'GET /certificados': () => json(200, { emisor: state.sealers().emisor.certPem, pac: state.sealers().pac.certPem }),
  };
}

function bodyOf(request: SandboxRequest) {
  const data = request.data();
  return isBody(data) ? data : {};
}

function summary(cfdi: Cfdi) {
  return {
    NumOrder: cfdi.numOrder,
    UUID: cfdi.uuid,
    uid: cfdi.uid,
    RFC: cfdi.rfc,
    total: cfdi.total,
    type: cfdi.tipo,
    tipoDocumento: cfdi.tipoDocumento,
    serie: cfdi.serie,
    folio: cfdi.folio,
    estado: cfdi.estado,
    createdAt: cfdi.creado,
    relacionados: cfdi.relacionados,
  };
}

/** Answers with a file of a CFDI ('UUID.xml', 'UUID.pdf'), or with its facts when the name has no extension. */
async function file(name: string, state: State): Promise<SandboxResponse> {
  const [id = '', kind] = name.split('.');
  const cfdi = state.findCfdi(id);
  if (!cfdi) return json(404, { error: 'not_found', message: 'No existe ese CFDI' });
  if (kind === 'xml') return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: cfdi.xml };
  if (kind === 'pdf')
    return { status: 200, headers: { 'content-type': 'application/pdf' }, body: await state.print(cfdi) };
  return json(200, { ...summary(cfdi), cancelacion: cfdi.cancelacion, comentarios: cfdi.comentarios });
}

function settle(request: SandboxRequest, state: State): SandboxResponse {
  const body = bodyOf(request);
  const result = RESULTS.find((one) => one === textOf(body.result));
  if (!result) return json(400, { error: 'unknown_result', results: RESULTS });
  try {
    return answerOrBack(request, summary(settleCancel(textOf(body.uuid), result, state)));
  } catch (error) {
    if (error instanceof Refusal) return json(409, { error: 'conflict', message: error.message });
    throw error;
  }
}

function addContribuyente(request: SandboxRequest, state: State): SandboxResponse {
  const body = bodyOf(request);
  const rfc = textOf(body.rfc).toUpperCase();
  const regimenes = Array.isArray(body.regimenes)
    ? body.regimenes.map(textOf)
    : textOf(body.regimenes)
        .split(/[\s,]+/)
        .filter((one) => one !== '');
  const contribuyente = { rfc, nombre: textOf(body.nombre).toUpperCase(), cp: textOf(body.cp), regimenes };
  if (!isRfc(rfc) || contribuyente.nombre === '' || !/^\d{5}$/.test(contribuyente.cp) || regimenes.length === 0) {
    return json(400, {
      error: 'bad_request',
      message: 'Se necesitan rfc bien formado, nombre, cp de 5 dígitos y regimenes',
    });
  }
  state.saveContribuyente(contribuyente);
  return answerOrBack(request, { ok: true, contribuyente });
}

function toggle(
  request: SandboxRequest,
  name: 'aceptaTodo' | 'globalEnEgresos' | 'ignoraImporte' | 'admiteRepetidos',
  state: State,
): SandboxResponse {
  const { on } = bodyOf(request);
  state.changeSwitches({ [name]: on === true || on === 'true' || on === '1' || on === 'on' });
  return answerOrBack(request, { ok: true, ...state.switches });
}

/** Sets the ways in which the account speaks. An empty body sets those of the first day. */
function changeForma(request: SandboxRequest, state: State): SandboxResponse {
  const changes = Object.entries(bodyOf(request));
  const unknown = changes.find(
    ([name, value]) => !(FORMAS as Partial<Record<string, readonly unknown[]>>)[name]?.includes(value),
  );
  if (unknown) return json(400, { error: 'unknown_form', formas: FORMAS });
  if (changes.length === 0) state.resetForma();
  else state.changeForma(Object.fromEntries(changes) as Partial<Forma>);
  return answerOrBack(request, { ok: true, forma: state.switches.forma });
}
