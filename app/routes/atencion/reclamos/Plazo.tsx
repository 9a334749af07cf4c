import { toInstant } from '~/core/time';
import { PLAZOS_DE_RECLAMO, RESPONSABLE } from '~/domain/atencion/reclamos/reclamo';
import type { EstatusReclamo, ResponsableReclamo } from '~/domain/atencion/reclamos/reclamo';
import { relojOf } from '~/platform/hoy/reloj';
import { Estatus } from '~/ui/Estatus';
import { formatFecha } from '~/ui/Fecha';

type Props = {
  reclamo: {
    estatus: EstatusReclamo;
    responsable: ResponsableReclamo | null;
    venceEn: string | null;
    actualizadoEn: string;
  };
  ahora: string;
};

/** The time left for a claim, or whose turn it is where the claim waits for others. */
export function Plazo({ reclamo: { estatus, responsable, venceEn, actualizadoEn }, ahora }: Props) {
  if (estatus === 'cerrado') return <>—</>;
  if (venceEn === null && responsable !== 'vendedor')
    return <Estatus>{responsable === null ? 'Sin plazo' : RESPONSABLE[responsable]}</Estatus>;
  const vence = venceEn === null ? null : toInstant(venceEn);
  const { texto, tono } = relojOf({ desde: toInstant(actualizadoEn), vence }, PLAZOS_DE_RECLAMO, toInstant(ahora));
  return (
    <span title={vence ? `Vence el ${formatFecha(vence)}` : `Desde el ${formatFecha(actualizadoEn)}`}>
      <Estatus tono={tono}>{texto}</Estatus>
    </span>
  );
}
