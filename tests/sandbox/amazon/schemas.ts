/** Two whole product types as Product Type Definitions tells them: JSON Schema 2019-09 with Amazon's additions. */
type Schema = Record<string, unknown>;

const base = (title: string, properties: Schema, more: Schema = {}): Schema => ({
  title,
  type: 'array',
  minItems: 1,
  maxUniqueItems: 1,
  selectors: ['marketplace_id'],
  items: {
    type: 'object',
    required: Object.keys(properties),
    properties: { marketplace_id: { $ref: '#/$defs/marketplace_id' }, ...properties },
    additionalProperties: false,
  },
  editable: true,
  hidden: false,
  ...more,
});
const text = (title: string, maxLength = 100, more: Schema = {}): Schema =>
  base(
    title,
    { language_tag: { $ref: '#/$defs/language_tag' }, value: { title, type: 'string', maxLength } },
    { selectors: ['marketplace_id', 'language_tag'], ...more },
  );
const choice = (title: string, options: Record<string, string>): Schema =>
  base(title, { value: { title, type: 'string', enum: Object.keys(options), enumNames: Object.values(options) } });
const either = (title: string, options: Record<string, string>): Schema =>
  base(title, {
    value: {
      title,
      anyOf: [{ type: 'string' }, { type: 'string', enum: Object.keys(options), enumNames: Object.values(options) }],
    },
  });
const yes = (title: string): Schema =>
  base(title, { value: { title, type: 'boolean', enum: [false, true], enumNames: ['No', 'Sí'] } });
const units = { type: 'string', enum: ['centimeters', 'meters'], enumNames: ['Centímetros', 'Metros'] };
const measure = (title: string): Schema =>
  base(title, { value: { title, type: 'number', minimum: 0 }, unit: { title: 'Unidad', ...units } });
const side = (title: string): Schema => ({
  title,
  type: 'object',
  required: ['value', 'unit'],
  properties: { value: { title, type: 'number', minimum: 0 }, unit: { title: 'Unidad', ...units } },
});
const image = (title: string): Schema => base(title, { media_location: { type: 'string', format: 'uri' } });

const DEFS: Schema = {
  marketplace_id: { type: 'string', enum: ['A1AM78C64UM0Y8'] },
  language_tag: { type: 'string', enum: ['es_MX'], default: 'es_MX' },
};
const OFFER: Schema = {
  condition_type: choice('Condición', { new_new: 'Nuevo' }),
  purchasable_offer: { title: 'Oferta', type: 'array', items: { type: 'object' } },
  fulfillment_availability: { title: 'Disponibilidad', type: 'array', items: { type: 'object' } },
  merchant_suggested_asin: base('ASIN sugerido', { value: { type: 'string', maxLength: 10 } }),
};
const COMMON: Schema = {
  item_name: text('Título del producto', 200),
  brand: text('Marca', 100),
  manufacturer: text('Fabricante', 100),
  model_name: text('Nombre del modelo', 100),
  part_number: text('Número de pieza', 40),
  externally_assigned_product_identifier: base('Identificador externo', {
    type: { title: 'Tipo', type: 'string', enum: ['ean', 'gtin', 'upc'] },
    value: { title: 'Identificador', type: 'string', maxLength: 14 },
  }),
  supplier_declared_has_product_identifier_exemption: yes('No tiene código de barras'),
  product_description: text('Descripción', 2_000),
  bullet_point: text('Viñeta', 500, { maxUniqueItems: 5 }),
  country_of_origin: choice('País de origen', { CN: 'China', MX: 'México', US: 'Estados Unidos' }),
  main_product_image_locator: image('Imagen principal'),
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [`other_product_image_locator_${n + 1}`, image(`Imagen ${n + 2}`)]),
  ),
  ...OFFER,
};
const value = (attribute: string, constant: unknown): Schema => ({
  required: [attribute],
  properties: { [attribute]: { contains: { required: ['value'], properties: { value: { const: constant } } } } },
});
/** The condition of a product code: a code is required unless the listing says that the product has none. */
const CODE: Schema = {
  if: { not: value('supplier_declared_has_product_identifier_exemption', true) },
  then: { required: ['externally_assigned_product_identifier'] },
};
const schema = (title: string, properties: Schema, required: string[], allOf: Schema[]): Schema => ({
  $schema: 'https://schemas.amazon.com/selling-partners/definitions/product-types/meta-schema/v1',
  $id: `https://schemas.amazon.com/selling-partners/definitions/product-types/schema/v1/${title}`,
  title,
  type: 'object',
  $defs: DEFS,
  required,
  allOf,
  properties,
});

export type Condicion = (attributes: Record<string, { value?: unknown }[] | undefined>) => string[];
export type TipoDeProducto = {
  nombre: string;
  palabras: RegExp;
  schema: Schema;
  /** Returns the attributes that the conditions of the schema require of a listing. */
  requiredBy: Condicion;
};

const sinCodigo: Condicion = (attributes) =>
  attributes['supplier_declared_has_product_identifier_exemption']?.some(({ value: said }) => said === true)
    ? []
    : ['externally_assigned_product_identifier'];

export const TIPOS: Readonly<Record<string, TipoDeProducto>> = {
  SECURITY_CAMERA: {
    nombre: 'Cámara de seguridad',
    palabras: /c[aá]mara|camera|bala|domo/i,
    schema: schema(
      'SECURITY_CAMERA',
      {
        ...COMMON,
        connectivity_technology: choice('Conectividad', { wired: 'Con cable', wireless: 'Inalámbrica' }),
        wireless_communication_standard: choice('Estándar inalámbrico', {
          '802_11_N': '802.11n',
          '802_11_AC': '802.11ac',
        }),
        effective_still_resolution: base('Resolución', {
          value: { title: 'Resolución', type: 'number', minimum: 0 },
          unit: { title: 'Unidad', type: 'string', enum: ['megapixels'], enumNames: ['Megapixeles'] },
        }),
        item_dimensions: base('Dimensiones', {
          length: side('Largo'),
          width: side('Ancho'),
          height: side('Alto'),
        }),
        batteries_required: yes('Usa baterías'),
        battery: base('Batería', {
          cell_composition: { type: 'array', items: { type: 'object', properties: { value: { type: 'string' } } } },
          weight: { type: 'array', items: { type: 'object' } },
        }),
      },
      [
        'item_name',
        'brand',
        'condition_type',
        'connectivity_technology',
        'batteries_required',
        'country_of_origin',
        'main_product_image_locator',
        'product_description',
      ],
      [
        CODE,
        {
          if: value('connectivity_technology', 'wireless'),
          then: { required: ['wireless_communication_standard'] },
        },
        { if: value('batteries_required', true), then: { required: ['battery'] } },
      ],
    ),
    requiredBy: (attributes) => [
      ...sinCodigo(attributes),
      ...(attributes['connectivity_technology']?.[0]?.value === 'wireless' ? ['wireless_communication_standard'] : []),
      ...(attributes['batteries_required']?.[0]?.value === true ? ['battery'] : []),
    ],
  },
  CABLE_OR_ADAPTER: {
    nombre: 'Cable o adaptador',
    palabras: /cable|adaptador|conector/i,
    schema: schema(
      'CABLE_OR_ADAPTER',
      {
        ...COMMON,
        connector_type: either('Conector', { rj45: 'RJ45', hdmi: 'HDMI', usb_c: 'USB-C' }),
        item_length: measure('Longitud'),
        number_of_items: base('Número de piezas', { value: { title: 'Piezas', type: 'integer', minimum: 1 } }),
        color: text('Color', 50),
      },
      [
        'item_name',
        'brand',
        'condition_type',
        'connector_type',
        'item_length',
        'number_of_items',
        'main_product_image_locator',
      ],
      [CODE],
    ),
    requiredBy: sinCodigo,
  },
};

/** Attributes that an offer on an existing page requires. */
export const DE_OFERTA = ['condition_type', 'merchant_suggested_asin', 'purchasable_offer', 'fulfillment_availability'];
