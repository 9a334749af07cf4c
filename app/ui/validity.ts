import { EMAIL_NO_VALIDO, REQUERIDO } from '~/core/text';

type Campo = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Fields with words of ours. Such a field is refused whatever it holds, so the words go with the next thing that anybody does. */
const told = new Set<Campo>();

/** Why the browser refuses a field, as our forms say it: the browser would say it in its own language. */
function wordsOf({ validity, type }: Campo): string {
  if (validity.valueMissing)
    return type === 'file' ? 'Elige un archivo' : type === 'select-one' ? 'Elige una opción' : REQUERIDO;
  if (validity.typeMismatch) return type === 'email' ? EMAIL_NO_VALIDO : 'Esta dirección no es válida';
  return 'Este dato no es válido';
}

function say({ target }: Event): void {
  const campo = target as Campo;
  told.add(campo);
  campo.setCustomValidity(wordsOf(campo));
}

function unsay(): void {
  for (const campo of told) campo.setCustomValidity('');
  told.clear();
}

const ACTS = ['pointerdown', 'keydown', 'input', 'change'] as const;

/** Says in our words what the browser refuses of a form. Returns what ends that. */
export function listenToRefusals(): () => void {
  document.addEventListener('invalid', say, true);
  for (const act of ACTS) document.addEventListener(act, unsay, true);
  return () => {
    unsay();
    document.removeEventListener('invalid', say, true);
    for (const act of ACTS) document.removeEventListener(act, unsay, true);
  };
}
