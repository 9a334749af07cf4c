import { getInputProps, type FieldMetadata } from '@conform-to/react';
import { FechaInput } from './FechaInput';
import type { FechaInputProps } from './fechaProps';

type Props = Omit<FechaInputProps, 'name' | 'defaultValue' | 'error' | 'form'> & {
  field: FieldMetadata<string> | FieldMetadata<string | undefined>;
};

/** A field of a form that holds a day, as `Field` is for a text. */
export function FechaField({ field, min, max, ...input }: Props) {
  const { key, required, ...props } = getInputProps(field as FieldMetadata<string>, { type: 'date' });
  const own = { min, max, required, error: field.errors?.[0] };
  return <FechaInput key={key} withAsterisk={required} {...props} {...input} {...own} />;
}
