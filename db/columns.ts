import type { ColumnType } from 'kysely';
import type { Money } from '~/core/money';

/** NUMERIC: Money out, Money or decimal text in. */
export type Decimal = ColumnType<Money, Money | string, Money | string>;
/** BIGINT within the safe range. */
export type Int = ColumnType<number, number, number>;
/** jsonb goes in as JSON text (pg would turn a JavaScript array into a PostgreSQL one) and comes out parsed, to be read with zod. */
export type Jsonb = ColumnType<unknown, string, string>;

export type Rol = 'sa' | 'admin' | 'user' | 'aux' | 'cont';
export type { Market } from '~/core/market';
export type Clase = 'normal' | 'cancelada' | 'devuelta' | 'invalida';
/**
 * How a sale stands at its marketplace. `devuelta`: paid, and it came back. `devueltaEnParte`: paid, and part of the money went back.
 * `desconocida`: a word of the marketplace that we do not know.
 */
export type Situacion =
  | 'cobroPendiente'
  | 'autorizandoPago'
  | 'pagada'
  | 'devueltaEnParte'
  | 'devuelta'
  | 'cancelada'
  | 'invalida'
  | 'desconocida';
export type EffectState = 'queued' | 'sending' | 'unknown' | 'manual' | 'done' | 'refused' | 'cancelled';
