import type { TextInputProps } from '@mantine/core';

/** What a field of a day is given. */
export type FechaInputProps = Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'min' | 'max' | 'onChange'> & {
  name: string;
  /** 'YYYY-MM-DD', with 'THH:mm' where the field has its hour. */
  defaultValue?: string | undefined;
  /** With its hour, which is this one where only a day is written. */
  hora?: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  /** What the button of the calendar is called. */
  calendario?: string | undefined;
};
