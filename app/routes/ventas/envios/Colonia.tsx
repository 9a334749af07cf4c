import { useId } from 'react';
import type { FieldMetadata } from '@conform-to/react';
import { Field, SelectField } from '~/ui/Field';

/** The field of the colonia: chosen among those of the postal code, or typed where none are known. */
export function Colonia({
  field,
  colonias,
}: {
  field: FieldMetadata<string> | FieldMetadata<string | undefined>;
  colonias: string[];
}) {
  const listId = useId();
  const typed = String(field.value ?? '');
  // A typed colonia that the code does not have stays, with the others at hand.
  if (colonias.length === 0 || (typed !== '' && !colonias.includes(typed)))
    return (
      <>
        <Field field={field} label="Colonia" list={listId} autoComplete="off" />
        <datalist id={listId}>
          {colonias.map((colonia) => (
            <option key={colonia} value={colonia} />
          ))}
        </datalist>
      </>
    );
  return <SelectField field={field} label="Colonia" data={[{ value: '', label: 'Elige una colonia' }, ...colonias]} />;
}
