import type { FormMetadata } from '@conform-to/react';
import { useEffect, useRef, useState } from 'react';
import type { Answer } from '~/core/submission';
import { ErrorDialog } from './ErrorDialog';

const LLENADO = {
  titulo: 'Error de llenado.',
  texto: 'Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
} as const;

/**
 * Shows what was wrong with the form it stands in. A refusal of the business is the red dialog with its own title.
 * Wrong fields are a summary, and the first of them takes the focus. `answer` is what `answerTo(form.id,
 * useActionData())` gave, the same that conform got as `lastResult`.
 */
export function FormErrors<Schema extends Record<string, unknown>>({
  form,
  answer,
  onClose,
}: {
  form: FormMetadata<Schema, string[]>;
  answer?: Answer | null;
  /** After 'Entendido' on a refusal. */ onClose?: () => void;
}) {
  const marker = useRef<HTMLDivElement>(null);
  const fields = Object.values(form.allErrors).flat().length - (form.errors?.length ?? 0);
  // Comes with a refused submit and stays until the next: if it came and went with each field, the page would jump under the mouse.
  const [refused, setRefused] = useState(form.status === 'error');
  // The form keeps its refusal when the page is loaded again; people do not want to hear it twice.
  const [understood, setUnderstood] = useState<string[]>();
  useEffect(() => {
    if (form.status) setRefused(form.status === 'error');
  }, [form.status]);

  useEffect(() => {
    if (answer?.status !== 'error') return;
    marker.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [answer]);

  return (
    <div ref={marker} role="alert">
      {(refused || form.status === 'error') && (fields > 0 || !form.errors) && (
        <div className="panel" data-tono="mal">
          <strong>{LLENADO.titulo}</strong>
          {LLENADO.texto}
        </div>
      )}
      {form.errors?.length && form.errors !== understood ? (
        <ErrorDialog
          key={answer?.id}
          titulo={answer?.titulo ?? LLENADO.titulo}
          texto={form.errors.join(' ')}
          asunto={answer?.asunto}
          onClose={() => {
            setUnderstood(form.errors);
            onClose?.();
          }}
        />
      ) : null}
    </div>
  );
}
