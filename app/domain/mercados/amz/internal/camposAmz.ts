import { MEXICO } from '~/integrations/amazon/marketplace';
import type { Campo, ClaseDeCampo, Formulario, Rama, Respuesta } from '~/domain/mercados/publicador';

/**
 * Makes the form of a product type out of its JSON schema. An attribute is a list of objects, nearly always one object with a `value`; a measure
 * has a `unit` beside it, and some attributes are made of several measures. An attribute of another shape cannot be given from here: it is told
 * where it is obligatory.
 */

type Nodo = Record<string, unknown>;
const nodo = (valor: unknown): Nodo => (typeof valor === 'object' && valor !== null ? (valor as Nodo) : {});
const lista = (valor: unknown): unknown[] => (Array.isArray(valor) ? valor : []);
const textos = (valor: unknown): string[] => lista(valor).filter((uno): uno is string => typeof uno === 'string');

/** Attributes that the form does not ask: we fill them, or another step does. */
const NUESTROS = new Set([
  'item_name',
  'product_description',
  'condition_type',
  'purchasable_offer',
  'fulfillment_availability',
  'merchant_suggested_asin',
  'main_product_image_locator',
]);
const CODIGO = 'externally_assigned_product_identifier';
/** Optional attributes that are asked all the same, because buyers look at them. */
const UTILES = new Set([
  'brand',
  'manufacturer',
  'model_name',
  'model_number',
  'part_number',
  'color',
  'material',
  'country_of_origin',
  'number_of_items',
  CODIGO,
  'supplier_declared_has_product_identifier_exemption',
]);
const MAX_TITULO = 200;
const FOTOS = 9;

/** Follows a reference into the schema's own definitions. */
function seguido(esquema: Nodo, valor: unknown): Nodo {
  const uno = nodo(valor);
  const ref = uno.$ref;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return uno;
  return ref
    .slice(2)
    .split('/')
    .reduce<Nodo>((at, paso) => nodo(at[paso]), esquema);
}

const propiedadesOf = (esquema: Nodo, atributo: unknown): Nodo =>
  nodo(seguido(esquema, seguido(esquema, atributo).items).properties);

function opciones(valor: Nodo): Rama[] | null {
  const ids = lista(valor.enum);
  if (ids.length === 0) return null;
  const nombres = textos(valor.enumNames);
  return ids.map((id, n) => ({ id: String(id), nombre: nombres[n] ?? String(id) }));
}

type Forma = { clase: ClaseDeCampo; valores: Rama[]; unidades: string[]; maximo: number | null };
const SI_NO: Rama[] = [
  { id: 'true', nombre: 'Sí' },
  { id: 'false', nombre: 'No' },
];

/** Returns how one value is asked for; null where the value has a shape of its own. */
function formaOf(esquema: Nodo, propiedades: Nodo): Forma | null {
  if (!('value' in propiedades)) return null;
  const valor = seguido(esquema, propiedades.value);
  // A list beside free text holds suggestions.
  const variantes = lista(valor.anyOf).map((una) => seguido(esquema, una));
  const sugeridas = variantes.map(opciones).find((una) => una !== null) ?? null;
  const base = variantes.length > 0 ? { ...valor, type: 'string' } : valor;
  const maximo = typeof base.maxLength === 'number' ? base.maxLength : null;
  const elegibles = variantes.length > 0 ? null : opciones(base);
  if (base.type === 'boolean') return { clase: 'siNo', valores: SI_NO, unidades: [], maximo: null };
  if (elegibles) return { clase: 'lista', valores: elegibles, unidades: [], maximo: null };
  if (base.type === 'number' || base.type === 'integer') {
    if (!('unit' in propiedades)) return { clase: 'numero', valores: [], unidades: [], maximo: null };
    const unidades = opciones(seguido(esquema, propiedades.unit))?.map(({ id }) => id) ?? [];
    return unidades.length > 0 ? { clase: 'medida', valores: [], unidades, maximo: null } : null;
  }
  return base.type === 'string'
    ? { clase: 'texto', valores: sugeridas ?? [], unidades: [], maximo: maximo ?? 500 }
    : null;
}

const tituloOf = (valor: Nodo, omision: string) =>
  typeof valor.title === 'string' && valor.title !== '' ? valor.title : omision;
const ayudaOf = (valor: Nodo) => (typeof valor.description === 'string' ? valor.description : null);

/** Returns the fields of one attribute; null where the attribute cannot be asked. */
function camposOf(esquema: Nodo, id: string, obligatorio: Campo['obligatorio']): Campo[] | null {
  const atributo = seguido(esquema, nodo(esquema.properties)[id]);
  const propiedades = propiedadesOf(esquema, atributo);
  const hacer = (campoId: string, nombre: string, forma: Forma, ayuda: string | null): Campo => ({
    id: campoId,
    nombre,
    obligatorio,
    ...forma,
    unidad: forma.unidades[0] ?? null,
    ayuda,
  });
  if (id === CODIGO)
    return [hacer(id, 'Código de barras (GTIN)', { clase: 'texto', valores: [], unidades: [], maximo: 14 }, null)];
  const forma = formaOf(esquema, propiedades);
  if (forma) return [hacer(id, tituloOf(atributo, id), forma, ayudaOf(atributo))];
  // An attribute made of measures, such as length and width.
  const partes = Object.entries(propiedades).filter(([nombre]) => !['marketplace_id', 'language_tag'].includes(nombre));
  const suyas = partes.map(([nombre, parte]) => {
    const valor = seguido(esquema, parte);
    const una = formaOf(esquema, nodo(valor.properties));
    return (
      una && hacer(`${id}.${nombre}`, `${tituloOf(atributo, id)}: ${tituloOf(valor, nombre)}`, una, ayudaOf(valor))
    );
  });
  return suyas.length > 0 && suyas.every((una) => una !== null) ? suyas : null;
}

/** Returns the form of a product type, obligatory questions first. An obligatory attribute that cannot be asked here is in `sinSoporte`. */
export function formularioAmz(esquema: Nodo): Formulario {
  const obligatorios = new Set(textos(esquema.required));
  const aVeces = new Set(reglasOf(esquema).flatMap(({ entonces, sino }) => [...entonces, ...sino]));
  const formulario: Formulario = {
    campos: [],
    sinSoporte: [],
    maxTitulo: maximoOf(esquema, 'item_name') ?? MAX_TITULO,
    maxImagenes: FOTOS,
    pide: { titulo: true, descripcion: true, garantia: false },
  };
  for (const [id, valor] of Object.entries(nodo(esquema.properties))) {
    if (NUESTROS.has(id)) continue;
    const obligatorio = obligatorios.has(id) ? 'si' : aVeces.has(id) ? 'aVeces' : 'no';
    if (obligatorio === 'no' && !UTILES.has(id)) continue;
    const campos = camposOf(esquema, id, obligatorio);
    if (campos) formulario.campos.push(...campos);
    else if (obligatorio === 'si')
      formulario.sinSoporte.push({
        nombre: tituloOf(seguido(esquema, valor), id),
        porque: 'tiene varias partes, y esas se llenan en Seller Central',
      });
  }
  const peso = { si: 0, aVeces: 1, no: 2 };
  formulario.campos.sort((a, b) => peso[a.obligatorio] - peso[b.obligatorio]);
  return formulario;
}

/** The form of an offer on a page that exists: it asks nothing about the product. */
export const OFERTA: Formulario = {
  campos: [],
  sinSoporte: [],
  maxTitulo: 500,
  maxImagenes: 0,
  pide: { titulo: false, descripcion: false, garantia: false },
};

function maximoOf(esquema: Nodo, id: string): number | null {
  const valor = seguido(esquema, propiedadesOf(esquema, nodo(esquema.properties)[id]).value);
  return typeof valor.maxLength === 'number' ? valor.maxLength : null;
}

type Regla = { si: Nodo; entonces: string[]; sino: string[] };

const reglasOf = (esquema: Nodo): Regla[] =>
  [esquema, ...lista(esquema.allOf).map(nodo)].flatMap((una) =>
    'if' in una
      ? [{ si: nodo(una.if), entonces: textos(nodo(una.then).required), sino: textos(nodo(una.else).required) }]
      : [],
  );

/** Returns the attributes that the schema asks for because of the others. */
export function condicionados(esquema: Nodo, atributos: Nodo): string[] {
  const suyos = reglasOf(esquema).flatMap(({ si, entonces, sino }) => {
    const dice = meets(si, atributos);
    return dice === null ? [] : dice ? entonces : sino;
  });
  return [...new Set(suyos)];
}

/** Tells whether a value fits a schema. Null: the schema uses words that we do not read. */
export function meets(esquema: Nodo, valor: unknown): boolean | null {
  const partes = Object.entries(esquema).map(([palabra, dicho]): boolean | null => {
    switch (palabra) {
      case 'required':
        return textos(dicho).every((nombre) => Object.hasOwn(nodo(valor), nombre));
      case 'properties':
        return todas(
          Object.entries(nodo(dicho)).map(([nombre, suyo]) =>
            Object.hasOwn(nodo(valor), nombre) ? meets(nodo(suyo), nodo(valor)[nombre]) : true,
          ),
        );
      case 'contains':
        return alguna(lista(valor).map((uno) => meets(nodo(dicho), uno)));
      case 'items':
        return todas(lista(valor).map((uno) => meets(nodo(dicho), uno)));
      case 'const':
        return valor === dicho;
      case 'enum':
        return lista(dicho).includes(valor);
      case 'minItems':
        return lista(valor).length >= Number(dicho);
      case 'not': {
        const dentro = meets(nodo(dicho), valor);
        return dentro === null ? null : !dentro;
      }
      case 'allOf':
        return todas(lista(dicho).map((uno) => meets(nodo(uno), valor)));
      case 'anyOf':
        return alguna(lista(dicho).map((uno) => meets(nodo(uno), valor)));
      case 'type':
      case 'title':
      case 'description':
      case '$comment':
        return true;
      default:
        return null;
    }
  });
  return todas(partes);
}

const todas = (partes: readonly (boolean | null)[]) =>
  partes.includes(false) ? false : partes.includes(null) ? null : true;
const alguna = (partes: readonly (boolean | null)[]) =>
  partes.includes(true) ? true : partes.includes(null) ? null : false;

const claseOfCodigo = (codigo: string) => (codigo.length === 12 ? 'upc' : codigo.length === 14 ? 'gtin' : 'ean');

/** Adds the marketplace and the language to a value, where the schema has a place for them. */
function firmado(esquema: Nodo, id: string, valor: Nodo): Nodo[] {
  const propiedades = propiedadesOf(esquema, nodo(esquema.properties)[id]);
  return [
    {
      ...valor,
      ...('language_tag' in propiedades && { language_tag: 'es_MX' }),
      ...('marketplace_id' in propiedades && { marketplace_id: MEXICO }),
    },
  ];
}

const dicho = ({ clase, unidad }: Campo, respuesta: Respuesta): Nodo => {
  const valor = respuesta.valor.trim();
  if (clase === 'siNo') return { value: valor === 'true' };
  if (clase === 'numero') return { value: Number(valor) };
  if (clase === 'medida') return { value: Number(valor), unit: respuesta.unidad || unidad };
  return { value: valor };
};

/** Returns the attribute that a text of ours writes. */
export const textoAmz = (esquema: Nodo, id: string, valor: string): Nodo =>
  Object.hasOwn(nodo(esquema.properties), id) ? { [id]: firmado(esquema, id, { value: valor }) } : {};

/** Returns the answers as attributes; an empty answer makes none. */
export function atributosAmz(
  esquema: Nodo,
  campos: readonly Campo[],
  respuestas: Readonly<Record<string, Respuesta>>,
): Nodo {
  const juntas = new Map<string, Nodo>();
  for (const campo of campos) {
    const respuesta = respuestas[campo.id];
    if (!respuesta || respuesta.valor.trim() === '') continue;
    const [id = campo.id, parte] = campo.id.split('.');
    const valor = dicho(campo, respuesta);
    if (id === CODIGO) juntas.set(id, { type: claseOfCodigo(respuesta.valor.trim()), value: respuesta.valor.trim() });
    else if (parte === undefined) juntas.set(id, valor);
    else juntas.set(id, { ...juntas.get(id), [parte]: valor });
  }
  return Object.fromEntries([...juntas].map(([id, valor]) => [id, firmado(esquema, id, valor)]));
}

/** Returns the attributes of the photographs, the main one first. Addresses beyond the most that Amazon takes are left out. */
export const fotosAmz = (direcciones: readonly string[]): Nodo =>
  Object.fromEntries(
    direcciones
      .slice(0, FOTOS)
      .map((media_location, n) => [
        n === 0 ? 'main_product_image_locator' : `other_product_image_locator_${n}`,
        [{ media_location, marketplace_id: MEXICO }],
      ]),
  );
