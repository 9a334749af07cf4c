import { enPesos } from '~/core/importe';
import { Estatus } from '~/ui/Estatus';

/** The amount of a payment that is left after its invoices. */
export function Queda({ restante }: { restante: string | null }) {
  if (restante === null) return <Estatus tono="aviso">Falta su total</Estatus>;
  if (/^-?0+(?:\.0+)?$/.test(restante)) return <Estatus tono="ok">Cuadra</Estatus>;
  return restante.startsWith('-') ? (
    <Estatus tono="mal">Faltan {enPesos(restante.slice(1))}</Estatus>
  ) : (
    <Estatus tono="aviso">Quedan {enPesos(restante)}</Estatus>
  );
}
