import type { FilaDeRechazo } from '~/core/rechazo';
import { tableOf } from '~/core/table';

/**
 * The meaning of a PAC's refusal for the person who invoices: the field it is about, and what to do. The PAC's own words are shown apart, under 'detalle'.
 * The texts follow the SAT's matrix; several maps in public code give 40124, 40147 and 40149 other meanings.
 */
export type Explicacion = { campo: string; texto: string };

const NOMBRE =
  'La Razón Social no es la que el SAT tiene para ese RFC. Cópiala de la constancia de situación fiscal, sin el tipo de sociedad (SA DE CV).';
const CP =
  'El Código Postal no es el del domicilio fiscal de ese RFC. Usa el de la constancia de situación fiscal, no el del envío.';
const REGIMEN =
  'El régimen no es uno de los que el SAT tiene para ese RFC. Elige el que aparece en la constancia de situación fiscal.';
const USO = 'El Uso de CFDI no se permite con ese régimen. Elige otro.';
const CODIGO_SAT = 'Un código SAT de los artículos no es válido para esta factura. Corrígelo.';
const EMPRESA = 'Los datos fiscales de la empresa en factura.com no son los que tiene el SAT. Avisa al administrador.';
const GLOBAL = 'Los datos de la factura global (periodicidad, meses o año) no son válidos.';
const INTERNO = 'El PAC no aceptó los importes de la factura. No es un error de captura: avisa a soporte.';
const FECHA =
  'El PAC no aceptó la fecha: debe ser de las últimas 72 horas y no futura. Elige otra Fecha de Facturación.';
const SELLO =
  'El sello digital (CSD) de la empresa no sirve para timbrar. Avisa al administrador: se revisa en factura.com.';
const EXTRANJERO =
  'Los datos de residencia en el extranjero no corresponden con el RFC. Trastienda no factura con residencia fiscal en el extranjero.';

const SAT: Record<string, Explicacion> = tableOf({
  ...all(
    'formaPago',
    'El PAC no aceptó la Forma de Pago. Elige la forma con que se pagó la venta.',
    [40103, 40104, 40105],
  ),
  ...all('formaPago', 'El PAC no aceptó el método de pago de la factura. Avisa a soporte.', [40124, 40125]),
  ...all(
    'articulos',
    INTERNO,
    [
      40102, 40107, 40108, 40110, 40111, 40112, 40119, 40167, 40168, 40169, 40170, 40171, 40172, 40173, 40174, 40175,
      40176, 40177, 40178, 40179, 40180, 40204, 40205, 40214, 40215, 40216, 40218, 40220, 40221,
    ],
  ),
  ...all(
    'empresa',
    'El código postal de la empresa (lugar de expedición) no existe en el catálogo del SAT. Se corrige en factura.com.',
    [40126],
  ),
  ...all(
    'razonSocial',
    'El nombre PUBLICO EN GENERAL es solo para la factura global. Escribe el nombre del comprador.',
    [40130],
  ),
  ...all('global', GLOBAL, [40131, 40132, 40133, 40134, 40135, 40136]),
  ...all('relacionados', 'La relación con otra factura no es válida. Revisa el tipo de relación y el UUID.', [40137]),
  ...all('empresa', EMPRESA, [40138, 40139, 40140, 40141]),
  ...all(
    'rfc',
    'El RFC no está en la lista del SAT de RFC inscritos no cancelados. Compáralo con la constancia de situación fiscal.',
    [40143],
  ),
  ...all('razonSocial', NOMBRE, [40144, 40145]),
  ...all('rfc', 'Una factura global lleva el RFC XAXX010101000.', [40146]),
  ...all('cp', CP, [40147, 40148]),
  ...all('cp', 'Con un RFC genérico el Código Postal debe ser el del lugar de expedición de la empresa.', [40149]),
  ...all('rfc', EXTRANJERO, [40150, 40151, 40152, 40153, 40154, 40155, 40156]),
  ...all('regimen', REGIMEN, [40157, 40158, 40159]),
  ...all('usoCfdi', USO, [40160, 40161]),
  ...all('articulos', CODIGO_SAT, [40162, 40163, 40164]),
  ...all('articulos', 'La clave de unidad de un artículo no existe en el catálogo del SAT. Corrígela.', [40165]),
  ...all('articulos', 'Un artículo tiene precio cero. Quítalo de la factura o corrige su precio.', [40166]),
});

const PAC: Record<string, Explicacion> = tableOf({
  ...classic('interno', 'El PAC encontró mal formado el documento. Avisa a soporte.', [301, 302, 308]),
  ...classic('empresa', SELLO, [303, 304, 305, 306]),
  ...classic(
    'interno',
    'El PAC dice que este documento ya está timbrado. Búscalo en factura.com antes de intentar otra vez.',
    [307],
  ),
  ...classic('fecha', FECHA, [401, 403]),
  ...classic(
    'empresa',
    'El RFC de la empresa no está en la lista de obligaciones del SAT. Avisa al administrador.',
    [402],
  ),
});

/** The names of the fields, as screens write them. */
const CAMPOS: Readonly<Record<string, string>> = tableOf({
  formaPago: 'Forma de Pago',
  articulos: 'Artículos',
  empresa: 'Datos de la empresa',
  razonSocial: 'Razón Social',
  global: 'Factura global',
  relacionados: 'Relación',
  rfc: 'RFC',
  cp: 'Código Postal',
  regimen: 'Régimen',
  usoCfdi: 'Uso de CFDI',
  fecha: 'Fecha de Facturación',
});

/** The refusals of the SAT and of the PAC by their codes, as rows of the catalogue of refusals. Three digits count only where a sentence begins with them. */
export const RECHAZOS_DEL_SAT: readonly FilaDeRechazo[] = Object.entries({ ...SAT, ...PAC }).map(
  ([code, { campo, texto }]) => ({
    de: code.startsWith('CFDI') ? code : new RegExp(`(?:^|")${code} - `, 'm'),
    campo: CAMPOS[campo] ?? null,
    remedio: texto,
  }),
);

/** Explains a code of the PAC: 'CFDI40145' or the classic three digits. An unknown code, or none, has no field and a general text. */
export function explainPacCode(code: string | undefined): Explicacion {
  const known = code === undefined ? undefined : (SAT[code] ?? PAC[code]);
  return known ?? { campo: '', texto: 'El PAC rechazó la factura. Lee el detalle y corrige los datos.' };
}

function all(campo: string, texto: string, codes: number[]): Record<string, Explicacion> {
  return Object.fromEntries(codes.map((code) => [`CFDI${code}`, { campo, texto }]));
}

function classic(campo: string, texto: string, codes: number[]): Record<string, Explicacion> {
  return Object.fromEntries(codes.map((code) => [String(code), { campo, texto }]));
}
