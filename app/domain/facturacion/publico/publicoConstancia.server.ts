import { LimitReached } from '~/core/errors';
import { takeRate } from '~/platform/rateLimit.server';
import { formatoOf, readCodigos, readPdf } from '~/platform/files/readFile.server';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { cedulaOfPagina, cedulaOf, type Cedula } from '~/integrations/sat/cedula';
import type { Db } from '~db/client.server';
import { askSat } from './internal/cedula.server';
import { parseConstancia, type Constancia } from './internal/constancia';
import type { LeerConstancia } from './forms';

/** Limits of files that are read: a person may choose the wrong file a few times, but a link is no reader for others. */
const POR_ENLACE = { hits: 10, seconds: 3_600 };
const POR_DIRECCION = { hits: 40, seconds: 86_400 };

/** The outcome of a constancia for the page: the fields that are missing and the regimes that were found, or the reason nothing was read. */
export type ConstanciaLeida =
  { leida: true; faltan: string[]; regimenes: string[]; aviso?: string } | { leida: false; texto: string };

const ESCRIBE = 'Escribe los datos a mano: vale igual.';
const SUBE = 'Sube el PDF que descargas del SAT';
const FOTO = 'una foto de su código QR, de cerca y con buena luz';
const TEXTOS = {
  limite: `Ese PDF es demasiado largo o complicado. ${SUBE}. ${ESCRIBE}`,
  fotoGrande: `Esa foto es demasiado grande. Toma otra solo del código QR. ${ESCRIBE}`,
  ilegible: `No se puede leer ese archivo. ${SUBE}, sin contraseña, o ${FOTO} (JPG o PNG). ${ESCRIBE}`,
  sinCodigo: `No encontramos el código QR en esa foto. Toma ${FOTO}. ${ESCRIBE}`,
  otroCodigo: `Ese código QR no es el de una Constancia de Situación Fiscal. Es el que está junto a tu RFC, en la primera hoja. ${ESCRIBE}`,
  imagen: `Ese PDF es una imagen y no tiene texto que leer. ${SUBE}, o ${FOTO}. ${ESCRIBE}`,
  otro: `Ese PDF no parece una Constancia de Situación Fiscal. ${ESCRIBE}`,
};
const AVISOS = {
  ninguna: 'El SAT no reconoce el código de esta constancia: puede que ya no esté vigente.',
  sinRespuesta: 'El SAT no contestó ahora, y por eso faltan datos.',
};

/** The contents of a file: the data of its text, and its cédula where it has one. */
type Dicho = { constancia: Constancia; cedula: Cedula | undefined };
const dicho = (constancia: Constancia, cedula: Cedula | undefined): Dicho => ({ constancia, cedula });
const soloRfc = (cedula: Cedula) => dicho({ rfc: cedula.rfc, razonSocial: '', cp: '', regimenes: [] }, cedula);

/**
 * Reads a customer's constancia and returns the values for the form, where the customer checks and saves them like typed ones. The file is
 * not kept. Throws LimitReached after too many files of one link or address.
 */
export async function readConstanciaOf(
  db: Db,
  enlace: Pick<Enlace, 'id'>,
  { constancia: archivo, ...escrito }: LeerConstancia,
  ip: string,
): Promise<{ resultado: ConstanciaLeida; valores: Record<string, string> }> {
  for (const [key, limit] of [
    [`publico:constancia:enlace:${enlace.id}`, POR_ENLACE],
    [`publico:constancia:${ip}`, POR_DIRECCION],
  ] as const) {
    const taken = await takeRate(db, key, limit);
    if (!taken.allowed)
      throw new LimitReached(`Ya se leyeron varias constancias desde aquí. ${ESCRIBE}`, taken.retryAfterSeconds);
  }
  const { rfc = '', razonSocial = '', cp = '', regimen = '', email = '', email2 = '', usarRegistrado = '' } = escrito;
  const valores = { rfc, razonSocial, cp, regimen, email, email2, usarRegistrado };
  const file = new Uint8Array(await archivo.arrayBuffer());
  const leido = formatoOf(file) === 'imagen' ? await readPhoto(file) : await readPdfFile(file);
  if (typeof leido === 'string') return { resultado: { leida: false, texto: TEXTOS[leido] }, valores };
  const { constancia, aviso } = await completeWithSat(db, leido);
  const [unico, ...otros] = constancia.regimenes;
  const hallado = {
    rfc: constancia.rfc,
    razonSocial: constancia.razonSocial,
    cp: constancia.cp,
    // The customer chooses among several regimes.
    regimen: unico !== undefined && otros.length === 0 ? unico : '',
  };
  const resultado = { leida: true as const, faltan: missingOf(constancia), regimenes: constancia.regimenes, aviso };
  return { resultado, valores: { ...valores, ...hallado } };
}

/** Reads a photograph, which has a code and no text that we read. */
async function readPhoto(file: Uint8Array): Promise<Dicho | keyof typeof TEXTOS> {
  const codigos = await readCodigos(file);
  if (codigos.tipo !== 'leido') return codigos.tipo === 'limite' ? 'fotoGrande' : 'ilegible';
  const cedula = cedulaOfCodes(codigos.dice);
  return cedula ? soloRfc(cedula) : codigos.dice.length === 0 ? 'sinCodigo' : 'otroCodigo';
}

/** Reads a PDF. Its text says more than its code and costs less to read; the code is read when the text lacks something. */
async function readPdfFile(file: Uint8Array): Promise<Dicho | keyof typeof TEXTOS> {
  const pdf = await readPdf(file);
  if (pdf.tipo !== 'leido') return pdf.tipo;
  const escrita = parseConstancia(pdf.dice);
  if (escrita) {
    const { idCif, ...constancia } = escrita;
    if (missingOf(constancia).length === 0) return dicho(constancia, undefined);
    const cedula = cedulaOf(idCif, constancia.rfc) ?? (await findCedula(file));
    return dicho(constancia, cedula?.rfc === constancia.rfc ? cedula : undefined);
  }
  const cedula = await findCedula(file);
  return cedula ? soloRfc(cedula) : pdf.dice.length === 0 ? 'imagen' : 'otro';
}

async function findCedula(file: Uint8Array): Promise<Cedula | undefined> {
  const codigos = await readCodigos(file);
  return codigos.tipo === 'leido' ? cedulaOfCodes(codigos.dice) : undefined;
}

/** The first cédula among codes: a constancia has a second code, which is something else. */
const cedulaOfCodes = (codigos: readonly string[]) => codigos.flatMap((code) => cedulaOfPagina(code) ?? [])[0];

/** Asks the SAT for missing data; data of the file stand. */
async function completeWithSat(
  db: Db,
  { constancia, cedula }: Dicho,
): Promise<{ constancia: Constancia; aviso: string | undefined }> {
  if (!cedula) return { constancia, aviso: undefined };
  const sat = await askSat(db, cedula);
  if (sat.tipo !== 'dice') return { constancia, aviso: AVISOS[sat.tipo] };
  const { razonSocial, cp, regimenes } = sat.constancia;
  return {
    constancia: {
      rfc: constancia.rfc,
      razonSocial: constancia.razonSocial || razonSocial,
      cp: constancia.cp || cp,
      regimenes: constancia.regimenes.length > 0 ? constancia.regimenes : regimenes,
    },
    aviso: undefined,
  };
}

const missingOf = ({ razonSocial, cp, regimenes }: Constancia) => [
  ...(razonSocial === '' ? ['Razón Social'] : []),
  ...(cp === '' ? ['Código postal'] : []),
  ...(regimenes.length === 0 ? ['Regimen a facturar'] : []),
];
