import { forwardRef, useEffect, useImperativeHandle, useRef, type ComponentProps } from 'react';

/**
 * A field to choose files with, in our words: the browser writes its own in its own language, and they are not shown. The names of chosen files are the
 * browser's. It works without scripts.
 */
export const ArchivoInput = forwardRef<HTMLInputElement, Omit<ComponentProps<'input'>, 'type'>>(function ArchivoInput(
  { multiple, onChange, ...input },
  ref,
) {
  const own = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => own.current!);
  useEffect(() => {
    const form = own.current?.form;
    // A form is emptied after this event.
    const emptied = () => setTimeout(() => markElegidos(own.current));
    form?.addEventListener('reset', emptied);
    return () => form?.removeEventListener('reset', emptied);
  }, []);
  return (
    <span className="elige-archivo">
      <span className="boton" aria-hidden="true">
        {multiple ? 'Elegir archivos' : 'Elegir archivo'}
      </span>
      <input
        ref={own}
        type="file"
        multiple={multiple}
        onChange={(event) => {
          markElegidos(event.currentTarget);
          onChange?.(event);
        }}
        {...input}
      />
    </span>
  );
});

/** Shows the names of the files that a field holds; a field that a script fills or empties is marked by its caller. */
export function markElegidos(input: HTMLInputElement | null): void {
  input?.toggleAttribute('data-elegidos', (input.files?.length ?? 0) > 0);
}
