import { Hidden } from '~/ui/useAnswer';
import { Visto } from '~/ui/Choque';
import { ActionForm, useActionForm } from '~/ui/useActionForm';

type Props = {
  id: string;
  intent: string;
  label: string;
  /** What it means as it stands. */ nota: string;
  on: boolean;
  /** What the form says beside the switch, once it was turned. */ enviado: Record<string, string | boolean>;
  huella: string;
};

/** A switch that is a form: it turns once the server says that it did. */
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
