import type { FormMetadata } from '@conform-to/react';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import type { Answer } from '~/core/submission';
import { focusOn } from './foco';
import { ErrorDialog } from './ErrorDialog';
import { etiquetaOf } from './etiquetas';
import { Fallo } from './Fallo';

const LLENADO = {
  titulo: 'Error de llenado.',
  texto: 'Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
} as const;

type Told = { id: string; label: string };

/**
 * Shows the errors of the form it stands in. A refusal of the business is the red dialog with its own title. Wrong fields are a summary with a link to each, and
 * with the title of the refusal where the business refused a field,
 * and the first wrong field takes the focus. An error of a field that the page does not show is told in the summary, so nothing refused stays unsaid. Without
 * scripts nobody knows which fields are shown: then the summary tells every error. `answer` is the value of `useAnswer(form.id)`, the same that conform got as
 * `lastResult`.
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
  const wrong = Object.entries(form.allErrors).filter(([name]) => name !== '');
  // Comes with a refused submit and stays until the next: if it came and went with each field, the page would jump under the mouse.
  const [refused, setRefused] = useState(form.status === 'error');
  // The form keeps its refusal when the page is loaded again, and a dialog that was closed does not open twice.
  const [understood, setUnderstood] = useState<string | null | undefined>(null);
  // After 'Entendido' the page may be read again without an answer, while the form still holds its errors.
  const isUnderstood = understood !== null && (!answer || answer.id === understood);
  // The fields that show their own errors are known once the page is there.
  const names = wrong.map(([name]) => name).join(' ');
  const [seen, setSeen] = useState<{ names: string; fields: Record<string, Told> }>();
  const shown = seen?.names === names ? seen.fields : undefined;
  useEffect(() => {
    if (form.status) setRefused(form.status === 'error');
  }, [form.status]);

  useEffect(() => {
    const own = marker.current?.closest('form');
    if (!own) return;
    const told = names.split(' ').flatMap((name) => {
      const field = fieldOf(own, name);
      return field ? [[name, { id: field.id, label: labelOf(field) }]] : [];
    });
    setSeen({ names, fields: Object.fromEntries(told) as Record<string, Told> });
  }, [names, answer]);

  useEffect(() => {
    if (answer?.status !== 'error' || answer.sinRed) return;
    focusOn(marker.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]'));
  }, [answer]);

  const unclaimed = shown ? wrong.filter(([name]) => !shown[name]).flatMap(([, texts]) => texts ?? []) : [];
  const told = Object.values(shown ?? {}).filter(({ id, label }) => id !== '' && label !== '');
  /** The title of the business, while the fields that it refused are all that is wrong. */
  const titulo = wrong.every(([name]) => answer?.error?.[name]) ? answer?.titulo : undefined;
  const isRefused = refused || form.status === 'error';
  return (
    <div ref={marker} role="alert">
      {answer?.sinRed && <Fallo key={answer.id} />}
      {!answer?.sinRed && isRefused && (wrong.length > 0 || !form.errors) && (
        <div key={answer?.id} className="panel" data-tono="mal">
          <strong>{titulo ?? LLENADO.titulo}</strong>
          {titulo === undefined ? LLENADO.texto : shown && wrong.flatMap(([, texts]) => texts ?? []).join(' ')}
          {titulo === undefined && unclaimed.length > 0 && (
            <ul>
              {[...new Set(unclaimed)].map((texto) => (
                <li key={texto}>{texto}</li>
              ))}
            </ul>
          )}
          {!shown && (
            <ul>
              {wrong.map(([name, texts]) => (
                <li key={name}>
                  <a href={`#${form.id}-${name}`}>{etiquetaOf(name) ?? 'Ver'}</a>: {texts?.join(' ')}
                </li>
              ))}
            </ul>
          )}
          {told.length > 0 && (
            <p className="errados">
              {told.map(({ id, label }) => (
                <a key={id} href={`#${id}`} onClick={goTo}>
                  {label}
                </a>
              ))}
            </p>
          )}
        </div>
      )}
      {!answer?.sinRed && form.errors?.length && !isUnderstood ? (
        <ErrorDialog
          key={answer?.id}
          titulo={answer?.titulo ?? LLENADO.titulo}
          texto={form.errors.join(' ')}
          asunto={answer?.asunto}
          rechazo={answer?.rechazo}
          onClose={() => {
            setUnderstood(answer?.id);
            onClose?.();
          }}
        />
      ) : null}
    </div>
  );
}

/** Returns the visible element of a field; of a list or of several fields with one name, the first. */
function fieldOf(form: HTMLFormElement, name: string): HTMLElement | undefined {
  const isIts = (own: string) => own === name || own.startsWith(`${name}[`) || own.startsWith(`${name}.`);
  return [...form.elements].find(
    (element): element is HTMLElement =>
      element instanceof HTMLElement &&
      isIts(element.getAttribute('name') ?? '') &&
      element.getAttribute('type') !== 'hidden' &&
      element.getClientRects().length > 0,
  );
}

const labelOf = (field: HTMLElement) =>
  field.getAttribute('aria-label') ??
  (field as HTMLInputElement).labels?.[0]?.textContent.replace(/[*:]/g, '').trim() ??
  '';

/** With scripts the address stays as it is, and with it the state of the page. */
function goTo(event: MouseEvent<HTMLAnchorElement>) {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.scrollIntoView({ block: 'center' });
  focusOn(field);
}
