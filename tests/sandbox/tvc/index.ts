/** TVC: a key made by hand that ends after a year, and a catalogue in pages. It takes no orders. */
import { centavos, dolares, existencia, pieza, PRODUCTOS, vende } from '../proveedores/catalogo';
import { Cuenta, type Ejemplo, Interruptores, mayorista, Reloj } from '../proveedores/taller';
import {
  bearerOf,
  html,
  json,
  type SandboxRequest,
  type SandboxResponse,
  type Service,
  type ServiceOptions,
} from '../service';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A key that ends then, in seconds. */
const ficha = (exp: number) => [part({ alg: 'HS256', typ: 'JWT' }), part({ sub: 'demo', exp }), 'sandbox'].join('.');

/** Its end is far off, so that a demo lives long. */
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

export type TvcOptions = ServiceOptions & { productos?: number };

export function createTvc({ store, productos = PRODUCTOS }: TvcOptions): Service {
  const reloj = new Reloj();
  const interruptores = new Interruptores(SWITCHES);
  const cuenta = new Cuenta(LLAVES);
  let vueltas = 0;

  const ids = Array.from({ length: productos }, (_, n) => n).filter((n) => vende(n, 'tvc'));
  const known = new Map(ids.map((n) => [String(7_000 + n), n]));

  const claseOf = (n: number) =>
    n % 50 === 10
      ? 'proyecto'
      : n % 50 === 11
        ? 'guion'
        : n % 50 === 20
          ? 'sinPrecio'
          : n % 50 === 21
            ? 'cero'
            : n % 50 === 30
              ? 'sinExistencia'
              : 'normal';

  const precioOf = (n: number) => dolares(centavos(n, 'tvc'), 18.47);
  function wirePrice(n: number): unknown {
    const clase = claseOf(n);
    if (clase === 'proyecto' || clase === 'guion') return '-';
    if (clase === 'sinPrecio') return null;
    const price = clase === 'cero' ? '0.0000' : precioOf(n);
    return interruptores.is('precio', 'texto') ? price : Number(price);
  }

  const hay = (n: number) =>
    ALMACENES.map((one) => ({
      ...one,
      cantidad: claseOf(n) === 'proyecto' ? 0 : existencia(n, 'tvc', String(one.warehouse_id)),
    }));
  const totalOf = (n: number) => hay(n).reduce((sum, { cantidad }) => sum + cantidad, 0);

  function docOf(n: number, q: URLSearchParams) {
    const { marca, modelo, nombre, sat } = pieza(n);
    // Old scripts send a flag without its value.
    const on = (name: string) => q.has(name) && q.get(name) !== 'false';
    const inventory = q.get('withInventory');
    const told = claseOf(n) !== 'sinExistencia';
    const prefix = interruptores.is('medios', 'absolutos') ? 'https://cdn.tvc.mx' : '';
    const price = wirePrice(n);
    return {
      tvc_id: 7_000 + n,
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
        applicable_discounts: interruptores.is('listas', 'lista') ? [] : {},
        volume_product_discount_options: [{ quantity: 10, currency: 'USD', price: precioOf(n) }],
      }),
      ...(inventory !== null &&
        told &&
        interruptores.is('total', 'viene') && {
          total_inventories: String(totalOf(n)),
        }),
      ...(inventory === 'detailed' &&
        told && {
          inventory_detailed: hay(n).map(({ cantidad, ...one }) => ({ ...one, quantity: String(cantidad) })),
        }),
      ...(on('withMedia') && {
        media: { main_image: n % 5 ? `${prefix}/media/${n}/demo.png` : null, gallery: [], documents: [], videos: [] },
      }),
      ...(on('withWeightsAndDimensions') && {
        weights_and_dimensions: { pieces_per_box: 10, piece_height: '11.0', piece_weight: '0.6' },
      }),
    };
  }

  function isOurs(token: string | undefined): boolean {
    const [, payload = ''] = token?.split('.') ?? [];
    const exp = /"exp":(\d+)/.exec(Buffer.from(payload, 'base64url').toString('utf8'))?.[1];
    return !cuenta.cerrada && exp !== undefined && ficha(Number(exp)) === token && Number(exp) * 1000 > reloj.now();
  }

  const no = (status: number, message: string) =>
    interruptores.is('error', 'html')
      ? html(status, `<html><body><h1>${message}</h1></body></html>`)
      : json(status, { message });

  function handle(request: SandboxRequest): SandboxResponse {
    const { method, path, url } = request;
    if (!isOurs(bearerOf(request))) return no(interruptores.is('vencida', '401') ? 401 : 403, 'Unauthenticated.');
    if (method === 'GET' && path === '/products') return products(url.searchParams);
    if (method === 'GET' && path === '/exchange-rates') return rate();
    return no(404, 'No query results');
  }

  function rate(): SandboxResponse {
    if (interruptores.is('tipoCambio', 'numero')) return json(200, 18.47);
    return json(200, interruptores.is('tipoCambio', 'texto') ? '18.47' : { rate: 18.47 });
  }

  function products(q: URLSearchParams): SandboxResponse {
    const perPage = Math.min(MAX_POR_PAGINA, Math.max(1, Number(q.get('perPage') ?? 100)));
    const page = Math.max(1, Number(q.get('page') ?? 1));
    const asked = q.getAll('tvcIds[]');
    const found = asked.length > 0 ? asked.flatMap((id) => known.get(id) ?? []) : [...ids];
    if (asked.length > 0 && found.length === 0 && interruptores.is('noHay', '404')) return no(404, 'No query results');
    // Between two pages one more may come to the front, so that the last of a page is the first of the next.
    if (interruptores.is('paginas', 'seMueven')) found.unshift(...found.splice(-(vueltas++ % 3)));
    const last = Math.max(1, Math.ceil(found.length / perPage));
    const link = (to: number) => `https://api.tvc.mx/products?page=${to}`;
    return json(200, {
      data: found.slice((page - 1) * perPage, page * perPage).map((n) => docOf(n, q)),
      links: {
        first: link(1),
        last: link(last),
        prev: page > 1 ? link(page - 1) : null,
        next: page < last ? link(page + 1) : null,
      },
      meta: { current_page: page, last_page: last, per_page: perPage, total: found.length },
    });
  }

  const ejemplo = (n: number): Ejemplo => {
    const sinPrecio = ['proyecto', 'guion', 'sinPrecio', 'cero'].includes(claseOf(n));
    return {
      id: String(7_000 + n),
      precio: sinPrecio ? null : precioOf(n),
      moneda: sinPrecio ? null : 'USD',
      existencia: claseOf(n) === 'sinExistencia' ? null : totalOf(n),
      texto: pieza(n).modelo,
    };
  };

  return {
    name: 'tvc',
    title: 'TVC',
    about: 'El mayorista que solo dice su catálogo: se le compra por correo.',
    prefixes: ['/tvc'],
    faultRoute: 'GET /products',
    handle,
    refusal: (fault) => no(422, String(fault.message ?? 'The given data was invalid.')),
    ...mayorista({
      store,
      reloj,
      interruptores,
      cuenta,
      ids,
      claseOf,
      ejemplo,
      alEmpezar: () => (vueltas = 0),
      puertas: {
        /** A key as its customer makes one, which ends in so many seconds. */
        'POST /ficha': (request) => {
          const { segundos } = (request.data() ?? {}) as { segundos?: unknown };
          return json(200, { token: ficha(Math.floor(reloj.now() / 1000) + (Number(segundos) || 0)) });
        },
      },
    }),
  };
}
