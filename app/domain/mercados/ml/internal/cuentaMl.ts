import type { Almacen } from '~/integrations/mercadolibre/wireLugares';

/** What the account is like, as it was read last. `almacen` is the store of our pieces; null while none is known or chosen. */
export type CuentaMl = {
  etiquetas: string[];
  porLugar: boolean;
  almacenes: Almacen[];
  almacen: Almacen | null;
  leidaEn: Date | null;
  /** The listings whose price a rule of Mercado Libre moves, by its own list. A listing may say so itself too. */
  conRegla: ReadonlySet<string>;
  /** A person chose a store, which the account may have lost since. */
  seEligio: boolean;
};

/** Returns why pieces cannot be told for a listing of the account, with the way out; null when they can. */
export function faltaDeAlmacen({ porLugar, almacenes, almacen, seEligio }: CuentaMl): string | null {
  if (!porLugar || almacen) return null;
  if (almacenes.length === 0)
    return 'Mercado Libre no muestra ningún almacén de la cuenta. Créalo allá, en Ventas, Preferencias de venta, Mis depósitos, y lee los almacenes en Configuración de tiendas.';
  return seEligio
    ? 'El almacén que se eligió ya no está en la cuenta de Mercado Libre. Elige otro en Configuración de tiendas.'
    : 'La cuenta de Mercado Libre tiene varios almacenes. Elige en Configuración de tiendas en cuál están las piezas.';
}
