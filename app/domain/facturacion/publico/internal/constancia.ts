import { isRfc, normalizeRfc } from '~/core/rfc';
import { regimenesFor } from '~/domain/facturacion/sat/opciones';
import { normalizeRazonSocial, tipoOfSociedad } from '~/domain/facturacion/cfdi/nombreFiscal';
import type { Ficha } from '~/integrations/sat/pagina';

/** What a Constancia de Situación Fiscal says of what an invoice needs; what could not be found in it is empty. */
export type Constancia = { rfc: string; razonSocial: string; cp: string; regimenes: string[] };

/** What its text says. The number of its cédula is what the SAT is asked for the rest by. */
export type Escrita = Constancia & { idCif: string };

/**
 * Reads the text of the SAT's own document, line by line; `\t` stands between columns. Null when it is something else. Everything it finds is shown to the person
 * before it is saved.
 */
export function parseConstancia(lineas: readonly string[]): Escrita | null {
  const texto = lineas.join('\n');
  const rfc = rfcOf(texto);
  if (rfc === null || !/situaci[oó]n\s+fiscal|c[eé]dula\s+de\s+identificaci[oó]n/i.test(texto)) return null;
  return {
    rfc,
    razonSocial: nombreOf(texto),
    cp: cpOf(texto),
    regimenes: regimenesOf(seccionOf(lineas, 'REGIMENES', 'OBLIGACIONES'), rfc),
    idCif: tras(texto, /\bidCIF/),
  };
}

/** What the SAT shows of a cédula. The name of a company may come with its kind, which an invoice goes without. */
export function constanciaOfSat({ rfc, razonSocial, cp, regimenes }: Ficha): Constancia {
  const nombre = normalizeRazonSocial(razonSocial);
  return {
    rfc,
    razonSocial: tipoOfSociedad(rfc, nombre)?.nombre ?? nombre,
    cp,
    regimenes: regimenesOf(regimenes.join('\n'), rfc),
  };
}

/** The value that follows a label on its line, up to the next column. */
function tras(texto: string, label: RegExp): string {
  const found = new RegExp(`${label.source}[^\\S\\n]*:[^\\S\\n]*([^\\n\\t]*)`, 'i').exec(texto);
  return found?.[1]?.trim() ?? '';
}

function rfcOf(texto: string): string | null {
  const labelled = normalizeRfc(tras(texto, /\bRFC/));
  if (isRfc(labelled)) return labelled;
  // At the head of the page it stands alone, above its name.
  const alone = texto
    .split(/[\n\t]/)
    .map(normalizeRfc)
    .find(isRfc);
  return alone ?? null;
}

function nombreOf(texto: string): string {
  const moral = tras(texto, /Denominaci[oó]n\s*\/\s*Raz[oó]n\s+Social/);
  const persona = [/Nombre\s*\(s\)/, /Primer\s+Apellido/, /Segundo\s+Apellido/].map((label) => tras(texto, label));
  return normalizeRazonSocial(moral || persona.filter(Boolean).join(' '));
}

function cpOf(texto: string): string {
  return /C[oó]digo\s+Postal[^\S\n]*:[^\S\n]*(\d{5})(?!\d)/i.exec(texto)?.[1] ?? '';
}

const FECHA = String.raw`\d{2}/\d{2}/\d{4}`;
/** Between the words of a regime may stand the end of its line, and the dates of its row. */
const ENTRE = String.raw`(?:\s|${FECHA})+`;
/** The constancia names a regime with 'Régimen de las…' where the catalogue does without, and back. */
const VACIAS = /^(?:REGIMEN|DE|DEL|LA|LAS|LOS|EL)$/;

const sinAcentos = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
const palabrasOf = (text: string) =>
  sinAcentos(text)
    .split(/[^A-Z]+/)
    .filter((word) => word !== '' && !VACIAS.test(word));

/** The lines between one title and the next; to the end where that one does not come, and none where the first does not. */
function seccionOf(lineas: readonly string[], titulo: string, siguiente: string): string {
  const titulos = lineas.map((linea) => sinAcentos(linea).replace(/[^A-Z]/g, ''));
  const desde = titulos.indexOf(titulo);
  if (desde < 0) return '';
  const largo = titulos.slice(desde + 1).findIndex((uno) => uno.startsWith(siguiente));
  return lineas.slice(desde + 1, largo < 0 ? undefined : desde + 1 + largo).join('\n');
}

/** The regimes that still hold: a row with two dates has ended. */
function regimenesOf(seccion: string, rfc: string): string[] {
  const palabras = sinAcentos(seccion)
    .replace(/[^A-Z\d/\s]/g, ' ')
    .replace(/\b(?:REGIMEN|DEL?|LA|LAS|LOS|EL)\b/g, ' ');
  const hallados = regimenesFor(rfc).flatMap(({ id, texto: nombre }) => {
    const found = new RegExp(`\\b${palabrasOf(nombre).join(ENTRE)}\\b`).exec(palabras);
    return found ? [{ id, desde: found.index, hasta: found.index + found[0].length, dicho: found[0] }] : [];
  });
  hallados.sort((a, b) => a.desde - b.desde);
  return hallados
    .filter(({ hasta, dicho }, at) => {
      const resto = palabras.slice(hasta, hallados[at + 1]?.desde);
      return (`${dicho} ${resto}`.match(new RegExp(FECHA, 'g')) ?? []).length < 2;
    })
    .map(({ id }) => id);
}
