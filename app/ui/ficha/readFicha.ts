type Lectura = { promesa: Promise<string>; texto?: string; en: number; corte: string };

/** What was read ahead, by address. A pointer passes over many rows, so only the last few are kept. */
const LEIDAS = new Map<string, Lectura>();
const GUARDADAS = 20;
/** What was read this long ago is still shown, and read again behind it. */
const FRESCA_MS = 10_000;

/** Something that is not there, or no longer. */
export const AUSENTE = 'null';

/**
 * A record as JSON text, read now or a moment ago: at the `corte` of the list that stands, since a list is read again after each action, and what was read
 * before may say what is no longer so. A failed reading is forgotten, so that the next one tries again.
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

const AHORA = /"ahora":"[^"]*"/;

/** Whether two readings differ in nothing but the hour they were read at, which some records carry for their clocks. */
export const isTheSame = (una: string, otra: string): boolean => una.replace(AHORA, '') === otra.replace(AHORA, '');

/** What is known of it at this moment, to be drawn without waiting. */
export const fichaLeida = (url: string): string | undefined => LEIDAS.get(url)?.texto;

/** Whoever pays for their bytes reads what they open, and nothing ahead. */
export const savesData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Reads ahead what will probably be opened. */
export function preload(url: string, corte: string): void {
  if (!savesData()) readFicha(url, { corte }).catch(() => undefined);
}
