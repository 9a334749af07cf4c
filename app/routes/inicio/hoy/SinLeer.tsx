import type { SinLeer as Leido } from '~/platform/hoy/leida.server';
import { formatHora } from '~/ui/Fecha';

/** The words of a part that could not be read: since when what it shows stands, where it shows anything. */
export function SinLeer({ desde }: { desde: Date | string | null }) {
  return <span className="sin-leer">No se pudo leer{desde && <>; es de las {formatHora(desde)}</>}</span>;
}

/** A line for a part of the page that could not be read and has no place of its own to say so. */
export function ParteSinLeer({ titulo, sinLeer }: { titulo: string; sinLeer: Leido }) {
  return (
    sinLeer && (
      <p className="botones">
        <strong>{titulo}</strong>
        <SinLeer desde={sinLeer.desde} />
      </p>
    )
  );
}
