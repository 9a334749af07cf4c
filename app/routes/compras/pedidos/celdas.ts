import type { Celda } from '~/ui/lista/celda';
import { awaitsFolio, type Fila } from './acciones';

/** Returns the folio of a pedido as it is written in its cell; null for a pedido that awaits none. */
export function celdaOfFolio(fila: Fila): Celda | null {
  const { id, version, folio, proveedorLabel } = fila;
  if (!awaitsFolio(fila)) return null;
  return {
    nombre: `Folio de ${proveedorLabel}`,
    campo: 'folio',
    tipo: 'texto',
    valor: '',
    envia: { intent: 'folioPedido', pedido: id, version },
    // The order is confirmed by its folio, and no step leads back from there.
    alSalir: (escrito) => ({
      titulo: 'Guardar el folio',
      texto: `¿Esta seguro que desea guardar el folio ${escrito}?`,
      hechos: `${folio} a ${proveedorLabel}: queda confirmado con ese folio.`,
    }),
  };
}
