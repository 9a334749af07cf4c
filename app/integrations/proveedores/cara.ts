import type { Moneda, SinPrecio } from '~/core/moneda';
import type { Money } from '~/core/money';

export type { Moneda, SinPrecio };

/** What one may want of a wholesaler. Screens ask what it can do, never which one it is. */
export const OPERACIONES = [
  'buscar',
  'producto',
  'existencia',
  'tipoCambio',
  'crearPedido',
  'confirmar',
  'enviarGuia',
  'estatus',
  'factura',
] as const;
export type Operacion = (typeof OPERACIONES)[number];

/**
 * How an operation is done with a supplier.
 * `api`: by its API. `catalogo`: in our own copy of its catalogue, since its API has no such question. `producto`: told with each product. `pedido`: inside
 * the order. `correo`: by a letter to its agent. `personas`: somebody asks, and types the answer. null: there is nothing to do.
 */
export type Via = 'api' | 'catalogo' | 'producto' | 'pedido' | 'correo' | 'personas' | null;

export type Capacidades = Readonly<Record<Operacion, Via>>;

/** An amount without VAT in the currency the supplier named. `Money` is exact in any currency of two decimals. */
export type Precio = { importe: Money; moneda: Moneda };

/** It counts only inside its dates, at its warehouse and while its pieces last; null is no such limit. */
export type Promocion = Precio & {
  almacen: string | null;
  desde: Date | null;
  hasta: Date | null;
  piezas: number | null;
};

/** New pieces only. `almacen` is the supplier's own key: one that nobody knows is kept. */
export type EnAlmacen = { almacen: string; nombre: string | null; cantidad: number };

/** `total` is null where it could not be read: unknown is not none. With `tope` it is at least that many. */
export type Existencia = { total: number | null; tope: boolean; almacenes: EnAlmacen[]; leidaEn: Date };

export type Item = {
  /** The supplier's own key, by which everything else is asked. */
  idProveedor: string;
  modelo: string | null;
  modeloFabricante: string | null;
  nombre: string | null;
  marca: string | null;
  gtins: string[];
  claveSat: string | null;
  precio: Precio | null;
  sinPrecio: SinPrecio | null;
  promociones: Promocion[];
  /** Pesos per dollar, where it is told with the product. */
  tipoCambio: Money | null;
  /** False where the supplier says that it no longer sells it. */
  enVenta: boolean;
  existencia: Existencia;
  imagenes: string[];
  link: string | null;
  /** As it came. */
  raw: unknown;
};

/** `ilegibles`: what of this page could not be read, and why. `total` where it is told. */
export type Pagina = { items: Item[]; ilegibles: string[]; pagina: number; paginas: number; total: number | null };

/** A row as it came, not read yet: most of them are as they were. `clave`: the supplier's key, null where none is seen. `renglon`: its place in its answer. */
export type Crudo = { raw: unknown; clave: string | null; renglon: number; leidoEn: Date };

/**
 * A stretch of all it sells. `itemOf` reads a row of it. `ilegibles`: what was not even a row, and `rastros`: every text in that, by which one may be known.
 * `sigue`: where the next one begins, in words of its own; null after the last. `total` where it is told.
 */
export type Tramo = {
  crudos: Crudo[];
  itemOf(raw: unknown, leidoEn: Date): Item;
  ilegibles: string[];
  rastros: string[];
  sigue: string | null;
  total: number | null;
};

/** Pesos per dollar. */
export type TipoCambio = { pesos: Money; leidoEn: Date };

/** How far an order got, in our words; one we do not know is null and stays readable in `dice`. */
export type EstadoPedido = 'solicitado' | 'confirmado' | 'facturado' | 'cancelado';

export type EstatusLeido = { estado: EstadoPedido | null; dice: string; factura: string | null; raw: unknown };

/** Where no folio is told there is a UUID. */
export type FacturaLeida = {
  folio: string | null;
  fecha: string | null;
  total: Precio | null;
  uuid: string | null;
  guia: string | null;
  raw: unknown;
};

export type Direccion = {
  nombre: string;
  calle: string;
  numero: string;
  interior: string;
  colonia: string;
  ciudad: string;
  estado: string;
  cp: string;
  telefono: string;
};

/** A label of the marketplace. */
export type Guia = { numero: string; paqueteria: string; archivo: Buffer };

export type Linea = { idProveedor: string; cantidad: number; precio: Precio };

export type NuevoPedido = {
  /** Our own reference. Unique at no supplier. */
  folio: string;
  lineas: Linea[];
  almacen: string | null;
  envio: Direccion | null;
  guia: Guia | null;
  /** What each supplier wants besides: way of payment, carrier, use of the CFDI. Its adapter reads it. */
  opciones: Readonly<Record<string, string>>;
};

export type PedidoHecho = {
  folio: string;
  estado: 'solicitado' | 'confirmado';
  total: Precio | null;
  /** What the supplier objects to an order that exists all the same: such a one is never confirmed. */
  errores: string[];
  /** Where the label went along: no answer says whether it arrived. */
  guia: 'sinConfirmar' | null;
  /** Whom a letter about this order goes to, where the answer names them. */
  correos: string[];
  raw: unknown;
};

export type Lecturas = {
  buscar(texto: string, pagina: number): Promise<Pagina>;
  /** null: the supplier does not know it. */
  producto(idProveedor: string): Promise<Item | null>;
  existencia(idProveedor: string): Promise<Existencia | null>;
  tipoCambio(): Promise<TipoCambio>;
  /** null: the supplier knows no such order. */
  estatus(folio: string): Promise<EstatusLeido | null>;
  /** Of an order; null while there is none. */
  factura(folio: string): Promise<FacturaLeida | null>;
};

export type Escrituras = {
  /** Never repeated by itself: what is `Uncertain` may exist. */
  crearPedido(pedido: NuevoPedido): Promise<PedidoHecho>;
  /** Not a read: it makes the supplier invoice. */
  confirmar(folio: string): Promise<void>;
  enviarGuia(folio: string, guia: Guia): Promise<void>;
};

/** An order as the supplier keeps it under a reference of ours. */
export type PedidoVisto = {
  folio: string;
  lineas: { idProveedor: string; cantidad: number }[];
  /** When it was made, or the first instant of its day; null where that cannot be read. */
  en: Date | null;
  total: Precio | null;
  errores: string[];
  raw: unknown;
};

/** An invoice as a list of them tells it, with the order it names and what was sold. */
export type FacturaVista = {
  folio: string;
  pedido: string | null;
  fecha: string | null;
  lineas: { idProveedor: string; cantidad: number }[];
};

/** What is asked of a supplier about an order whose answer was lost. Reads, all of them. */
export type Miradas = {
  /** All that it keeps under a reference of ours, read to the end. An empty list is that there is none. */
  pedidosDe(referencia: string): Promise<PedidoVisto[]>;
  /** How far one got; null: it knows no such order. */
  estatus(folio: string): Promise<EstatusLeido | null>;
  /** What it invoiced since a day, orders of ours or not. */
  facturasDesde(dia: string): Promise<FacturaVista[]>;
};

/** The functions of what a supplier does by its API: a capability without its function does not compile. */
export type Cumple<C extends Capacidades, Funciones> = {
  [O in keyof Funciones & Operacion as C[O] extends 'api' ? O : never]: Funciones[O];
};

/** Beyond the nine operations. `comprobar` is one harmless read, which fails when the key does not serve. */
export type Recorrido = {
  comprobar(): Promise<void>;
  /** All it sells, a stretch after another; from the beginning where `desde` is null. Nothing more is asked for than what is taken. */
  catalogo(desde: string | null): AsyncIterable<Tramo>;
};

/** Of all it sells, price and stock alone: quicker than all it tells. */
export type RecorridoDePrecios = { precios: Recorrido['catalogo'] };

/** A line of a price list in a file, without which nobody knows the price. `linea`: as the program that wrote it counts them. */
export type RenglonLeido = {
  linea: number;
  idProveedor: string | null;
  modelo: string | null;
  precio: Precio;
  existencia?: number;
  nombre: string | null;
  marca: string | null;
};

/** `motivo`: why it is no list of this supplier. */
export type ListaLeida = { renglones: RenglonLeido[]; ilegibles: string[] } | { motivo: string };

/** Rows of a sheet, with `\t` between cells. `moneda`: of what does not say its own. */
export type LeerLista = (filas: readonly string[], moneda: Moneda | null) => ListaLeida;

/** A supplier as it is read. */
export type Lector = Partial<Miradas & Lecturas & Recorrido & RecorridoDePrecios> &
  Pick<Lecturas, 'producto' | 'existencia'> &
  Pick<Recorrido, 'comprobar'>;

/** The classes of a definite no, in `details.code` of what is thrown. */
export type ClaseDeNo = 'validacion' | 'sinExistencia' | 'sinCredito' | 'noEncontrado' | 'desconocido';

/** What one piece costs at a warehouse at that moment: the best promotion that counts there, else the account's price. null: it has none. */
export function precioEn({ precio, promociones }: Item, almacen: string | null, en: Date): Precio | null {
  if (!precio) return null;
  return promociones
    .filter(
      (one) =>
        one.moneda === precio.moneda &&
        (one.almacen === null || one.almacen === almacen) &&
        (one.desde === null || one.desde <= en) &&
        (one.hasta === null || en <= one.hasta) &&
        (one.piezas === null || one.piezas > 0),
    )
    .reduce<Precio>(
      (best, { importe, moneda }) => (importe.compare(best.importe) < 0 ? { importe, moneda } : best),
      precio,
    );
}
