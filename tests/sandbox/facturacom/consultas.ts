/** Lists, searches and files of stamped CFDI. */
import { html, json, type SandboxRequest, type SandboxResponse } from '../service';
import { nothing } from './forma';
import { isBody, textOf } from './read';
import { mailCfdi, type Deliver } from './mail';
import type { Cfdi, State } from './state';

const NOT_FOUND = { response: 'error', message: 'El CFDI no existe o no tiene permiso para acceder a él' };

/** Lists CFDI, the newest first. Each age of the account knows one method, and refuses the other. */
export function listCfdis(request: SandboxRequest, state: State): SandboxResponse {
  const { edad, mesVacio } = state.switches.forma;
  if (request.method !== (edad === 'actual' ? 'POST' : 'GET')) return methodNotAllowed();
  const body = request.data();
  const sent = (name: string) => textOf(isBody(body) ? body[name] : undefined);
  // The current API reads filters from the body alone; the older one also from the query.
  const filter = edad === 'actual' ? sent : (name: string) => request.url.searchParams.get(name) ?? sent(name);
  const month = filter('month').padStart(2, '0');
  const found = state
    .allCfdis()
    .filter((cfdi) => filter('month') === '' || cfdi.fechaTimbrado.slice(5, 7) === month)
    .filter((cfdi) => filter('year') === '' || cfdi.fechaTimbrado.slice(0, 4) === filter('year'))
    .filter((cfdi) => filter('rfc') === '' || cfdi.rfc === filter('rfc').toUpperCase())
    .filter((cfdi) => edad === 'actual' || ['', cfdi.tipoDocumento].includes(filter('type_document')))
    .reverse();
  if (found.length === 0 && mesVacio === 'error') return json(200, { status: 'error', message: 'Sin CFDI' });
  const perPage = Math.max(1, Number(filter('per_page')) || 100);
  const page = Math.max(1, Number(filter('page')) || 1);
  const from = (page - 1) * perPage;
  const rows = found.slice(from, from + perPage);
  return json(200, {
    ...(edad === 'anterior' && { status: 'success', response: 'success' }),
    total: found.length,
    per_page: perPage,
    current_page: page,
    last_page: Math.max(mesVacio === 'cero' ? 0 : 1, Math.ceil(found.length / perPage)),
    from: rows.length > 0 ? from + 1 : null,
    to: rows.length > 0 ? from + rows.length : null,
    data: rows.map((cfdi) => rowOf(cfdi, state)),
  });
}

/** The refusal of a method, as the framework of the API gives it: a page where JSON was expected. */
function methodNotAllowed(): SandboxResponse {
  return html(405, '<!DOCTYPE html><html><title>405 Method Not Allowed</title></html>');
}

/** Answers with a CFDI: under `data` with its XML beside it, or at the root in an older account. */
export function findOne(asked: string, cfdi: Cfdi | undefined, state: State): SandboxResponse {
  if (!cfdi) return json(200, { status: 'error', message: `No se encontró CFDI: ${asked}` });
  const beside = { TipoDocumento: cfdi.tipoDocumento, XML: cfdi.xml };
  return state.switches.forma.edad === 'actual'
    ? json(200, { status: 'success', message: 'CFDI encontrado', data: rowOf(cfdi, state), ...beside })
    : json(200, { status: 'success', response: 'success', ...rowOf(cfdi, state), ...beside });
}

export const findByUid = (uid: string, state: State) => findOne(uid, state.findCfdi(uid), state);
export const findByUuid = findByUid;

export function findByFolio(folio: string, state: State): SandboxResponse {
  const wanted = folio.replace(/[\s-]/g, '').toUpperCase();
  const found = state
    .allCfdis()
    .find((cfdi) => `${cfdi.serie}${cfdi.folio}` === wanted || String(cfdi.folio) === wanted);
  return findOne(folio, found, state);
}

/** The list by RFC in which the vendor's shop module looks an order up. No more fields of it are known, and an empty list is an error. */
export function invoicesOf(rfc: string, state: State): SandboxResponse {
  const data = state
    .allCfdis()
    .filter((cfdi) => cfdi.rfc === rfc.toUpperCase())
    .reverse()
    .map((cfdi) => ({
      NumOrder: cfdi.numOrder || null,
      Status: statusOf(cfdi),
      UID: cfdi.uid,
      Receptor: cfdi.rfc,
    }));
  return data.length === 0
    ? nothing(`No se encontraron facturas con el RFC ${rfc}`, state)
    : json(200, { status: 'success', data });
}

/** Answers with the PDF or the XML of a CFDI. An error is JSON with 200. */
export async function download(uid: string, kind: string, state: State): Promise<SandboxResponse> {
  const cfdi = state.findCfdi(uid);
  if (!cfdi) return json(200, NOT_FOUND);
  const filename = `${cfdi.serie}${cfdi.folio}_${cfdi.uuid}.${kind}`;
  const headers = {
    'content-type': kind === 'pdf' ? 'application/pdf' : 'text/xml; charset=utf-8',
    'content-disposition': `attachment; filename="${filename}"`,
  };
  return { status: 200, headers, body: kind === 'pdf' ? await state.print(cfdi) : cfdi.xml };
}

export async function sendByMail(uid: string, state: State, deliver: Deliver): Promise<SandboxResponse> {
  const cfdi = state.findCfdi(uid);
  if (!cfdi) return json(200, NOT_FOUND);
  const sent = await mailCfdi(cfdi, state.clientes.get(cfdi.clienteUid), deliver, state.print);
  if (!sent) return json(200, { response: 'error', message: 'El cliente no tiene un correo registrado' });
  return json(200, { response: 'success', uid: cfdi.uid, message: 'El CFDI ha sido enviado por correo electrónico' });
}

const statusOf = (cfdi: Cfdi) => (cfdi.estado === 'cancelada' ? 'cancelada' : 'enviada');

/** A row of the list. Only an older account tells Descuento. */
function rowOf(cfdi: Cfdi, state: State) {
  const anterior = state.switches.forma.edad === 'anterior';
  return {
    RazonSocialReceptor: cfdi.nombre,
    Folio: `${cfdi.serie} ${cfdi.folio}`,
    UID: cfdi.uid,
    UUID: cfdi.uuid,
    Subtotal: `${cfdi.subTotal}0000`,
    ...(anterior && { Descuento: `${cfdi.descuento}0000` }),
    Total: `${cfdi.total}0000`,
    ReferenceClient: Number.parseInt(cfdi.clienteUid.slice(0, 6), 16),
    NumOrder: cfdi.numOrder || null,
    Receptor: cfdi.rfc,
    FechaTimbrado: cfdi.fechaTimbrado.slice(0, 10),
    Status: statusOf(cfdi),
    ...(anterior && { TipoDocumento: cfdi.tipoDocumento }),
    Version: '4.0',
  };
}
