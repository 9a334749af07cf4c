/**
 * Exact decimal pesos. A bigint of micro-pesos holds six decimals, the precision of a CFDI concept. Rounding is half
 * away from zero. No JavaScript number ever holds money.
 */
export class Money {
  static readonly zero = new Money(0n);

  private constructor(/** Micro-pesos: 1 peso = 1_000_000. */ readonly micros: bigint) {}

  static ofMicros(micros: bigint): Money {
    return new Money(micros);
  }

  /**
   * Reads plain decimal text ('1298', '-0.5', '86.206897'). More than six decimals are rounded half away from zero.
   * Throws RangeError for any other text.
   */
  static of(text: string): Money {
    const match = /^(-?)(\d{1,15})(?:\.(\d{1,30}))?$/.exec(text);
    if (!match) throw new RangeError(`not an amount of money: ${JSON.stringify(text)}`);
    const decimals = (match[3] ?? '').padEnd(6, '0');
    const micros = divide(BigInt(match[2]! + decimals), 10n ** BigInt(decimals.length - 6));
    return new Money(match[1] === '-' ? -micros : micros);
  }

  /**
   * Reads a JSON number of an outside API, rounded to cents: such amounts come as doubles. Throws RangeError for NaN
   * and Infinity.
   */
  static ofJsonNumber(value: number): Money {
    if (!Number.isFinite(value)) throw new RangeError(`not an amount of money: ${value}`);
    return Money.of(value.toFixed(2));
  }

  static sum(amounts: Iterable<Money>): Money {
    let micros = 0n;
    for (const amount of amounts) micros += amount.micros;
    return new Money(micros);
  }

  plus(other: Money): Money {
    return new Money(this.micros + other.micros);
  }

  minus(other: Money): Money {
    return new Money(this.micros - other.micros);
  }

  /** Returns the amount times a whole quantity. */
  times(quantity: number | bigint): Money {
    return new Money(this.micros * BigInt(quantity));
  }

  /** Returns the amount divided by a positive whole quantity, rounded to six decimals. */
  dividedBy(quantity: number | bigint): Money {
    return new Money(divide(this.micros, BigInt(quantity)));
  }

  /** Returns the amount times a factor of six decimals: an exchange rate, or '0.15' for fifteen percent. */
  by(factor: Money): Money {
    return new Money(divide(this.micros * factor.micros, 1_000_000n));
  }

  /** Returns the amount rounded to cents, half away from zero. */
  cents(): Money {
    return new Money(divide(this.micros, 10_000n) * 10_000n);
  }

  /** Returns the amount before IVA, to six decimals. `tasa` is text such as '0.160000'. */
  withoutIva(tasa = '0.160000'): Money {
    return new Money(divide(this.micros * 1_000_000n, 1_000_000n + Money.of(tasa).micros));
  }

  /** Returns the amount with IVA added, to six decimals. `tasa` is text such as '0.160000'. */
  withIva(tasa = '0.160000'): Money {
    return new Money(divide(this.micros * (1_000_000n + Money.of(tasa).micros), 1_000_000n));
  }

  isZero(): boolean {
    return this.micros === 0n;
  }

  isNegative(): boolean {
    return this.micros < 0n;
  }

  equals(other: Money): boolean {
    return this.micros === other.micros;
  }

  compare(other: Money): -1 | 0 | 1 {
    return this.micros < other.micros ? -1 : this.micros > other.micros ? 1 : 0;
  }

  /**
   * Returns fixed decimals, rounded half away from zero: toFixed(2) for NUMERIC(14,2), toFixed(6) for CFDI concepts.
   */
  toFixed(decimals: 0 | 1 | 2 | 3 | 4 | 5 | 6): string {
    const unit = 10n ** BigInt(6 - decimals);
    const value = divide(this.micros, unit);
    const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
    const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
    const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
    return value < 0n ? `-${text}` : text;
  }

  /** Returns two decimals, as people read pesos and NUMERIC(14,2) stores pesos. */
  toString(): string {
    return this.toFixed(2);
  }

  /** Returns the shortest exact text: '0.5', '12', '0.125'. */
  toShort(): string {
    const text = this.toFixed(6);
    let end = text.length;
    while (text[end - 1] === '0') end--;
    return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
  }

  /** Returns two decimals when exact, six otherwise: nothing is lost on the way to the browser or to jsonb. */
  toJSON(): string {
    return this.micros % 10_000n === 0n ? this.toFixed(2) : this.toFixed(6);
  }

  /** Returns the text that pg sends for a NUMERIC parameter. */
  toPostgres(): string {
    return this.toFixed(6);
  }
}

/** Returns the quotient rounded half away from zero; `by` is positive. */
function divide(value: bigint, by: bigint): bigint {
  const twice = 2n * (value < 0n ? -value : value) + by;
  const rounded = twice / (2n * by);
  return value < 0n ? -rounded : rounded;
}
