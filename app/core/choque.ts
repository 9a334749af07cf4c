/** Values that a screen showed when somebody decided, by the labels on that screen. */
export type Mostrado = Record<string, string>;

/**
 * A value that changed since a screen was loaded: `mio` was seen or written by the person who decides, `suyo` stands
 * now.
 */
export type Cambio = { campo: string; mio: string; suyo: string };

/**
 * A conflict of two people at one record. `cambios` are the values that changed. `marcas` are hidden fields: the same
 * press, sent again with these fields, decides about the values of now. Without marks the press cannot be repeated.
 */
export type Choque = { cambios: Cambio[]; marcas: Record<string, string | number> };

const NADA = '—';
/**
 * Longest value in characters: a hidden field and the table of a conflict stay small, however many articles a sale has.
 */
const MAX_TEXTO = 400;
/** Longest hidden field in characters. */
export const MAX_MOSTRADO = 8_000;

const corto = (text: string) => (text.length > MAX_TEXTO ? `${text.slice(0, MAX_TEXTO - 1)}…` : text);
const texto = (value: unknown) => corto(String(value ?? '')) || NADA;

/** Returns the values of `suyo` that differ from `mio`, in the order of `suyo`. */
export function cambiosEntre(mio: Readonly<Mostrado>, suyo: Readonly<Mostrado>): Cambio[] {
  return Object.keys(suyo).flatMap((campo) => {
    const cambio = { campo, mio: texto(mio[campo]), suyo: texto(suyo[campo]) };
    return cambio.mio === cambio.suyo ? [] : [cambio];
  });
}

/** Returns the values of a form or a row under their labels, each as text; '—' stands for an empty value. */
export function withEtiquetas<K extends string>(
  etiquetas: Readonly<Record<K, string>>,
  valores: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
): Mostrado {
  return Object.fromEntries((Object.keys(etiquetas) as K[]).map((campo) => [etiquetas[campo], texto(valores[campo])]));
}

/**
 * Returns the conflict between a row and the values that a person wrote over it. A repeated press carries the row's
 * version of now.
 */
export function choqueOfFila<K extends string>(
  etiquetas: Readonly<Record<K, string>>,
  mio: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
  actual: Readonly<Record<NoInfer<K>, unknown>> & { version: number },
): Choque {
  return {
    cambios: cambiosEntre(withEtiquetas(etiquetas, mio), withEtiquetas(etiquetas, actual)),
    marcas: { version: actual.version },
  };
}

/**
 * Returns the text of a hidden field. The field only serves to tell people what changed, so values that do not fit are
 * left out.
 */
export function writeMostrado(mostrado: Mostrado): string {
  const escrito = JSON.stringify(
    Object.fromEntries(Object.entries(mostrado).map(([campo, valor]) => [campo, corto(valor)])),
  );
  return escrito.length > MAX_MOSTRADO ? '{}' : escrito;
}

/** Reads the text of a hidden field. Whatever a browser sends, the result is a record of texts, or empty. */
export function readMostrado(escrito: string | undefined): Mostrado {
  try {
    const leido: unknown = JSON.parse(escrito ?? '');
    if (typeof leido !== 'object' || leido === null || Array.isArray(leido)) return {};
    return Object.fromEntries(
      Object.entries(leido).flatMap(([campo, valor]) => (typeof valor === 'string' ? [[campo, corto(valor)]] : [])),
    );
  } catch {
    return {};
  }
}
