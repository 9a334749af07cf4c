import type { EffectState } from '~db/columns';
import { explainPacCode } from '~/domain/facturacion/cfdi/explainPac';

/** The state of an item of a batch, in words. */
export const ESTADO_DE_PARTIDA: Record<EffectState, string> = {
  queued: 'En espera',
  sending: 'Enviándose',
  unknown: 'Se está buscando',
  manual: 'Espera una decisión',
  done: 'Timbrada',
  refused: 'Rechazada',
  cancelled: 'Retirada',
};

const FALTA_INFORMACION_GLOBAL =
  'El PAC pide InformacionGlobal en las notas de crédito a PUBLICO EN GENERAL: un administrador debe poner NOTA_CREDITO_GLOBAL=1 y reintentar.';

/** The reason an item is not stamped: the meaning of the PAC's code, then the PAC's own words. Null for an item that is stamped or waits. */
export function motivoOf({
  type,
  state,
  reason,
  detail,
}: {
  type: string;
  state: EffectState;
  reason: string | null;
  detail: string | null;
}): string | null {
  if (state === 'done' || (reason === null && detail === null))
    return state === 'unknown' ? 'La respuesta del PAC se perdió; se está buscando si existe.' : null;
  if (state !== 'refused') return [reason, detail].filter(Boolean).join(' ');
  const [code = ''] = (detail ?? '').split(' · ');
  const known = code !== '' && explainPacCode(code).campo !== '';
  const meaning =
    type === 'cfdi.notaCredito' && code === 'CFDI40130'
      ? FALTA_INFORMACION_GLOBAL
      : known
        ? explainPacCode(code).texto
        : '';
  return [meaning, reason].filter(Boolean).join(' ');
}
