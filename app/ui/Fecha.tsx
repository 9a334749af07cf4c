import { civilDateTime, isCivilDay, toInstant } from '~/core/time';

/** 'dd/mm/aaaa hh:mm' in the business zone, the same on the server and in the browser. A civil day ('2026-11-20') is shown as it is. */
export function formatFecha(valor: Date | string, { hora = true }: { hora?: boolean } = {}): string {
  const local = typeof valor === 'string' && isCivilDay(valor) ? valor : civilDateTime(toInstant(valor));
  const [day = '', time] = local.split('T');
  const text = day.split('-').reverse().join('/');
  return hora && time ? `${text} ${time.slice(0, 5)}` : text;
}

/** 'hh:mm' in the business zone. */
export function formatHora(valor: Date | string): string {
  return civilDateTime(toInstant(valor)).slice(11, 16);
}

export function Fecha({ valor, hora }: { valor: Date | string | null; hora?: boolean }) {
  if (valor === null) return <>—</>;
  return <time dateTime={typeof valor === 'string' ? valor : valor.toISOString()}>{formatFecha(valor, { hora })}</time>;
}

/** The hour of an instant whose day stands above it; the title has the whole instant. */
export function Hora({ valor }: { valor: Date | string }) {
  return (
    <time dateTime={toInstant(valor).toISOString()} title={formatFecha(valor)}>
      {formatHora(valor)}
    </time>
  );
}

/** 'hace 3 min', against the `ahora` the loader passed, so that server and browser agree. */
export function formatHace(valor: Date | string, ahora: Date | string): string {
  const seconds = Math.max(0, Math.round((toInstant(ahora).getTime() - toInstant(valor).getTime()) / 1000));
  if (seconds < 60) return 'hace un momento';
  if (seconds < 3_600) return `hace ${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `hace ${Math.floor(seconds / 3_600)} h`;
  const days = Math.floor(seconds / 86_400);
  return `hace ${days} ${days === 1 ? 'día' : 'días'}`;
}

export function Hace({ valor, ahora }: { valor: Date | string | null; ahora: Date | string }) {
  if (valor === null) return <>nunca</>;
  return (
    <time dateTime={toInstant(valor).toISOString()} title={formatFecha(valor)}>
      {formatHace(valor, ahora)}
    </time>
  );
}
