/** factura.com: the company's clients and series, and a PAC that validates and stamps. */
import { routed } from '../routes';
import {
  json,
  type Fault,
  type SandboxRequest,
  type SandboxResponse,
  type Service,
  type ServiceOptions,
} from '../service';
import { acuse, cancelCfdi, cancelStatus } from './cancel';
import { catalogo } from './catalogos';
import { destroyCliente, lco, listByRfc, listClientes, saveCliente, showCliente } from './clientes';
import { download, findByFolio, findByUid, findByUuid, invoicesOf, listCfdis, sendByMail } from './consultas';
import { controlRoutes } from './control';
import { alreadyStamped, createCfdi } from './create';
import { authError, currentAccount, refuseKeys } from './cuenta';
import { dress } from './forma';
import { isBody } from './read';
import type { Deliver } from './mail';
import { pageOf } from './page';
import { pacRefusal, Refusal, sentencesRefusal } from './refusals';
import { createSerie, listSeries, showSerie, switchSerie } from './series';
import { State, type Switches, type Workshop } from './state';

export function createFacturacom(options: ServiceOptions & { deliver: Deliver; workshop?: Workshop }): Service {
  const state = new State(options.store, options.workshop);
  const { deliver } = options;

  const answer = routed(
    {
      'POST /v4/cfdi40/create': (request) => createCfdi(bodyOf(request), state, deliver),
      'GET /v4/cfdi/list': (request) => listCfdis(request, state),
      'POST /v4/cfdi/list': (request) => listCfdis(request, state),
      'GET /v4/cfdi/uid/:key': ({ params }) => findByUid(params.key!, state),
      'GET /v4/cfdi/uuid/:key': ({ params }) => findByUuid(params.key!, state),
      'GET /v4/cfdi/folio/:key': ({ params }) => findByFolio(params.key!, state),
      'GET /v4/cfdi40/:key/pdf': ({ params }) => download(params.key!, 'pdf', state),
      'GET /v4/cfdi40/:key/xml': ({ params }) => download(params.key!, 'xml', state),
      'GET /v4/cfdi40/:key/email': ({ params }) => sendByMail(params.key!, state, deliver),
      'POST /v4/cfdi40/:key/cancel': (request) => cancelCfdi(request.params.key!, request.data(), state),
      'GET /v4/cfdi40/:key/cancel_status': ({ params }) => cancelStatus(params.key!, state),
      'GET /v4/cfdi40/:key/acuse': ({ params }) => acuse(params.key!, state),
      'GET /v4/drafts': () => json(200, { status: 'success', data: [] }),
      'GET /v4/series': () => listSeries(state),
      'POST /v4/series/create': (request) => createSerie(request.data(), state),
      'GET /v4/series/:key': ({ params }) => showSerie(params.key!, state),
      'POST /v4/series/:key/up': ({ params }) => switchSerie(params.key!, true, state),
      'POST /v4/series/:key/down': ({ params }) => switchSerie(params.key!, false, state),
      'GET /v4/catalogo/UsoCfdi': () => catalogo('UsoCfdi') ?? notFound(),
      'GET /v3/catalogo/:key': ({ params }) => catalogo(params.key!) ?? notFound(),
      'GET /v1/current/account': () => currentAccount(),
      'GET /v1/clients': () => listClientes(state),
      'POST /v1/clients/create': (request) => saveCliente(request.data(), state),
      'POST /v1/clients/:key/update': (request) => saveCliente(request.data(), state, request.params.key!),
      'POST /v1/clients/destroy/:key': ({ params }) => destroyCliente(params.key!, state),
      'GET /v1/clients/rfc/:key': ({ params }) => listByRfc(params.key!, state),
      'GET /v1/clients/lco/:key': ({ params }) => lco(params.key!, state),
      'GET /v1/clients/:key': ({ params }) => showCliente(params.key!, state),
      'GET /v1/invoices/:key': ({ params }) => invoicesOf(params.key!, state),
    },
    notFound,
  );

  async function handle(request: SandboxRequest): Promise<SandboxResponse> {
    const refused = refuseKeys(request);
    if (refused) return refused;
    const { forma } = state.switches;
    try {
      return dress(await answer(request), forma);
    } catch (error) {
      if (error instanceof Refusal) return dress(error.answer(), forma);
      throw error;
    }
  }

  /** Answers mode 'refuse' with the code 'existe': a repeated order number, with the CFDI whose order number is `message`. */
  function existing({ code, message }: Fault): SandboxResponse | undefined {
    const cfdi = code === 'existe' ? state.findByNumOrder(String(message)) : undefined;
    return cfdi && alreadyStamped(cfdi);
  }

  return {
    name: 'facturacom',
    title: 'factura.com',
    about:
      'El PAC: valida como el SAT y timbra CFDI 4.0 con un sello y un certificado hechos en esta máquina, sin validez fiscal.',
    prefixes: ['/facturacom/api'],
    faultRoute: 'POST /v4/cfdi40/create',
    modeRoutes: { 'pdf-no-listo': '/pdf' },
    handle,
    refusal: (fault, request) => existing(fault) ?? refusal(fault, request),
    modes: { 'sin-uuid': withoutUuid, 'no-after-doing': noAfterDoing, 'pdf-no-listo': pdfNotReady, mojibake },
    control: controlRoutes(state),
    counts: () => ({
      'CFDI timbrados': state.countCfdis(),
      Clientes: state.clientes.size,
      'RFC registrados': state.contribuyentes.size,
    }),
    page: () => pageOf(state),
    snapshot: () => state.switches,
    restore: (switches) => void (state.switches = { ...state.switches, ...(switches as Partial<Switches>) }),
    reset: () => state.reset(),
  };
}

/**
 * The answer of mode 'refuse'. `code` is a code of the matrix ('CFDI40145', '401'), 'llaves' (wrong keys, with the keys repeated) or 'sellos' (the
 * account has no seal). `message` is a text, a list of sentences or an object of lists. A fault without either gives the vendor's generic no.
 */
function refusal({ code, message }: Fault, { headers }: SandboxRequest): SandboxResponse {
  if (code === 'llaves') return authError(String(headers['f-api-key'] ?? ''), String(headers['f-secret-key'] ?? ''));
  if (code === 'sellos')
    return json(200, {
      response: 'error',
      message: 'No se encontraron los archivos del sello digital (CSD) de la cuenta',
    });
  if (code) return pacRefusal(code, typeof message === 'string' ? message : 'Rechazado por la sandbox').answer();
  if (Array.isArray(message)) return sentencesRefusal(message.map(String)).answer();
  return json(200, { response: 'error', message: message ?? 'La solicitud no es válida' });
}

/** A success that does not name the CFDI that it stamped. */
function withoutUuid(answer: SandboxResponse): SandboxResponse {
  return json(answer.status, { response: 'success', message: 'Factura creada y enviada satisfactoriamente' });
}

/** A refusal although the CFDI was stamped, in the words of a failure afterwards. */
function noAfterDoing(_: SandboxResponse, { message }: Fault): SandboxResponse {
  return json(200, { response: 'error', message: message ?? 'Ocurrió un error inesperado' });
}

function pdfNotReady(): SandboxResponse {
  return json(200, { response: 'error', message: 'El PDF todavía no está disponible, intente más tarde' });
}

/** The answer with its UTF-8 read as Latin-1. */
function mojibake(answer: SandboxResponse): SandboxResponse {
  return { ...answer, body: Buffer.from(Buffer.from(answer.body ?? '').toString('latin1'), 'utf8') };
}

function bodyOf(request: SandboxRequest): Record<string, unknown> {
  const data = request.data();
  return isBody(data) ? data : {};
}

function notFound(): SandboxResponse {
  return json(404, { status: 'error', message: 'Recurso no encontrado' });
}
