type Lectura = { promesa: Promise<string>; texto?: string; en: number; corte: string };

/** Records read ahead, by address. A pointer passes over many rows, so only the last few are kept. */
const LEIDAS = new Map<string, Lectura>();
const GUARDADAS = 20;
/** A reading older than this is still shown, and read again behind it. */
const FRESCA_MS = 10_000;

/** The text of a record that does not exist, or no longer. */
export const AUSENTE = 'null';

/**
 * Reads a record as JSON text, now or a moment ago, at the `corte` of the standing list: a list is read again after each action, and an older reading may be
 * outdated. A failed reading is forgotten, so that the next one tries again.
 */
export function readFicha(
  url: string,
  { corte, otraVez = false }: { corte: string; otraVez?: boolean },
): Promise<string> {
  const known = LEIDAS.get(url);
  if (known?.corte === corte && !otraVez && performance.now() - known.en < FRESCA_MS) return known.promesa;
  const promesa = fetch(url, { headers: { Accept: 'application/json' } }).then(async (answer) => {
    if (answer.status === 404) return AUSENTE;
    if (!answer.ok || answer.redirected) throw new Error(`${url}: ${answer.status}`);
    return answer.text();
  });
  const lectura: Lectura = {
    promesa,
    en: performance.now(),
    corte,
    ...(known?.texto !== undefined && { texto: known.texto }),
  };
  LEIDAS.delete(url);
  LEIDAS.set(url, lectura);
  for (const old of [...LEIDAS.keys()].slice(0, Math.max(0, LEIDAS.size - GUARDADAS))) LEIDAS.delete(old);
  promesa.then(
    (texto) => {
      lectura.texto = texto;
    },
    () => {
      if (LEIDAS.get(url) === lectura) LEIDAS.delete(url);
    },
  );
  return promesa;
}

/** The record itself: without the hour of its reading, which its clocks are told by, and without what only stands beside it. */
const bare = (texto: string) => {
  const { ahora, alLado, ...ficha } = (JSON.parse(texto) ?? {}) as Record<string, unknown>;
  return JSON.stringify(ficha);
};

/** True where two readings differ in nothing that is of the record. A field `alLado` is what stands beside it, at the top of its reading. */
export const isTheSame = (una: string, otra: string): boolean => bare(una) === bare(otra);

/** Returns the known text of a record, to be drawn without waiting. */
export const fichaLeida = (url: string): string | undefined => LEIDAS.get(url)?.texto;

/** True for a person who saves data: nothing is read ahead for them. */
export const savesData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Reads a record ahead that will probably be opened. */
export function preload(url: string, corte: string): void {
  if (!savesData()) readFicha(url, { corte }).catch(() => undefined);
}
