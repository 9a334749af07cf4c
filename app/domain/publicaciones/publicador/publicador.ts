import { enPesos } from '~/core/importe';
import type { Market } from '~/core/market';
import { Money } from '~/core/money';
import { REQUERIDO } from '~/core/text';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Campo, Rechazo, Respuestas } from '~/domain/mercados/publicador';

/** The steps of putting something on sale. */
export const PASOS = ['1', '2', '3', '4'] as const;
export type Paso = (typeof PASOS)[number];
export const PASO_TITULO: Readonly<Record<Paso, string>> = {
  '1': 'Categoría',
  '2': 'Características',
  '3': 'Precio y fotos',
  '4': 'Revisión',
};

/** Kinds of listing: those of a marketplace that has several, and `unica` for a marketplace with one kind only. */
export const TIPOS = ['gold_special', 'gold_pro', 'unica'] as const;
export type Tipo = (typeof TIPOS)[number];
/** The name of a kind, beside a price or an id. */
export const TIPO_LABEL: Readonly<Record<Tipo, string>> = { gold_special: 'Clásica', gold_pro: 'Premium', unica: '' };
/** Tells whether a stored word is a kind of listing. */
export const isTipo = (tipo: string | null): tipo is Tipo => TIPOS.some((one) => one === tipo);
/** Returns the kinds that are put on sale at a marketplace. */
export const tiposOf = (market: Market): readonly Tipo[] => MERCADOS[market].publicaciones.publicables.filter(isTipo);

/** A chosen picture as it was looked at. Without sizes the picture could not be fetched from here, and the marketplace fetches it. */
export type Imagen = {
  url: string;
  ancho: number | null;
  alto: number | null;
  archivoId: string | null;
  problema: string | null;
};

export type Oferta = {
  titulo: string;
  descripcion: string | null;
  /** Price of each kind in pesos; a kind that is not wanted has none. */
  precios: Partial<Record<Tipo, string>>;
  stock: number;
  garantiaMeses: number;
  imagenes: Imagen[];
  /** Price and stock follow the supplier from then on. */
  seguir: boolean;
  /** Nobody wrote the offer: it is what the publisher proposed, and is proposed anew until it is on sale. */
  propuesta?: boolean | undefined;
};

/**
 * Returns what the rule of prices says against the typed prices of an offer that follows its supplier, a sentence for each kind. The follower changes
 * such a price only after a person allows it.
 */
export function avisosOfRegla(
  market: Market,
  { precios, seguir }: Pick<Oferta, 'precios' | 'seguir'>,
  regla: Partial<Record<Tipo, string>>,
): string[] {
  if (!seguir) return [];
  return tiposOf(market).flatMap((tipo) => {
    const [precio, suyo] = [precios[tipo], regla[tipo]];
    if (!precio || !suyo || Money.of(precio).equals(Money.of(suyo))) return [];
    const cual = TIPO_LABEL[tipo] && ` de ${TIPO_LABEL[tipo]}`;
    return [`La regla${cual} da ${enPesos(suyo)}: tu precio queda hasta que alguien acepte el cambio`];
  });
}

type Conocido = {
  marca: string | null;
  modelo: string | null;
  modeloFabricante: string | null;
  gtins: readonly string[];
};

const HECHOS = {
  marca: ({ marca }: Conocido, nuestraMarca: string) => marca?.trim() || nuestraMarca,
  modelo: ({ modeloFabricante, modelo }: Conocido) => modeloFabricante?.trim() || modelo?.trim() || '',
  gtin: ({ gtins }: Conocido) => gtins[0] ?? '',
};

/** The questions that each product answers by itself, with the fact that answers them. */
const DEL_PRODUCTO: ReadonlyMap<string, keyof typeof HECHOS> = new Map([
  ['BRAND', 'marca'],
  ['brand', 'marca'],
  ['MANUFACTURER', 'marca'],
  ['manufacturer', 'marca'],
  ['MODEL', 'modelo'],
  ['model_name', 'modelo'],
  ['model_number', 'modelo'],
  ['PART_NUMBER', 'modelo'],
  ['part_number', 'modelo'],
  ['GTIN', 'gtin'],
  ['externally_assigned_product_identifier', 'gtin'],
]);

/** Tells whether a question is about the one product, as brand, model and bar code are: its answer is no product's but its own. */
export const isDelProducto = ({ id }: Pick<Campo, 'id'>): boolean => DEL_PRODUCTO.has(id);

/** Returns the known facts of a product as answers. A product without a brand is sold under our own. */
export function respuestasConocidas(campos: readonly Campo[], producto: Conocido, nuestraMarca: string): Respuestas {
  return Object.fromEntries(
    campos.flatMap((campo) => {
      const hecho = DEL_PRODUCTO.get(campo.id);
      const valor = hecho ? HECHOS[hecho](producto, nuestraMarca) : '';
      if (valor === '') return [];
      // A chosen value is known by its id.
      const elegido = campo.valores.find(({ nombre }) => nombre.toLowerCase() === valor.toLowerCase());
      if (campo.clase === 'lista') return elegido ? [[campo.id, { valor: elegido.id }]] : [];
      return [[campo.id, { valor }]];
    }),
  );
}

/** Returns the answers of a form: what was left empty is none, and a measure has its unit. */
export function respuestasOfForm({ valor, unidad }: { valor?: unknown; unidad?: unknown }): Respuestas {
  const unidades = unidad as Record<string, string | null> | undefined;
  return Object.fromEntries(
    Object.entries((valor ?? {}) as Record<string, string | null>).flatMap(([id, texto]) =>
      texto ? [[id, { valor: texto, ...(unidades?.[id] && { unidad: unidades[id] }) }]] : [],
    ),
  );
}

/** Returns answers as a form sends them: the inverse of `respuestasOfForm`. */
export const formOfRespuestas = (respuestas: Respuestas) => ({
  valor: Object.fromEntries(Object.entries(respuestas).map(([id, { valor }]) => [id, valor])),
  unidad: Object.fromEntries(
    Object.entries(respuestas).flatMap(([id, { unidad }]) => (unidad ? [[id, unidad] as const] : [])),
  ),
});

const NUMERO = /^\d{1,12}(?:\.\d{1,6})?$/;
const GTIN = /^(?:\d{8}|\d{10}|\d{12,14})$/;

/** Returns the problems of answers that can be told without asking anybody. `obligados` are the fields that other answers make obligatory. */
export function reviewRespuestas(
  campos: readonly Campo[],
  respuestas: Respuestas,
  obligados: readonly string[] = [],
): Rechazo[] {
  return campos.flatMap((campo): Rechazo[] => {
    const { id, clase, valores, unidades, maximo, obligatorio } = campo;
    const valor = respuestas[id]?.valor.trim() ?? '';
    const no = (texto: string) => [{ campo: id, texto }];
    if (valor === '') {
      if (id === 'GTIN' && obligados.includes(id))
        return no('Escribe el código de barras, o elige por qué no lo tiene.');
      // The reason is needed only while the code is empty.
      if (id === 'EMPTY_GTIN_REASON') return [];
      return obligatorio === 'si' || obligados.includes(id) ? no(REQUERIDO) : [];
    }
    if (maximo !== null && valor.length > maximo) return no(`Máximo ${maximo} caracteres`);
    if ((clase === 'lista' || clase === 'siNo') && !valores.some((one) => one.id === valor))
      return no('Elige uno de la lista.');
    if ((clase === 'numero' || clase === 'medida') && !NUMERO.test(valor)) return no('Se escribe solo con números.');
    if (clase === 'medida' && !unidades.includes(respuestas[id]?.unidad || campo.unidad || ''))
      return no('Elige una unidad de la lista.');
    if (id === 'GTIN' && valor.split(',').some((code) => !GTIN.test(code.trim())))
      return no('Son 8, 12, 13 o 14 números.');
    return [];
  });
}

/** Returns our sku of a product. The separator is replaced inside its parts. */
export const skuNuestro = (
  prefijo: string,
  { idProveedor, proveedor, modelo }: { idProveedor: string; proveedor: string; modelo: string | null },
) => [prefijo, idProveedor, proveedor, modelo || idProveedor].map((parte) => parte.replaceAll('|', '-')).join('|');

/** Returns a title made of a product's name, cut where a word ends. */
export function tituloOf(nombre: string | null, max: number): string {
  const limpio = (nombre ?? '').replace(/\s+/g, ' ').trim();
  if (limpio.length <= max) return limpio;
  const corto = limpio.slice(0, max + 1);
  const hasta = corto.lastIndexOf(' ');
  return corto.slice(0, hasta > max / 2 ? hasta : max).trim();
}

/** Returns the step that corrects a refused listing: that of the first reason with a field, and the review where no reason has one. */
export function pasoOfRechazo(problemas: readonly { campo: string | null }[]): Paso {
  const suyo = problemas.find(({ campo }) => campo !== null);
  return suyo ? pasoOfCampo(suyo.campo) : '4';
}

/** Returns the step in which a part of a listing is corrected. */
export const pasoOfCampo = (campo: string | null): Paso =>
  campo === 'categoria'
    ? '1'
    : ['titulo', 'precio', 'imagenes', 'stock', 'descripcion'].includes(campo ?? '')
      ? '3'
      : '2';
