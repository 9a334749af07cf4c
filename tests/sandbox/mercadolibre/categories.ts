/** A part of the tree of categories of México, with the attributes that each leaf asks for. Categories outside of this part do not exist here. */

export type Value = { id: string; name: string };
export type Attribute = {
  id: string;
  name: string;
  tags: Record<string, true>;
  value_type: string;
  value_max_length?: number;
  values?: Value[];
  allowed_units?: Value[];
  default_unit?: string;
  type?: string;
  hint?: string;
  tooltip?: string;
  example?: string;
  hierarchy: string;
  relevance: number;
  attribute_group_id: string;
  attribute_group_name: string;
};
export type Node = { id: string; name: string; children: Node[]; domain?: string; attributes?: Attribute[] };

const YES_NO: Value[] = [
  { id: '242085', name: 'Sí' },
  { id: '242084', name: 'No' },
];
const named = (names: readonly string[], from: number): Value[] =>
  names.map((name, n) => ({ id: String(from + n), name }));
const units = (...names: string[]): Value[] => names.map((name) => ({ id: name, name }));
const tagged = (...tags: string[]) => Object.fromEntries(tags.map((tag) => [tag, true])) as Record<string, true>;

type Extra = Partial<Omit<Attribute, 'tags'>> & { tags?: string[] };
function attribute(id: string, name: string, type: string, { tags = [], ...extra }: Extra = {}): Attribute {
  return {
    id,
    name,
    tags: tagged(...tags),
    hierarchy: 'ITEM',
    relevance: tags.includes('required') ? 1 : 2,
    value_type: type,
    ...(type === 'string' && { value_max_length: 255 }),
    ...(type === 'boolean' && { values: YES_NO }),
    attribute_group_id: 'OTHERS',
    attribute_group_name: 'Otros',
    ...extra,
  };
}

export const EMPTY_GTIN = [
  { id: '17055158', name: 'El producto es artesanal' },
  { id: '17055159', name: 'El producto es un kit o un pack' },
  { id: '17055160', name: 'El producto no tiene código registrado' },
  { id: '17055161', name: 'Otra razón' },
];
const BRANDS = ['Hikvision', 'Dahua', 'Epcom', 'TP-Link', 'Ubiquiti', 'Saxxon', 'Genérica'];

const common = (): Attribute[] => [
  attribute('BRAND', 'Marca', 'string', {
    tags: ['required', 'catalog_required'],
    values: named(BRANDS, 9_000),
    hierarchy: 'PARENT_PK',
    attribute_group_id: 'MAIN',
    attribute_group_name: 'Principales',
  }),
  attribute('MODEL', 'Modelo', 'string', { tags: ['required', 'catalog_required'], hierarchy: 'PARENT_PK' }),
  attribute('ITEM_CONDITION', 'Condición del ítem', 'list', {
    tags: ['hidden'],
    values: [
      { id: '2230284', name: 'Nuevo' },
      { id: '2230581', name: 'Usado' },
      { id: '2230582', name: 'Reacondicionado' },
    ],
  }),
  attribute('GTIN', 'Código universal de producto', 'string', {
    tags: ['conditional_required', 'multivalued', 'used_hidden'],
    type: 'product_identifier',
    hierarchy: 'PRODUCT_IDENTIFIER',
    hint: 'Puede ser un EAN, UPC u otro GTIN',
  }),
  attribute('EMPTY_GTIN_REASON', 'Motivo de GTIN vacío', 'list', {
    tags: ['hidden', 'conditional_required'],
    values: EMPTY_GTIN,
  }),
  attribute('PART_NUMBER', 'Número de pieza', 'string', { tags: ['multivalued'] }),
  attribute('MANUFACTURER', 'Fabricante', 'string'),
  attribute('SELLER_SKU', 'SKU', 'string', { tags: ['hidden', 'variation_attribute'] }),
  attribute('DOMAIN_INFERRED', 'Dominio', 'string', { tags: ['read_only', 'inferred', 'hidden'] }),
  attribute('SELLER_PACKAGE_HEIGHT', 'Altura del paquete del seller', 'number_unit', {
    tags: ['hidden'],
    allowed_units: units('cm'),
    default_unit: 'cm',
  }),
  attribute('SELLER_PACKAGE_WEIGHT', 'Peso del paquete del seller', 'number_unit', {
    tags: ['hidden'],
    allowed_units: units('g'),
    default_unit: 'g',
  }),
];

const CAMERAS = (): Attribute[] => [
  ...common(),
  attribute('CAMERA_TYPE', 'Tipo de cámara', 'list', {
    tags: ['required'],
    values: named(['Bala', 'Domo', 'PTZ', 'Turret', 'Oculta'], 7_000),
  }),
  attribute('RESOLUTION', 'Resolución', 'string', {
    tags: ['required'],
    values: named(['1080p', '2K', '4K', '5 Mpx'], 7_100),
    example: '1080p',
  }),
  attribute('IS_WIRELESS', 'Es inalámbrica', 'boolean', { tags: ['required'] }),
  attribute('VOLTAGE', 'Voltaje', 'number_unit', { allowed_units: units('V', 'mV'), default_unit: 'V' }),
  attribute('VIEWING_ANGLE', 'Ángulo de visión', 'number', {}),
  attribute('WIFI_STANDARD', 'Estándar de Wi-Fi', 'string', {
    tags: ['conditional_required'],
    hint: 'Si la cámara es inalámbrica',
  }),
];
const RECORDERS = (): Attribute[] => [
  ...common(),
  attribute('CHANNELS_NUMBER', 'Cantidad de canales', 'number', { tags: ['required'] }),
  attribute('RECORDER_TYPE', 'Tipo de grabador', 'list', {
    tags: ['required'],
    values: named(['DVR', 'NVR', 'Kit'], 7_200),
  }),
];
const NETWORK = (): Attribute[] => [
  ...common(),
  attribute('PORTS_NUMBER', 'Cantidad de puertos', 'number', {}),
  attribute('COLOR', 'Color', 'list', {
    type: 'color',
    tags: ['allow_variations'],
    values: named(['Blanco', 'Negro', 'Gris'], 52_000),
  }),
];
const CABLES = (): Attribute[] => [
  ...common(),
  attribute('LENGTH', 'Largo', 'number_unit', {
    tags: ['required'],
    allowed_units: units('m', 'cm', 'mm'),
    default_unit: 'm',
  }),
];
const SHIRTS = (): Attribute[] => [
  ...common(),
  attribute('GENDER', 'Género', 'list', {
    tags: ['required'],
    values: named(['Mujer', 'Hombre', 'Sin género'], 33_000),
  }),
  attribute('SIZE_GRID_ID', 'ID de la guía de tallas', 'grid_id', {
    tags: ['required', 'hidden', 'grid_template_required'],
  }),
];

const leaf = (id: string, name: string, domain: string, attributes: Attribute[]): Node => ({
  id,
  name,
  domain,
  attributes,
  children: [],
});
const branch = (id: string, name: string, ...children: Node[]): Node => ({ id, name, children });

export const TREE: Node[] = [
  branch(
    'MLM1000',
    'Electrónica, Audio y Video',
    branch(
      'MLM167537',
      'Videovigilancia',
      leaf('MLM167538', 'Cámaras de Vigilancia', 'MLM-SURVEILLANCE_CAMERAS', CAMERAS()),
      leaf('MLM167544', 'Grabadores DVR y NVR', 'MLM-VIDEO_RECORDERS', RECORDERS()),
    ),
    leaf('MLM4637', 'Cables y Conectores', 'MLM-CABLES', CABLES()),
  ),
  branch(
    'MLM1648',
    'Computación',
    leaf('MLM1700', 'Conectividad y Redes', 'MLM-NETWORK_DEVICES', NETWORK()),
    leaf('MLM1718', 'No Breaks y UPS', 'MLM-UPS', NETWORK()),
  ),
  branch(
    'MLM1499',
    'Industrias y Oficinas',
    leaf('MLM189320', 'Racks y Gabinetes', 'MLM-RACKS', NETWORK()),
    leaf('MLM190998', 'Control de Acceso', 'MLM-ACCESS_CONTROL', NETWORK()),
  ),
  branch('MLM1430', 'Ropa, Bolsas y Calzado', leaf('MLM112156', 'Playeras', 'MLM-T_SHIRTS', SHIRTS())),
];

type Found = { node: Node; path: Node[] };
const FOUND = new Map<string, Found>();
function walk(nodes: readonly Node[], above: Node[]) {
  for (const node of nodes) {
    FOUND.set(node.id, { node, path: [...above, node] });
    walk(node.children, [...above, node]);
  }
}
walk(TREE, []);
export const categoryOf = (id: string): Found | undefined => FOUND.get(id);
const brief = ({ id, name }: Node) => ({ id, name });

export const rootsDocument = () => TREE.map(brief);

export const MAX_TITLE = 60;

export function categoryDocument({ node, path }: Found): object {
  const isLeaf = node.children.length === 0;
  return {
    id: node.id,
    name: node.name,
    picture: null,
    permalink: null,
    total_items_in_this_category: 1_000,
    path_from_root: path.map(brief),
    children_categories: node.children.map((child) => ({ ...brief(child), total_items_in_this_category: 100 })),
    attribute_types: isLeaf ? 'attributes' : 'none',
    settings: {
      listing_allowed: isLeaf,
      buying_modes: ['buy_it_now'],
      catalog_domain: node.domain ?? null,
      currencies: ['MXN'],
      item_conditions: ['new', 'used', 'not_specified'],
      max_description_length: 50_000,
      max_pictures_per_item: 12,
      max_title_length: MAX_TITLE,
      minimum_price: isLeaf ? 35 : null,
      maximum_price: null,
      status: 'enabled',
    },
    channels_settings: [],
    meta_categ_id: null,
    attributable: false,
    date_created: '2018-04-25T08:12:56.000Z',
  };
}

/** Words in a title by which the predictor finds a leaf. */
const WORDS: [RegExp, string][] = [
  [/\bc[aá]mara|domo|bala|turret|ptz/i, 'MLM167538'],
  [/\bdvr|nvr|grabador|kit cctv|disco/i, 'MLM167544'],
  [/\bcable|bobina|conector|patch|jack/i, 'MLM4637'],
  [/\brouter|switch|antena|punto de acceso|wifi|poe/i, 'MLM1700'],
  [/\bups|no break|bater[ií]a|fuente|regulador/i, 'MLM1718'],
  [/\brack|gabinete|charola|organizador/i, 'MLM189320'],
  [/\bcerradura|acceso|videoportero|lector/i, 'MLM190998'],
  [/\bplayera/i, 'MLM112156'],
];

export function predict(q: string, limit: number): object[] {
  return WORDS.filter(([words]) => words.test(q))
    .slice(0, limit)
    .map(([, id]) => {
      const { node } = FOUND.get(id)!;
      return {
        domain_id: node.domain,
        domain_name: node.name,
        category_id: id,
        category_name: node.name,
        attributes: [],
      };
    });
}
