import type { Market, SyncKind } from '~/core/market';
import type { Activador } from '~/platform/connections/oauth.server';
import type { Db, Trx } from '~db/client.server';
import type { EfectosDeMercado } from './efectos';
import type { FuenteDeAlmacenes } from './almacenes';
import type { EstimadorDeComisiones } from './comision';
import type { Publicador } from './publicador';
import type { Atencion } from './atencion';
import type { VendedorDeGuias } from './guias';
import type { Asking, Cambio, Ventana } from '~/domain/mercados/internal/listado';
import type { CapacidadesDePublicacion, Escaparate, LimitesDePublicacion } from './publicacion';
import type { Activacion } from './activacion';
import type { FuenteDeLiquidaciones } from './liquidacion';
import type { DetalleDeDocumento, EnvioLeido, VentaConocida, VentaLeida } from './venta';

export type { Asking, Cambio, Ventana };

/** A notice as the inbox keeps it: its subject at the marketplace, and the resource it points at in one spelling. */
export type Aviso = { topic: string; resource: string };
/** A notice that was understood: the kind of thing it is about, and the number of that thing at the marketplace. */
export type AvisoLeido = Aviso & {
  sobre: 'venta' | 'envio' | 'pago' | 'pregunta' | 'reclamo' | 'publicacion' | 'piezas';
  id: string;
};

/**
 * One marketplace opened for one run: what it tells of its sales, in our nouns. An adapter knows its API and nothing of our tables. The run may
 * remember what the sales of a cart share. The key of a marketplace is `Market`, its traits are in `MERCADOS`, its place in the registry is
 * `Fuente`.
 */
export type Mercado = {
  /**
   * Lists the sales that changed in a window, page by page; the next page is asked for once this one is written. Returns the parts that could
   * not be listed whole, in words: with none, the whole window was seen.
   */
  changed(window: Ventana, kind: SyncKind, asking: Asking): AsyncGenerator<Cambio[], string[]>;
  /** Reads a sale; null for a sale that is not ours, such as one that the account bought. */
  readVenta(marketId: string, known: VentaConocida | undefined, now: Date): Promise<VentaLeida | null>;
  /** Finds the sales under a number that people type. */
  findNumero?(numero: string): Promise<string[]>;
  avisos?: Avisos;
  atencion?: Atencion;
  /** The topics whose notices the marketplace keeps when our door was closed, and pages of those notices. */
  perdidos?: { topics: readonly string[]; list(topic: string, offset: number): Promise<Perdido[]> };
};

/** The notices of a marketplace that announces what changed. */
export type Avisos = {
  /** Reads a notice; undefined for a notice that we do not follow. */
  parse(topic: string, resource: string): AvisoLeido | undefined;
  /** Returns the notice that a sale would have. */
  ofVenta(marketId: string): Aviso;
  /** Reads a shipment. `ventas` asks for its sales, which is only needed for a shipment that we do not know. */
  readEnvio(id: string): Promise<{ envio: EnvioLeido; ventas: () => Promise<string[]> }>;
  /** Reads the sales that a payment belongs to. */
  ventasOfPago(id: string): Promise<string[]>;
};
/** A notice that found our door closed. `clave` tells it from the others of a list. `aviso` is undefined for another account's, or one that we do not follow. */
export type Perdido = { clave: string; aviso: Aviso | undefined; sent: Date | null };

/** A queue by which a marketplace hands its notices over. A message comes at least once, and again until it is deleted. */
export type ColaDeAvisos = {
  /** Returns waiting messages, none when the queue is empty. `noticia` is undefined for a message that tells of no sale. */
  recibe(): Promise<
    { recibo: string; noticia: { venta: string; account: string | null; id: string | null } | undefined }[]
  >;
  borra(recibos: readonly string[]): Promise<void>;
  /** Keeps how a reading went, for the card of the account. */
  note(db: Db, lectura: { avisos: number; error: string | null }): Promise<void>;
};

/** The account of a marketplace, and why it no longer works (`detail`). */
export type Enlace = { account: string; status: 'linked' | 'broken'; detail: string | null };

/** A marketplace as the registry knows it: how its account stands, how to open it, and what it does. */
export type Fuente = {
  market: Market;
  /** The stored name of its runs, its cursors and its notices: the kind of its connection. */
  source: string;
  kinds: readonly SyncKind[];
  /** A shop may do without this marketplace: until it is linked, nobody is told that it is missing. */
  opcional?: true;
  /**
   * Steps of a run, where the limits of the marketplace ask for others than usual: how much of the last window is looked at again, how many
   * sales a run reviews, and how many sales make a window, so that a window is read well within a run.
   */
  ritmo?: { solapeMs: number; repasos: number; porVentana: number };
  /** Fields of the kept documents of a sale and of a shipment that tell of a person: they are deleted after their period. */
  personales: { venta: readonly string[]; envio: readonly string[] };
  /** Returns the account; undefined while none is linked. */
  link(db: Db | Trx): Promise<Enlace | undefined>;
  /** Tells whether people paused the marketplace, so that nothing is done there by itself. */
  isPaused(db: Db | Trx): Promise<boolean>;
  /** Ends an activation with the fields that came back with a person; undefined for the fields of another marketplace. */
  regreso?(
    db: Db,
    usuario: Activador,
    said: Readonly<Record<string, string | undefined>>,
  ): Promise<Activacion | { to: string } | undefined>;
  /** Reads of a kept document of a sale what its dialog shows. */
  readDocumento?(documento: unknown): DetalleDeDocumento;
  /** The reports about the money that the marketplace kept and handed over. */
  liquidaciones?: FuenteDeLiquidaciones;
  open(db: Db, options?: { timeoutMs?: number }): Mercado;
  /** The queue of notices, where the marketplace has one and the settings name ours; null without one. */
  cola?(): ColaDeAvisos | null;
  /** Everything that the marketplace can be made to do from here. */
  efectos?: EfectosDeMercado;
  /** The seller of labels, where the marketplace sells the labels of what we send ourselves. */
  guias?: { open(db: Db, options?: { timeoutMs?: number }): VendedorDeGuias };
  /** The commissions of sales, where the marketplace tells them before it takes them. */
  comisiones?: { open(db: Db, options?: { timeoutMs?: number }): EstimadorDeComisiones };
  /** The questions of publishing, where things are put on sale from here. */
  publicador?: { open(db: Db, options?: { timeoutMs?: number }): Publicador };
  /** The stores of the account, where its pieces may be counted by place. */
  almacenes?: FuenteDeAlmacenes;
  /** Our listings, where we have things on sale. */
  publicaciones?: {
    limites: LimitesDePublicacion;
    capacidades: CapacidadesDePublicacion;
    /** Asks what concerns all listings and none of them tells, before they are read. What it cannot ask stays as it was known. */
    antesDeTodas?(db: Db): Promise<void>;
    open(db: Db, options?: { timeoutMs?: number }): Escaparate;
  };
};
