import { isEmail } from '~/core/email';
import { EMAIL_NO_VALIDO } from '~/core/text';
import { Money } from '~/core/money';
import { checkDigitMatches, isGenericRfc, isRfc, personaOf, RFC_PUBLICO } from '~/core/rfc';
import { addDays, civilDateTime, civilDay, daysBetween, instantOf, isCivilDay, ZONA_HORARIA } from '~/core/time';
import { REGIMEN_GENERICO, regimenesFor, USO_GENERICO, usosFor } from '~/domain/facturacion/sat/opciones';
import { FORMAS_PAGO, REGIMENES, USOS } from '~/domain/facturacion/sat/sat';
import type { NewConcepto } from '~/integrations/facturacom/nouns';
import { verifyCfdiAmounts } from './importes';
import { isPublicoGeneral, NOMBRE_PUBLICO_GENERAL, normalizeRazonSocial, tipoOfSociedad } from './nombreFiscal';

/** A fault that the PAC would refuse, with its remedy. `campo` is the field of our form; `propuesta` is a value that would pass. */
export type Aviso = { campo: string; texto: string; propuesta?: string };

/** The faults that stop a stamp, and the doubts that do not. */
export type Revision = { errores: Aviso[]; advertencias: Aviso[] };

/** The receiver as a form has it. */
export type ClienteFactura = { rfc: string; razonSocial: string; cp: string; regimen: string; emails: string[] };

/** A whole factura before it is accepted. */
export type DatosFactura = {
  cliente: ClienteFactura;
  usoCfdi: string;
  formaPago: string;
  /** The civil day chosen, in the business zone. */
  dia: string;
  conceptos: readonly NewConcepto[];
  subTotal: string;
  iva: string;
  total: string;
};

/** The postal code from which the company issues. */
export type LugarExpedicion = { lugarExpedicion: string };

/** Days back that staff may date a CFDI; the SAT's own limit is 72 hours. */
export const DIAS_ATRAS = 2;
const LIMITE_SAT_MS = 72 * 3_600_000;

/** Finds everything in a factura that the PAC would refuse and that can be known here. */
export function precheck(datos: DatosFactura, emisor: LugarExpedicion, now: Date): Revision {
  const cliente = precheckCliente(datos.cliente, emisor);
  return {
    errores: [
      ...cliente.errores,
      ...usoErrors(datos.cliente, datos.usoCfdi),
      ...formaPagoErrors(datos.formaPago),
      ...diaErrors(datos.dia, now),
      ...conceptoErrors(datos.conceptos),
      ...amountErrors(datos),
    ],
    advertencias: cliente.advertencias,
  };
}

/** Finds the faults of the receiver alone, for the step 'Datos de Facturación'. */
export function precheckCliente(cliente: ClienteFactura, emisor: LugarExpedicion): Revision {
  const { rfc, cp } = cliente;
  const rfcErrors = isRfc(rfc) ? [] : [{ campo: 'rfc', texto: 'RFC No Valido' }];
  const errores = [
    ...rfcErrors,
    ...nombreErrors(cliente),
    ...(/^\d{5}$/.test(cp) ? [] : [{ campo: 'cp', texto: 'Código Postal No Valido' }]),
    ...(rfcErrors.length > 0 ? [] : regimenErrors(cliente)),
    ...(isGenericRfc(rfc) && /^\d{5}$/.test(cp) && cp !== emisor.lugarExpedicion
      ? [
          {
            campo: 'cp',
            texto: `Con un RFC genérico el código postal debe ser el del lugar de expedición: ${emisor.lugarExpedicion}.`,
            propuesta: emisor.lugarExpedicion,
          },
        ]
      : []),
    ...emailErrors(cliente.emails),
  ];
  return { errores, advertencias: rfcErrors.length > 0 ? [] : warningsOf(cliente) };
}

function nombreErrors({ rfc, razonSocial }: ClienteFactura): Aviso[] {
  const campo = 'razonSocial';
  const nombre = normalizeRazonSocial(razonSocial);
  if (nombre === '')
    return [{ campo, texto: 'Escribe la Razón Social tal como aparece en la constancia de situación fiscal.' }];
  if (nombre.length > 300) return [{ campo, texto: 'La Razón Social pasa de 300 caracteres.' }];
  if (nombre !== razonSocial)
    return [
      {
        campo,
        texto: 'La Razón Social va en mayúsculas, con un solo espacio entre palabras y sin «|».',
        propuesta: nombre,
      },
    ];
  if (!isPublicoGeneral(nombre)) return [];
  const texto =
    rfc === RFC_PUBLICO
      ? `«${NOMBRE_PUBLICO_GENERAL}» es solo para la factura global. Escribe el nombre del comprador.`
      : `«${NOMBRE_PUBLICO_GENERAL}» no es el nombre de ese RFC. Escribe el de la constancia de situación fiscal.`;
  return [{ campo, texto }];
}

function regimenErrors({ rfc, regimen }: ClienteFactura): Aviso[] {
  const campo = 'regimen';
  if (isGenericRfc(rfc)) {
    return regimen === REGIMEN_GENERICO
      ? []
      : [
          {
            campo,
            texto: `Con un RFC genérico el régimen es ${REGIMEN_GENERICO} - Sin obligaciones fiscales.`,
            propuesta: REGIMEN_GENERICO,
          },
        ];
  }
  if (regimen === '') return [{ campo, texto: 'Elige el régimen que aparece en la constancia de situación fiscal.' }];
  if (!REGIMENES.some((one) => one.id === regimen))
    return [{ campo, texto: `El régimen ${regimen} no existe en el catálogo del SAT. Elige el de la constancia.` }];
  if (regimenesFor(rfc).some((one) => one.id === regimen)) return [];
  const persona = personaOf(rfc) === 'moral' ? 'persona moral (12 caracteres)' : 'persona física (13 caracteres)';
  return [
    { campo, texto: `El RFC es de una ${persona} y el régimen ${regimen} no es para ella. Elige el de la constancia.` },
  ];
}

function usoErrors({ rfc, regimen }: ClienteFactura, usoCfdi: string): Aviso[] {
  const campo = 'usoCfdi';
  if (usoCfdi === '') return [{ campo, texto: 'Elige el Uso de CFDI.' }];
  if (isGenericRfc(rfc)) {
    return usoCfdi === USO_GENERICO
      ? []
      : [
          {
            campo,
            texto: `Con un RFC genérico el Uso de CFDI es ${USO_GENERICO} - Sin efectos fiscales.`,
            propuesta: USO_GENERICO,
          },
        ];
  }
  if (!USOS.some((uso) => uso.id === usoCfdi))
    return [{ campo, texto: `El uso ${usoCfdi} no existe en el catálogo del SAT. Elige otro.` }];
  if (!isRfc(rfc) || usosFor(rfc, regimen).some((uso) => uso.id === usoCfdi)) return [];
  return [
    { campo, texto: `El uso ${usoCfdi} no se permite con el régimen ${regimen} de ese RFC. Elige otro Uso de CFDI.` },
  ];
}

function formaPagoErrors(formaPago: string): Aviso[] {
  const campo = 'formaPago';
  if (formaPago === '') return [{ campo, texto: 'Elige la Forma de Pago.' }];
  if (!FORMAS_PAGO.some((forma) => forma.id === formaPago))
    return [{ campo, texto: `La forma de pago ${formaPago} no existe en el catálogo del SAT. Elige otra.` }];
  return formaPago === '99'
    ? [
        {
          campo,
          texto: 'La factura se paga en una sola exhibición: elige la forma con que se pagó, no «99 - Por definir».',
        },
      ]
    : [];
}

function diaErrors(dia: string, now: Date): Aviso[] {
  const campo = 'fecha';
  if (!isCivilDay(dia)) return [{ campo, texto: 'La fecha de facturación no es una fecha.' }];
  const today = civilDay(now);
  const back = daysBetween(dia, today);
  if (back < 0) return [{ campo, texto: 'La fecha de facturación no puede ser futura.', propuesta: today }];
  const oldest = addDays(today, -DIAS_ATRAS);
  return back > DIAS_ATRAS || now.getTime() - instantOf(fechaOfFactura(dia, now)).getTime() >= LIMITE_SAT_MS
    ? [
        {
          campo,
          texto: `La fecha de facturación puede ser hoy o hasta ${DIAS_ATRAS} días antes: desde ${oldest.split('-').reverse().join('/')}.`,
          propuesta: oldest,
        },
      ]
    : [];
}

/**
 * The Fecha of a CFDI for a chosen day: the time of now less a minute, so that a slower clock at the PAC does not see the future, and never outside that day.
 */
export function fechaOfFactura(dia: string, now: Date, zone = ZONA_HORARIA): string {
  const local = civilDateTime(new Date(now.getTime() - 60_000), zone);
  const crossed = local.slice(0, 10) !== civilDay(now, zone);
  return `${dia}T${crossed ? '00:00:00' : local.slice(11)}`;
}

function emailErrors(emails: string[]): Aviso[] {
  const [first = ''] = emails;
  if (first.trim() === '') return [{ campo: 'email', texto: 'Escribe el correo al que se enviará la factura.' }];
  return emails.flatMap((email, index) =>
    isEmail(email) ? [] : [{ campo: index === 0 ? 'email' : `email${index + 1}`, texto: EMAIL_NO_VALIDO }],
  );
}

function conceptoErrors(conceptos: readonly NewConcepto[]): Aviso[] {
  if (conceptos.length === 0)
    return [{ campo: 'articulos', texto: 'La factura no tiene artículos. Agrega al menos uno.' }];
  return conceptos.flatMap((concepto, index) => {
    const errors: Aviso[] = [];
    const add = (campo: string, texto: string) =>
      errors.push({ campo: `articulos[${index}].${campo}`, texto: `Artículo ${index + 1}: ${texto}` });
    if (!/^\d{8}$/.test(concepto.claveProdServ)) add('codigoSat', 'el código SAT tiene 8 dígitos.');
    if (!/^[A-Z0-9]{2,3}$/.test(concepto.claveUnidad)) add('claveUnidad', 'la clave de unidad no es válida.');
    if (concepto.descripcion.trim() === '') add('nombre', 'falta la descripción.');
    if (concepto.descripcion.includes('|') || concepto.descripcion.length > 1000)
      add('nombre', 'la descripción no puede llevar «|» ni pasar de 1000 caracteres.');
    if (!/[1-9]/.test(concepto.valorUnitario))
      add('precioUnitario', 'el precio debe ser mayor que cero. Quita el artículo si no tuvo costo.');
    if (!Number.isInteger(concepto.cantidad) || concepto.cantidad < 1)
      add('cantidad', 'la cantidad es un entero mayor que cero.');
    return errors;
  });
}

function amountErrors({ conceptos, subTotal, iva, total }: DatosFactura): Aviso[] {
  const traslados = [...new Set(conceptos.map((concepto) => concepto.tasaIva))].map((tasaIva) => {
    const group = conceptos.filter((concepto) => concepto.tasaIva === tasaIva);
    return {
      tasaIva,
      base: centsOf(group.map((concepto) => concepto.base)),
      importe: centsOf(group.map((concepto) => concepto.iva)),
    };
  });
  const written = conceptos.map(({ cantidad, valorUnitario, importe, base, tasaIva, iva: tax }) => ({
    cantidad: String(cantidad),
    valorUnitario,
    importe,
    base,
    tasaIva,
    iva: tax,
  }));
  const faults = verifyCfdiAmounts({ conceptos: written, subTotal, traslados, totalTraslados: iva, total });
  return faults.map(({ texto }) => ({
    campo: 'articulos',
    texto: `Los importes no cuadran: ${texto} Revisa los precios.`,
  }));
}

const centsOf = (amounts: string[]) => Money.sum(amounts.map((amount) => Money.of(amount))).toFixed(2);

function warningsOf({ rfc, razonSocial, emails }: ClienteFactura): Aviso[] {
  const advertencias: Aviso[] = [];
  if (!isGenericRfc(rfc) && !checkDigitMatches(rfc))
    advertencias.push({
      campo: 'rfc',
      texto: 'El último carácter del RFC no coincide con el que se calcula. Compáralo con la constancia.',
    });
  if (personaOf(rfc) === 'fisica' && INCONVENIENTES.has(rfc.slice(0, 4)))
    advertencias.push({
      campo: 'rfc',
      texto: 'El SAT no usa esas cuatro letras al inicio de un RFC. Compáralo con la constancia.',
    });
  const sociedad = tipoOfSociedad(rfc, normalizeRazonSocial(razonSocial));
  if (sociedad) {
    advertencias.push({
      campo: 'razonSocial',
      propuesta: sociedad.nombre,
      texto: `El SAT registra el nombre sin el tipo de sociedad. Si la constancia no dice «${sociedad.tipo}», usa «${sociedad.nombre}».`,
    });
  }
  if (emails.length !== new Set(emails.map((email) => email.toLowerCase())).size)
    advertencias.push({ campo: 'email2', texto: 'El segundo correo es igual al primero.' });
  return advertencias;
}

/** First four letters that the SAT never leaves in the RFC of a natural person. */
const INCONVENIENTES = new Set(
  (
    'BUEI BUEY CACA CACO CAGA CAGO CAKA CAKO COGE COJA COJE COJI COJO CULO FETO GUEY JOTO KACA KACO KAGA KAGO KAKA KOGE KOJO KULO MAME MAMO MEAR MEAS MEON MION ' +
    'MOCO MULA PEDA PEDO PENE PUTA PUTO QULO RATA RUIN'
  ).split(' '),
);
