/** Cancellation of a CFDI: at once, or after the receiver's answer. The switch `cancelar` and the control route `settle` decide which. */
import { json, type SandboxResponse } from '../service';
import { EMISOR } from './cuenta';
import { localNow } from './fechas';
import { isBody, textOf } from './read';
import { ownRefusal, sentencesRefusal } from './refusals';
import type { Cancelacion, Cfdi, State } from './state';
import { attributesXml } from './xml';

export const RESULTS = ['accepted', 'rejected', 'expired'] as const;
type Result = (typeof RESULTS)[number];

export function cancelCfdi(uid: string, data: unknown, state: State): SandboxResponse {
  const body = isBody(data) ? data : {};
  const cfdi = requireCfdi(uid, state);
  const motivo = textOf(body.motivo);
  if (!['01', '02', '03', '04'].includes(motivo))
    throw sentencesRefusal(['El campo motivo es requerido y debe ser 01, 02, 03 o 04.']);
  const folioSustituto = textOf(body.folioSustituto).toUpperCase() || undefined;
  if (motivo === '01') requireSubstitute(folioSustituto, cfdi, state);
  if (cfdi.estado === 'cancelada') throw ownRefusal('202 - El CFDI ya se encuentra cancelado');
  if (cfdi.estado === 'cancelando') throw ownRefusal('El CFDI ya tiene una solicitud de cancelación en proceso');
  const blockers = blockersOf(cfdi, folioSustituto, state);
  if (blockers.length > 0)
    throw ownRefusal(
      `El CFDI no es cancelable, tiene documentos relacionados vigentes: ${blockers.map((one) => one.uuid).join(', ')}`,
    );
  if (state.switches.cancelar === 'reject') throw ownRefusal('El SAT rechazó la solicitud de cancelación');

  const waits = state.switches.cancelar === 'in-process';
  const cancelacion: Cancelacion = {
    motivo,
    folioSustituto,
    estatus: waits ? 'En proceso' : 'Cancelado sin aceptación',
    acuse: acuseXml(cfdi, motivo, folioSustituto),
  };
  state.setEstado(cfdi.uid, waits ? 'cancelando' : 'cancelada', cancelacion);
  const label = `${cfdi.serie}${cfdi.folio}(${cfdi.uuid})`;
  return json(200, {
    response: 'success',
    message: waits
      ? `La solicitud de cancelación de ${label} fue enviada`
      : `La factura ${label} se canceló exitosamente`,
    respuestaapi: { response: 'success', acuse: cancelacion.acuse },
  });
}

export function cancelStatus(uid: string, state: State): SandboxResponse {
  const cfdi = requireCfdi(uid, state);
  const dicho = state.satDice.get(cfdi.uuid);
  const free =
    Number(cfdi.total) <= 1_000 || cfdi.tipo === 'E' || cfdi.rfc.startsWith('XAXX') || cfdi.rfc.startsWith('XEXX');
  return json(200, {
    response: 'success',
    data: {
      CodigoEstatus: 'S - Comprobante obtenido satisfactoriamente.',
      Estado: dicho === undefined && cfdi.estado === 'cancelada' ? 'Cancelado' : 'Vigente',
      EsCancelable:
        blockersOf(cfdi, cfdi.cancelacion?.folioSustituto, state).length > 0
          ? 'No Cancelable'
          : free
            ? 'Cancelable sin aceptación'
            : 'Cancelable con aceptación',
      // A CFDI without a request has an empty list here, not an empty text.
      EstatusCancelacion: (dicho ?? cfdi.cancelacion?.estatus) || [],
    },
  });
}

export function acuse(uid: string, state: State): SandboxResponse {
  const cfdi = requireCfdi(uid, state);
  if (!cfdi.cancelacion || cfdi.estado !== 'cancelada') throw ownRefusal('El CFDI no tiene acuse de cancelación');
  return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: cfdi.cancelacion.acuse };
}

/** Settles a request in process: the receiver answers it, or lets its days pass. */
export function settleCancel(uuid: string, result: Result, state: State): Cfdi {
  const cfdi = requireCfdi(uuid, state);
  if (cfdi.estado !== 'cancelando' || !cfdi.cancelacion)
    throw ownRefusal('El CFDI no tiene una cancelación en proceso');
  const estatus = { accepted: 'Cancelado con aceptación', expired: 'Plazo vencido', rejected: 'Solicitud rechazada' }[
    result
  ];
  state.setEstado(cfdi.uid, result === 'rejected' ? 'vigente' : 'cancelada', { ...cfdi.cancelacion, estatus });
  return cfdi;
}

function requireCfdi(uid: string, state: State): Cfdi {
  const cfdi = state.findCfdi(uid);
  if (!cfdi) throw ownRefusal('205 - El CFDI no existe');
  return cfdi;
}

function requireSubstitute(uuid: string | undefined, cfdi: Cfdi, state: State) {
  if (!uuid) throw sentencesRefusal(['El campo folioSustituto es requerido cuando el motivo es 01.']);
  const substitute = state.findCfdi(uuid);
  const relates = substitute?.relacionados.some(({ tipo, uuids }) => tipo === '04' && uuids.includes(cfdi.uuid));
  if (!substitute || substitute.estado === 'cancelada' || !relates)
    throw ownRefusal(`El folio sustituto ${uuid} no es un CFDI vigente con relación 04 a este`);
}

/** Documents in force that block the cancellation of a CFDI. The one that replaces it does not block. */
function blockersOf(cfdi: Cfdi, substitute: string | undefined, state: State): Cfdi[] {
  return state.relatedTo(cfdi.uuid).filter((related) => related.uuid !== substitute);
}

function acuseXml(cfdi: Cfdi, motivo: string, folioSustituto: string | undefined): string {
  const attributes = attributesXml([
    ['UUID', cfdi.uuid],
    ['EstatusUUID', '201'],
    ['Motivo', motivo],
    ['FolioSustitucion', folioSustituto],
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?><Acuse xmlns="http://cancelacfd.sat.gob.mx" Fecha="${localNow()}" RfcEmisor="${EMISOR.rfc}" Nota="Sandbox, sin validez fiscal"><Folios${attributes}/></Acuse>`;
}
