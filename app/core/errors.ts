import type { Choque } from './choque';
import type { Rechazo } from './rechazo';

/** Subject of a refusal, with the key of the screen that shows the subject. */
export type Asunto = { texto: string; pantalla: string };

/**
 * A refusal by a rule of the business. `titulo` and `texto` are shown to the user, word for word as agreed. `campo` is
 * the field of the form at fault, if any. `asunto` is the record in the way, if a screen shows the record.
 * `rechazo` is the no of a far side that stands behind the refusal.
 */
export class NotAllowed extends Error {
  readonly titulo: string;
  readonly campo: string | undefined;
  readonly asunto: Asunto | undefined;
  readonly rechazo: Rechazo | undefined;

  constructor(
    titulo: string,
    texto: string,
    options: { campo?: string; asunto?: Asunto; rechazo?: Rechazo; cause?: unknown } = {},
  ) {
    super(texto, { cause: options.cause });
    this.name = 'NotAllowed';
    this.titulo = titulo;
    this.campo = options.campo;
    this.asunto = options.asunto;
    this.rechazo = options.rechazo;
  }
}

const NADIE_LO_SABE: Choque = { cambios: [], marcas: {} };
const MOVIDO = 'Otra persona modificó este registro.';

/**
 * A refusal because the record changed since the screen was loaded. The text lists the changes. With `marcas` in the
 * conflict, a person who has read the changes may press again; without marks, only loading the screen again helps.
 */
export class Stale extends NotAllowed {
  readonly choque: Choque;

  constructor(choque: Choque = NADIE_LO_SABE, { titulo = 'Error de actualización.', texto = MOVIDO } = {}) {
    const cambios = choque.cambios.map(({ campo, mio, suyo }) => `${campo}: aquí «${mio}», ahora «${suyo}».`);
    const salida =
      Object.keys(choque.marcas).length > 0 ? 'Revísalo y vuelve a presionar el botón.' : 'Vuelve a cargarlo.';
    super(titulo, [texto, ...cambios, salida].join(' '));
    this.name = 'Stale';
    this.choque = choque;
  }
}

/**
 * Runs a save once more that met `Stale`. A person's own look-up may end between the reading and the writing of a draft, and the second run judges what
 * stands then. Throws as `save`.
 */
export async function judgedAnew<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
    return save();
  }
}

/** A refusal for a fault of the company: keys, series, seal or stamps. Staff read the reason; a customer never does. */
export class CompanyFault extends NotAllowed {
  constructor(titulo: string, texto: string, options: { campo?: string; cause?: unknown } = {}) {
    super(titulo, texto, options);
    this.name = 'CompanyFault';
  }
}

/** A refusal with 429 because a quota is used up. `retryAfterSeconds` is the time until the quota has room again. */
export class LimitReached extends NotAllowed {
  readonly status: 429 | 503 = 429;

  constructor(
    texto: string,
    readonly retryAfterSeconds: number,
    titulo = 'Aviso',
  ) {
    super(titulo, texto);
    this.name = 'LimitReached';
  }
}

/** A refusal with 503 because the process is busy, whoever asks; room returns soon. */
export class Saturated extends LimitReached {
  override readonly status = 503;

  constructor(texto: string, retryAfterSeconds: number) {
    super(texto, retryAfterSeconds);
    this.name = 'Saturated';
  }
}

/**
 * Returns the refusal for a full disk (SQLSTATE 53100); undefined for other errors. The form keeps the typed values,
 * because trying again helps once the disk has room.
 */
export function diskFullOf(error: unknown): NotAllowed | undefined {
  return (error as { code?: unknown } | null)?.code === '53100'
    ? new NotAllowed(
        'Error.',
        'No hay espacio en el disco del servidor y no se guardó nada. Avisa a un Super Usuario y vuelve a intentarlo.',
        { cause: error },
      )
    : undefined;
}

/** Codes of a database that nobody reaches, that stops, that starts, or that has no connection left. */
const AWAY = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENOENT|08\w{3}|57P0[123]|53300)$/;
/** What pg says without a code where a connection ended under a query or never came to be. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/**
 * Returns the refusal (503) for a database that is away; undefined for other errors. Clients of outside APIs throw errors of their own, so a
 * lost connection that reaches the door is the database's.
 */
export function databaseAwayOf(error: unknown): Saturated | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message, syscall } = error as Error & { code?: unknown; syscall?: unknown };
  const isAway = typeof code === 'string' && AWAY.test(code) && (code !== 'ENOENT' || syscall === 'connect');
  return isAway || LOST.test(message)
    ? new Saturated('La base de datos no contesta en este momento. Vuelve a intentarlo en unos segundos.', 10)
    : undefined;
}

/** Texts of every unexpected failure, word for word from the spec. */
export const FALLO = {
  titulo: 'Error.',
  texto: 'Uuups! ocurrió un problema, por favor intentalo más tarde.',
  boton: 'Entendido',
} as const;
