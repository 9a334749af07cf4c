import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type Escrita from './FechaEscrita';
import type { FechaInputProps } from './fechaProps';
import { useServed } from './useServed';

let FechaEscrita: typeof Escrita | undefined;

/**
 * A day, read and written as dd/mm/aaaa, with a calendar. The browser's own field is what the form sends; without JavaScript, and under a thumb, it is also what
 * one sees, since telephones have a good one. With a mouse a field of text stands before it, in the order people here write days and not in the browser's.
 */
export function FechaInput({ defaultValue = '', hora, calendario, ...input }: FechaInputProps) {
  const native = useServed(defaultValue);
  const [escrita, setEscrita] = useState<string | null>(null);
  // The look is synchronous, since typing between the look and the change would be lost. A field in use is not replaced.
  const look = () => {
    const field = native.current;
    if (FechaEscrita && field && document.activeElement !== field) flushSync(() => setEscrita(field.value));
  };
  const first = useRef(look);
  useEffect(() => {
    if (!matchMedia('(pointer: fine)').matches) return;
    import('./FechaEscrita')
      .then((module) => {
        FechaEscrita = module.default;
        first.current();
      })
      // The browser's own field stays.
      .catch(() => undefined);
  }, []);
  if (FechaEscrita && escrita !== null)
    return <FechaEscrita {...input} hora={hora} calendario={calendario} valor={escrita} served={defaultValue} />;
  return (
    <TextInput
      {...input}
      ref={native}
      className="fecha-campo"
      type={hora ? 'datetime-local' : 'date'}
      defaultValue={defaultValue}
      onBlur={look}
    />
  );
}
