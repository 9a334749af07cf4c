import type { Money } from '~/core/money';

/** A category by its name. */
export type Rama = { id: string; nombre: string };
/** A category with its place in the tree. */
export type Categoria = Rama & {
  /** The way from the root to the category itself. */
  ruta: Rama[];
  hijas: Rama[];
  /** Listings may be made in this category. */
  publicable: boolean;
  /** The category was found by words alone, and may be another product until a person chooses it. */
  parecida?: true;
};
export type Sugerida = Rama & Pick<Categoria, 'parecida'>;

export const CLASES_DE_CAMPO = ['texto', 'numero', 'medida', 'lista', 'siNo'] as const;
export type ClaseDeCampo = (typeof CLASES_DE_CAMPO)[number];

/** A question of a category about a product. */
export type Campo = {
  id: string;
  nombre: string;
  clase: ClaseDeCampo;
  /** `aVeces`: the other answers decide. */
  obligatorio: 'si' | 'aVeces' | 'no';
  /** The values to choose from (`lista`, `siNo`); suggestions where the answer is written. */
  valores: Rama[];
  unidades: string[];
  unidad: string | null;
  /** Most letters; null without a limit. */
  maximo: number | null;
  ayuda: string | null;
};

/** The questions of a category. */
export type Formulario = {
  campos: Campo[];
  /** Obligatory questions that cannot be answered from here. With any, nothing is put on sale in the category from here. */
  sinSoporte: { nombre: string; porque: string }[];
  maxTitulo: number;
  maxImagenes: number;
  /** The other parts of a listing that are asked; the rest belongs to a page of the marketplace's own. */
  pide: { titulo: boolean; descripcion: boolean; garantia: boolean };
};

/** An answer to a question, with the unit of a measure. */
export type Respuesta = { valor: string; unidad?: string | undefined };
export type Respuestas = Readonly<Record<string, Respuesta>>;

/** A listing to be put on sale, in our nouns. */
export type PorPublicar = {
  sku: string;
  tipo: string;
  categoriaId: string;
  titulo: string;
  descripcion: string | null;
  precio: Money;
  stock: number;
  garantiaMeses: number | null;
  /** Pictures by their address, or by the marketplace's id once they are there. */
  imagenes: ({ id: string } | { source: string })[];
  respuestas: Respuestas;
};

/** Why a listing is not taken: the field, where it is about one, and the remedy. */
export type Rechazo = { campo: string | null; texto: string };

/** The questions of publishing at a marketplace. None of them changes anything there. */
export type Publicador = {
  raices(): Promise<Rama[]>;
  /** Reads a category; null when no category has that id. */
  categoria(id: string): Promise<Categoria | null>;
  /** Suggests categories for a text, the best first. `codigos` are the codes of the product, for a marketplace that finds pages by them. */
  sugerir(texto: string, codigos?: readonly string[]): Promise<Sugerida[]>;
  formulario(id: string): Promise<Formulario>;
  /** Builds the body of a listing in the marketplace's own words. */
  armar(nueva: PorPublicar, formulario: Formulario): Promise<Record<string, unknown>>;
  /** Asks whether a body would be taken; an empty list means yes. */
  validar(cuerpo: Record<string, unknown>, formulario: Formulario): Promise<Rechazo[]>;
  /** Explains a no to a body that was sent. `no` is the answer as the client handed it on. */
  explicar(no: unknown, formulario: Formulario | null): Rechazo[];
  /** Returns the fields that the other answers make obligatory. */
  obligados(categoriaId: string, cuerpo: unknown): Promise<string[]>;
  /** Returns the commission of a sale in pesos; null where the marketplace does not tell it. */
  comision(de: { precio: Money; categoriaId: string; tipo: string }): Promise<Money | null>;
  /** The questions of moving a listing to another category; absent where listings stay. */
  mover?: Mover;
};

/** The questions of moving a listing to another category. */
export type Mover = {
  /** Returns the answers that a listing has already for this form; null when the listing is gone. */
  respuestasDe(
    clave: string,
    formulario: Formulario,
  ): Promise<{ categoriaId: string | null; vendido: number; respuestas: Respuestas } | null>;
  /** Builds the body of a move in the marketplace's own words. */
  armarCambio(categoriaId: string, respuestas: Respuestas, formulario: Formulario): Record<string, unknown>;
};
