/** Lists, searches and files of what was stamped. */
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { isBody, textOf } from './leer';
import { mailCfdi, type Deliver } from './mail';
import { pdfOf } from './pdf';
import type { Cfdi, State } from './state';

const NOT_FOUND = { response: 'error', message: 'El CFDI no existe o no tiene permiso para acceder a él' };

/** Filters travel in the query or, in some clients, as a JSON body. Newest first. */
export function listCfdis(request: SandboxRequest, state: State): SandboxResponse {
  const body = request.data();
  const filter = (name: string) => request.url.searchParams.get(name) ?? textOf(isBody(body) ? body[name] : undefined);
  const month = filter('month').padStart(2, '0');
  const found = state
    .allCfdis()
    .filter((cfdi) => filter('month') === '' || cfdi.fechaTimbrado.slice(5, 7) === month)
    .filter((cfdi) => filter('year') === '' || cfdi.fechaTimbrado.slice(0, 4) === filter('year'))
    .filter((cfdi) => filter('rfc') === '' || cfdi.rfc === filter('rfc').toUpperCase())
    .filter((cfdi) => filter('type_document') === '' || cfdi.tipoDocumento === filter('type_document'))
    .reverse();
  const perPage = Math.max(1, Number(filter('per_page')) || 100);
  const page = Math.max(1, Number(filter('page')) || 1);
  const from = (page - 1) * perPage;
  const rows = found.slice(from, from + perPage);
  return json(200, {
    status: 'success',
    response: 'success',
    total: found.length,
    per_page: perPage,
    current_page: page,
    last_page: Math.max(1, Math.ceil(found.length / perPage)),
    from: rows.length > 0 ? from + 1 : null,
    to: rows.length > 0 ? from + rows.length : null,
    data: rows.map(cfdiData),
  });
}

/** Both shapes of the true API: by UID under `data`, by UUID and folio at the root with the XML. */
export function findByUid(uid: string, state: State): SandboxResponse {
  const cfdi = state.findCfdi(uid);
  return cfdi ? json(200, { status: 'success', data: { ...cfdiData(cfdi), XML: cfdi.xml } }) : json(200, NOT_FOUND);
}

export function findByUuid(uuid: string, state: State): SandboxResponse {
  return atRoot(state.findCfdi(uuid));
}

export function findByFolio(folio: string, state: State): SandboxResponse {
  const wanted = folio.replace(/[\s-]/g, '').toUpperCase();
  return atRoot(
    state.allCfdis().find((cfdi) => `${cfdi.serie}${cfdi.folio}` === wanted || String(cfdi.folio) === wanted),
  );
}

function atRoot(cfdi: Cfdi | undefined): SandboxResponse {
  return cfdi
    ? json(200, { status: 'success', response: 'success', ...cfdiData(cfdi), XML: cfdi.xml })
    : json(200, NOT_FOUND);
}

/** The old list the vendor's shop modules look an order up in. */
export function invoicesOf(rfc: string, state: State): SandboxResponse {
  const data = state
    .allCfdis()
    .filter((cfdi) => cfdi.rfc === rfc.toUpperCase())
    .reverse();
  return json(200, { status: 'success', data: data.map(cfdiData) });
}

/** Errors of downloads are JSON too, with 200. */
export async function download(uid: string, kind: string, state: State): Promise<SandboxResponse> {
  const cfdi = state.findCfdi(uid);
  if (!cfdi) return json(200, NOT_FOUND);
  const filename = `${cfdi.serie}${cfdi.folio}_${cfdi.uuid}.${kind}`;
  const headers = {
    'content-type': kind === 'pdf' ? 'application/pdf' : 'text/xml; charset=utf-8',
    'content-disposition': `attachment; filename="${filename}"`,
  };
  return { status: 200, headers, body: kind === 'pdf' ? await pdfOf(cfdi) : cfdi.xml };
}

export async function sendByMail(uid: string, state: State, deliver: Deliver): Promise<SandboxResponse> {
  const cfdi = state.findCfdi(uid);
  if (!cfdi) return json(200, NOT_FOUND);
  const sent = await mailCfdi(cfdi, state.clientes.get(cfdi.clienteUid), deliver);
  if (!sent) return json(200, { response: 'error', message: 'El cliente no tiene un correo registrado' });
  return json(200, { response: 'success', uid: cfdi.uid, message: 'El CFDI ha sido enviado por correo electrónico' });
}

export function cfdiData(cfdi: Cfdi) {
  return {
    RazonSocialReceptor: cfdi.nombre,
    Folio: `${cfdi.serie} ${cfdi.folio}`,
    UID: cfdi.uid,
    UUID: cfdi.uuid,
    Subtotal: `${cfdi.subTotal}0000`,
    Descuento: `${cfdi.descuento}0000`,
    Total: `${cfdi.total}0000`,
    ReferenceClient: cfdi.clienteUid,
    NumOrder: cfdi.numOrder,
    Receptor: cfdi.rfc,
    FechaTimbrado: cfdi.fechaTimbrado.slice(0, 10),
    Status: cfdi.estado === 'cancelada' ? 'cancelada' : 'enviada',
    TipoDocumento: cfdi.tipoDocumento,
    Version: '4.0',
  };
}
