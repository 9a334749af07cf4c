import { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { articulosOf, conceptosOfArticulos } from '~/domain/facturacion/cfdi/articulos';
import { fechaOfFactura } from '~/domain/facturacion/cfdi/precheck';
import { NewCfdi } from '~/integrations/facturacom/nouns';

export const EMPRESA = {
  rfc: 'CVS140305H19',
  razonSocial: 'CONSTRUCTORA VALLE DEL SUR',
  cp: '68000',
  regimen: '601',
  emails: ['pagos@vallesur.test', 'dos@vallesur.test'],
  usoCfdi: 'G03',
  calle: 'Reforma',
};

/** Three cameras, seven connectors and the shipping: the amounts that break careless arithmetic. */
export function cfdiFor(uid: string, change: Partial<NewCfdi> = {}): NewCfdi {
  const { conceptos, subTotal, iva, total } = conceptosOfArticulos(
    articulosOf([
      {
        id: 'o',
        envio: { id: 'e', cobrado: Money.of('199.00') },
        envioAdicional: Money.zero,
        articulos: [
          {
            nombre: 'Cámara "domo" | 2 MP & fuente <12 V>',
            cantidad: 3,
            precioUnitario: Money.of('99.99'),
            importe: Money.of('299.97'),
            sku: 'AMS|1|syscom|DS-2CE',
          },
          {
            nombre: 'Conector',
            cantidad: 7,
            precioUnitario: Money.of('14.37'),
            importe: Money.of('100.59'),
            sku: null,
          },
        ],
      },
    ]),
  );
  const now = new Date();
  return NewCfdi.parse({
    tipo: 'factura',
    serieId: 17317,
    receptor: { uid, rfc: EMPRESA.rfc, nombre: EMPRESA.razonSocial, cp: EMPRESA.cp, regimen: EMPRESA.regimen },
    usoCfdi: 'G03',
    formaPago: '04',
    fecha: fechaOfFactura(civilDay(now), now),
    conceptos,
    subTotal,
    iva,
    total,
    ...change,
  });
}

export const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => Promise.reject(new Error(`answered ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );
