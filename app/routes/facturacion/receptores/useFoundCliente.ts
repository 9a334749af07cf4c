import { useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { normalizeRfc } from '~/core/rfc';
import { isTouched } from '~/ui/escrito';
import { fillUntouched } from '~/ui/fillIn';

/** The fields of a customer that both invoicing screens know while the customer is typed. */
type Cliente = { modo: 'nuevo' | 'edicion' | 'lectura'; rfc: string };

/**
 * Returns the customer of the form with the marks of what the form shows. A look-up fills the fields that nobody typed in, at once and in the standing form:
 * typing is not interrupted, and typed text is never replaced. A look-up that finds nobody empties those fields, but for one that was chosen anew as it stood.
 * A known customer replaces the form only where nothing else was typed. `ronda` is the form's key and changes with each replacement.
 */
export function useFoundCliente<C extends Cliente, V>(
  hallado: C,
  visto: V,
  formOf: (cliente: C) => string,
  fieldsOf: (cliente: C) => Record<string, string>,
): { cliente: C; visto: V; ronda: number } {
  const [shown, show] = useState({ cliente: hallado, visto, ronda: 0 });
  const pressed = usePressed();
  const filled = useRef(new Map<string, string>());
  const chosen = useChosen(formOf(shown.cliente), shown.ronda);
  const known = useRef({ cliente: JSON.stringify(hallado), visto: JSON.stringify(visto) });
  const look = useRef(() => {});
  look.current = () => {
    const now = { cliente: JSON.stringify(hallado), visto: JSON.stringify(visto) };
    const before = known.current;
    if (now.cliente === before.cliente && now.visto === before.visto) return;
    known.current = now;
    const own = pressed.current === 'buscarRfc';
    pressed.current = undefined;
    const form = document.getElementById(formOf(shown.cliente));
    if (
      own &&
      shown.cliente.modo === 'nuevo' &&
      form instanceof HTMLFormElement &&
      (hallado.modo === 'nuevo' || isTouched(form, 'rfc'))
    ) {
      fill(form, hallado.rfc, fieldsOf(hallado), filled.current, chosen.current);
      show(({ ronda }) => ({ cliente: { ...hallado, modo: 'nuevo' }, visto, ronda }));
    } else if (now.cliente !== before.cliente) {
      show(({ ronda }) => ({ cliente: hallado, visto, ronda: ronda + 1 }));
    }
  };
  useEffect(() => look.current(), [hallado, visto]);
  return shown;
}

/** True while a look-up writes into the form, and not a person. */
let filling = false;

/** Returns the names of the fields that a person wrote in, in this round of the form. */
function useChosen(formId: string, ronda: number) {
  const chosen = useRef(new Set<string>());
  useEffect(() => {
    const names = chosen.current;
    const form = document.getElementById(formId);
    const note = ({ target }: Event) => {
      if (!filling) names.add((target as HTMLInputElement).name);
    };
    form?.addEventListener('input', note);
    return () => {
      names.clear();
      form?.removeEventListener('input', note);
    };
  }, [formId, ronda]);
  return chosen;
}

/** An answer about an earlier RFC is dropped. */
function fill(
  form: HTMLFormElement,
  rfc: string,
  values: Record<string, string>,
  filled: Map<string, string>,
  chosen: ReadonlySet<string>,
): void {
  const fieldOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
  if (normalizeRfc(fieldOf('rfc')?.value ?? '') !== rfc) return;
  filling = true;
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(name);
    if (field && (value !== '' || !chosen.has(name))) fillUntouched(field, value, filled);
  }
  filling = false;
}

/** Returns the intent of the last form sent from this page. */
function usePressed() {
  const { formData } = useNavigation();
  const pressed = useRef<string>();
  if (formData) pressed.current = String(formData.getAll('intent').at(-1));
  return pressed;
}
