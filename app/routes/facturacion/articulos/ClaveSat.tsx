import { useInputControl, type FieldMetadata } from '@conform-to/react';
import { useFetcher } from '@remix-run/react';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useArea } from '~/access/useArea';
import { CODIGO_SAT_GENERICO } from '~/domain/facturacion/cfdi/articulos';
import type { Clave } from '~/domain/facturacion/sat/sat';
import './ClaveSat.css';

/** What is said of the SAT's key for what its catalogue lacks. */
const GENERICA = 'Clave genérica: busca la del producto.';
const DEBOUNCE_MS = 300;
/** Something to search for, and not a whole key already. */
const isSearch = (text: string) => text.length >= 2 && !/^\d{8}$/.test(text);

/**
 * The SAT key of an item: eight digits, or words for a search of the catalogue. Without JavaScript a plain field. Only the focused cell searches, so a table of
 * five hundred rows costs no more than one cell.
 */
export function ClaveSat({ field, etiqueta }: { field: FieldMetadata<string>; etiqueta: string }) {
  const control = useInputControl(field);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  // The text typed since the field got the focus; null closes the list.
  const [q, setQ] = useState<string | null>(null);
  const [active, setActive] = useState<string>();
  const searching = q !== null && isSearch(q);
  const pick = (clave: string) => {
    control.change(clave);
    setQ(null);
    setActive(undefined);
  };
  return (
    <>
      <input
        ref={input}
        name={field.name}
        id={field.id}
        form={field.formId}
        className="celda"
        size={9}
        maxLength={60}
        autoComplete="off"
        value={control.value ?? ''}
        aria-label={etiqueta}
        aria-invalid={field.errors ? true : undefined}
        aria-describedby={field.errors ? field.errorId : undefined}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={active !== undefined}
        aria-controls={listId}
        aria-activedescendant={active}
        title="Ocho dígitos, o palabras para buscar en el catálogo del SAT"
        onFocus={control.focus}
        onBlur={() => {
          setQ(null);
          setActive(undefined);
          control.blur();
        }}
        onChange={(event) => {
          control.change(event.currentTarget.value);
          setQ(event.currentTarget.value.trim());
        }}
      />
      {searching && (
        <Sugerencias
          id={listId}
          q={q}
          input={input}
          onActive={setActive}
          onPick={pick}
          onClose={() => pick(control.value ?? '')}
        />
      )}
      {!field.errors && control.value === CODIGO_SAT_GENERICO && <span className="nota">{GENERICA}</span>}
      {field.errors && (
        <span className="error" id={field.errorId}>
          {field.errors[0]}
        </span>
      )}
    </>
  );
}

type Props = {
  id: string;
  q: string;
  input: RefObject<HTMLInputElement>;
  onActive(id: string | undefined): void;
  onPick(clave: string): void;
  onClose(): void;
};

/** The suggestions of the SAT catalogue, under the field and above whatever clips the field. */
function Sugerencias({ id, q, input, onActive, onPick, onClose }: Props) {
  const area = useArea();
  const { load, data } = useFetcher<{ q: string; claves: Clave[] }>();
  const [at, setAt] = useState(0);
  const claves = useMemo(() => (data?.q === q ? data.claves : []), [data, q]);
  const chosen = Math.min(at, claves.length - 1);
  const optionId = (n: number) => `${id}-${n}`;

  useEffect(() => {
    const timer = setTimeout(() => load(`${area}/clavesSat?q=${encodeURIComponent(q)}`), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [area, q, load]);
  useLayoutEffect(() => onActive(chosen >= 0 ? `${id}-${chosen}` : undefined), [chosen, id, onActive]);
  // Before the list is painted: an Enter that answers a visible list never sends the form.
  useLayoutEffect(() => {
    const element = input.current;
    if (!element || claves.length === 0) return;
    const onKey = (event: KeyboardEvent) => {
      const moves: Record<string, () => void> = {
        ArrowDown: () => setAt((chosen + 1) % claves.length),
        ArrowUp: () => setAt((chosen + claves.length - 1) % claves.length),
        Enter: () => onPick(claves[chosen]!.id),
        Escape: onClose,
      };
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      move();
    };
    element.addEventListener('keydown', onKey);
    window.addEventListener('scroll', onClose, { once: true });
    return () => {
      element.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', onClose);
    };
  }, [claves, chosen, input, onPick, onClose]);

  if (claves.length === 0 || !input.current) return null;
  const { left, bottom } = input.current.getBoundingClientRect();
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Claves del SAT"
      className="sugerencias"
      style={{ left: Math.min(left, Math.max(12, window.innerWidth - 432)), top: bottom }}
    >
      {claves.map((clave, n) => (
        // The mouse must not take the focus from the field before the click arrives.
        <li
          key={clave.id}
          id={optionId(n)}
          role="option"
          aria-selected={n === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(clave.id)}
        >
          <b>{clave.id}</b>
          {clave.texto}
        </li>
      ))}
    </ul>
  );
}
