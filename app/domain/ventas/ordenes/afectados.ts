import { enumerate } from '~/core/hechos';
import { enPesos } from '~/core/importe';
import { nombreOfMes } from '~/core/time';

/** A document that was stamped and stands. */
export type Documento = { tipo: 'individual' | 'global' | 'notaCredito'; folio: string };

/** The effects of an edit before it is saved: the documents that keep their own values, and the sales whose profit moves. */
export type Afectados = {
  documentos: Documento[];
  /** The sales whose profit moves, each with the month whose reports show it. */
  conGanancia: { numOrden: string; mes: string }[];
};

/** Documents and sales that a sentence names; the others are counted. */
export const NOMBRADOS = 5;
const LLAMADO = { individual: 'factura', global: 'factura global', notaCredito: 'nota de crédito' } as const;

/** Returns 'Esta venta ya tiene la factura A-12: no cambia.'; null without documents. `total` also counts the documents that were not read. */
export function documentosFijos(
  quien: string,
  documentos: readonly Documento[],
  total = documentos.length,
): string | null {
  const [first] = documentos;
  if (!first) return null;
  if (total === 1) return `${quien} ya tiene la ${LLAMADO[first.tipo]} ${first.folio}: no cambia.`;
  const nombres = documentos.map(({ tipo, folio }) => `${LLAMADO[tipo]} ${folio}`);
  return `${quien} ya tiene ${total} documentos que no cambian: ${enLista(nombres, total)}.`;
}

/**
 * Returns 'Cambia la ganancia de la orden 2000… en 3 reportes: Mensual (noviembre 2026), Llenar reporte y Gráfica.'; null when no sale has a profit yet.
 */
export function gananciaQueCambia(conGanancia: Afectados['conGanancia']): string | null {
  if (conGanancia.length === 0) return null;
  const meses = [...new Set(conGanancia.map(({ mes }) => mes))].map(nombreOfMes);
  const ordenes = conGanancia.map(({ numOrden }) => numOrden);
  const de = ordenes.length === 1 ? `la orden ${ordenes[0]}` : `${ordenes.length} ordenes (${enLista(ordenes)})`;
  return `Cambia la ganancia de ${de} en 3 reportes: Mensual (${meses.join(', ')}), Llenar reporte y Gráfica.`;
}

/** Returns the first few by name, and the number of the others. */
function enLista(nombres: readonly string[], total = nombres.length): string {
  return enumerate(total > NOMBRADOS ? [...nombres.slice(0, NOMBRADOS), `${total - NOMBRADOS} más`] : nombres);
}

/** Returns the sentence of an amount that was changed: as it was, and as it is. */
export function deCuantoACuanto({
  campo,
  antes,
  despues,
}: {
  campo: string;
  antes: string | null;
  despues: string | null;
}): string {
  const enLetras = (importe: string | null) =>
    importe === null ? 'sin importe' : /^\d+\.\d\d$/.test(importe) ? enPesos(importe) : importe;
  return `${campo}: de ${enLetras(antes)} a ${enLetras(despues)}`;
}
