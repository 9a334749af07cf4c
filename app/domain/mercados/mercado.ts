import type { Market, SyncKind } from '~/core/market';
import type { Db, Trx } from '~db/client.server';
import type { EfectosDeMercado } from './efectos';
import type { Publicador } from './publicador';
import type { Atencion } from './atencion';
import type { VendedorDeGuias } from './guias';
import type { Asking, Cambio, Ventana } from '~/domain/mercados/internal/listado';
import type { CapacidadesDePublicacion, Escaparate, LimitesDePublicacion } from './publicacion';
import type { EnvioLeido, VentaConocida, VentaLeida } from './venta';

export type { Asking, Cambio, Ventana };

/** What a notice points at, in one spelling. */
export type Aviso = { topic: string; resource: string };
/** What there is to write or to bring because of a notice. The sales are asked for only when the shipment is nobody's we know. */
export type Avisado = { envio?: EnvioLeido; pregunta?: string; reclamo?: string; ventas: () => Promise<string[]> };

/**
 * What any marketplace tells and takes, in our nouns. An adapter knows its API and nothing of our tables. It is opened for one run, so it may
 * remember what the sales of a cart share.
 */
export type Mercado = {
  /**
   * Pages of the sales that changed in a window. The next page is asked for once this one is written. What it returns at the end are the parts
   * it could not list whole, in words: with none, the window was seen.
   */
  changed(window: Ventana, kind: SyncKind, asking: Asking): AsyncGenerator<Cambio[], string[]>;
  /** Null when it is no sale of ours (the account bought it). */
  readVenta(marketId: string, known: VentaConocida | undefined, now: Date): Promise<VentaLeida | null>;
  /** The sales under a number that people type; none when it is not there. */
  findNumero?(numero: string): Promise<string[]>;
  avisos?: Avisos;
  atencion?: Atencion;
  /** Subjects of which it keeps the notices that found our door closed, and pages of them. */
  perdidos?: { topics: readonly string[]; list(topic: string, offset: number): Promise<Perdido[]> };
};

/** Of a marketplace that announces what changed. */
export type Avisos = {
  /** Undefined: none of the notices we follow. */
  parse(topic: string, resource: string): Aviso | undefined;
  /** The notice a sale would have. */
  ofVenta(marketId: string): Aviso;
  /** The sale, or the shipment, that a notice names by itself. */
  ventaOf(aviso: Aviso): string | undefined;
  envioOf(aviso: Aviso): string | undefined;
  /** The listing that a notice is about: many are read in one question. */
  publicacionOf(aviso: Aviso): string | undefined;
  read(aviso: Aviso): Promise<Avisado>;
};
/** `clave` tells it from the others of a list. Without `aviso` it is none of ours: of another account, or about something we do not follow. */
export type Perdido = { clave: string; aviso: Aviso | undefined; sent: Date | null };

export type Enlace = { account: string; status: 'linked' | 'broken'; detail: string | null };

/** A marketplace as the registry knows it: how its account stands, and how to open it. */
export type Fuente = {
  market: Market;
  /** The name of its runs, its cursors and its notices. */
  source: string;
  kinds: readonly SyncKind[];
  /** A shop may do without it: until it is linked, nobody is told that it is missing. */
  opcional?: true;
  /**
   * Where its limits ask for other steps than usual: how much of the last window is looked at again, how many sales a run reviews, and of how many a window is made,
   * so that one is read well within a run and what interrupts it costs little.
   */
  ritmo?: { solapeMs: number; repasos: number; porVentana: number };
  /** Fields of the documents kept with a sale and with a shipment that tell of a person: they go when their time is over. */
  personales: { venta: readonly string[]; envio: readonly string[] };
  /** Undefined without an account. */
  link(db: Db | Trx): Promise<Enlace | undefined>;
  /** People keep it from doing anything by itself. */
  isPaused(db: Db | Trx): Promise<boolean>;
  open(db: Db, options?: { timeoutMs?: number }): Mercado;
  /** Everything that the marketplace can be made to do from here. */
  efectos?: EfectosDeMercado;
  /** Of a marketplace that sells the labels of what we send ourselves. */
  guias?: { open(db: Db, options?: { timeoutMs?: number }): VendedorDeGuias };
  /** Of a marketplace where things are put on sale from here. */
  publicador?: { open(db: Db, options?: { timeoutMs?: number }): Publicador };
  /** Of a marketplace where we have things on sale. */
  publicaciones?: {
    limites: LimitesDePublicacion;
    capacidades: CapacidadesDePublicacion;
    open(db: Db, options?: { timeoutMs?: number }): Escaparate;
  };
};
