import type { TextInputProps } from '@mantine/core';

/** The props of a field of a day. */
export type FechaInputProps = Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'min' | 'max' | 'onChange'> & {
  name: string;
  /** 'YYYY-MM-DD', with 'THH:mm' where the field has an hour. */
  defaultValue?: string | undefined;
  /** The hour that is added where only a day is typed; set where the field has hours. */
  hora?: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  /** The label of the calendar's button. */
  calendario?: string | undefined;
};
