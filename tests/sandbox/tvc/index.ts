/** The impostor of TVC: a key that the customer makes and that ends, and a catalogue in pages. TVC takes no orders here. */
import { centavos, claveOf, dolares, existencia, pieza } from '../world/catalogo';
import { openMayorista, type MayoristaOptions } from '../proveedores/mayorista';
import { fotoEn } from '../imagenes';
import { pageOf } from '../proveedores/taller';
import { routed } from '../routes';
import { bearerOf, bodyOf, html, json, type SandboxRequest, type SandboxResponse, type Service } from '../service';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A key that ends at this second. */
const ficha = (exp: number) => [part({ alg: 'HS256', typ: 'JWT' }), part({ sub: 'demo', exp }), 'sandbox'].join('.');

/** The key of the demo. Its end is far off, so that a demo lives long. */
export const LLAVES = { token: ficha(4_102_444_800) };

const SWITCHES = {
  precio: ['numero', 'texto'],
  tipoCambio: ['numero', 'texto', 'objeto'],
  vencida: ['401', '403'],
  noHay: ['vacio', '404'],
  paginas: ['fijas', 'seMueven'],
  total: ['viene', 'falta'],
  listas: ['lista', 'objeto'],
  medios: ['absolutos', 'relativos'],
  error: ['json', 'html'],
} as const;

const ALMACENES = [
  { warehouse_id: 1, name: 'Mexico' },
  { warehouse_id: 4, name: 'Monterrey' },
];
const MAX_POR_PAGINA = 1_000;

export function createTvc(options: MayoristaOptions): Service {
  const { reloj, cuenta, ids, claseOf, is, numberOf, service } = openMayorista(options, {
    name: 'tvc',
    llaves: LLAVES,
    switches: SWITCHES,
    clases: { 10: 'proyecto', 11: 'guion', 20: 'sinPrecio', 21: 'cero', 30: 'sinExistencia' },
  });
  /** Pages answered so far. Under the switch `paginas` each of them moves the next. */
  let turns = 0;

  const precioOf = (n: number) => dolares(centavos(n, 'tvc'), 18.47);
  function wirePrice(n: number): unknown {
    const clase = claseOf(n);
    if (clase === 'proyecto' || clase === 'guion') return '-';
    if (clase === 'sinPrecio') return null;
    const price = clase === 'cero' ? '0.0000' : precioOf(n);
    return is('precio', 'texto') ? price : Number(price);
  }

  const stockOf = (n: number) =>
    ALMACENES.map((one) => ({
      ...one,
      cantidad: claseOf(n) === 'proyecto' ? 0 : existencia(n, 'tvc', String(one.warehouse_id)),
    }));
  const totalOf = (n: number) => stockOf(n).reduce((sum, { cantidad }) => sum + cantidad, 0);

  const fotoOf = (path: string) =>
    is('medios', 'absolutos') ? fotoEn(options.baseUrl(), `https://cdn.tvc.mx${path}`) : path;

  function docOf(n: number, q: URLSearchParams) {
    const { marca, modelo, nombre, sat, gramos } = pieza(n);
    // Old scripts send a flag without a value.
    const on = (name: string) => q.has(name) && q.get(name) !== 'false';
    const inventory = q.get('withInventory');
    const told = claseOf(n) !== 'sinExistencia';
    const price = wirePrice(n);
    return {
      tvc_id: Number(claveOf('tvc', n)),
      tvc_model: `${marca.slice(0, 3)} ${10_000 + n}`,
      provider_model: modelo,
      name: nombre,
      type: 'product',
      brand: marca,
      brand_id: n % 10,
      category: 'Soportes',
      sat_key: sat,
      product_flow_type: claseOf(n) === 'proyecto' ? 'Proyecto' : 'Valor',
      stage_id: 3,
      stage_name: 'Activo',
      ...(on('withPrice') && {
        list_price: price === '-' ? '-' : `${precioOf(n)}00`,
        distributor_price: price,
        applicable_discounts: is('listas', 'lista') ? [] : {},
        volume_product_discount_options: [{ quantity: 10, currency: 'USD', price: precioOf(n) }],
      }),
      ...(inventory !== null &&
        told &&
        is('total', 'viene') && {
          total_inventories: String(totalOf(n)),
        }),
      ...(inventory === 'detailed' &&
        told && {
          inventory_detailed: stockOf(n).map(({ cantidad, ...one }) => ({ ...one, quantity: String(cantidad) })),
        }),
      ...(on('withMedia') && {
        media: { main_image: n % 5 ? fotoOf(`/media/${n}/demo.png`) : null, gallery: [], documents: [], videos: [] },
      }),
      ...(on('withWeightsAndDimensions') && {
        weights_and_dimensions: { pieces_per_box: 10, piece_height: '11.0', piece_weight: String(gramos / 1_000) },
      }),
    };
  }

  function isOurs(token: string | undefined): boolean {
    const [, payload = ''] = token?.split('.') ?? [];
    const exp = /"exp":(\d+)/.exec(Buffer.from(payload, 'base64url').toString('utf8'))?.[1];
    return !cuenta.cerrada && exp !== undefined && ficha(Number(exp)) === token && Number(exp) * 1000 > reloj.now();
  }

  const no = (status: number, message: string) =>
    is('error', 'html') ? html(status, `<html><body><h1>${message}</h1></body></html>`) : json(status, { message });

  const behindKey = routed({ 'GET /products': products, 'GET /exchange-rates': rate }, () =>
    no(404, 'No query results'),
  );

  function handle(request: SandboxRequest) {
    return isOurs(bearerOf(request)) ? behindKey(request) : no(is('vencida', '401') ? 401 : 403, 'Unauthenticated.');
  }

  function rate(): SandboxResponse {
    if (is('tipoCambio', 'numero')) return json(200, 18.47);
    return json(200, is('tipoCambio', 'texto') ? '18.47' : { rate: 18.47 });
  }

  function products({ url: { searchParams: q } }: SandboxRequest): SandboxResponse {
    const perPage = Math.min(MAX_POR_PAGINA, Math.max(1, Number(q.get('perPage') ?? 100)));
    const asked = q.getAll('tvcIds[]');
    const found = asked.length > 0 ? asked.flatMap((id) => numberOf(id) ?? []) : [...ids];
    if (asked.length > 0 && found.length === 0 && is('noHay', '404')) return no(404, 'No query results');
    // A piece may come to the front between two pages, so that the last of a page is the first of the next.
    if (is('paginas', 'seMueven')) found.unshift(...found.splice(-(turns++ % 3)));
    const { page, slice, last: pages } = pageOf(found, q.get('page'), perPage);
    const last = Math.max(1, pages);
    const link = (to: number) => `https://api.tvc.mx/products?page=${to}`;
    return json(200, {
      data: slice.map((n) => docOf(n, q)),
      links: {
        first: link(1),
        last: link(last),
        prev: page > 1 ? link(page - 1) : null,
        next: page < last ? link(page + 1) : null,
      },
      meta: { current_page: page, last_page: last, per_page: perPage, total: found.length },
    });
  }

  return service({
    title: 'TVC',
    about: 'El mayorista que solo dice su catálogo: se le compra por correo.',
    prefixes: ['/tvc'],
    faultRoute: 'GET /products',
    handle,
    refuse: (text) => no(422, text),
    usualNo: 'The given data was invalid.',
    sinPrecio: ['proyecto', 'guion', 'sinPrecio', 'cero'],
    precioOf,
    porDolar: 18.47,
    monedaOf: () => 'USD',
    existenciaOf: (n) => (claseOf(n) === 'sinExistencia' ? null : totalOf(n)),
    reset: () => (turns = 0),
    puertas: {
      /** A key as its customer makes one, which ends in so many seconds. */
      'POST /ficha': (request) =>
        json(200, { token: ficha(Math.floor(reloj.now() / 1000) + (Number(bodyOf(request).segundos) || 0)) }),
    },
  });
}
