import { forwardRef, type ComponentPropsWithoutRef } from 'react';

export type BotonProps = ComponentPropsWithoutRef<'button'> & {
  /** 'acento' for the form's main act; 'destruye' where the act cannot be taken back. */
  tono?: 'acento' | 'destruye' | 'neutro' | undefined;
  /** Set while the request of this button is under way: the button shows a spinner and takes no press. */
  ocupado?: boolean | undefined;
  /** Set where the button takes the whole width of its form. */
  ancho?: boolean | undefined;
};

/** A button at the end of a form or of a dialog. Links, and buttons in rows and bars, are plain elements of the same class `boton`. */
export const Boton = forwardRef<HTMLButtonElement, BotonProps>(function Boton(
  { tono, ocupado, ancho, disabled, className, type = 'button', ...button },
  ref,
) {
  return (
    <button
      {...button}
      ref={ref}
      type={type}
      className={`boton grande${ancho ? ' ancho' : ''}${className ? ` ${className}` : ''}`}
      data-tono={tono}
      disabled={disabled || ocupado}
      data-ocupado={ocupado || undefined}
    />
  );
});
