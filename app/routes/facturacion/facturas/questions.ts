import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import type { Money } from '~/core/money';
import { nombreOf } from '~/domain/facturacion/cfdi/documento';
import { formatPesos } from '~/ui/Pesos';

/** The facts of a document that a question tells, so that nobody cancels or sends the wrong one. */
export type Documento = {
  tipo: string;
  folio: string;
  razonSocial: string;
  rfc: string;
  total: Money | string;
  emails: string[];
};

const deQue = ({ folio, razonSocial, rfc, total }: Documento) => enLinea(folio, razonSocial, rfc, formatPesos(total));

export const askResendFactura = (documento: Documento): Question => ({
  titulo: 'Reenviar correo',
  texto: '¿Está seguro que desea enviar el correo?',
  hechos: `${deQue(documento)}. Se envía a ${documento.emails.join(', ') || 'nadie: no tiene correo'}.`,
});

/** The question before a document is cancelled. Button and question name the document. */
export const askCancelFactura = (documento: Documento): Question => ({
  titulo: `Cancelar ${nombreOf(documento.tipo)}`,
  texto: `¿Estas seguro de cancelar la ${nombreOf(documento.tipo)} ante el SAT?`,
  hechos: deQue(documento),
});

export const askSubstituteFactura = (documento: Documento): Question => ({
  titulo: 'Sustituir factura',
  texto:
    'Se abrirá la captura con los datos de esta factura. Al timbrar la nueva se pedirá al SAT cancelar esta con motivo 01. ¿Continuar?',
  hechos: deQue(documento),
});

export const askRequestCancelacionAgain = (documento: Documento): Question => ({
  titulo: 'Pedir otra vez',
  texto: `El SAT no tiene la solicitud de cancelación de esta ${nombreOf(documento.tipo)}. ¿Pedirla otra vez?`,
  hechos: deQue(documento),
});
