import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Interruptores } from '../proveedores/taller';
import { json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { DAY, MARKETPLACE_ID, MINUTE, SECOND, SELLER_ID } from './constants';
import type { Catalog } from './catalog';
import type { Operation } from './rates';
import { DE_OFERTA, TIPOS } from './schemas';
import type { SWITCHES } from './switches';

export const REPORTS = '/amazon-reportes';
const TYPE = 'GET_MERCHANT_LISTINGS_ALL_DATA';
const ITEMS = '/listings/2021-08-01/items/';
const MAX_PAGE = 20;
/** What a search without identifiers can reach. */
const REACHABLE = 1_000;

export type Issue = {
  code: string;
  message: string;
  severity: 'ERROR' | 'WARNING' | 'INFO';
  attributeNames?: string[];
  categories: string[];
};
/** Amounts are centavos. */
export type Publicacion = {
  sku: string;
  asin: string;
  titulo: string;
  tipo: string;
  centavos: number | null;
  cantidad: number | null;
  canal: 'DEFAULT' | 'AMAZON_NA';
  creada: number;
  cambio: number;
  issues: Issue[];
  /** Other parts of its offer, which a whole replacement takes away. */
  oferta: Record<string, unknown>;
  /** Offers for others than everybody. */
  otrasOfertas: Record<string, unknown>[];
  /** Other parts of its availability. */
  entrega: Record<string, unknown>;
  /** It never shows what it takes in. */
  terca?: boolean;
  /** What was accepted and is not shown yet. */
  espera: Cambio[];
};
type Cambio = {
  en: number;
  centavos?: number;
  cantidad?: number;
  oferta?: Record<string, unknown>;
  otrasOfertas?: Record<string, unknown>[];
  entrega?: Record<string, unknown>;
};
export type Parches = { op?: string; path?: string; value?: Record<string, unknown>[] }[];
type Puesta = {
  productType: string;
  requirements?: string;
  attributes: Record<string, Record<string, unknown>[] | undefined>;
};
export type Recibida = { status: 'ACCEPTED' | 'INVALID'; issues: Issue[] };
type Reporte = { id: string; creado: number; documento: string; vacio: boolean };
export type ListingsState = { publicaciones: Publicacion[] };

type Options = {
  now(): number;
  interruptores: Interruptores<typeof SWITCHES>;
  baseUrl(): string;
  changed(): void;
  catalog: Catalog;
};

const no = (status: number, code: string, message: string) =>
  json(status, { errors: [{ code, message, details: '' }] });
const pesos = (centavos: number) => (centavos / 100).toFixed(2);
const at = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

const COLUMNS = [
  'item-name',
  'item-description',
  'listing-id',
  'seller-sku',
  'price',
  'quantity',
  'open-date',
  'image-url',
  'item-is-marketplace',
  'product-id-type',
  'zshop-shipping-fee',
  'item-note',
  'item-condition',
  'zshop-category1',
  'zshop-browse-path',
  'zshop-storefront-feature',
  'asin1',
  'asin2',
  'asin3',
  'will-ship-internationally',
  'expedited-shipping',
  'zshop-boldface',
  'product-id',
  'bid-for-featured-placement',
  'add-delete',
  'pending-quantity',
  'fulfillment-channel',
  'merchant-shipping-group',
  'status',
];

/** Listings of the seller: the report of all of them, Listings Items, and changes that show a while after they were accepted. */
export class Listings {
  readonly todas = new Map<string, Publicacion>();
  readonly patches: { sku: string; body: unknown; status: string }[] = [];
  /** Each value as it came to be shown. */
  readonly mostrados: { sku: string; centavos: number | null; cantidad: number | null }[] = [];
  readonly puestas: (Puesta & { sku: string; status: string })[] = [];
  #nuevas: { en: number; sku: string; given: Partial<Publicacion> }[] = [];
  readonly #reports = new Map<string, Reporte>();
  readonly #urls = new Map<string, { hasta: number; bytes: Buffer; charset: string | null }>();
  retrasos = { reporte: 20 * SECOND, cambio: 15 * SECOND };

  constructor(readonly options: Options) {}

  reset() {
    this.todas.clear();
    this.patches.length = 0;
    this.mostrados.length = 0;
    this.puestas.length = 0;
    this.#nuevas = [];
    this.#reports.clear();
    this.#urls.clear();
    this.retrasos = { reporte: 20 * SECOND, cambio: 15 * SECOND };
  }

  snapshot = (): ListingsState => ({ publicaciones: [...this.todas.values()] });
  restore({ publicaciones = [] }: Partial<ListingsState> = {}) {
    for (const one of publicaciones)
      this.todas.set(one.sku, { ...one, otrasOfertas: one.otrasOfertas ?? [], entrega: one.entrega ?? {} });
  }

  route(request: SandboxRequest): [Operation, () => SandboxResponse] | undefined {
    const { method, path } = request;
    if (path === '/reports/2021-06-30/reports' && method === 'POST')
      return ['createReport', () => this.#create(request)];
    const report = /^\/reports\/2021-06-30\/reports\/([^/]+)$/.exec(path)?.[1];
    if (report && method === 'GET') return ['getReport', () => this.#report(report)];
    const doc = /^\/reports\/2021-06-30\/documents\/([^/]+)$/.exec(path)?.[1];
    if (doc && method === 'GET') return ['getReportDocument', () => this.#document(decodeURIComponent(doc))];
    if (!path.startsWith(ITEMS)) return undefined;
    const [seller, sku, ...more] = path.slice(ITEMS.length).split('/');
    const forUs = (work: () => SandboxResponse) => () =>
      seller === SELLER_ID && more.length === 0
        ? request.url.searchParams.get('marketplaceIds') === MARKETPLACE_ID
          ? work()
          : no(400, 'BAD_REQUEST', 'marketplaceIds is required.')
        : no(403, 'Unauthorized', 'Access to requested resource is denied.');
    if (sku === undefined && method === 'GET') return ['searchListingsItems', forUs(() => this.#search(request))];
    if (!sku) return undefined;
    if (method === 'GET') return ['getListingsItem', forUs(() => this.#one(decodeURIComponent(sku), request))];
    if (method === 'PUT') return ['putListingsItem', forUs(() => this.#put(decodeURIComponent(sku), request))];
    if (method === 'PATCH') return ['patchListingsItem', forUs(() => this.#patch(decodeURIComponent(sku), request))];
    return undefined;
  }

  /** The signed address of a document, which takes no token and dies after five minutes. */
  download(request: SandboxRequest): SandboxResponse {
    const file = this.#urls.get(request.path.slice(1));
    if (request.method !== 'GET' || !file || file.hasta < this.options.now())
      return {
        status: 403,
        headers: { 'content-type': 'application/xml' },
        body: '<Error><Code>AccessDenied</Code></Error>',
      };
    const type = file.charset ? `text/plain;charset=${file.charset}` : 'text/plain';
    return { status: 200, headers: { 'content-type': type }, body: file.bytes };
  }

  #create(request: SandboxRequest): SandboxResponse {
    const { reportType, marketplaceIds } = (request.data() ?? {}) as {
      reportType?: string;
      marketplaceIds?: string[];
    };
    if (reportType !== TYPE || marketplaceIds?.[0] !== MARKETPLACE_ID)
      return no(400, '400', 'reportType or marketplaceIds is invalid.');
    const id = String(50_000_000_000 + this.#reports.size);
    const vacio = this.todas.size === 0 || this.options.interruptores.is('reporte', 'cancelado');
    this.#reports.set(id, {
      id,
      creado: this.options.now(),
      documento: `amzn1.spdoc.1.4.na.${randomUUID()}`,
      vacio,
    });
    return json(202, { reportId: id });
  }

  #report(id: string): SandboxResponse {
    const report = this.#reports.get(id);
    if (!report) return no(404, '404', 'The requested report was not found.');
    const { now, interruptores } = this.options;
    const ready = now() >= report.creado + this.retrasos.reporte;
    const status = !ready
      ? now() < report.creado + this.retrasos.reporte / 2
        ? 'IN_QUEUE'
        : 'IN_PROGRESS'
      : interruptores.is('reporte', 'fatal')
        ? 'FATAL'
        : report.vacio
          ? 'CANCELLED'
          : 'DONE';
    return json(200, {
      reportId: id,
      reportType: TYPE,
      marketplaceIds: [MARKETPLACE_ID],
      createdTime: at(report.creado),
      processingStatus: status,
      ...(status === 'DONE' && { reportDocumentId: report.documento }),
    });
  }

  #document(id: string): SandboxResponse {
    const report = [...this.#reports.values()].find(({ documento }) => documento === id);
    if (!report) return no(404, '404', 'The requested document was not found.');
    const { interruptores, now, baseUrl } = this.options;
    const lines = [
      COLUMNS.map((name, n) => (interruptores.is('encabezados', 'traducidos') ? `columna ${n + 1}` : name)),
      ...[...this.todas.values()].map((one) => this.#lineOf(one)),
    ];
    const text = lines.map((fields) => fields.join('\t')).join('\r\n');
    const latin = !interruptores.is('codificacion', 'utf8');
    const plain = Buffer.from(text, latin ? 'latin1' : 'utf8');
    const packed = interruptores.is('empaque', 'gzip');
    const place = randomUUID();
    this.#urls.set(place, {
      hasta: now() + 5 * MINUTE,
      bytes: packed ? gzipSync(plain) : plain,
      charset: interruptores.is('codificacion', 'latin1SinDecirlo') ? null : latin ? 'ISO-8859-1' : 'UTF-8',
    });
    return json(200, {
      reportDocumentId: id,
      url: `${baseUrl()}${REPORTS}/${place}`,
      ...(packed && { compressionAlgorithm: 'GZIP' }),
    });
  }

  #lineOf(one: Publicacion): string[] {
    const told: Record<string, string> = {
      'item-name': one.titulo,
      'listing-id': `1120X${one.asin.slice(-6)}`,
      'seller-sku': one.sku,
      price: one.centavos === null ? '' : pesos(one.centavos),
      quantity: one.canal === 'DEFAULT' ? String(one.cantidad ?? 0) : '',
      'open-date': at(one.creada),
      asin1: one.asin,
      'fulfillment-channel': one.canal,
      status: this.#shown(one).status.includes('BUYABLE') ? 'Active' : 'Inactive',
    };
    return COLUMNS.map((name) => told[name] ?? '');
  }

  /** A listing as it stands now: what was accepted long enough ago is part of it. */
  #shown(one: Publicacion) {
    const now = this.options.now();
    for (const change of one.espera.filter(({ en }) => en <= now)) {
      if (change.centavos !== undefined) one.centavos = change.centavos;
      if (change.cantidad !== undefined) one.cantidad = change.cantidad;
      if (change.oferta !== undefined) one.oferta = change.oferta;
      if (change.otrasOfertas !== undefined) one.otrasOfertas = change.otrasOfertas;
      if (change.entrega !== undefined) one.entrega = change.entrega;
      this.mostrados.push({ sku: one.sku, centavos: one.centavos, cantidad: one.cantidad });
      one.cambio = change.en;
      const wrong = change.centavos !== undefined && this.options.interruptores.is('precioRaro', 'seDetiene');
      one.issues = one.issues.filter(({ code }) => code !== '99300');
      if (wrong)
        one.issues.push({
          code: '99300',
          message: 'El precio está fuera del rango permitido y la oferta se desactivó.',
          severity: 'ERROR',
          attributeNames: ['purchasable_offer'],
          categories: ['INVALID_PRICE'],
        });
    }
    one.espera = one.espera.filter(({ en }) => en > now);
    const stands = (one.canal === 'AMAZON_NA' || (one.cantidad ?? 0) > 0) && one.centavos !== null;
    const held = one.issues.some(({ severity }) => severity === 'ERROR');
    return { one, status: held || !stands ? [] : ['BUYABLE', 'DISCOVERABLE'] };
  }

  #doc(publicacion: Publicacion, request: SandboxRequest) {
    const { one, status } = this.#shown(publicacion);
    const asked = new Set((request.url.searchParams.get('includedData') ?? 'summaries').split(','));
    return {
      sku: one.sku,
      ...(asked.has('summaries') && {
        summaries: [
          {
            marketplaceId: MARKETPLACE_ID,
            asin: one.asin,
            productType: one.tipo,
            conditionType: 'new_new',
            status,
            itemName: one.titulo,
            createdDate: at(one.creada),
            lastUpdatedDate: new Date(one.cambio).toISOString(),
          },
        ],
      }),
      ...(asked.has('issues') && { issues: one.issues }),
      ...(asked.has('offers') && {
        offers:
          one.centavos === null
            ? []
            : [
                {
                  marketplaceId: MARKETPLACE_ID,
                  offerType: 'B2C',
                  price: { currencyCode: 'MXN', amount: pesos(one.centavos) },
                },
              ],
      }),
      ...(asked.has('fulfillmentAvailability') && {
        fulfillmentAvailability: [
          { fulfillmentChannelCode: one.canal, ...(one.canal === 'DEFAULT' && { quantity: one.cantidad ?? 0 }) },
        ],
      }),
      ...(asked.has('attributes') && {
        attributes: {
          item_name: [{ value: one.titulo, language_tag: 'es_MX', marketplace_id: MARKETPLACE_ID }],
          ...(one.centavos !== null && { purchasable_offer: [offerOf(one), ...one.otrasOfertas] }),
          fulfillment_availability: [
            {
              fulfillment_channel_code: one.canal,
              ...(one.canal === 'DEFAULT' && { quantity: one.cantidad ?? 0, ...one.entrega }),
            },
          ],
        },
      }),
    };
  }

  #one(sku: string, request: SandboxRequest): SandboxResponse {
    const one = this.todas.get(sku);
    return one
      ? json(200, this.#doc(one, request))
      : no(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace ${MARKETPLACE_ID}`);
  }

  #search(request: SandboxRequest): SandboxResponse {
    const asked = request.url.searchParams;
    const size = Number(asked.get('pageSize') ?? 10);
    const identifiers = asked.get('identifiers')?.split(',');
    if (size > MAX_PAGE || (identifiers && (identifiers.length > MAX_PAGE || asked.get('identifiersType') !== 'SKU')))
      return no(400, 'BAD_REQUEST', 'Invalid search.');
    const since = Date.parse(asked.get('lastUpdatedAfter') ?? '') || 0;
    const found = (
      identifiers
        ? identifiers.flatMap((sku) => this.todas.get(sku) ?? [])
        : [...this.todas.values()].map((one) => this.#shown(one).one).filter(({ cambio }) => cambio > since)
    ).sort((a, b) => b.cambio - a.cambio);
    const from = Number(Buffer.from(asked.get('pageToken') ?? '', 'base64').toString()) || 0;
    const next = from + size;
    return json(200, {
      numberOfResults: found.length,
      pagination:
        next < Math.min(found.length, REACHABLE) ? { nextToken: Buffer.from(String(next)).toString('base64') } : {},
      items: found.slice(from, next).map((one) => this.#doc(one, request)),
    });
  }

  #patch(sku: string, request: SandboxRequest): SandboxResponse {
    const { productType, patches = [] } = (request.data() ?? {}) as { productType?: string; patches?: Parches };
    if (!productType || patches.length === 0) return no(400, 'BAD_REQUEST', 'productType and patches are required.');
    const odd = patches.find(({ op, path }) => op !== 'replace' || !PATCHABLE.has(path ?? ''));
    if (odd) return no(400, 'BAD_REQUEST', `Patch ${odd.op} ${odd.path} is invalid.`);
    const { interruptores } = this.options;
    if (!this.todas.has(sku) && !interruptores.is('skuDesconocido', 'seAcepta'))
      return interruptores.is('skuDesconocido', '400')
        ? no(400, 'BAD_REQUEST', `SKU '${sku}' is invalid.`)
        : no(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace ${MARKETPLACE_ID}`);
    const { status, issues } = this.change(sku, productType, patches);
    return json(200, { sku, status, submissionId: randomUUID().replaceAll('-', ''), issues });
  }

  /** Takes a change in, or tells what is wrong with it; what was taken in shows after a while. */
  change(sku: string, productType: string, patches: Parches): Recibida {
    const { interruptores, now } = this.options;
    const one = this.todas.get(sku);
    const issues: Issue[] = [];
    const wrong = (attribute: string, code: string, message: string, category: string) =>
      issues.push({ code, message, severity: 'ERROR', attributeNames: [attribute], categories: [category] });
    const change: Cambio = { en: now() + this.retrasos.cambio };
    if (one && productType !== one.tipo && !(productType === 'PRODUCT' && interruptores.is('tipoGenerico', 'acepta')))
      wrong('product_type', '90000900', 'El tipo de producto no es válido.', 'INVALID_ATTRIBUTE');
    for (const { path, value = [] } of patches) {
      if (path === OFFER_PATH) {
        const first = value.find(({ audience = 'ALL' }) => audience === 'ALL') ?? {};
        const price = (first as { our_price?: { schedule?: { value_with_tax?: unknown }[] }[] }).our_price?.[0]
          ?.schedule?.[0]?.value_with_tax;
        if (typeof price !== 'number' || price <= 0 || first['currency'] !== 'MXN')
          wrong('purchasable_offer', '90220', "Falta el atributo 'our_price'.", 'MISSING_ATTRIBUTE');
        else {
          change.centavos = Math.round(price * 100);
          change.oferta = Object.fromEntries(Object.entries(first).filter(([name]) => !OFFER.has(name)));
          change.otrasOfertas = value.filter((other) => other !== first);
        }
      } else {
        const [{ quantity, fulfillment_channel_code: channel, ...entrega } = {} as Record<string, unknown>] = value;
        if ((one && channel !== one.canal) || typeof quantity !== 'number' || quantity < 0)
          wrong('fulfillment_availability', '18155', 'La cantidad no es válida.', 'INVALID_ATTRIBUTE');
        else Object.assign(change, { cantidad: quantity, entrega });
      }
    }
    if (change.centavos !== undefined && interruptores.is('precioRaro', 'seRechaza'))
      wrong('purchasable_offer', '99300', 'El precio está fuera del rango permitido.', 'INVALID_PRICE');
    const status = issues.length > 0 ? 'INVALID' : 'ACCEPTED';
    this.patches.push({ sku, body: { productType, patches }, status });
    if (one && !one.terca && status === 'ACCEPTED' && interruptores.is('cambio', 'seVe')) {
      one.espera.push(change);
      this.options.changed();
    }
    return { status, issues };
  }

  /** A listing as a whole: looked at only, or taken in and there a while later. */
  #put(sku: string, request: SandboxRequest): SandboxResponse {
    const { productType, requirements, attributes } = (request.data() ?? {}) as Puesta;
    if (!productType || !attributes) return no(400, 'BAD_REQUEST', 'productType and attributes are required.');
    const { interruptores, now, catalog } = this.options;
    const issues = this.#wrongWith(sku, { productType, requirements, attributes });
    const preview = request.url.searchParams.get('mode') === 'VALIDATION_PREVIEW';
    const status = issues.length > 0 ? 'INVALID' : preview ? 'VALID' : 'ACCEPTED';
    if (!preview) this.puestas.push({ sku, status, productType, requirements, attributes });
    if (status === 'ACCEPTED' && !interruptores.is('alta', 'nunca')) {
      const asked = attributes['merchant_suggested_asin']?.[0]?.['value'];
      const titulo = String(
        attributes['item_name']?.[0]?.['value'] ?? catalog.fichas.get(String(asked))?.titulo ?? sku,
      );
      const asin = typeof asked === 'string' ? asked : `B0NUEVO${String(catalog.fichas.size).padStart(3, '0')}`;
      if (!catalog.fichas.has(asin)) {
        const marca = String(attributes['brand']?.[0]?.['value'] ?? '');
        catalog.fichas.set(asin, { asin, titulo, marca, tipo: productType, codigos: [] });
      }
      const offer = attributes['purchasable_offer']?.[0] as {
        our_price?: { schedule?: { value_with_tax?: number }[] }[];
      };
      const { quantity, fulfillment_channel_code: _, ...entrega } = attributes['fulfillment_availability']?.[0] ?? {};
      const espera = { en: now() + this.retrasos.cambio, sku };
      this.#nuevas.push({
        ...espera,
        given: {
          asin,
          titulo,
          tipo: productType,
          centavos: Math.round((offer.our_price?.[0]?.schedule?.[0]?.value_with_tax ?? 0) * 100),
          cantidad: Number(quantity ?? 0),
          entrega,
          issues: interruptores.is('alta', 'conProblema')
            ? [
                {
                  code: '18742',
                  message: 'La marca necesita autorización.',
                  severity: 'ERROR',
                  attributeNames: ['brand'],
                  categories: ['QUALIFICATION_REQUIRED'],
                },
              ]
            : [],
        },
      });
      this.options.changed();
    }
    return json(200, { sku, status, ...(!preview && { submissionId: randomUUID().replaceAll('-', '') }), issues });
  }

  #wrongWith(sku: string, { productType, requirements, attributes }: Puesta): Issue[] {
    const missing = (name: string): Issue => ({
      code: '90220',
      message: `Falta el atributo '${name}'.`,
      severity: 'ERROR',
      attributeNames: [name],
      categories: ['MISSING_ATTRIBUTE'],
    });
    const type = TIPOS[productType];
    const offerOnly = requirements === 'LISTING_OFFER_ONLY';
    const issues: Issue[] = [];
    const { interruptores, catalog } = this.options;
    const length = interruptores.is('largoDeSku', 'codificado') ? encodeURIComponent(sku).length : sku.length;
    if (length > 40)
      issues.push({ code: '18448', message: 'El SKU pasa de 40 letras.', severity: 'ERROR', categories: [] });
    if (!type && !(offerOnly && productType === 'PRODUCT'))
      return [
        ...issues,
        { ...missing('product_type'), code: '90000900', message: 'El tipo de producto no es válido.' },
      ];
    const asked = offerOnly
      ? DE_OFERTA
      : type
        ? [...(type.schema['required'] as string[]), ...type.condicion(attributes)]
        : [];
    for (const name of asked) if (!attributes[name]?.length) issues.push(missing(name));
    const asin = attributes['merchant_suggested_asin']?.[0]?.['value'];
    if (offerOnly && typeof asin === 'string' && !catalog.fichas.has(asin))
      issues.push({ ...missing('merchant_suggested_asin'), code: '18155', message: 'El ASIN no existe.' });
    const known = (type?.schema['properties'] ?? {}) as Record<
      string,
      { items?: { properties?: Record<string, { enum?: unknown[] }> } }
    >;
    for (const [name, values] of Object.entries(attributes)) {
      const allowed = known[name]?.items?.properties?.['value']?.enum;
      if (type && !(name in known))
        issues.push({ ...missing(name), code: '99022', message: `El atributo '${name}' no existe.` });
      else if (allowed && values?.some(({ value }) => !allowed.includes(value)))
        issues.push({
          ...missing(name),
          code: '18027',
          message: 'El valor no es de los que se admiten.',
          categories: ['INVALID_ATTRIBUTE'],
        });
    }
    return issues;
  }

  /** What was put long enough ago is there. */
  appear(): void {
    const now = this.options.now();
    for (const { sku, given } of this.#nuevas.filter(({ en }) => en <= now)) this.put(sku, given);
    this.#nuevas = this.#nuevas.filter(({ en }) => en > now);
  }

  /** One as a test or a person wants it. */
  put(sku: string, given: Partial<Publicacion> = {}): Publicacion {
    const now = this.options.now();
    const before = this.todas.get(sku);
    const n = this.todas.size;
    const one: Publicacion = {
      sku,
      asin: `B0DEMO${String(n).padStart(4, '0')}`,
      titulo: `Artículo ${n + 1} de muestra, 24" año ñ`,
      tipo: 'CAMERA_CONTINUOUS_LIGHT',
      centavos: 50_000 + n * 100,
      cantidad: 10,
      canal: 'DEFAULT',
      creada: now - 30 * DAY + n * SECOND,
      issues: [],
      oferta: {},
      otrasOfertas: [],
      entrega: { lead_time_to_ship_max_days: 3 },
      espera: [],
      ...before,
      ...given,
      cambio: now,
    };
    this.todas.set(sku, one);
    this.options.changed();
    return one;
  }

  readonly control: Record<string, Handler> = {
    'GET /publicaciones': () =>
      json(200, {
        publicaciones: [...this.todas.values()].map((one) => this.#shown(one).one),
        patches: this.patches,
        mostrados: this.mostrados,
        puestas: this.puestas,
      }),
    'GET /publicaciones/:sku': ({ params }) => {
      const one = this.todas.get(params['sku']!);
      return one ? json(200, this.#shown(one).one) : json(404, { error: 'not_found' });
    },
    /** So many listings, the first ones under the given skus. */
    'POST /publicaciones': (request) => {
      const { cantidad = 0, skus = [] } = (request.data() ?? {}) as { cantidad?: number; skus?: string[] };
      this.todas.clear();
      for (let n = 0; n < Number(cantidad); n++) this.put(skus[n] ?? `SUELTO-${String(n).padStart(5, '0')}`);
      return json(200, { publicaciones: this.todas.size });
    },
    'POST /publicaciones/:sku': (request) =>
      json(200, this.put(request.params['sku']!, (request.data() ?? {}) as Partial<Publicacion>)),
    'POST /publicaciones/:sku/quita': ({ params }) => json(200, { quitada: this.todas.delete(params['sku']!) }),
    /** Milliseconds until a report is made, and until an accepted change shows. */
    'POST /demoras': (request) => json(200, Object.assign(this.retrasos, request.data())),
  };
}

const OFFER_PATH = '/attributes/purchasable_offer';
const PATCHABLE = new Set([OFFER_PATH, '/attributes/fulfillment_availability']);
const OFFER = new Set(['marketplace_id', 'currency', 'audience', 'our_price']);
const offerOf = ({ centavos, oferta }: Publicacion) => ({
  marketplace_id: MARKETPLACE_ID,
  currency: 'MXN',
  audience: 'ALL',
  our_price: [{ schedule: [{ value_with_tax: (centavos ?? 0) / 100 }] }],
  ...oferta,
});
