import { fillIn } from './fillIn';

/** Writes a field in capitals while it is typed and keeps the caret in its place. */
export function writeCapitals(event: Event): void {
  const { target } = event;
  if (!(target instanceof HTMLInputElement) || !target.closest('.mayusculas') || (event as InputEvent).isComposing)
    return;
  const { value, selectionStart, selectionEnd } = target;
  const upper = value.toUpperCase();
  if (upper === value) return;
  fillIn(target, upper);
  target.setSelectionRange(selectionStart, selectionEnd);
}

/** A postal code takes digits alone. */
export function takeDigits(event: InputEvent): void {
  const { target, data } = event;
  if (!(target instanceof HTMLInputElement) || !target.matches('input[inputmode="numeric"][maxlength="5"]')) return;
  if (event.inputType === 'insertText' && data !== null && /\D/.test(data)) event.preventDefault();
}

/** Fields of limited length drop spaces around pasted text, which would take the place of its end. */
const MEASURED = 'input[maxlength]:not([type="password"])';

export function pasteTrimmed(event: ClipboardEvent): void {
  const { target } = event;
  const pasted = event.clipboardData?.getData('text') ?? '';
  if (!(target instanceof HTMLInputElement) || !target.matches(MEASURED) || pasted === pasted.trim()) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd, maxLength } = target;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const room = maxLength - (value.length - (to - from));
  const taken = pasted.trim().slice(0, Math.max(0, room));
  fillIn(target, value.slice(0, from) + taken + value.slice(to));
  target.setSelectionRange(from + taken.length, from + taken.length);
}

/** Listens in the capture phase, before anybody else reads the field. */
export function listenToWriting(): () => void {
  document.addEventListener('input', writeCapitals, true);
  document.addEventListener('beforeinput', takeDigits, true);
  document.addEventListener('paste', pasteTrimmed, true);
  return () => {
    document.removeEventListener('input', writeCapitals, true);
    document.removeEventListener('beforeinput', takeDigits, true);
    document.removeEventListener('paste', pasteTrimmed, true);
  };
}
