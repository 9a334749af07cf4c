import type { RawBuilder } from 'kysely';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import type { Db } from '~db/client.server';
import type { ConceptoDeMovimiento } from '~db/columns';

export type { ConceptoDeMovimiento };

/** A part of a line of a report. An amount that goes to the seller is positive. */
export type MovimientoLeido = {
  /** Unique name of the part at its marketplace, the same however often the part is read. */
  clave: string;
  concepto: ConceptoDeMovimiento;
  importe: Money;
  fecha: Date;
  /** The marketplace's own word for the part. */
  detalle: string;
  /** The deposit that the line names; null: the first deposit after the part. */
  deDeposito: string | null;
  /** The numbers by which the sale is found: the payment, the order, the cart and the shipment. A later line may tell the payment alone. */
  pago: string | null;
  refOrden: string | null;
  refPaquete: string | null;
  refEnvio: string | null;
  /** A number of a sale, a cart or a shipment: the line does not say which. */
  refExterna: string | null;
  /** The line as it came; null beside all parts but the first. */
  datos: unknown;
};

/** A transfer to the bank, as a report tells it. */
export type DepositoLeido = {
  clave: string;
  fecha: Date;
  importe: Money;
  /** The balance after the transfer; null where the line does not tell it. */
  saldo: Money | null;
};

/** A line of a report, in the order of the report. */
export type LineaLeida =
  | { clase: 'movimientos'; movimientos: MovimientoLeido[] }
  | { clase: 'deposito'; deposito: DepositoLeido }
  /** The balance of the account at the beginning or the end of the report. */
  | { clase: 'saldo'; cuando: 'inicio' | 'fin'; importe: Money }
  /** A line that was not understood, or only in part: people see it, and it is counted. */
  | { clase: 'ilegible'; motivo: string };

/** A report at the marketplace. `archivo` is the name by which its file is fetched; null while the report is being made. */
export type ReporteAjeno = {
  suyo: string;
  desde: Date;
  hasta: Date;
  archivo: string | null;
  /** Why the report will never be made. */
  fallo?: string;
};

/** A stretch of time of which a report is asked for. */
export type Tramo = { desde: Date; hasta: Date };

/** The reports of a marketplace about the money that it kept and handed over. */
export type Liquidaciones = {
  /** Asks for a report of at most `maxDias` days; absent where reports come by themselves. */
  pide?: { maxDias: number; pide(tramo: Tramo): Promise<{ suyo: string | null }> };
  /** Lists the reports that begin at `desde` or later. Older ones may be among them, so the caller looks for its own. */
  lista(desde: Date): Promise<ReporteAjeno[]>;
  /** Reads the lines of a report, by the `archivo` of the list. */
  lee(archivo: string): AsyncIterable<LineaLeida>;
};

/** The reports of a marketplace as the registry knows them. */
export type FuenteDeLiquidaciones = {
  market: Market;
  open(db: Db, options?: { timeoutMs?: number }): Liquidaciones;
  /** Money that is not handed over stays in an account at the marketplace. */
  guardaSaldo: boolean;
  /** SQL over `orden` for the amount that we expect to be withheld, where that is not `orden.retencion`. */
  retencionEsperada?: RawBuilder<unknown>;
};
