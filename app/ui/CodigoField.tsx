import type { FieldMetadata } from '@conform-to/react';
import type { TextInputProps } from '@mantine/core';
import { Field } from './Field';

type Props = Omit<TextInputProps, 'name' | 'defaultValue' | 'error' | 'form' | 'type'> & {
  field: FieldMetadata<string>;
};

/** A code of six digits: a number pad on a telephone, and the browser may offer a code it received or keeps. */
export function CodigoField({ field, ...input }: Props) {
  return (
    <Field
      field={field}
      label="Código de verificación"
      description="Los 6 dígitos que muestra tu aplicación de códigos."
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={20}
      className="codigo"
      {...input}
    />
  );
}
