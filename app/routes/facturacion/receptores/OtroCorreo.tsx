import { Switch } from '@mantine/core';
import { Field } from '~/ui/Field';

type Props = {
  field: Parameters<typeof Field>[0]['field'];
  /** The second address on record. */
  email2: string;
  soloLectura: boolean;
  autoComplete?: string;
};

/** A second address, added by a switch. A read-only form shows it only where it exists. */
export function OtroCorreo({ field, email2, soloLectura, autoComplete }: Props) {
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
        <Field field={field} label="Email 2" type="email" readOnly={soloLectura} autoComplete={autoComplete} />
      </div>
    </>
  );
}
