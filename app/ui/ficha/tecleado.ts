import { isOfPage } from '../useTeclas';

/** What was typed for a record while its panel had no field yet. */
let tecleado = { ver: '', texto: '' };

/** Keeps letters for a record that is being read, in the place of what they do as keys. `steps`: the person steps through records, and the keys go on doing so. */
export function keepTyped(ver: string, steps: () => boolean): () => void {
  if (tecleado.ver !== ver) tecleado = { ver, texto: '' };
  const keep = (event: KeyboardEvent) => {
    const { key, target } = event;
    const { texto } = tecleado;
    const erases = key === 'Backspace';
    if ((key.length > 1 && !erases) || !isOfPage(event) || steps()) return;
    // No text begins with the keys that step, and a focused button keeps its space bar.
    if (texto === '' ? erases || '[]'.includes(key) : false) return;
    if (key === ' ' && (target as Element).closest('button, summary, input')) return;
    event.preventDefault();
    event.stopPropagation();
    tecleado.texto = erases ? texto.slice(0, -1) : texto + key;
  };
  document.addEventListener('keydown', keep, true);
  return () => document.removeEventListener('keydown', keep, true);
}

/** Returns what was typed for a record before it came; once, and of the last one alone. */
export function takeTyped(ver: string): string {
  const { texto } = tecleado;
  const suyo = tecleado.ver === ver;
  tecleado = { ver: '', texto: '' };
  return suyo ? texto : '';
}
