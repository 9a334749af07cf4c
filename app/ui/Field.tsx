import { getInputProps, getSelectProps, type FieldMetadata } from '@conform-to/react';
import {
  NativeSelect,
  PasswordInput,
  Textarea,
  TextInput,
  type NativeSelectProps,
  type PasswordInputProps,
  type TextInputProps,
} from '@mantine/core';
import { useState, type MouseEvent, type ReactNode } from 'react';

/** Each of the three fields below ties a conform field to an input: name, initial value, message, required mark and ARIA. */
type Of<P> = Omit<P, 'name' | 'defaultValue' | 'error' | 'form'> & {
  field: FieldMetadata<string> | FieldMetadata<string | undefined>;
};

export function Field({
  field,
  type = 'text',
  ...input
}: Of<TextInputProps> & { type?: 'text' | 'email' | 'tel' | 'month' | 'search' }) {
  const { key, required, ...props } = getInputProps(field as FieldMetadata<string>, { type });
  return (
    <TextInput key={key} withAsterisk={required} {...props} required={required} {...input} error={field.errors?.[0]} />
  );
}

/** The eye of the field can be reached and pressed by keyboard. A typed password is never written back into the page. */
export function PasswordField({ field, ...input }: Of<PasswordInputProps>) {
  const {
    key,
    required,
    defaultValue: _,
    ...props
  } = getInputProps(field as FieldMetadata<string>, { type: 'password' });
  const [visible, setVisible] = useState(false);
  // Mantine listens to the mouse and the space bar; a click without a mouse is Enter.
  const onClick = (event: MouseEvent) => event.detail === 0 && setVisible(!visible);
  return (
    <PasswordInput
      key={key}
      withAsterisk={required}
      {...props}
      required={required}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': 'Mostrar u ocultar la contraseña', onClick }}
      {...input}
      error={field.errors?.[0]}
    />
  );
}

export function SelectField({ field, ...input }: Of<NativeSelectProps>) {
  const { key, required, ...props } = getSelectProps(field as FieldMetadata<string>);
  const defaultValue = Array.isArray(props.defaultValue) ? undefined : props.defaultValue;
  return (
    <NativeSelect
      key={key}
      withAsterisk={required}
      {...props}
      required={required}
      defaultValue={defaultValue}
      {...input}
      error={field.errors?.[0]}
    />
  );
}

/** Letters in a line of a phone, for browsers that cannot size a field by its content. */
const POR_LINEA = 34;

/** A long read-only text, as tall as it needs to be and never cut, with the look of a field. */
export function WholeText({
  label,
  value,
  description,
  className,
}: {
  label: string;
  value: string;
  description?: ReactNode;
  className?: string;
}) {
  return (
    <Textarea
      label={label}
      withAsterisk
      value={value}
      readOnly
      rows={Math.max(1, Math.ceil(value.length / POR_LINEA))}
      className={className}
      classNames={{ input: 'crece' }}
      description={description}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
    />
  );
}
