import { TextInput } from '@mantine/core';
import { Suspense, useId, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { writeFecha, parseFecha } from '~/core/fecha';
import type { FechaInputProps } from './fechaProps';
import { fillIn } from './fillIn';
import { focusOn } from './foco';
import { Icono } from './Icono';
import { lazyPart } from './lazyPart';
import { useColgado } from './useColgado';
import { useServed } from './useServed';

const { Part: CalendarioDia, prefetch } = lazyPart('CalendarioDia', () => import('./CalendarioDia'));

type Props = Omit<FechaInputProps, 'defaultValue'> & {
  /** The value of the browser's own field. */ valor: string;
  /** The value as the server wrote it. */ served: string;
};

/** A day as text, standing before the browser's own field: the text field takes typing and pasting, and the browser's field is sent. */
export default function FechaEscrita({
  valor,
  served,
  hora,
  min,
  max,
  name,
  form,
  error,
  required,
  calendario = 'Elegir en el calendario',
  id: own,
  ...input
}: Props) {
  const other = useId();
  const id = own ?? other;
  const native = useServed(served);
  const text = useServed(writeFecha(served));
  const [motivo, setMotivo] = useState<string | null>(null);
  const { open, shut, deBoton, dePanel } = useColgado(true);

  const motivoDe = (written: string): string | null => {
    const leida = written.trim() === '' ? null : parseFecha(written, hora);
    if (!leida) return null;
    if ('motivo' in leida) return leida.motivo;
    if (min && leida.valor < min) return `El primer día posible es ${writeFecha(min)}.`;
    if (max && leida.valor > max) return `El último día posible es ${writeFecha(max)}.`;
    return null;
  };
  const tell = (why: string | null) => {
    text.current?.setCustomValidity(why ?? '');
    setMotivo(why);
  };
  const write = (written: string) => {
    const leida = parseFecha(written, hora);
    if (native.current) fillIn(native.current, 'valor' in leida ? leida.valor : '');
    // A field is not wrong while it is being typed; an error goes as soon as it is corrected.
    if (motivoDe(written) === null) tell(null);
  };
  const onBlur = (event: FocusEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    const why = motivoDe(field.value);
    tell(why);
    if (why === null && native.current?.value) field.value = writeFecha(native.current.value);
    // The form checks the browser's own field when that field is left, so its blur is repeated.
    native.current?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && event.key === 'ArrowDown') deBoton.ref.current?.click();
    else if (event.key === 'Enter') tell(motivoDe(text.current?.value ?? ''));
    else return;
    if (event.altKey) event.preventDefault();
  };
  const choose = (dia: string) => {
    const reloj = native.current?.value.split('T')[1] ?? hora;
    const field = text.current!;
    fillIn(field, writeFecha(hora ? `${dia}T${reloj}` : dia));
    shut();
    focusOn(field);
  };
  return (
    <div className="fecha-campo">
      <TextInput
        {...input}
        id={id}
        ref={text}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder={hora ? 'dd/mm/aaaa hh:mm' : 'dd/mm/aaaa'}
        defaultValue={writeFecha(valor)}
        required={required}
        error={motivo ?? error}
        onInput={(event) => write(event.currentTarget.value)}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
        rightSectionPointerEvents="all"
        rightSection={
          <button
            type="button"
            className="abre-calendario"
            aria-label={calendario}
            title={calendario}
            onPointerEnter={prefetch}
            onFocus={prefetch}
            {...deBoton}
          >
            <Icono nombre="calendario" />
          </button>
        }
      />
      <input
        ref={native}
        type={hora ? 'datetime-local' : 'date'}
        name={name}
        form={form}
        defaultValue={valor}
        className="oculto"
        tabIndex={-1}
        aria-hidden="true"
        onFocus={() => focusOn(text.current)}
        // A value that was kept or found for the hidden field is shown too.
        onInput={(event) => {
          const field = text.current;
          if (field && document.activeElement !== field) field.value = writeFecha(event.currentTarget.value);
        }}
      />
      <div {...dePanel}>
        {open && (
          <Suspense fallback={<p className="hueso" />}>
            <CalendarioDia
              dia={native.current?.value.slice(0, 10) ?? ''}
              cerca={(served || max)?.slice(0, 10)}
              min={min?.slice(0, 10)}
              max={max?.slice(0, 10)}
              onChoose={choose}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}
