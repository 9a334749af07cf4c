/**
 * A row of a far side's catalogue of refusals: the refusal that it is about, our field at fault as screens name it, and the remedy. `de` is a code, which
 * stands whole in their answer, or the pattern of a sentence of theirs.
 */
export type FilaDeRechazo = { de: string | RegExp; campo: string | null; remedio: string };

/** A refusal of a far side for people. Without a row of the catalogue it has their words alone. `respuesta` is the answer as it came; null when none was kept. */
export type Rechazo = {
  lado: string;
  campo: string | null;
  palabras: string;
  remedio: string | null;
  respuesta: string | null;
};

/** The most letters of an answer that a screen shows. */
const MAX_RESPUESTA = 4_000;

/** A no as a far side gave it: its words, its word for machines, and its whole answer. */
type Dicho = { palabras: string; codigo?: string | undefined; respuesta?: string | null | undefined };

/** Returns a refusal for people. The first row that is about its words, its code or its answer explains it. */
export function explainRechazo(
  { label, rechazos = [] }: { label: string; rechazos?: readonly FilaDeRechazo[] },
  { palabras, codigo = '', respuesta = null }: Dicho,
): Rechazo {
  const fila = findFila(rechazos, [palabras, codigo, respuesta].join('\n'));
  return {
    lado: label,
    campo: fila?.campo ?? null,
    palabras,
    remedio: fila?.remedio ?? null,
    respuesta: respuesta?.trim().slice(0, MAX_RESPUESTA) || null,
  };
}

/** Returns the first row that is about a text; undefined when none is. */
export function findFila(filas: readonly FilaDeRechazo[], texto: string): FilaDeRechazo | undefined {
  return filas.find(({ de }) => (typeof de === 'string' ? namesCode(texto, de) : de.test(texto)));
}

/** Whether a code stands in a text by itself, and not inside a longer one. */
function namesCode(texto: string, code: string): boolean {
  for (let at = texto.indexOf(code); at >= 0; at = texto.indexOf(code, at + 1)) {
    const isPart = (letter: string | undefined) => letter !== undefined && /[\w.-]/.test(letter);
    if (!isPart(texto[at - 1]) && !/^[\w-]|^\.\w/.test(texto.slice(at + code.length))) return true;
  }
  return false;
}
