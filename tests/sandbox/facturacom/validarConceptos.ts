/** The arithmetic of each concept and of the whole, with the limits of Anexo 20. */
import { IMPUESTOS, TASAS_IVA, TIPOS_FACTOR } from './catalogos';
import { impuestoWithinLimits, importeWithinLimits, ofMicro } from './decimals';
import { sumasOf, type Concepto, type Documento, type Impuesto } from './documento';
import { pacRefusal } from './refusals';

const WITH_TAXES = ['02'];

export function validateConceptos(doc: Documento) {
  doc.conceptos.forEach((concepto, index) => validateConcepto(concepto, `Concepto ${index + 1}`));
  const { subTotal, descuento } = sumasOf(doc.conceptos);
  if (descuento && descuento.micro > subTotal.micro) {
    throw pacRefusal(
      'CFDI40110',
      'El valor registrado en el campo Descuento no es menor o igual que el campo Subtotal.',
      `Descuento: ${descuento.text}, SubTotal: ${subTotal.text}`,
    );
  }
}

function validateConcepto(concepto: Concepto, at: string) {
  const { cantidad, valorUnitario, importe, descuento, objetoImp, impuestos } = concepto;
  if (cantidad.micro === 0n) throw pacRefusal('301', 'XML mal formado', `${at}: Cantidad debe ser mayor que cero`);
  if (valorUnitario.micro === 0n)
    throw pacRefusal(
      'CFDI40166',
      'El valor del campo ValorUnitario debe ser mayor que cero (0) cuando el tipo de comprobante es Ingreso, Egreso o Nomina.',
      at,
    );
  if (!importeWithinLimits(importe, cantidad, valorUnitario)) {
    throw pacRefusal(
      'CFDI40167',
      'El valor del campo Importe no se encuentra entre el limite inferior y superior permitido.',
      `${at}: Cantidad ${cantidad.text}, ValorUnitario ${valorUnitario.text}, Importe ${importe.text}`,
    );
  }
  if (descuento && descuento.decimals > importe.decimals) {
    throw pacRefusal(
      'CFDI40168',
      'El valor del campo Descuento debe tener hasta la cantidad de decimales que tenga registrado el atributo importe del concepto.',
      at,
    );
  }
  if (descuento && descuento.micro > importe.micro)
    throw pacRefusal('CFDI40169', 'El valor del campo Descuento es mayor que el campo Importe.', at);
  if (impuestos && impuestos.traslados.length + impuestos.retenciones.length === 0) {
    throw pacRefusal(
      'CFDI40173',
      'En caso de utilizar el nodo Impuestos en un concepto, se deben incluir impuestos de traslado y/o retenciones.',
      at,
    );
  }
  if (WITH_TAXES.includes(objetoImp) && !impuestos)
    throw pacRefusal(
      'CFDI40171',
      'Si el valor registrado en el campo ObjetoImp es "02", deben existir impuestos desglosados a nivel de concepto.',
      at,
    );
  if (!WITH_TAXES.includes(objetoImp) && impuestos)
    throw pacRefusal(
      'CFDI40172',
      'El valor registrado en el campo ObjetoImp no permite desglosar impuestos a nivel de concepto.',
      at,
    );
  for (const impuesto of impuestos?.traslados ?? []) validateImpuesto(impuesto, `${at}, traslado`);
  for (const impuesto of impuestos?.retenciones ?? []) validateImpuesto(impuesto, `${at}, retención`);
}

function validateImpuesto({ base, impuesto, tipoFactor, tasa, importe }: Impuesto, at: string) {
  if (base.micro === 0n)
    throw pacRefusal('CFDI40174', 'El valor del campo Base que corresponde a Traslado debe ser mayor que cero.', at);
  if (!IMPUESTOS.has(impuesto))
    throw pacRefusal(
      'CFDI40175',
      'El valor del campo Impuesto que corresponde a Traslado no contiene un valor del catálogo c_Impuesto.',
      `${at}: ${impuesto}`,
    );
  if (!TIPOS_FACTOR.has(tipoFactor))
    throw pacRefusal(
      'CFDI40176',
      'El valor del campo TipoFactor que corresponde a Traslado no contiene un valor del catálogo c_TipoFactor.',
      `${at}: ${tipoFactor}`,
    );
  if (tipoFactor === 'Exento') {
    if (tasa || importe)
      throw pacRefusal(
        'CFDI40177',
        'Si el valor registrado en el campo TipoFactor es Exento no se deben registrar los campos TasaOCuota ni Importe.',
        at,
      );
    return;
  }
  if (!tasa || !importe)
    throw pacRefusal(
      'CFDI40178',
      'Si el valor registrado en el campo TipoFactor es Tasa o Cuota, se deben registrar los campos TasaOCuota e Importe.',
      at,
    );
  if (
    impuesto === '002' &&
    tipoFactor === 'Tasa' &&
    !TASAS_IVA.has(ofMicro(tasa.micro).text) &&
    at.endsWith('traslado')
  ) {
    throw pacRefusal(
      'CFDI40179',
      'El valor del campo TasaOCuota que corresponde a Traslado no contiene un valor del catálogo c_TasaOCuota o se encuentra fuera de rango.',
      `${at}: ${tasa.text}`,
    );
  }
  if (!impuestoWithinLimits(importe, base, tasa)) {
    throw pacRefusal(
      'CFDI40180',
      'El valor del campo Importe que corresponde a Traslado no se encuentra entre el limite inferior y superior permitido.',
      `${at}: Base ${base.text}, TasaOCuota ${tasa.text}, Importe ${importe.text}`,
    );
  }
}
