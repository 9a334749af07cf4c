import { Hidden } from '~/ui/useAnswer';
import { Visto } from '~/ui/Choque';
import { ActionForm, useActionForm } from '~/ui/useActionForm';

type Props = {
  id: string;
  intent: string;
  label: string;
  /** A sentence about the present state. */ nota: string;
  on: boolean;
  /** The other fields that the form sends with the switch. */ enviado: Record<string, string | boolean>;
  huella: string;
};

/** A switch that is a form. It turns when the server confirms. */
export function Palanca({ id, intent, label, nota, on, enviado, huella }: Props) {
  const form = useActionForm(intent, { id });
  return (
    <ActionForm of={form} className="palanca">
      <Hidden {...enviado} />
      <Visto of={form} marcas={{ huella }} enVivo />
      <button type="submit" role="switch" aria-checked={on} aria-describedby={`${id}-nota`} data-espera={form.pending}>
        <span className="pista" aria-hidden="true" />
        {label}
      </button>
      <p id={`${id}-nota`} className="nota">
        {nota}
      </p>
    </ActionForm>
  );
}
