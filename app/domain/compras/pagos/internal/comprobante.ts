import { parseImporte } from '~/core/importe';
import { isDia } from '~/core/text';

/** Facts that the receipt of a transfer tells; null where it tells none. A person decides whether they hold. */
export type Comprobante = {
  fecha: string | null;
  total: string | null;
  claveRastreo: string | null;
  banco: string | null;
};

const NADA: Comprobante = { fecha: null, total: null, claveRastreo: null, banco: null };

const algo = (comprobante: Comprobante): Comprobante | null =>
  Object.values(comprobante).some((dato) => dato !== null) ? comprobante : null;

/** A tracking key of SPEI: up to 30 letters and digits, at least one digit among them. */
const CLAVE = /^(?=[A-Z0-9]*\d)[A-Z0-9]{7,30}$/i;

const MESES = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'];

/** Returns the day that a bank wrote: 20/11/2026, 20-11-2026, 2026-11-20, 20 nov 2026, 20 de noviembre de 2026. Null when there is none. */
export function diaEscrito(texto: string): string | null {
  const iso = /\b(20\d{2})-(\d{2})-(\d{2})(?!\d)/.exec(texto);
  const latino = /\b(\d{1,2})[/.-](\d{1,2})[/.-](20\d{2})\b/.exec(texto);
  const enLetras = /\b(\d{1,2})[\s/.-]+(?:de\s+)?([a-záéíóú]{3,10})[\s/.-]+(?:del?\s+)?(20\d{2})\b/i.exec(texto);
  const mes = enLetras ? MESES.indexOf(enLetras[2]!.slice(0, 3).toLowerCase()) + 1 : 0;
  const dia = iso
    ? iso[0]
    : latino
      ? diaOf(latino[3]!, latino[2]!, latino[1]!)
      : enLetras && mes > 0
        ? diaOf(enLetras[3]!, String(mes), enLetras[1]!)
        : null;
  return dia !== null && isDia(dia) ? dia : null;
}

const diaOf = (anio: string, mes: string, dia: string) => `${anio}-${mes.padStart(2, '0')}-${dia.padStart(2, '0')}`;

function importeEn(texto: string): string | null {
  const [escrito] =
    /(?<![\d,.])\d[\d,]{0,15}(?:\.\d{1,2})?(?![\d.])/.exec(texto.replace(/MXN|MN|M\.N\.|\$/gi, ' ')) ?? [];
  const leido = escrito === undefined ? null : parseImporte(escrito);
  return leido?.clase === 'importe' && Number(leido.importe) > 0 ? leido.importe : null;
}

const claveEn = (texto: string): string | null =>
  texto
    .split(/[\s:|]+/)
    .find((palabra) => CLAVE.test(palabra))
    ?.toUpperCase() ?? null;

/** Name of a bank: short, with letters. */
function bancoEn(texto: string): string | null {
  const nombre = texto
    .replace(/^[\s:.-]+/, '')
    .split(/\t| {3,}/)[0]!
    .trim();
  return /\p{L}{2}/u.test(nombre) && nombre.length <= 60 ? nombre : null;
}

type Dato = { de: readonly RegExp[]; read: (texto: string) => string | null };

/** Names that banks give each fact, the surest first. */
const DATOS: Record<keyof Comprobante, Dato> = {
  claveRastreo: { de: [/clave\s+de\s+(?:rastreo|spei)/i, /clave\s+rastreo/i, /rastreo/i], read: claveEn },
  fecha: {
    de: [
      /fecha\s+(?:de\s+|y\s+hora\s+de\s+)?(?:la\s+)?(?:operaci[oó]n|aplicaci[oó]n|abono|pago|liquidaci[oó]n|env[ií]o)/i,
      /\bfecha\b/i,
    ],
    read: diaEscrito,
  },
  total: {
    de: [
      /(?:importe|monto|cantidad)\s+(?:total|transferid[oa]|enviad[oa]|de\s+la\s+(?:operaci[oó]n|transferencia)|del\s+pago)/i,
      /\b(?:importe|monto)\b(?!\s+(?:del?\s+)?iva)/i,
      /\bcantidad\b/i,
    ],
    read: importeEn,
  },
  banco: {
    de: [/(?:banco|instituci[oó]n)\s+(?:emisora?|ordenante|de\s+origen|origen)(?:\s+del\s+pago)?/i],
    read: bancoEn,
  },
};

/** Reads the lines of a bank's PDF. A fact stands behind its name, or in the line after it. Null when the paper names no transfer. */
export function comprobanteOf(lineas: readonly string[]): Comprobante | null {
  const comprobante = { ...NADA };
  for (const [campo, { de, read }] of Object.entries(DATOS) as [keyof Comprobante, Dato][])
    comprobante[campo] = readDato(lineas, de, read);
  // A paper without a tracking key may be an invoice, or anything else with a date and an amount.
  return comprobante.claveRastreo === null ? null : algo(comprobante);
}

function readDato(lineas: readonly string[], de: readonly RegExp[], read: Dato['read']): string | null {
  for (const nombre of de)
    for (const [at, linea] of lineas.entries()) {
      const found = nombre.exec(linea);
      if (!found) continue;
      const dato = read(linea.slice(found.index + found[0].length)) ?? read(lineas[at + 1] ?? '');
      if (dato !== null) return dato;
    }
  return null;
}

type Atributos = (elemento: string, atributo: string) => string;

/** Reads a CEP of Banxico, by the attributes of its XML. */
export function comprobanteOfCep(read: Atributos): Comprobante | null {
  const clave = read('SPEI_Tercero', 'claveRastreo') || read('SPEI_Tercero', 'ClaveRastreo');
  return algo({
    fecha: diaEscrito(read('SPEI_Tercero', 'FechaOperacion')),
    total: importeEn(read('Beneficiario', 'MontoPago')),
    claveRastreo: CLAVE.test(clave) ? clave.toUpperCase() : null,
    banco: bancoEn(read('Ordenante', 'BancoEmisor')),
  });
}
