import type { RawBuilder } from 'kysely';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import type { Db } from '~db/client.server';
import type { ConceptoDeMovimiento } from '~db/columns';

export type { ConceptoDeMovimiento };

/** A part of what a line of a report tells. What goes to the seller is positive. */
export type MovimientoLeido = {
  /** Tells it from every other of its marketplace, however often it is read. */
  clave: string;
  concepto: ConceptoDeMovimiento;
  importe: Money;
  fecha: Date;
  /** The marketplace's own word. */
  detalle: string;
  /** The deposit it went into, where the line says so; null: the first one after it. */
  deDeposito: string | null;
  /** The numbers by which its sale is found; what was read of it later may come by the payment alone. */
  pago: string | null;
  refOrden: string | null;
  refPaquete: string | null;
  refEnvio: string | null;
  /** May be the number of a sale, of a cart or of a shipment. */
  refExterna: string | null;
  /** The line as it came, beside the first of its parts. */
  datos: unknown;
};

export type DepositoLeido = {
  clave: string;
  fecha: Date;
  importe: Money;
  /** What was left in the account, where the line says so. */
  saldo: Money | null;
};

/** A line of a report, in its order. */
export type LineaLeida =
  | { clase: 'movimientos'; movimientos: MovimientoLeido[] }
  | { clase: 'deposito'; deposito: DepositoLeido }
  /** What was in the account when the report begins, and when it ends. */
  | { clase: 'saldo'; cuando: 'inicio' | 'fin'; importe: Money }
  /** A line that was understood only in part, or not at all: said, and counted. */
  | { clase: 'ilegible'; motivo: string };

/** A report there is at the marketplace. `archivo` is the name it is fetched by; null while it is being made. */
export type ReporteAjeno = {
  suyo: string;
  desde: Date;
  hasta: Date;
  archivo: string | null;
  /** It will never be made. */
  fallo?: string;
};

export type Tramo = { desde: Date; hasta: Date };

/** What a marketplace tells of the money that it kept and handed over. Beside `Mercado`, which tells of sales. */
export type Liquidaciones = {
  /** Reports we ask for, in windows of at most so many days; without it they come by themselves. */
  pide?: { maxDias: number; pide(tramo: Tramo): Promise<{ suyo: string | null }> };
  /** The reports there are, of those that begin at `desde` or later. */
  lista(desde: Date): Promise<ReporteAjeno[]>;
  lee(archivo: string): AsyncIterable<LineaLeida>;
};

/** As the registry knows it. */
export type FuenteDeLiquidaciones = {
  market: Market;
  open(db: Db, options?: { timeoutMs?: number }): Liquidaciones;
  /** What is not handed over stays in an account there. */
  guardaSaldo: boolean;
  /** What we expect to be withheld of a sale, over `orden`, where it is not all that the sale says. */
  retencionEsperada?: RawBuilder<unknown>;
};
