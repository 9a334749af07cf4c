import { withoutUnstorable } from '~/core/text';

/**
 * An outside call that surely did nothing.
 * Outside calls fail in four ways, and the class tells the caller about the far side: `Unavailable` surely did nothing,
 * `Refused` is a definite no, `Uncertain` may have done everything, `UnexpectedShape` is an unreadable answer. Rows
 * store the messages, so characters that the database cannot store are removed.
 */
export class Unavailable extends Error {
  constructor(
    message: string,
    readonly details: Silence = {},
  ) {
    super(withoutUnstorable(message), { cause: details.cause });
    this.name = 'Unavailable';
  }
}

type Silence = {
  status?: number;
  retryAfterMs?: number;
  account?: boolean;
  /**
   * True when the caller keeps a bucket of its own with the time to go on, so no other call of the far side has to
   * wait.
   */
  ownPace?: true;
  /** The answer as it came, for people who ask for it. */
  raw?: string;
  cause?: unknown;
};

type Refusal = {
  status?: number;
  code?: string;
  detail?: string;
  account?: boolean;
  answer?: unknown;
  /** The answer as it came, for people who ask for it. */
  raw?: string;
  cause?: unknown;
};

/** An outside call that the far side refused. `account: true` in the details means that the keys were not accepted. */
export class Refused extends Error {
  readonly details: Refusal;

  constructor(message: string, { code, detail, ...rest }: Refusal = {}) {
    super(withoutUnstorable(message), { cause: rest.cause });
    this.name = 'Refused';
    this.details = { ...rest, code: code && withoutUnstorable(code), detail: detail && withoutUnstorable(detail) };
  }
}

/** An outside call that we built wrong, as an address or a header that no request can have. Nothing left, and trying again changes nothing. */
export class Unsendable extends Error {
  constructor(message: string, cause: unknown) {
    super(withoutUnstorable(message), { cause });
    this.name = 'Unsendable';
  }
}

/** An outside call that may have been done: look before repeating. */
export class Uncertain extends Error {
  constructor(
    message: string,
    readonly details: { status?: number; cause?: unknown } = {},
  ) {
    super(withoutUnstorable(message), { cause: details.cause });
    this.name = 'Uncertain';
  }
}

/** An answer that does not have the known shape: the contract changed. */
export class UnexpectedShape extends Error {
  constructor(
    message: string,
    readonly details: { status?: number; cause?: unknown } = {},
  ) {
    super(withoutUnstorable(message), { cause: details.cause });
    this.name = 'UnexpectedShape';
  }
}
