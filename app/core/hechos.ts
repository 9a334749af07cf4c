import { conEtiquetas, type Mostrado } from './choque';

/** Facts of one thing, in a line: number, name, amount. */
export function enLinea(...hechos: (string | false | null | undefined)[]): string {
  return hechos.filter(Boolean).join(' · ');
}

/** 'A, B y C' */
export function enumerate(nombres: readonly string[]): string {
  return nombres.length < 2 ? nombres.join('') : `${nombres.slice(0, -1).join(', ')} y ${nombres.at(-1)}`;
}

/** The line of facts under a question, sentence after sentence; undefined when there is nothing to tell. */
export function hechosOf(...hechos: (string | false | null | undefined)[]): string | undefined {
  return hechos.filter(Boolean).join(' ') || undefined;
}

export const SIN_CAMBIOS = 'No cambia ningún dato.';

/** 'Nombre: de Ana a Anna. Email: de — a ana@x.mx.' */
export function loQueCambia<K extends string>(
  etiquetas: Readonly<Record<K, string>>,
  antes: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
  despues: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
): string {
  const [de, a] = [antes, despues].map((valores) => conEtiquetas<K>(etiquetas, recortados(valores))) as [
    Mostrado,
    Mostrado,
  ];
  const cambios = Object.keys(de).flatMap((campo) =>
    de[campo] === a[campo] ? [] : [`${campo}: de ${de[campo]} a ${a[campo]}.`],
  );
  return cambios.join(' ') || SIN_CAMBIOS;
}

/** As a form sends them: without the blanks at their ends. */
const recortados = <T extends object>(valores: T): T =>
  Object.fromEntries(
    Object.entries(valores).map(([campo, valor]) => [campo, typeof valor === 'string' ? valor.trim() : valor]),
  ) as T;
