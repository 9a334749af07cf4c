/** The arithmetic of each concept and of the whole, with the limits of Anexo 20. */
import { IMPUESTOS, TASAS_IVA, TIPOS_FACTOR } from './catalogos';
import { impuestoWithinLimits, importeWithinLimits, ofMicro } from './decimals';
import { sumasOf, type Concepto, type Documento, type Impuesto } from './documento';
import { refuseIf, requireRule } from './refusals';

const WITH_TAXES = ['02'];

export function validateConceptos(doc: Documento) {
  doc.conceptos.forEach((concepto, index) => validateConcepto(concepto, `Concepto ${index + 1}`));
  const { subTotal, descuento } = sumasOf(doc.conceptos);
  refuseIf(
    descuento && descuento.micro > subTotal.micro,
    'CFDI40110',
    `Descuento: ${descuento?.text}, SubTotal: ${subTotal.text}`,
  );
}

function validateConcepto(concepto: Concepto, at: string) {
  const { cantidad, valorUnitario, importe, descuento, objetoImp, impuestos } = concepto;
  requireRule(cantidad.micro !== 0n, '301', `${at}: Cantidad debe ser mayor que cero`);
  requireRule(valorUnitario.micro !== 0n, 'CFDI40166', at);
  requireRule(
    importeWithinLimits(importe, cantidad, valorUnitario),
    'CFDI40167',
    `${at}: Cantidad ${cantidad.text}, ValorUnitario ${valorUnitario.text}, Importe ${importe.text}`,
  );
  refuseIf(descuento && descuento.decimals > importe.decimals, 'CFDI40168', at);
  refuseIf(descuento && descuento.micro > importe.micro, 'CFDI40169', at);
  refuseIf(impuestos && impuestos.traslados.length + impuestos.retenciones.length === 0, 'CFDI40173', at);
  refuseIf(WITH_TAXES.includes(objetoImp) && !impuestos, 'CFDI40171', at);
  refuseIf(!WITH_TAXES.includes(objetoImp) && impuestos, 'CFDI40172', at);
  for (const impuesto of impuestos?.traslados ?? []) validateImpuesto(impuesto, `${at}, traslado`);
  for (const impuesto of impuestos?.retenciones ?? []) validateImpuesto(impuesto, `${at}, retención`);
}

function validateImpuesto({ base, impuesto, tipoFactor, tasa, importe }: Impuesto, at: string) {
  requireRule(base.micro !== 0n, 'CFDI40174', at);
  requireRule(IMPUESTOS.has(impuesto), 'CFDI40175', `${at}: ${impuesto}`);
  requireRule(TIPOS_FACTOR.has(tipoFactor), 'CFDI40176', `${at}: ${tipoFactor}`);
  if (tipoFactor === 'Exento') {
    refuseIf(tasa || importe, 'CFDI40177', at);
    return;
  }
  requireRule(tasa && importe, 'CFDI40178', at);
  refuseIf(
    impuesto === '002' && tipoFactor === 'Tasa' && !TASAS_IVA.has(ofMicro(tasa.micro).text) && at.endsWith('traslado'),
    'CFDI40179',
    `${at}: ${tasa.text}`,
  );
  requireRule(
    impuestoWithinLimits(importe, base, tasa),
    'CFDI40180',
    `${at}: Base ${base.text}, TasaOCuota ${tasa.text}, Importe ${importe.text}`,
  );
}
