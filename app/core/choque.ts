/** What a screen shows of what is decided on it, by the labels it has there. */
export type Mostrado = Record<string, string>;

/** One thing that is not as whoever decides saw or wrote it: mine beside theirs. */
export type Cambio = { campo: string; mio: string; suyo: string };

/**
 * Two people met at one record. `cambios` is what stands now beside what one of them decided about. `marcas` are the hidden fields with which the same
 * press, made again, is about what stands now; without any it cannot be made again.
 */
export type Choque = { cambios: Cambio[]; marcas: Record<string, string | number> };

const NADA = '—';
/** A hidden field, and the table that is made of it, stay small whatever was sold. */
const MAX_TEXTO = 400;
export const MAX_MOSTRADO = 8_000;

const corto = (text: string) => (text.length > MAX_TEXTO ? `${text.slice(0, MAX_TEXTO - 1)}…` : text);
const texto = (value: unknown) => corto(String(value ?? '')) || NADA;

/** What of `suyo` is not what `mio` says, in the order of `suyo`. */
export function cambiosEntre(mio: Readonly<Mostrado>, suyo: Readonly<Mostrado>): Cambio[] {
  return Object.keys(suyo).flatMap((campo) => {
    const cambio = { campo, mio: texto(mio[campo]), suyo: texto(suyo[campo]) };
    return cambio.mio === cambio.suyo ? [] : [cambio];
  });
}

/** The values of a form or of a row under their labels. */
export function conEtiquetas<K extends string>(
  etiquetas: Readonly<Record<K, string>>,
  valores: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
): Mostrado {
  return Object.fromEntries((Object.keys(etiquetas) as K[]).map((campo) => [etiquetas[campo], texto(valores[campo])]));
}

/** What stands in a row beside what somebody wrote over it, and its version now. */
export function choqueOfFila<K extends string>(
  etiquetas: Readonly<Record<K, string>>,
  mio: Readonly<Partial<Record<NoInfer<K>, unknown>>>,
  actual: Readonly<Record<NoInfer<K>, unknown>> & { version: number },
): Choque {
  return {
    cambios: cambiosEntre(conEtiquetas(etiquetas, mio), conEtiquetas(etiquetas, actual)),
    marcas: { version: actual.version },
  };
}

/** As a hidden field carries it. It is only read to tell what changed, so what does not fit is left out. */
export function writeMostrado(mostrado: Mostrado): string {
  const escrito = JSON.stringify(
    Object.fromEntries(Object.entries(mostrado).map(([campo, valor]) => [campo, corto(valor)])),
  );
  return escrito.length > MAX_MOSTRADO ? '{}' : escrito;
}

/** Whoever wrote it, it is a record of texts, or empty. */
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
