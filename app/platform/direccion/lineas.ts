/** The parts of an address that its lines tell plainly; null for a part that they do not. `resto` is the text that is no part. */
export type PartesDeLineas = {
  calle: string | null;
  numeroE: string | null;
  numeroI: string | null;
  colonia: string | null;
  resto: string[];
};

/** Words before a neighbourhood. Its name in SEPOMEX's list has none of them. */
const COLONIA = /^(?:col(?:onia)?|fracc(?:ionamiento)?)(?:\.\s*|\s+)(?=\S)/iu;
/** A word before an interior number, the number itself, and the word and the number of a house. */
const INTERIOR = /^(?:int(?:erior)?|dep(?:to|artamento)?|dpto|apto|apartamento|local|oficina|piso)\.?$/iu;
const NUMERO_INTERIOR = /^[\p{L}\d][\p{L}\d-]{0,9}$/u;
const EXTERIOR = /^(?:n[oº°]|n[uú]m(?:ero)?|ext(?:erior)?)\.?$/iu;
const NUMERO_EXTERIOR = /^(?:\d{1,5}\p{L}?(?:-[\p{L}\d]{1,4})?|s\/?n)$/iu;
/** A kind of street whose name is a number, as 'Calle 5'. */
const NUMERADA = /^(?:calle|c|av(?:enida)?|andador|privada|priv|cerrada|retorno|circuito)\.?\s+\d{1,4}\s?\p{L}?$/iu;
const SOLO_TIPO =
  /^(?:calle|c|av(?:enida)?|andador|privada|priv|cerrada|retorno|circuito|blvd|bulevar|boulevard|calzada|calz|eje|norte|sur|oriente|poniente)\.?$/iu;
/** Words whose number is no house of a street. */
const NO_ES_CASA =
  /^(?:casa|edif(?:icio)?|torre|bodega|m[oó]d(?:ulo)?|secc(?:i[oó]n)?|sector|etapa|supermanzana|sm|regi[oó]n|reg|cp|c\.p|col(?:onia)?|fracc(?:ionamiento)?)\.?$/iu;
/** What follows a number that belongs to the name of a street, as '20 de Noviembre' and '5 Sur'. */
const DE_SU_NOMBRE = /^(?:de|norte|sur|oriente|poniente)$/iu;
/** Text in which a number is no house: kilometres, blocks, and streets that cross. */
const SIN_NUMERO = /\b(?:km|kil[oó]metro|mz|mza|manzana|lt|lte|lote|entre|esq(?:uina)?)\b/iu;

/**
 * Reads the lines of an address as a marketplace gives them, where street, number and neighbourhood have no fields of their own. Only what is plain is
 * told apart: a wrong house costs a parcel, and a missing number is asked of a person.
 */
export function partesOfLineas(lineas: readonly (string | null | undefined)[]): PartesDeLineas {
  const trozos = lineas.flatMap((linea, at) =>
    (linea ?? '')
      .split(',')
      .map((text) => text.trim().replace(/\s+/g, ' '))
      .filter(Boolean)
      .map((text) => ({ text, primera: at === 0 })),
  );
  const found: PartesDeLineas = { calle: null, numeroE: null, numeroI: null, colonia: null, resto: [] };
  const colonias = trozos.filter(({ text }) => COLONIA.test(text));
  if (colonias.length === 1) found.colonia = colonias[0]!.text.replace(COLONIA, '');
  // Two that call themselves neighbourhoods are for a person to tell.
  const otros = trozos.filter((trozo) => found.colonia === null || trozo !== colonias[0]);
  const deCalle = otros.filter(({ primera }) => primera).map(({ text }) => text);
  found.resto = otros.filter(({ primera }) => !primera).map(({ text }) => text);
  const calle = deCalle.join(', ');
  return calle === '' ? found : { ...found, calle, ...casaOf(calle) };
}

const plano = (texto: string) => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
/** A crossing, which tells where a street is and is no part of its name. */
const CRUCE = /\s(?:entre|esq(?:uina)?)\.?\s.*$/iu;
/** A block with its lot, or a kilometre, which stand for the number of a house. */
const LOTE =
  /(?:^|\s)((?:mz|mza|manzana)\.?\s?#?\s?[\p{L}\d]{1,4},?\s(?:lt|lte|lote)\.?\s?#?\s?[\p{L}\d]{1,4}|(?:km|kil[oó]metro)\.?\s?\d{1,4}(?:\.\d{1,3})?)$/iu;
/** Text behind the number of a house that tells where in it. */
const DENTRO = /^(?:\d{1,5}\p{L}?|(?:casa|edif(?:icio)?|torre|bodega|m[oó]d(?:ulo)?)\.?\s.{1,12})$/iu;

/**
 * Returns what an address in lines would be, for a person to confirm: the plain parts, and a guess for the others. `colonias` are those of its postal code.
 * A part that has not even a guess is null. No text is lost: whatever is no part stays in `resto`.
 */
export function guessOfLineas(
  lineas: readonly (string | null | undefined)[],
  colonias: readonly string[],
): PartesDeLineas {
  const clara = partesOfLineas(lineas);
  const { colonia, calle, resto } = guessColonia(clara, colonias);
  if (clara.numeroE !== null || calle === '') return { ...clara, calle: calle || null, colonia, resto };
  const cruce = CRUCE.exec(calle);
  const sinCruce = cruce ? calle.slice(0, cruce.index) : calle;
  const { tras, ...casa } = guessCasa(sinCruce);
  return { ...casa, colonia, resto: [tras, cruce?.[0].trim() ?? '', ...resto].filter(Boolean) };
}

/** Returns the neighbourhood by the names of its postal code, and the text without it: a piece of its own, the end of the street, or the only name there is. */
function guessColonia({ calle, colonia, resto }: PartesDeLineas, colonias: readonly string[]) {
  const trozos = (calle ?? '').split(', ');
  if (colonia !== null) return { colonia, calle: calle ?? '', resto };
  const named = (text: string) => colonias.find((una) => plano(una) === plano(text.replace(COLONIA, '')));
  const dicha = resto.find(named);
  if (dicha !== undefined)
    return { colonia: named(dicha)!, calle: calle ?? '', resto: resto.filter((text) => text !== dicha) };
  // The first piece is the name of the street, which a neighbourhood may have too.
  const enCalle = trozos.slice(1).find(named);
  if (enCalle !== undefined)
    return { colonia: named(enCalle)!, calle: trozos.filter((text) => text !== enCalle).join(', '), resto };
  const final = colonias.find((una) => plano(calle ?? '').endsWith(` ${plano(una)}`));
  const antes = final ? (calle ?? '').slice(0, -final.length).trim() : '';
  if (final && /\d/.test(antes.split(' ').at(-1)!)) return { colonia: final, calle: antes, resto };
  return { colonia: colonias.length === 1 ? colonias[0]! : null, calle: calle ?? '', resto };
}

type Casa = Pick<PartesDeLineas, 'calle' | 'numeroE' | 'numeroI'>;

/** Returns the likeliest house of a street: block and lot, the number behind a sign, else the first one after a name. `tras` is the text behind it. */
function guessCasa(calle: string): Casa & { tras: string } {
  const plain = casaOf(calle);
  if (plain) return { ...plain, tras: '' };
  const lote = LOTE.exec(calle);
  if (lote)
    return { calle: calle.slice(0, lote.index).replace(/,$/, '') || null, numeroE: lote[1]!, numeroI: null, tras: '' };
  const palabras = calle.replaceAll(',', ' ').replaceAll('#', ' # ').split(' ').filter(Boolean);
  const hasSign = (n: number) => palabras[n - 1] === '#' || EXTERIOR.test(palabras[n - 1]!);
  const isHouse = (n: number) =>
    !SOLO_TIPO.test(palabras.slice(0, n).join(' ')) &&
    !NO_ES_CASA.test(palabras[n - 1]!) &&
    !DE_SU_NOMBRE.test(palabras[n + 1] ?? '');
  const numeros = palabras.flatMap((palabra, n) => (n > 0 && NUMERO_EXTERIOR.test(palabra) && isHouse(n) ? [n] : []));
  const at = numeros.find(hasSign) ?? numeros[0];
  if (at === undefined) return { calle, numeroE: null, numeroI: null, tras: '' };
  const nombre = palabras.slice(0, at);
  while (nombre.at(-1) === '#' || EXTERIOR.test(nombre.at(-1) ?? '')) nombre.pop();
  const tras = palabras
    .slice(at + 1)
    .filter((palabra) => palabra !== '#')
    .join(' ');
  const dentro = DENTRO.test(tras);
  return {
    calle: nombre.join(' ') || null,
    numeroE: palabras[at]!.toUpperCase(),
    numeroI: dentro ? tras : null,
    tras: dentro ? '' : tras,
  };
}

/** Returns street and numbers apart; undefined where it is not plain which number is the house. */
function casaOf(calle: string): Pick<PartesDeLineas, 'calle' | 'numeroE' | 'numeroI'> | undefined {
  if (SIN_NUMERO.test(calle)) return undefined;
  // A sign stands before its number with or without a space.
  const palabras = calle.replaceAll(',', ' ').replaceAll('#', ' # ').split(' ').filter(Boolean);
  const at = palabras.findIndex((palabra, n) => n > 0 && INTERIOR.test(palabra));
  const dentro = at < 0 ? [] : palabras.slice(at + 1).filter((palabra) => palabra !== '#');
  if (at >= 0 && (dentro.length !== 1 || !NUMERO_INTERIOR.test(dentro[0]!))) return undefined;
  const fuera = at < 0 ? palabras : palabras.slice(0, at);
  // A letter may stand apart from its number.
  const letra = /^\p{L}$/u.test(fuera.at(-1) ?? '') && /^\d{1,5}$/.test(fuera.at(-2) ?? '') ? fuera.pop()! : '';
  const numeroE = `${fuera.pop() ?? ''}${letra}`.toUpperCase();
  if (!NUMERO_EXTERIOR.test(numeroE)) return undefined;
  while (fuera.at(-1) === '#' || EXTERIOR.test(fuera.at(-1) ?? '')) fuera.pop();
  const nombre = fuera.join(' ');
  if (nombre === '' || SOLO_TIPO.test(nombre)) return undefined;
  if (NO_ES_CASA.test(fuera.at(-1)!) || nombre.includes('#')) return undefined;
  // Two numbers: neither is plainly the house, unless the street itself is called by one.
  const otro = fuera.some((palabra, n) => /^\d+\p{L}?$/u.test(palabra) && !DE_SU_NOMBRE.test(fuera[n + 1] ?? ''));
  if (otro && !NUMERADA.test(nombre)) return undefined;
  return { calle: nombre, numeroE, numeroI: dentro[0] ?? null };
}
