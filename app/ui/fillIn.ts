type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Writes into a field as typing would: the form's listeners hear it, and so does React where it controls the value. */
export function fillIn(field: Typed, value: string): void {
  if (field.value === value) return;
  const kind =
    field instanceof HTMLTextAreaElement
      ? HTMLTextAreaElement
      : field instanceof HTMLSelectElement
        ? HTMLSelectElement
        : HTMLInputElement;
  // React notices a value through the element's own setter; the prototype's setter makes the change news to React.
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')!.set!.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

/**
 * Tells the listeners of a field what was typed before they listened. React compares with the value that it found when it came, so where it controls the field
 * it is shown an earlier value first, or the next drawing would empty the field.
 */
export function tellTyped(field: Typed): void {
  if (field instanceof HTMLSelectElement) return void field.dispatchEvent(new Event('change', { bubbles: true }));
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) {
    // A radio that was turned off is told by the one that was turned on.
    if (field.type === 'radio' && !field.checked) return;
    field.checked = !field.checked;
    return field.click();
  }
  const { value, selectionStart: from, selectionEnd: to } = field;
  field.value = writtenIn(field);
  fillIn(field, value);
  if (from !== null && document.activeElement === field) field.setSelectionRange(from, to);
}

/** Turns a checkbox or a radio on or off, likewise. */
export function tick(box: HTMLInputElement, on: boolean): void {
  // A radio is turned off by turning on another one.
  if (box.checked !== on && (on || box.type === 'checkbox')) box.click();
}

/** Returns the value that the server wrote into a field. */
export function writtenIn(field: Typed): string {
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  return ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value ?? '';
}

/**
 * Writes found values into fields that nobody typed in: empty fields, fields as the server wrote them, and fields that an earlier look-up filled. The caller
 * keeps `filled`. An empty value takes away what was another person's. A field with the focus is filled so that the next key replaces the value.
 */
export function fillUntouched(field: Typed, value: string, filled: Map<string, string>): void {
  const isFree = field.value === '' || field.value === filled.get(field.name) || field.value === writtenIn(field);
  if (!isFree) return;
  fillIn(field, value);
  filled.set(field.name, value);
  if (document.activeElement === field && 'select' in field) field.select();
}
