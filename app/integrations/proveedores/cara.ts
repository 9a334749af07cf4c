import type { Moneda, SinPrecio } from '~/core/moneda';
import type { Money } from '~/core/money';

export type { Moneda, SinPrecio };

/** Operations that a supplier may have. Screens ask whether it has one, never which supplier it is. */
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
 * Way in which a supplier does an operation. `api`: by its API. `catalogo`: in our own copy of its catalogue, because its API cannot be asked.
 * `producto`: told with each product. `pedido`: inside the order. `correo`: by a letter to its agent. `personas`: a person asks, and types the
 * answer. null: nothing has to be done.
 */
export type Via = 'api' | 'catalogo' | 'producto' | 'pedido' | 'correo' | 'personas' | null;

export type Capacidades = Readonly<Record<Operacion, Via>>;

/** An amount without VAT, in the currency that the supplier named. `Money` is exact in any currency of two decimals. */
export type Precio = { importe: Money; moneda: Moneda };

/** A lower price. It counts only inside its dates, at its warehouse and while its pieces last; null means no such limit. */
export type Promocion = Precio & {
  almacen: string | null;
  desde: Date | null;
  hasta: Date | null;
  piezas: number | null;
};

/** New pieces at a warehouse. `almacen` is the supplier's own key, kept also when nobody knows it. */
export type EnAlmacen = { almacen: string; nombre: string | null; cantidad: number };

/** Stock of a product. `total` is null when it could not be read: unknown is not none. With `tope`, `total` is a lower bound. */
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
  /** The answer names no currency at all: a known price stays. Absent where the answer tells a price, or why there is none. */
  callaMoneda?: boolean;
  promociones: Promocion[];
  /** Pesos per dollar, when the product tells it. */
  tipoCambio: Money | null;
  /** False when the supplier says that it no longer sells the product. */
  enVenta: boolean;
  existencia: Existencia;
  imagenes: string[];
  link: string | null;
  /** The answer, verbatim. */
  raw: unknown;
};

/** A page of a search. `ilegibles` tells which rows could not be read, and why. `total` is null when it is not told. */
export type Pagina = { items: Item[]; ilegibles: string[]; pagina: number; paginas: number; total: number | null };

/**
 * A row that was not read yet; most rows are unchanged and never need it. `clave` is the supplier's key, null when none is seen. `renglon` is its
 * place in the answer.
 */
export type Crudo = { raw: unknown; clave: string | null; renglon: number; leidoEn: Date };

/**
 * A stretch of a catalogue. `itemOf` reads one of its rows. `ilegibles` are parts that were no row, and `rastros` all texts in them, by which a
 * product may be recognised. `sigue` is where the next stretch begins, in the supplier's own terms; null after the last. `total` is null when it is
 * not told.
 */
export type Tramo = {
  crudos: Crudo[];
  itemOf(raw: unknown, leidoEn: Date): Item;
  ilegibles: string[];
  rastros: string[];
  sigue: string | null;
  total: number | null;
};

/** A rate of exchange, in pesos per dollar. */
export type TipoCambio = { pesos: Money; leidoEn: Date };

/** State of an order, in our words. An unknown word is null and stays readable in `dice`. */
export type EstadoPedido = 'solicitado' | 'confirmado' | 'facturado' | 'cancelado';

export type EstatusLeido = { estado: EstadoPedido | null; dice: string; factura: string | null; raw: unknown };

/** An invoice of the supplier. Without a folio there is a UUID. */
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
  /** Ten digits; empty when none are known. */
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
  /** Options of this supplier: way of payment, carrier, use of the CFDI. Its adapter reads them. */
  opciones: Readonly<Record<string, string>>;
};

export type PedidoHecho = {
  folio: string;
  estado: 'solicitado' | 'confirmado';
  total: Precio | null;
  /** Objections of the supplier to an order that exists all the same. An order with objections is never confirmed. */
  errores: string[];
  /** Set when the label went along with the order: no answer says whether it arrived. */
  guia: 'sinConfirmar' | null;
  /** Addressees of letters about this order, when the answer names them. */
  correos: string[];
  raw: unknown;
};

export type Lecturas = {
  buscar(texto: string, pagina: number): Promise<Pagina>;
  /** Null when the supplier does not know the product. */
  producto(idProveedor: string): Promise<Item | null>;
  existencia(idProveedor: string): Promise<Existencia | null>;
  tipoCambio(): Promise<TipoCambio>;
  /** Null when the supplier knows no such order. */
  estatus(folio: string): Promise<EstatusLeido | null>;
  /** The invoice of an order; null while there is none. */
  factura(folio: string): Promise<FacturaLeida | null>;
};

export type Escrituras = {
  /** Orders. Never repeated by itself: an order whose answer is `Uncertain` may exist. */
  crearPedido(pedido: NuevoPedido): Promise<PedidoHecho>;
  /** Second step of an order. It writes: the supplier invoices. */
  confirmar(folio: string): Promise<void>;
  enviarGuia(folio: string, guia: Guia): Promise<void>;
};

/** An order as the supplier keeps it under a reference of ours. */
export type PedidoVisto = {
  folio: string;
  lineas: { idProveedor: string; cantidad: number }[];
  /** When it was made, or the first instant of its day; null when that cannot be read. */
  en: Date | null;
  total: Precio | null;
  errores: string[];
  raw: unknown;
};

/** An invoice out of a list of them, with the order it names and its day. */
export type FacturaListada = { folio: string; pedido: string | null; fecha: string };

/** Goods of an invoice. */
type LineasFacturadas = { idProveedor: string; cantidad: number }[];

/** Reads that look for an order whose answer was lost. */
export type Miradas = {
  /** Returns all orders under a reference of ours, read to the end. An empty list proves that there is none. */
  pedidosDe(referencia: string): Promise<PedidoVisto[]>;
  /** Returns the state of an order; null when the supplier knows no such order. */
  estatus(folio: string): Promise<EstatusLeido | null>;
  /** Returns the invoices since a day, the oldest first. */
  facturasDesde(dia: string): Promise<FacturaListada[]>;
  /** Returns the goods of an invoice, which never change; null when the supplier does not show it. */
  lineasDeFactura(folio: string): Promise<LineasFacturadas | null>;
};

/** A value that an order names, by the supplier's own key. */
export type Eleccion = { clave: string; nombre: string };

/** Values that an order names and people choose once for all orders. `sucursal` is the place that sells. */
export type DatoDeCompra = 'metodoPago' | 'fletera' | 'tipoPago' | 'usoCfdi' | 'sucursal';
export type Elecciones = Readonly<Partial<Record<DatoDeCompra, Eleccion[]>>>;

/** Values that a supplier tells for an order. */
export type RecorridoDeElecciones = { elecciones(): Promise<Elecciones> };

/** A rehearsal of an order: the supplier checks it and makes nothing. Returns the total that it tells; throws its no. */
export type Ensayo = { probarPedido(pedido: NuevoPedido): Promise<Precio | null> };

/** Functions that a supplier's capabilities ask for. A capability `api` without its function does not compile. */
export type Cumple<C extends Capacidades, Funciones> = {
  [O in keyof Funciones & Operacion as C[O] extends 'api' ? O : never]: Funciones[O];
};

/** Reads beyond the nine operations. `comprobar` is one harmless read that fails when the key does not work. */
export type Recorrido = {
  comprobar(): Promise<void>;
  /** Everything that it sells, in stretches, from the beginning when `desde` is null. Only stretches that are taken are asked for. */
  catalogo(desde: string | null): AsyncIterable<Tramo>;
};

/** Price and stock alone of everything that it sells; quicker than the whole catalogue. */
export type RecorridoDePrecios = { precios: Recorrido['catalogo'] };

/** A readable line of a price list. `linea` is its number as the program that wrote the file counts. */
export type RenglonLeido = {
  linea: number;
  idProveedor: string | null;
  modelo: string | null;
  precio: Precio;
  existencia?: number;
  nombre: string | null;
  marca: string | null;
};

/** Lines of a price list, or the reason (`motivo`) why the file is none of this supplier. */
export type ListaLeida = { renglones: RenglonLeido[]; ilegibles: string[] } | { motivo: string };

/** Reads the rows of a sheet, with `\t` between cells. `moneda` is the currency of lines that name none. */
export type LeerLista = (filas: readonly string[], moneda: Moneda | null) => ListaLeida;

/** A supplier as it is read. */
export type Lector = Partial<Miradas & Lecturas & Recorrido & RecorridoDePrecios & RecorridoDeElecciones & Ensayo> &
  Pick<Lecturas, 'producto' | 'existencia'> &
  Pick<Recorrido, 'comprobar'>;

/** Classes of a definite no, in `details.code` of the thrown error. */
export type ClaseDeNo = 'validacion' | 'sinExistencia' | 'sinCredito' | 'noEncontrado' | 'desconocido';

/** Returns the price of a piece at a warehouse and moment: the best promotion that counts there, else the account's price. Null when it has none. */
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
