/**
 * The four ways an outside call fails. Whoever catches one knows what may have happened there:
 * `Unavailable` surely nothing, `Refused` a definite no, `Uncertain` perhaps everything, `UnexpectedShape` an answer we cannot read.
 */
export class Unavailable extends Error {
  constructor(
    message: string,
    readonly details: { status?: number; retryAfterMs?: number; account?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'Unavailable';
  }
}

export class Refused extends Error {
  constructor(
    message: string,
    readonly details: {
      status?: number;
      code?: string;
      detail?: string;
      account?: boolean;
      answer?: unknown;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'Refused';
  }
}

export class Uncertain extends Error {
  constructor(
    message: string,
    readonly details: { status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'Uncertain';
  }
}

export class UnexpectedShape extends Error {
  constructor(
    message: string,
    readonly details: { status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'UnexpectedShape';
  }
}
