import { Switch } from '@mantine/core';
import { Field } from '~/ui/Field';
import { useHydrated } from '~/ui/useHydrated';

type Props = {
  field: Parameters<typeof Field>[0]['field'];
  /** The second address on record. */
  email2: string;
  soloLectura: boolean;
  autoComplete?: string;
  /** The first address: while it is empty the second is closed. Without it the first one is on record. */
  tras?: { name: string; value?: string | undefined };
};

/** A second address, added by a switch. A read-only form shows it only where it exists. Without scripts it is never closed. */
export function OtroCorreo({ field, email2, soloLectura, autoComplete, tras }: Props) {
  const hydrated = useHydrated();
  if (soloLectura && email2 === '') return null;
  return (
    <>
      {!soloLectura && (
        <Switch
          name="otroCorreo"
          defaultChecked={email2 !== ''}
          label="Otro correo"
          title="Agrega otro correo"
          className="otro-correo"
        />
      )}
      <div className="correo2">
        <Field
          field={field}
          label="Email 2"
          type="email"
          readOnly={soloLectura}
          autoComplete={autoComplete}
          disabled={hydrated && tras !== undefined && !soloLectura && !tras.value && !field.value}
          data-tras={tras?.name}
        />
      </div>
    </>
  );
}
