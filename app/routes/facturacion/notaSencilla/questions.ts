import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import type { Money } from '~/core/money';
import { formatPesos } from '~/ui/Pesos';

type Nota = Record<'folio' | 'nombre' | 'apellidos' | 'email', string> & { total: Money | string };

export const askResendNota = ({ folio, nombre, apellidos, email, total }: Nota): Question => ({
  titulo: 'Reenviar correo',
  texto: '¿Está seguro que desea enviar el correo?',
  hechos: `${enLinea(folio, `${nombre} ${apellidos}`.trim(), formatPesos(total))}. Se envía a ${email || 'nadie: no tiene correo'}.`,
});
