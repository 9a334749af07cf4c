import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import { formatFecha } from '~/ui/Fecha';

type Enlace = {
  numOrden: string;
  creadoEn: Date | string;
  creadoPor: string | null;
  venceEn: Date | string;
  usos: number;
};

/** The question before an enlace is revoked. A customer may hold the link, whatever the link is for. */
export function askRevokeEnlace({ numOrden, creadoEn, creadoPor, venceEn, usos }: Enlace): Question {
  return {
    titulo: 'Revocar enlace',
    texto: '¿Estas seguro de revocar el enlace? El cliente ya no podrá abrirlo.',
    hechos: enLinea(
      `Orden ${numOrden}`,
      `creado el ${formatFecha(creadoEn)}${creadoPor === null ? '' : ` por ${creadoPor}`}`,
      `vence el ${formatFecha(venceEn, { hora: false })}`,
      usos === 0 ? 'nadie lo ha usado' : usos === 1 ? 'usado 1 vez' : `usado ${usos} veces`,
    ),
  };
}

/** The same question for an enlace that may not exist; the command refuses a missing one. */
export const askRevoke = (enlace: Enlace | undefined): Question | null => (enlace ? askRevokeEnlace(enlace) : null);
