import type { Choque } from './choque';

/** What something is about, and the screen of an area that shows it. */
export type Asunto = { texto: string; pantalla: string };

/**
 * A rule of the business said no. `titulo` and `texto` are what the user reads, word for word as agreed. `campo`
 * names the form field they belong to, if any. `asunto` names what stands in the way, if it can be looked at.
 */
export class NotAllowed extends Error {
  readonly titulo: string;
  readonly campo: string | undefined;
  readonly asunto: Asunto | undefined;

  constructor(titulo: string, texto: string, options: { campo?: string; asunto?: Asunto; cause?: unknown } = {}) {
    super(texto, { cause: options.cause });
    this.name = 'NotAllowed';
    this.titulo = titulo;
    this.campo = options.campo;
    this.asunto = options.asunto;
  }
}

const NADIE_LO_SABE: Choque = { cambios: [], marcas: {} };
const MOVIDO = 'Otra persona modificó este registro.';

/**
 * What is decided about is no longer what the screen showed. It says what changed, and brings the marks of what stands now: whoever has seen both may press
 * again. Without them only loading the screen again helps.
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

/** It is the company's to mend (its keys, series, seal, stamps): who works here reads why, a customer never does. */
export class CompanyFault extends NotAllowed {
  constructor(titulo: string, texto: string, options: { campo?: string; cause?: unknown } = {}) {
    super(titulo, texto, options);
    this.name = 'CompanyFault';
  }
}

/** A quota is used up: 429, with a plain sentence and how long until there is room again. */
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

/** More at once than there is strength for, whoever asks: 503, and soon there is room again. */
export class Saturated extends LimitReached {
  override readonly status = 503;

  constructor(texto: string, retryAfterSeconds: number) {
    super(texto, retryAfterSeconds);
    this.name = 'Saturated';
  }
}

/** What the database says when nothing more fits: the form keeps what was typed and tells it, since to try again helps once there is room. */
export function sinEspacio(error: unknown): NotAllowed | undefined {
  return (error as { code?: unknown } | null)?.code === '53100'
    ? new NotAllowed(
        'Error.',
        'No hay espacio en el disco del servidor y no se guardó nada. Avisa a un Super Usuario y vuelve a intentarlo.',
        { cause: error },
      )
    : undefined;
}

/** The texts every unexpected failure shows. */
export const FALLO = {
  titulo: 'Error.',
  texto: 'Uuups! ocurrió un problema, por favor intentalo más tarde.',
  boton: 'Entendido',
} as const;
