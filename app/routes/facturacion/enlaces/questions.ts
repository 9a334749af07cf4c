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

/** Asked before a link that a customer may hold stops opening, whatever it is for. */
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

/** The same about one that may not be there: that is refused by the command. */
export const askRevoke = (enlace: Enlace | undefined): Question | null => (enlace ? askRevokeEnlace(enlace) : null);
