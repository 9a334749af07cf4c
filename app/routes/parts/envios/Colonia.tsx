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
  if (colonias.length === 0) return <Field field={field} label="Colonia" autoComplete="off" />;
  return <SelectField field={field} label="Colonia" data={[{ value: '', label: 'Elige una colonia' }, ...colonias]} />;
}
