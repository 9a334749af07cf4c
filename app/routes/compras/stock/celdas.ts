import type { EstadoDeStock } from '~/domain/compras/stock/pieza';
import type { Celda } from '~/ui/lista/celda';

type Fila = {
  id: string;
  version: number;
  estado: EstadoDeStock;
  costo: string;
  recuperado: string;
  proveedor: string | null;
  observaciones: string | null;
  facturaFolio: string | null;
  productoId: string | null;
  descripcion: string | null;
};

/**
 * Returns the cost of a piece as it is changed in its cell; null for a piece without supplier or name, whose panel asks for both before it saves anything. The
 * form names no sale, so the piece stays with its own.
 */
export function celdaOfCosto({ id, version, estado, costo, recuperado, ...fila }: Fila): Celda | null {
  const { proveedor, observaciones, facturaFolio, productoId, descripcion } = fila;
  if (proveedor === null || (productoId === null && !descripcion)) return null;
  return {
    nombre: 'Costo',
    campo: 'costo',
    tipo: 'importe',
    valor: costo,
    envia: {
      intent: 'guardarPieza',
      id,
      version,
      estado,
      proveedor,
      recuperado,
      ...(observaciones && { observaciones }),
      ...(facturaFolio && { folioFactura: facturaFolio }),
    },
  };
}
