import { withEtiquetas, type Mostrado } from './choque';

/** Joins facts of a record into a line with ' · ' between facts; empty facts are left out. */
export function enLinea(...hechos: (string | false | null | undefined)[]): string {
  return hechos.filter(Boolean).join(' · ');
}

/** Returns the names as Spanish lists names: 'A, B y C'. */
export function enumerate(nombres: readonly string[]): string {
  return nombres.length < 2 ? nombres.join('') : `${nombres.slice(0, -1).join(', ')} y ${nombres.at(-1)}`;
}

/** Joins sentences into the line under a question; undefined without sentences. */
export function hechosOf(...hechos: (string | false | null | undefined)[]): string | undefined {
  return hechos.filter(Boolean).join(' ') || undefined;
}

export const SIN_CAMBIOS = 'No cambia ningún dato.';

/**
 * Returns a sentence for each value that changes: 'Nombre: de Ana a Anna. Email: de — a ana@x.mx.' Without changes,
 * `SIN_CAMBIOS`.
 */
export function changesOf<K extends string>(
  etiquetas: Readonly<Record<K, string>>,
  antes: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
  despues: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
): string {
  const [de, a] = [antes, despues].map((valores) => withEtiquetas<K>(etiquetas, recortados(valores))) as [
    Mostrado,
    Mostrado,
  ];
  const cambios = Object.keys(de).flatMap((campo) =>
    de[campo] === a[campo] ? [] : [`${campo}: de ${de[campo]} a ${a[campo]}.`],
  );
  return cambios.join(' ') || SIN_CAMBIOS;
}

/** Returns the values without blanks at their ends, as a form sends values. */
const recortados = <T extends object>(valores: T): T =>
  Object.fromEntries(
    Object.entries(valores).map(([campo, valor]) => [campo, typeof valor === 'string' ? valor.trim() : valor]),
  ) as T;
