import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import { formatPesos } from '~/ui/Pesos';
import type { Pendiente } from './pendiente';

/** The question before each decision about a call whose answer was lost. */
const PREGUNTA = {
  existe: {
    titulo: 'Sí existe',
    texto: 'Se leerá del PAC y se comparará con lo que se pidió antes de darla por hecha. ¿Continuar?',
  },
  conFolio: {
    titulo: 'Sí existe',
    texto: 'Se dará por pedido con ese folio, y se comprueba donde el proveedor lo contesta. ¿Continuar?',
  },
  hecho: { titulo: 'Sí se hizo', texto: '¿Confirmas que sí se hizo? Queda registrado con tu nombre.' },
  noExiste: {
    titulo: 'No existe',
    texto: '¿Confirmas que revisaste y no existe? Podrá intentarse otra vez. Queda registrado con tu nombre.',
  },
  enviar: {
    titulo: 'Enviar otra vez',
    texto:
      'Se buscará una vez más y, si no está, se timbrará. Si el primer envío llegara después habría dos, y se avisaría aquí. ¿Continuar?',
  },
  entendido: {
    titulo: 'Ya se atendió',
    texto: '¿Confirmas que ya se corrigió del otro lado, o que se queda así? Queda registrado con tu nombre.',
  },
} as const;

type DeQue = Pick<Pendiente, 'que' | 'asunto' | 'rfc' | 'total' | 'emails'> & Partial<Pick<Pendiente, 'says'>>;
/** The words for a purchase, since a purchase made twice is paid twice. */
const COMPRA = {
  texto:
    'Se buscará una vez más y, si no está, se pedirá otra vez. Si el primer envío llegara después habría dos, y se avisaría aquí. ¿Continuar?',
} as const;

const deQue = ({ que, asunto, rfc, total, emails }: DeQue) =>
  enLinea(que, asunto.texto !== que && asunto.texto, rfc, total && formatPesos(total), emails);

export const questionOf = (decision: keyof typeof PREGUNTA, abierta: DeQue): Question => ({
  ...PREGUNTA[decision],
  ...(decision === 'enviar' && abierta.says === 'folio' && COMPRA),
  hechos: deQue(abierta),
});

/** The question before a surplus CFDI of one request is cancelled. */
export function askCancelRepetida(abierta: Pick<Pendiente, 'alarma'> & DeQue, uuid: string): Question {
  const { vigente = null, repetidas = [] } = abierta.alarma ?? {};
  const repetida = repetidas.find((one) => one.uuid.toLowerCase() === uuid.toLowerCase());
  return {
    titulo: 'Cancelar la repetida',
    texto: '¿Confirmas que ese CFDI sobra? Se pedirá su cancelación al SAT con el motivo 02 y no se puede deshacer.',
    hechos: `${enLinea(repetida && `Se cancela ${repetida.folio}`, vigente && `queda ${vigente.folio}`)}. ${deQue(abierta)}`,
  };
}
