import { withoutUnstorable } from '~/core/text';

/**
 * The four ways an outside call fails. Whoever catches one knows what may have happened there:
 * `Unavailable` surely nothing, `Refused` a definite no, `Uncertain` perhaps everything, `UnexpectedShape` an answer we cannot read.
 * Their words are kept in rows, so what the database cannot keep is left out of them.
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
  /** A bucket kept by whoever called says when to go on, so nothing else of that far side has to wait. */
  ownPace?: true;
  cause?: unknown;
};

type Refusal = {
  status?: number;
  code?: string;
  detail?: string;
  account?: boolean;
  answer?: unknown;
  cause?: unknown;
};

export class Refused extends Error {
  readonly details: Refusal;

  constructor(message: string, { code, detail, ...rest }: Refusal = {}) {
    super(withoutUnstorable(message), { cause: rest.cause });
    this.name = 'Refused';
    this.details = { ...rest, code: code && withoutUnstorable(code), detail: detail && withoutUnstorable(detail) };
  }
}

export class Uncertain extends Error {
  constructor(
    message: string,
    readonly details: { status?: number; cause?: unknown } = {},
  ) {
    super(withoutUnstorable(message), { cause: details.cause });
    this.name = 'Uncertain';
  }
}

export class UnexpectedShape extends Error {
  constructor(
    message: string,
    readonly details: { status?: number; cause?: unknown } = {},
  ) {
    super(withoutUnstorable(message), { cause: details.cause });
    this.name = 'UnexpectedShape';
  }
}
