import { randomUUID } from 'node:crypto';
import { bodyOf, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { denied, inMexico, no, pesos, zulu, type Operations, type World } from './answers';
import type { Catalog } from './catalog';
import { DAY, MARKETPLACE_ID, SECOND, SELLER_ID } from './constants';
import { OFRECIDOS } from './ventas';
import {
  problemsOf,
  type Cambio,
  type Issue,
  type Parches,
  type Publicacion,
  type Puesta,
  type Recibida,
} from './publicacion';

const ITEMS = '/listings/2021-08-01/items/:seller';
const MAX_PAGE = 20;
/** Rows that a search without identifiers can reach. */
const REACHABLE = 1_000;

export type ListingsState = { publicaciones: Publicacion[] };

/** Listings Items 2021-08-01. An accepted change shows a while later. */
export class Listings {
  readonly todas = new Map<string, Publicacion>();
  readonly patches: { sku: string; body: unknown; status: string }[] = [];
  /** Prices and quantities in the order in which they came to be shown. */
  readonly mostrados: { sku: string; centavos: number | null; cantidad: number | null }[] = [];
  readonly puestas: (Puesta & { sku: string; status: string })[] = [];
  #nuevas: { en: number; sku: string; given: Partial<Publicacion> }[] = [];
  retrasos = { reporte: 20 * SECOND, cambio: 15 * SECOND };

  constructor(readonly options: Pick<World, 'now' | 'interruptores' | 'changed'> & { catalog: Catalog }) {}

  reset() {
    this.todas.clear();
    this.patches.length = 0;
    this.mostrados.length = 0;
    this.puestas.length = 0;
    this.#nuevas = [];
    this.retrasos = { reporte: 20 * SECOND, cambio: 15 * SECOND };
  }

  snapshot = (): ListingsState => ({ publicaciones: [...this.todas.values()] });
  restore({ publicaciones = [] }: Partial<ListingsState> = {}) {
    for (const one of publicaciones)
      this.todas.set(one.sku, { ...one, otrasOfertas: one.otrasOfertas ?? [], entrega: one.entrega ?? {} });
  }

  get operations(): Operations {
    const ours = (work: (sku: string, request: SandboxRequest) => SandboxResponse) => (request: SandboxRequest) => {
      if (request.params.seller !== SELLER_ID) return denied();
      return inMexico(request)
        ? work(request.params.sku!, request)
        : no(400, 'BAD_REQUEST', 'marketplaceIds is required.');
    };
    return {
      [`GET ${ITEMS}`]: ['searchListingsItems', ours((_, request) => this.#search(request))],
      [`GET ${ITEMS}/:sku`]: ['getListingsItem', ours((sku, request) => this.#one(sku, request))],
      [`PUT ${ITEMS}/:sku`]: ['putListingsItem', ours((sku, request) => this.#put(sku, request))],
      [`PATCH ${ITEMS}/:sku`]: ['patchListingsItem', ours((sku, request) => this.#patch(sku, request))],
    };
  }

  /** A listing at present, with the changes that were accepted long enough ago. */
  shown(one: Publicacion) {
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
    const { one, status } = this.shown(publicacion);
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
            createdDate: zulu(one.creada),
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
        : [...this.todas.values()].map((one) => this.shown(one).one).filter(({ cambio }) => cambio > since)
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
    const { productType, patches = [] } = bodyOf(request) as { productType?: string; patches?: Parches };
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

  /** Accepts a change, which shows after a while, or returns its problems. */
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

  /** Puts a whole listing. In preview it is only checked; an accepted one appears a while later. */
  #put(sku: string, request: SandboxRequest): SandboxResponse {
    const { productType, requirements, attributes } = bodyOf(request) as Puesta;
    if (!productType || !attributes) return no(400, 'BAD_REQUEST', 'productType and attributes are required.');
    const { interruptores, now, catalog } = this.options;
    const issues = problemsOf(sku, { productType, requirements, attributes }, this.options);
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

  /** Makes the listings appear that were put long enough ago. */
  appear(): void {
    const now = this.options.now();
    for (const { sku, given } of this.#nuevas.filter(({ en }) => en <= now)) this.put(sku, given);
    this.#nuevas = this.#nuevas.filter(({ en }) => en > now);
  }

  /** Puts the articles of the shop on sale. */
  seed() {
    for (const [at, [asin, sku, titulo, centavos]] of OFRECIDOS.entries())
      this.put(sku, {
        asin,
        titulo,
        centavos,
        cantidad: 2 + (at % 9),
        ...(at % 3 !== 2 && { rivales: [Math.round(centavos * (at % 3 === 0 ? 0.95 : 1.07))] }),
      });
  }

  /** Makes or changes a listing as a test wants it, at once. */
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
        publicaciones: [...this.todas.values()].map((one) => this.shown(one).one),
        patches: this.patches,
        mostrados: this.mostrados,
        puestas: this.puestas,
      }),
    'GET /publicaciones/:sku': ({ params }) => {
      const one = this.todas.get(params['sku']!);
      return one ? json(200, this.shown(one).one) : json(404, { error: 'not_found' });
    },
    /** Replaces all listings by `cantidad` new ones. The first ones have the given skus. */
    'POST /publicaciones': (request) => {
      const { cantidad = 0, skus = [] } = bodyOf(request) as { cantidad?: number; skus?: string[] };
      this.todas.clear();
      for (let n = 0; n < Number(cantidad); n++) this.put(skus[n] ?? `SUELTO-${String(n).padStart(5, '0')}`);
      return json(200, { publicaciones: this.todas.size });
    },
    'POST /publicaciones/:sku': (request) =>
      json(200, this.put(request.params['sku']!, bodyOf(request) as Partial<Publicacion>)),
    'POST /publicaciones/:sku/quita': ({ params }) => json(200, { quitada: this.todas.delete(params['sku']!) }),
    /** Sets the milliseconds until a report is made, and until an accepted change shows. */
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
