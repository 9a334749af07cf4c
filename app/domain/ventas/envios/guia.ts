import { MERCADOS } from '~/domain/mercados/mercados';
import type { Market } from '~db/columns';

/** What decides whether the marketplace prints the label of a shipment, as it was last read. */
export type PorImprimir = {
  estatus: string;
  subestatus: string | null;
  modo: string | null;
  tipoLogistico: string | null;
};

const IMPRIMIBLES = ['ready_to_print', 'printed'];
/** The marketplace holds the label back, and says so in the substate. */
const TODAVIA_NO = ['buffered', 'invoice_pending', 'waiting_for_label_generation', 'regenerating'];
const ANTES = ['pending', 'handling'];

/** Why there is no label; `espera` where there will be one. Null when it can be printed now. */
export type SinGuia = { espera: boolean; porque: string };

/** The label belongs to the marketplace's own shipping, from the moment it is ready until the package was picked up. */
export function sinGuia(market: Market, { estatus, subestatus, modo, tipoLogistico }: PorImprimir): SinGuia | null {
  const { label, imprimeGuias, vendeGuias } = MERCADOS[market];
  const nunca = (porque: string): SinGuia => ({ espera: false, porque });
  if (vendeGuias) return nunca(`La guía de ${label} se compra en la venta, o se manda por nuestra paquetería.`);
  if (!imprimeGuias) return nunca(`${label} no imprime la guía desde aquí.`);
  if (modo !== 'me2') return nunca(`El envío no lleva guía de ${label}: lo mandamos nosotros.`);
  if (tipoLogistico === 'fulfillment') return nunca(`La venta sale del almacén de ${label}.`);
  if (ANTES.includes(estatus) || (subestatus !== null && TODAVIA_NO.includes(subestatus)))
    return { espera: true, porque: `${label} todavía no libera la guía.` };
  if (estatus !== 'ready_to_ship') return nunca('El paquete ya salió o su envío terminó: su guía ya no se imprime.');
  return subestatus === null || IMPRIMIBLES.includes(subestatus)
    ? null
    : nunca('La paquetería ya tiene el paquete: su guía ya no se imprime.');
}
