import { isRfc, normalizeRfc } from '~/core/rfc';
import { regimenesFor } from '~/domain/facturacion/sat/opciones';
import { normalizeRazonSocial, tipoOfSociedad } from '~/domain/facturacion/cfdi/nombreFiscal';
import type { Ficha } from '~/integrations/sat/pagina';

/** The data of a Constancia de Situación Fiscal that a factura needs; empty where they were not found. */
export type Constancia = { rfc: string; razonSocial: string; cp: string; regimenes: string[] };

/** The data of a constancia's text. With the number of its cédula the SAT can be asked for the rest. */
export type Escrita = Constancia & { idCif: string };

/**
 * Reads the lines of a constancia's text, with `\t` between columns; null when the text is something else. The customer checks the data
 * before they are saved.
 */
export function parseConstancia(lineas: readonly string[]): Escrita | null {
  const texto = lineas.join('\n');
  const rfc = rfcOf(texto);
  if (rfc === null || !/situaci[oó]n\s+fiscal|c[eé]dula\s+de\s+identificaci[oó]n/i.test(texto)) return null;
  return {
    rfc,
    razonSocial: nombreOf(texto),
    cp: cpOf(texto),
    regimenes: regimenesOf(sectionOf(lineas, 'REGIMENES', 'OBLIGACIONES'), rfc),
    idCif: valueAfter(texto, /\bidCIF/),
  };
}

/** The data of the SAT's page of a cédula. The name of a company may have its kind there, which a factura leaves out. */
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
function valueAfter(texto: string, label: RegExp): string {
  const found = new RegExp(`${label.source}[^\\S\\n]*:[^\\S\\n]*([^\\n\\t]*)`, 'i').exec(texto);
  return found?.[1]?.trim() ?? '';
}

function rfcOf(texto: string): string | null {
  const labelled = normalizeRfc(valueAfter(texto, /\bRFC/));
  if (isRfc(labelled)) return labelled;
  // At the head of the page the RFC stands alone, above the name.
  const alone = texto
    .split(/[\n\t]/)
    .map(normalizeRfc)
    .find(isRfc);
  return alone ?? null;
}

function nombreOf(texto: string): string {
  const moral = valueAfter(texto, /Denominaci[oó]n\s*\/\s*Raz[oó]n\s+Social/);
  const persona = [/Nombre\s*\(s\)/, /Primer\s+Apellido/, /Segundo\s+Apellido/].map((label) =>
    valueAfter(texto, label),
  );
  return normalizeRazonSocial(moral || persona.filter(Boolean).join(' '));
}

function cpOf(texto: string): string {
  return /C[oó]digo\s+Postal[^\S\n]*:[^\S\n]*(\d{5})(?!\d)/i.exec(texto)?.[1] ?? '';
}

const FECHA = String.raw`\d{2}/\d{2}/\d{4}`;
/** Text between two words of a regime: the end of a line, or the dates of its row. */
const ENTRE = String.raw`(?:\s|${FECHA})+`;
/** Words that the constancia and the catalogue do not both write in the name of a regime ('Régimen de las…'). */
const VACIAS = /^(?:REGIMEN|DE|DEL|LA|LAS|LOS|EL)$/;

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
const wordsOf = (text: string) =>
  withoutAccents(text)
    .split(/[^A-Z]+/)
    .filter((word) => word !== '' && !VACIAS.test(word));

/** The lines between one title and the next: to the end without the second title, and none without the first. */
function sectionOf(lineas: readonly string[], titulo: string, siguiente: string): string {
  const titulos = lineas.map((linea) => withoutAccents(linea).replace(/[^A-Z]/g, ''));
  const desde = titulos.indexOf(titulo);
  if (desde < 0) return '';
  const largo = titulos.slice(desde + 1).findIndex((uno) => uno.startsWith(siguiente));
  return lineas.slice(desde + 1, largo < 0 ? undefined : desde + 1 + largo).join('\n');
}

/** The regimes that still hold. A row with two dates has ended. */
function regimenesOf(seccion: string, rfc: string): string[] {
  const palabras = withoutAccents(seccion)
    .replace(/[^A-Z\d/\s]/g, ' ')
    .replace(/\b(?:REGIMEN|DEL?|LA|LAS|LOS|EL)\b/g, ' ');
  const hallados = regimenesFor(rfc).flatMap(({ id, texto: nombre }) => {
    const found = new RegExp(`\\b${wordsOf(nombre).join(ENTRE)}\\b`).exec(palabras);
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
