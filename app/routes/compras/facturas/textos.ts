import type { Question } from '~/core/fieldRules';
import { readImporte } from '~/core/importe';
import { civilDay, toInstant } from '~/core/time';
import { enLinea, hechosOf } from '~/core/hechos';
import type { Money } from '~/core/money';
import { deCuantoACuanto, gananciaQueCambia } from '~/domain/ventas/ordenes/afectados';
import { formatPesos } from '~/ui/Pesos';

/** The field of an address that opens the supplier invoices of a sale. */
export const ABRE = 'proveedorFactura';

/** The answer to a link whose sale does not exist, with a 404. */
export const ORDEN_AUSENTE = {
  titulo: 'La orden no existe',
  texto: 'El enlace nombra una orden que no está aquí. Puede que se haya copiado incompleto.',
};

/** The facts of a supplier invoice that a question tells. */
type Factura = {
  folio: string;
  monto: string;
  proveedorLabel: string;
  numOrden: string;
  vendidaEn: string | Date;
  cfdiId: string | null;
};

/** The agreed question before an invoice is edited, with the changes and everything else they reach. */
export function editFactura(
  antes: Factura,
  despues: { folio: string; monto: string; proveedorLabel: string },
): Question {
  const monto = readImporte(despues.monto);
  const hechos = hechosOf(
    monto !== antes.monto && `${deCuantoACuanto({ campo: 'Monto', antes: antes.monto, despues: monto })}.`,
    despues.proveedorLabel !== antes.proveedorLabel &&
      `Proveedor: de ${antes.proveedorLabel} a ${despues.proveedorLabel}.`,
    despues.folio !== antes.folio && `Folio: de ${antes.folio} a ${despues.folio}.`,
    monto !== antes.monto && gananciaOf(antes),
    antes.cfdiId !== null && XML_FIJO,
  );
  return { titulo: 'Editar factura', texto: `¿Esta seguro que desea Editar la factura ${antes.folio}?`, hechos };
}

export function removeFactura(factura: Omit<Factura, 'monto'> & { monto: Money | string }): Question {
  const { proveedorLabel, monto, numOrden } = factura;
  return {
    titulo: 'Eliminar factura',
    texto: `¿Esta seguro que desea eliminar la factura ${factura.folio}?`,
    hechos: hechosOf(
      `${enLinea(proveedorLabel, formatPesos(monto), `orden ${numOrden}`)}.`,
      gananciaOf(factura),
      factura.cfdiId !== null && XML_FIJO,
    ),
    destruye: true,
  };
}

/** The question before an invoice of nothing is added: it turns the whole sale into profit. Null for any other amount. */
export const askCero = ({ folio, monto }: { folio: string; monto: string }): Question | null =>
  /[1-9]/.test(monto)
    ? null
    : {
        titulo: 'Agregar factura',
        texto: `¿Esta seguro que desea agregar la factura ${folio} por $0.00?`,
        hechos: 'La venta contará como utilidad todo lo que pagó el cliente, sin costo del proveedor.',
      };

const XML_FIJO = 'El XML de la factura no cambia.';
const gananciaOf = ({ numOrden, vendidaEn }: Pick<Factura, 'numOrden' | 'vendidaEn'>) =>
  gananciaQueCambia([{ numOrden, mes: civilDay(toInstant(vendidaEn)).slice(0, 7) }]);

/** The result of reading several documents: those that were read, and the reasons of the others. */
export type XmlLeido = { leidos: string[]; motivos: string };
