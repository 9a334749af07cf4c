import type { ColumnType } from 'kysely';
import type { Money } from '~/core/money';

/** NUMERIC: Money out, Money or decimal text in. */
export type Decimal = ColumnType<Money, Money | string, Money | string>;
/** BIGINT within the safe range. */
export type Int = ColumnType<number, number, number>;
/** jsonb goes in as JSON text (pg would turn a JavaScript array into a PostgreSQL one) and comes out parsed, to be read with zod. */
export type Jsonb = ColumnType<unknown, string, string>;

export type Rol = 'sa' | 'admin' | 'user' | 'aux' | 'cont';
export type Market = 'ml' | 'amz';
export type Clase = 'normal' | 'cancelada' | 'devuelta' | 'invalida';
export type EffectState = 'queued' | 'sending' | 'unknown' | 'manual' | 'done' | 'refused' | 'cancelled';
