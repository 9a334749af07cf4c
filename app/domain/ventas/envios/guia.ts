import { MERCADOS } from '~/domain/mercados/mercados';
import type { PorImprimir, SinGuia } from '~/domain/mercados/rasgos';
import type { Market } from '~db/columns';

/** Returns why the marketplace prints no label of a shipment, as the shipment was last read; null when it prints one now. */
export const sinGuia = (market: Market, envio: PorImprimir): SinGuia | null => MERCADOS[market].sinGuia(envio);
