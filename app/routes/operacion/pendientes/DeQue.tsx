import { useArea } from '~/access/useArea';
import { enLinea } from '~/core/hechos';
import { formatPesos } from '~/ui/Pesos';
import type { Pendiente } from './pendiente';

export type Alarma = NonNullable<Pendiente['alarma']>;
export const foliosOf = ({ vigente, repetidas }: Alarma) =>
  [...(vigente ? [vigente] : []), ...repetidas].map(({ folio }) => folio);

/** The subject of the call, its receiver and its amount. */
export function DeQue({ fila: { asunto, rfc, total, emails } }: { fila: Pendiente }) {
  const area = useArea();
  return (
    <>
      {asunto.pantalla ? <a href={`${area}/${asunto.pantalla}`}>{asunto.texto}</a> : asunto.texto}
      <span className="nota bloque">{enLinea(rfc, emails, total && formatPesos(total))}</span>
    </>
  );
}
