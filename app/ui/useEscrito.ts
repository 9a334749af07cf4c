import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import type { Answer } from '~/core/submission';
import { forget, giveBack, isTouched, keep, readBefore, recall, typedBefore } from './escrito';
import { fillIn, tellTyped, tick } from './fillIn';
import { useLugar } from './lugar';
import { isLeavingByItself } from './otraVersion';

/** The id of a record in the id of its form. */
const OF_A_RECORD = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;
/** What an address says of the list beside an open record. */
const OF_THE_LIST = ['q', 'desde', 'hasta', 'rango', 'pagina', 'vista', 'cuales'];

/**
 * Returns the key under which the text of a form is kept. A form that names its record is the same on every screen. Elsewhere the address tells which record it is
 * about, whatever list stands beside it; `enLugar`: the form stands in another screen, whatever the address opens there.
 */
export function keyOf(
  formId: string,
  { pathname, search, enLugar }: { pathname: string; search: string; enLugar: boolean },
): string {
  if (OF_A_RECORD.test(formId)) return `#${formId}`;
  if (enLugar) return `${pathname}#${formId}`;
  const params = new URLSearchParams(search);
  // The open card of a screen makes no other form.
  params.delete('abrir');
  if (params.has('ver')) OF_THE_LIST.forEach((name) => params.delete(name));
  return `${pathname}?${params}#${formId}`;
}

/**
 * Keeps the typed text of a form for the life of its tab until the server takes it, and gives it back when the same form comes again. True once text was given
 * back.
 */
export function useEscrito(
  formId: string,
  pending: string | undefined,
  answer: Answer | undefined,
  /** Adds a row to the form's list. */
  addRow?: () => void,
): boolean {
  const { pathname, search } = useLocation();
  const lugar = useLugar();
  const navigation = useNavigation();
  const { state, formData } = lugar ?? navigation;
  const key = keyOf(formId, { pathname, search, enLugar: lugar !== null });
  const [given, setGiven] = useState(false);
  const sent = useRef(false);
  const unsaved = useRef(false);
  const add = useRef(addRow);
  add.current = addRow;

  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const before = readBefore(form);
    const early = typedBefore(form, before);
    const kept = recall(key, before);
    const give = () => {
      if (!giveBack(form, kept, before, writeBack)) return;
      setGiven(true);
      unsaved.current = true;
    };
    give();
    const missing = new Set(
      [...kept.keys()].filter((name) => !before.held.has(name)).map((name) => name.split('.')[0]),
    );
    for (const _ of add.current ? missing : []) add.current?.();
    const later = missing.size > 0 ? setTimeout(give) : undefined;
    const typed = () => {
      keep(key, form, before);
      unsaved.current = isTouched(form);
    };
    // The kept text ends with its tab.
    const leaving = (event: BeforeUnloadEvent) => {
      if (unsaved.current && !sent.current && !isLeavingByItself()) event.preventDefault();
    };
    window.addEventListener('beforeunload', leaving);
    form.addEventListener('input', typed);
    form.addEventListener('change', typed);
    early.forEach(tellTyped);
    return () => {
      clearTimeout(later);
      window.removeEventListener('beforeunload', leaving);
      unsaved.current = false;
      form.removeEventListener('input', typed);
      form.removeEventListener('change', typed);
      // The form went through, so the server has its values.
      if (sent.current) forget(key);
    };
  }, [formId, key]);

  useEffect(() => {
    // A look-up does not save the form.
    if (pending !== undefined) sent.current = !pending.startsWith('buscar');
    else if (sent.current && (state === 'idle' || formData === undefined)) {
      sent.current = false;
      // Taken, and still on the page.
      if (state !== 'idle' || answer?.status === 'error') return;
      unsaved.current = false;
      forget(key);
    }
  }, [pending, state, formData, answer, key]);
  return given;
}

function writeBack(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) tick(field, value === 'true');
  else fillIn(field, value);
}
