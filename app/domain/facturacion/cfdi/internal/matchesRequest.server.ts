import { Money } from '~/core/money';
import type { CfdiXml } from '~/integrations/sat/cfdiXml.server';
import type { NewCfdi } from '~/integrations/facturacom/nouns';

/**
 * The differences between a stamped document and its request, in sentences for people; none when it is ours. A difference is an alarm and never a reason to
 * stamp again. The sentences hold values of both, so they go to the board and not to the log. `emisor` is the RFC of the company that asked.
 */
export function matchesRequest(
  xml: CfdiXml,
  cfdi: NewCfdi,
  { uuid, emisor }: { uuid: string; emisor: string },
): string[] {
  const differences: string[] = [];
  const same = (name: string, stamped: string, asked: string) => {
    if (stamped !== asked) differences.push(`${name}: se timbró «${stamped}» y se pidió «${asked}»`);
  };
  const amount = (name: string, stamped: string, asked: string) => {
    if (!sameAmount(stamped, asked)) differences.push(`${name}: se timbró ${stamped} y se pidió ${asked}`);
  };
  same('UUID', xml.uuid, uuid.toUpperCase());
  same('Tipo de comprobante', xml.tipo, cfdi.tipo === 'factura' ? 'I' : 'E');
  same('RFC del emisor', xml.emisor.rfc.toUpperCase(), emisor.toUpperCase());
  same('RFC', xml.receptor.rfc, cfdi.receptor.rfc);
  same('Razón Social', words(xml.receptor.nombre), words(cfdi.receptor.nombre));
  same('Código postal', xml.receptor.cp, cfdi.receptor.cp);
  same('Régimen', xml.receptor.regimen, cfdi.receptor.regimen);
  same('Uso de CFDI', xml.receptor.usoCfdi, cfdi.usoCfdi);
  same('Forma de Pago', xml.formaPago, cfdi.formaPago);
  same('Método de pago', xml.metodoPago, 'PUE');
  same('Moneda', xml.moneda, 'MXN');
  same('Día', xml.fecha.slice(0, 10), cfdi.fecha.slice(0, 10));
  amount('Sub-Total', xml.subTotal, cfdi.subTotal);
  amount('I.V.A', xml.impuestos.totalTraslados, cfdi.iva);
  amount('Total', xml.total, cfdi.total);
  same('Información global', globalOf(xml.informacionGlobal), globalOf(cfdi.informacionGlobal));
  same('CFDI relacionados', relacionOf(xml.relacionados), relacionOf(cfdi.relacionados ? [cfdi.relacionados] : []));
  same('Número de conceptos', String(xml.conceptos.length), String(cfdi.conceptos.length));
  if (xml.conceptos.length !== cfdi.conceptos.length) return differences;
  cfdi.conceptos.forEach((asked, index) => {
    const stamped = xml.conceptos[index]!;
    const label = (name: string) => `Concepto ${index + 1}, ${name}`;
    same(label('código SAT'), stamped.claveProdServ, asked.claveProdServ);
    same(label('descripción'), words(stamped.descripcion), words(asked.descripcion));
    amount(label('cantidad'), stamped.cantidad, String(asked.cantidad));
    amount(label('valor unitario'), stamped.valorUnitario, asked.valorUnitario);
    amount(label('importe'), stamped.importe, asked.importe);
    amount(label('I.V.A'), stamped.traslados[0]?.importe ?? '0', asked.iva);
    amount(label('tasa'), stamped.traslados[0]?.tasa || '0', asked.tasaIva);
  });
  return differences;
}

const globalOf = (info: { periodicidad: string; meses: string; anio: string } | null | undefined) =>
  info ? `${info.periodicidad} ${info.meses} ${info.anio}` : '';
const relacionOf = (relaciones: { tipoRelacion: string; uuids: string[] }[]) =>
  relaciones
    .map(({ tipoRelacion, uuids }) => `${tipoRelacion} ${uuids.map((uuid) => uuid.toUpperCase()).join(' ')}`)
    .join('; ');
const words = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

function sameAmount(a: string, b: string): boolean {
  const readable = /^\d{1,15}(?:\.\d{1,6})?$/;
  return readable.test(a) && readable.test(b) && Money.of(a).equals(Money.of(b));
}
