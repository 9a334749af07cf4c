import { useId } from 'react';
import type { FieldMetadata } from '@conform-to/react';
import { Field, SelectField } from '~/ui/Field';

/** Chosen among those of the postal code; typed where nobody knows them. */
export function Colonia({
  field,
  colonias,
}: {
  field: FieldMetadata<string> | FieldMetadata<string | undefined>;
  colonias: string[];
}) {
  const listId = useId();
  const typed = String(field.value ?? '');
  // One that the code does not have stays as it was typed, with the others at hand.
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
