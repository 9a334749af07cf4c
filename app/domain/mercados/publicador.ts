import type { Money } from '~/core/money';

/** What has to be known to put something on sale at a marketplace, in our nouns: its categories, what each asks for, and what is not taken. */

export type Rama = { id: string; nombre: string };
export type Categoria = Rama & {
  /** From the root, itself the last. */ ruta: Rama[];
  hijas: Rama[];
  /** Something may be put on sale in it. */ publicable: boolean;
  /** It only sounds alike: another thing, until a person says that it is the same. */ parecida?: true;
};
export type Sugerida = Rama & Pick<Categoria, 'parecida'>;

export const CLASES_DE_CAMPO = ['texto', 'numero', 'medida', 'lista', 'siNo'] as const;
export type ClaseDeCampo = (typeof CLASES_DE_CAMPO)[number];

/** What a category asks about a product. */
export type Campo = {
  id: string;
  nombre: string;
  clase: ClaseDeCampo;
  /** `aVeces`: by what the others say. */ obligatorio: 'si' | 'aVeces' | 'no';
  /** All that it may be where it is chosen (`lista`, `siNo`); suggestions where it is written. */ valores: Rama[];
  unidades: string[];
  unidad: string | null;
  /** Letters. */ maximo: number | null;
  ayuda: string | null;
};

export type Formulario = {
  campos: Campo[];
  /** What is obligatory and cannot be given from here. With any, nothing can be put on sale in it from here. */
  sinSoporte: { nombre: string; porque: string }[];
  maxTitulo: number;
  maxImagenes: number;
  /** What else of it is told; the rest belongs to a page of the marketplace's own. */
  pide: { titulo: boolean; descripcion: boolean; garantia: boolean };
};

/** An answer to a field; the unit of a measure beside it. */
export type Respuesta = { valor: string; unidad?: string | undefined };
export type Respuestas = Readonly<Record<string, Respuesta>>;

export type PorPublicar = {
  sku: string;
  tipo: string;
  categoriaId: string;
  titulo: string;
  descripcion: string | null;
  precio: Money;
  stock: number;
  garantiaMeses: number | null;
  /** Addresses, or ids of the marketplace once they are there. */ imagenes: ({ id: string } | { source: string })[];
  respuestas: Respuestas;
};

/** Why something is not taken: the field it is about, where there is one, and what to do. */
export type Rechazo = { campo: string | null; texto: string };

/** Opened for whoever publishes; asks and changes nothing. */
export type Publicador = {
  raices(): Promise<Rama[]>;
  /** Null where there is none of that id. */
  categoria(id: string): Promise<Categoria | null>;
  /** The best first. `codigos`: those of the product, where the marketplace finds pages by them. */
  sugerir(texto: string, codigos?: readonly string[]): Promise<Sugerida[]>;
  formulario(id: string): Promise<Formulario>;
  /** As it is sent. */
  armar(nueva: PorPublicar, formulario: Formulario): Promise<Record<string, unknown>>;
  /** None: it may be sent. */
  validar(cuerpo: unknown, formulario: Formulario): Promise<Rechazo[]>;
  /** The same of a no to what was sent, as the client handed it on. */
  explicar(no: unknown, formulario: Formulario | null): Rechazo[];
  /** Fields that are obligatory by what the others say. */
  obligados(categoriaId: string, cuerpo: unknown): Promise<string[]>;
  /** What it keeps of a sale. Null where it does not tell. */
  comision(de: { precio: Money; categoriaId: string; tipo: string }): Promise<Money | null>;
  /** Of a marketplace where a listing can be moved to another category. */
  mover?: Mover;
};

export type Mover = {
  /** What a listing answers already, as this form asks it. Null where the listing is gone. */
  respuestasDe(
    clave: string,
    formulario: Formulario,
  ): Promise<{ categoriaId: string | null; vendido: number; respuestas: Respuestas } | null>;
  /** A move to another category, as it is sent. */
  armarCambio(categoriaId: string, respuestas: Respuestas, formulario: Formulario): Record<string, unknown>;
};
