import type { Market } from '~/core/market';
import { rasgosAmz } from './amz/rasgos';
import { rasgosMl } from './ml/rasgos';
import type { Rasgos } from './rasgos';

/** Every marketplace by its key: its name, its words and its capabilities. Screens may import it; nothing here asks a marketplace. */
export const MERCADOS: Readonly<Record<Market, Rasgos>> = { ml: rasgosMl, amz: rasgosAmz };

const MARKETS_OF = Object.keys(MERCADOS) as Market[];

/** Tells whether a listing was sent to its marketplace and does not show there yet: nothing of it can be read or changed. */
export const seCrea = (market: Market, estatus: string): boolean =>
  MERCADOS[market].publicaciones.creandose === estatus;

/** Returns the marketplaces that have a trait, for a condition in SQL. */
export const mercadosOf = (trait: 'mensajes'): Market[] => MARKETS_OF.filter((market) => MERCADOS[market][trait]);

/** Returns the marketplace where a screen puts things on sale. Throws an Error for another screen. */
export function publicadoPor(pantalla: string): Market {
  const market = MARKETS_OF.find((one) => MERCADOS[one].publicador === pantalla);
  if (!market) throw new Error(`${pantalla} no publica en ningún mercado`);
  return market;
}
