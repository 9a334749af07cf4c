import { toInstant } from '~/core/time';
import { HORA_DE_RESPUESTA_MS, type EstatusPregunta } from '~/domain/atencion/preguntas/pregunta';
import { relojOf } from '~/platform/hoy/reloj';
import { Estatus } from '~/ui/Estatus';

const MINUTO = 60_000;
const PLAZOS = { aviso: 30 * MINUTO, mal: HORA_DE_RESPUESTA_MS };

/** How long an answer took, or how long it has been waited for. */
export function EsperaDe({
  pregunta: { estatus, fecha, respondidaEn },
  ahora,
}: {
  pregunta: { estatus: EstatusPregunta; fecha: string; respondidaEn: string | null };
  ahora: string;
}) {
  if (estatus === 'pendiente') {
    const { texto, tono } = relojOf({ desde: toInstant(fecha), vence: null }, PLAZOS, toInstant(ahora));
    return <Estatus tono={tono}>{texto}</Estatus>;
  }
  if (estatus !== 'respondida' || respondidaEn === null) return <>—</>;
  // Time beyond the hour is told in minutes: sixty minutes are still in time, sixty and a second are late.
  const minutos = Math.max(0, Math.ceil((toInstant(respondidaEn).getTime() - toInstant(fecha).getTime()) / MINUTO));
  const dicho =
    minutos < 120
      ? `${minutos} min`
      : minutos < 2_880
        ? `${Math.floor(minutos / 60)} h`
        : `${Math.floor(minutos / 1_440)} días`;
  return <Estatus tono={minutos <= 60 ? 'ok' : 'aviso'}>{`en ${dicho}`}</Estatus>;
}
