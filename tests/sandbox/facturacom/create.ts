/**
 * POST /v4/cfdi40/create: reads, validates, seals, stamps and stores. All of it happens in one turn of the event loop, so two equal orders cannot
 * both pass.
 */
import { json, type SandboxResponse } from '../service';
import { sumasOf } from './documento';
import { readPedido, type Body } from './read';
import { mailCfdi, type Deliver } from './mail';
import { Refusal } from './refusals';
import { newUid, type Cfdi, type State } from './state';
import { stamp } from './timbre';
import { validate } from './validate';
import { xmlOf } from './xml';

export function createCfdi(body: Body, state: State, deliver: Deliver): SandboxResponse {
  const { documento, cliente, numOrder, comentarios, enviarCorreo } = readPedido(body, state);
  const existing = numOrder === '' || state.switches.admiteRepetidos ? undefined : state.findByNumOrder(numOrder);
  if (existing && state.switches.forma.repetido === 'antes') return alreadyStamped(existing);
  if (String(body.Draft ?? '') === '1') return draftAnswer(documento.serie);
  try {
    validate(documento, state);
  } catch (error) {
    if (error instanceof Refusal) return error.answer(xmlOf(documento, undefined));
    throw error;
  }
  if (existing) return alreadyStamped(existing);
  const stamped = stamp(documento, state.sealers());
  const sumas = sumasOf(documento.conceptos);
  const cfdi: Cfdi = {
    uid: newUid(),
    uuid: stamped.uuid,
    serie: documento.serie,
    folio: documento.folio,
    tipo: documento.tipo,
    tipoDocumento: documento.tipoDocumento,
    numOrder,
    rfc: documento.receptor.rfc,
    nombre: documento.receptor.nombre,
    clienteUid: cliente.uid,
    subTotal: sumas.subTotal.text,
    descuento: sumas.descuento?.text ?? '0.00',
    total: sumas.total.text,
    fechaTimbrado: stamped.fechaTimbrado,
    creado: new Date().toISOString(),
    comentarios,
    relacionados: documento.relaciones,
    sat: { noCertificadoSat: stamped.noCertificadoSat, selloSat: stamped.selloSat, selloCfd: stamped.selloCfd },
    xml: stamped.xml,
    estado: 'vigente',
  };
  state.saveCfdi(cfdi);
  if (enviarCorreo) {
    mailCfdi(cfdi, cliente, deliver, state.print).catch((error: unknown) =>
      console.error('sandbox: no se pudo guardar el correo del CFDI.', error),
    );
  }
  return stampedAnswer(cfdi);
}

function stampedAnswer(cfdi: Cfdi): SandboxResponse {
  return json(200, {
    response: 'success',
    message: 'Factura creada y enviada satisfactoriamente',
    UUID: cfdi.uuid,
    uid: cfdi.uid,
    SAT: {
      UUID: cfdi.uuid,
      FechaTimbrado: cfdi.fechaTimbrado,
      NoCertificadoSAT: cfdi.sat.noCertificadoSat,
      Version: '1.1',
      SelloSAT: cfdi.sat.selloSat,
      SelloCFD: cfdi.sat.selloCfd,
    },
    INV: { Serie: cfdi.serie, Folio: cfdi.folio },
    invoice_uid: cfdi.uid,
  });
}

/** The refusal of a repeated order number. Its text speaks of folio and series, as the true API's does. */
export function alreadyStamped(cfdi: Cfdi): SandboxResponse {
  return json(200, {
    response: 'error',
    message: `Ya existe un CFDI con folio y serie [${cfdi.serie}-${cfdi.folio}]`,
    xml: cfdi.xml,
    uid: cfdi.uid,
    uuid: cfdi.uuid,
  });
}

/** The answer to a draft: a success without a UUID. Drafts are not kept. */
function draftAnswer(serie: string): SandboxResponse {
  const uid = newUid();
  const SAT = {
    UUID: null,
    FechaTimbrado: null,
    NoCertificadoSAT: null,
    Version: null,
    SelloSAT: null,
    SelloCFD: null,
  };
  return json(200, {
    response: 'success',
    message: 'Borrador creado satisfactoriamente',
    UUID: 'sin_uuid',
    uid,
    SAT,
    INV: { Serie: serie, Folio: null },
    invoice_uid: uid,
  });
}
