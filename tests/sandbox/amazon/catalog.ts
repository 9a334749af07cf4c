import { createHash } from 'node:crypto';
import { json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { inMexico, invalid, no, type Operations, type World } from './answers';
import { MARKETPLACE_ID } from './constants';
import { DE_OFERTA, TIPOS } from './schemas';
import { SignedFiles } from './signedFiles';

export const SCHEMAS = '/amazon-esquemas';
const ITEMS = '/catalog/2022-04-01/items';
const TYPES = '/definitions/2020-09-01/productTypes';

/** A page of the catalogue. */
export type Ficha = { asin: string; titulo: string; marca: string; tipo: string; codigos: string[] };

const SEMBRADAS: readonly Ficha[] = [
  {
    asin: 'B0FICHA001',
    titulo: 'Cámara bala 1080p con lente de 2.8 mm',
    marca: 'Hikvision',
    tipo: 'SECURITY_CAMERA',
    codigos: ['6941264000013'],
  },
  {
    asin: 'B0FICHA002',
    titulo: 'Cable de red cat. 6, 3 m',
    marca: 'Linkedpro',
    tipo: 'CABLE_OR_ADAPTER',
    codigos: ['7501234567893'],
  },
];

/** Amazon's catalogue and its product types. */
export class Catalog {
  readonly fichas = new Map<string, Ficha>();

  readonly files: SignedFiles;

  constructor(readonly options: Pick<World, 'now' | 'baseUrl'>) {
    this.files = new SignedFiles(options.now);
    this.reset();
  }

  reset() {
    this.files.reset();
    this.fichas.clear();
    for (const one of SEMBRADAS) this.fichas.set(one.asin, one);
  }

  get operations(): Operations {
    const asked = (work: (request: SandboxRequest) => SandboxResponse) => (request: SandboxRequest) =>
      inMexico(request) ? work(request) : invalid('marketplaceIds is required.');
    return {
      [`GET ${ITEMS}`]: ['searchCatalogItems', asked((request) => this.#search(request))],
      [`GET ${ITEMS}/*`]: ['getCatalogItem', asked(({ params }) => this.#one(decodeURIComponent(params.rest!)))],
      [`GET ${TYPES}`]: ['searchDefinitionsProductTypes', asked((request) => this.#types(request))],
      [`GET ${TYPES}/*`]: ['getDefinitionsProductType', asked((request) => this.#type(request.params.rest!, request))],
    };
  }

  readonly #told = ({ asin, titulo, marca, tipo }: Ficha) => ({
    asin,
    summaries: [{ marketplaceId: MARKETPLACE_ID, itemName: titulo, brand: marca, itemClassification: 'BASE_PRODUCT' }],
    productTypes: [{ marketplaceId: MARKETPLACE_ID, productType: tipo }],
  });

  #search(request: SandboxRequest): SandboxResponse {
    const asked = request.url.searchParams;
    const identifiers = asked.get('identifiers')?.split(',');
    const keywords = asked.get('keywords')?.split(',');
    if ((!identifiers && !keywords) || (identifiers && (identifiers.length > 20 || !asked.get('identifiersType'))))
      return invalid('identifiers or keywords are required.');
    const words = (keywords ?? []).map((word) => word.toLowerCase());
    const found = [...this.fichas.values()].filter(({ codigos, titulo }) =>
      identifiers
        ? codigos.some((code) => identifiers.includes(code))
        : words.filter((word) => titulo.toLowerCase().includes(word)).length >= Math.min(2, words.length),
    );
    return json(200, { numberOfResults: found.length, pagination: {}, items: found.slice(0, 20).map(this.#told) });
  }

  #one(asin: string): SandboxResponse {
    const ficha = this.fichas.get(asin);
    return ficha ? json(200, this.#told(ficha)) : no(404, 'NOT_FOUND', `Requested item '${asin}' not found.`);
  }

  #types(request: SandboxRequest): SandboxResponse {
    const asked = request.url.searchParams;
    const words = asked.get('itemName') ?? asked.get('keywords');
    return json(200, {
      productTypes: Object.entries(TIPOS)
        .filter(([, { palabras }]) => words === null || palabras.test(words))
        .map(([name, { nombre }]) => ({ name, displayName: nombre, marketplaceIds: [MARKETPLACE_ID] })),
      productTypeVersion: 'U1',
    });
  }

  #type(name: string, request: SandboxRequest): SandboxResponse {
    const type = TIPOS[name];
    if (!type) return no(404, 'NOT_FOUND', `Product type '${name}' not found.`);
    const requirements = request.url.searchParams.get('requirements') ?? 'LISTING';
    const told =
      requirements === 'LISTING_OFFER_ONLY' ? { ...type.schema, required: DE_OFERTA, allOf: [] } : type.schema;
    const text = JSON.stringify(told);
    const place = `${name}-${requirements}.json`;
    this.files.put(place, 'application/json', text);
    return json(200, {
      schema: {
        link: { resource: `${this.options.baseUrl()}${SCHEMAS}/${place}`, verb: 'GET' },
        checksum: createHash('md5').update(text).digest('base64'),
      },
      requirements,
      requirementsEnforced: 'ENFORCED',
      propertyGroups: {},
      locale: 'es_MX',
      marketplaceIds: [MARKETPLACE_ID],
      productType: name,
      displayName: type.nombre,
      productTypeVersion: { version: 'U1', latest: true },
    });
  }

  readonly control: Record<string, Handler> = {
    'GET /fichas': () => json(200, [...this.fichas.values()]),
    'POST /fichas': (request) => {
      const ficha = request.data() as Ficha;
      this.fichas.set(ficha.asin, ficha);
      return json(200, ficha);
    },
  };
}
