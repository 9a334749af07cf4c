import { z } from 'zod';
import { Id } from './wire';

/** Stock by place: the stores of an account, and where the pieces of a user product lie. */

const text = z.string().nullish();
const Piezas = z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)]);
/** A name that is sent back exactly as it came: digits and other spellings stand on the same page of the vendor. */
const Opaco = z.union([z.string(), z.number().transform(String)]).nullish();

/** Tags of an account whose stock goes by place. The first alone means one store. */
const POR_LUGAR = ['warehouse_management', 'multiwarehouse'];

/** Tells by the tags of an account whether it counts pieces by place: its listings take no amount then. */
export const cuentaPorLugar = (etiquetas: readonly string[]): boolean =>
  POR_LUGAR.some((tag) => etiquetas.includes(tag));

export const Tiendas = z.object({
  results: z
    .array(
      z.object({
        id: Id,
        description: text,
        status: text,
        location: z.object({ address_line: text, city: text }).nullish().catch(null),
        network_node_id: Opaco,
      }),
    )
    .nullish()
    .transform((results) => results ?? []),
});

/** A store of the account where pieces may lie. `nodo` is sent back as it came. */
export type Almacen = { id: string; nombre: string; nodo: string | null };

export const almacenesOf = ({ results }: z.output<typeof Tiendas>): Almacen[] =>
  results
    .filter(({ status }) => !status || status === 'active')
    .map(({ id, description, location, network_node_id: nodo }) => ({
      id,
      nombre: [description, location?.address_line].find((one) => one) ?? id,
      nodo: nodo ?? null,
    }));

export const StockPorLugar = z.object({
  locations: z
    .array(
      z.object({
        type: z.string(),
        quantity: Piezas,
        store_id: Opaco,
        network_node_id: Opaco,
      }),
    )
    .nullish()
    .transform((locations) => locations ?? []),
});
export type Lugar = z.output<typeof StockPorLugar>['locations'][number];

/** Kinds of place: the marketplace's own, a store of the seller, and the address of a seller without stores. */
const DE_ELLOS = 'meli_facility';
const TIENDA = 'seller_warehouse';
const DIRECCION = 'selling_address';

/** The pieces of a user product by place. Null: no place of that kind. */
export type PorLugar = { deEllos: number | null; direccion: number | null; tiendas: Lugar[] };

export function porLugarOf(lugares: readonly Lugar[]): PorLugar {
  const piezasDe = (tipo: string) => {
    const suyos = lugares.filter(({ type }) => type === tipo);
    return suyos.length === 0 ? null : suyos.reduce((sum, { quantity }) => sum + quantity, 0);
  };
  return {
    deEllos: piezasDe(DE_ELLOS),
    direccion: piezasDe(DIRECCION),
    tiendas: lugares.filter(({ type }) => type === TIENDA),
  };
}

/** Returns the pieces at one store; null where the product has no place there. */
export const piezasEn = ({ tiendas }: PorLugar, { id, nodo }: Almacen): number | null =>
  tiendas.find(
    ({ store_id: tienda, network_node_id: suyo }) =>
      tienda === id || (tienda == null && nodo !== null && suyo === nodo),
  )?.quantity ?? null;

/** Tells whether the words of a refusal are about pieces told for a listing, which an account that counts them by place does not take. */
export const isNoPorPublicacion = (dice: string): boolean => /\[available_quantity\] are invalid/.test(dice);
