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

/** The result of reading several documents: the invoices that were read, all that was read in a sentence, and the reasons of the others. */
export type XmlLeido = { leidos: string[]; dicho: string; motivos: string };

type Clases = Record<'facturas' | 'notas' | 'complementos', readonly string[]>;
const CLASES = [
  ['facturas', 'la factura', 'facturas', '1 factura'],
  ['notas', 'la nota de crédito', 'notas de crédito', '1 nota de crédito'],
  ['complementos', 'el complemento de pago', 'complementos de pago', '1 complemento de pago'],
] as const;

/** Tells what was read, with the next step for notes that are of no invoice yet: 'Se leyeron 2 facturas y 1 nota de crédito.' */
export function loLeido(leidos: Clases, porRelacionar: number): string {
  const hay = CLASES.filter(([clase]) => leidos[clase].length > 0);
  const total = hay.reduce((sum, [clase]) => sum + leidos[clase].length, 0);
  const partes = hay.map(([clase, sola, varias, una]) =>
    total === 1 ? sola : leidos[clase].length === 1 ? una : `${leidos[clase].length} ${varias}`,
  );
  const lista = new Intl.ListFormat('es').format(partes);
  const espera =
    porRelacionar === 0
      ? ''
      : ` ${porRelacionar === 1 ? 'De 1 nota' : `De ${porRelacionar} notas`} falta decir de qué factura es: está en Estado de cuenta.`;
  return `${total === 1 ? 'Se leyó' : 'Se leyeron'} ${lista}.${espera}`;
}
