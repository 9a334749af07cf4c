/** TecnoSinergia: every answer in one envelope, and the whole catalogue in one answer. It takes no orders here: nobody knows how it does. */
import { centavos, dolares, existencia, pieza, PRODUCTOS, vende } from '../proveedores/catalogo';
import { Cuenta, type Ejemplo, Interruptores, mayorista, Reloj } from '../proveedores/taller';
import { json, type SandboxRequest, type SandboxResponse, type Service, type ServiceOptions } from '../service';

export const LLAVES = { token: 'sandbox-ts-token-1' };

const SWITCHES = {
  llaveMala: ['401', '200'],
  noHay: ['vacio', 'nulo', 'estatusFalso'],
  numeros: ['numero', 'texto'],
  textos: ['limpios', 'conEntidades'],
  codificacion: ['utf8', 'latin1', 'bom'],
  sinVenta: ['cero', 'ausente'],
} as const;

const ALMACENES = ['CDMX', 'GDL', 'MER', 'MTY', 'PUE', 'QUE', 'VER'];

export type TsOptions = ServiceOptions & { productos?: number };

export function createTs({ store, productos = PRODUCTOS }: TsOptions): Service {
  const reloj = new Reloj();
  const interruptores = new Interruptores(SWITCHES);
  const cuenta = new Cuenta(LLAVES);

  const ids = Array.from({ length: productos }, (_, n) => n).filter((n) => vende(n, 'ts'));
  const known = new Map(ids.map((n) => [String(20_000 + n), n]));

  const claseOf = (n: number) =>
    n % 50 === 10
      ? 'dolares'
      : n % 50 === 11
        ? 'sinVenta'
        : n % 50 === 20
          ? 'moneda'
          : n % 50 === 21
            ? 'descontinuado'
            : n % 50 === 30
              ? 'apartado'
              : n % 50 === 31
                ? 'sinExistencia'
                : 'normal';
  const monedaOf = (n: number) => (claseOf(n) === 'moneda' ? 'EUR' : claseOf(n) === 'dolares' ? 'USD' : 'MXN');
  const precioOf = (n: number) => {
    const cents = centavos(n, 'ts');
    return monedaOf(n) === 'USD' ? dolares(cents, 18.5) : (cents / 100).toFixed(2);
  };
  const hay = (n: number) => ALMACENES.map((almacen) => ({ almacen, cantidad: existencia(n, 'ts', almacen) }));
  const totalOf = (n: number) => hay(n).reduce((sum, { cantidad }) => sum + cantidad, 0);
  const libresOf = (n: number) => Math.max(0, totalOf(n) - (claseOf(n) === 'apartado' ? 2 : 0));

  const number = (value: number) => (interruptores.is('numeros', 'texto') ? String(value) : value);
  const words = (text: string) =>
    interruptores.is('textos', 'limpios') ? text : `${text.replaceAll('á', '&aacute;').replaceAll('é', '&eacute;')} `;

  function docOf(n: number) {
    const { marca, modelo, nombre, sat } = pieza(n);
    const clase = claseOf(n);
    const sale = clase === 'sinVenta' ? 0 : Number(precioOf(n));
    const stock = Object.fromEntries(hay(n).map(({ almacen, cantidad }) => [`stock_${almacen}`, number(cantidad)]));
    return {
      item_id: 20_000 + n,
      code: String(20_000 + n),
      sku: modelo,
      name: words(nombre),
      description: 'Descripción larga',
      active: clase !== 'descontinuado',
      status: clase === 'descontinuado' ? 'DESCONTINUADO' : n % 4 ? 'DE LINEA' : 'ULTIMAS PIEZAS',
      type: 1,
      brand: words(marca),
      category: words('Energía'),
      line: 'A ',
      currency: monedaOf(n),
      regular_price: number(Number((centavos(n, 'ts') / 80).toFixed(2))),
      regular_price_USD: number(Number(dolares(centavos(n, 'ts'), 18.5))),
      ...(sale === 0 && interruptores.is('sinVenta', 'ausente') ? {} : { sale_price: number(sale) }),
      sat_code: sat,
      ...(clase === 'sinExistencia'
        ? {}
        : { ...stock, stock_total: number(totalOf(n)), available: number(libresOf(n)) }),
      image: `https://tecnosinergia.com/${n}.jpg`,
      weight: number(0.5),
    };
  }

  const sobre = (status: boolean, message: string, code: number, data?: unknown, http = 200) =>
    escrito(http, { status, message, code, ...(data === undefined ? {} : { data }) });

  function escrito(status: number, body: unknown): SandboxResponse {
    const plain = json(status, body);
    const text = String(plain.body);
    if (interruptores.is('codificacion', 'bom')) return { ...plain, body: `\ufeff${text}` };
    return interruptores.is('codificacion', 'latin1') ? { ...plain, body: Buffer.from(text, 'latin1') } : plain;
  }

  function handle(request: SandboxRequest): SandboxResponse {
    const { method, path, url } = request;
    if (cuenta.cerrada || request.headers['api-token'] !== LLAVES.token)
      return sobre(false, 'Token inválido', 401, [], interruptores.is('llaveMala', '401') ? 401 : 200);
    if (method === 'GET' && path === '/status') return sobre(true, 'Token activo', 0);
    if (method === 'GET' && path === '/item/list') return items(url.searchParams.get('item_id'));
    return sobre(false, 'Ruta no disponible', 404, [], 404);
  }

  function items(asked: string | null): SandboxResponse {
    if (asked === null) return sobre(true, 'OK', 0, ids.map(docOf));
    const n = known.get(asked);
    if (n !== undefined) return sobre(true, 'OK', 0, docOf(n));
    if (interruptores.is('noHay', 'estatusFalso')) return sobre(false, 'Artículo no encontrado', 1, []);
    return sobre(true, 'OK', 0, interruptores.is('noHay', 'vacio') ? [] : null);
  }

  const ejemplo = (n: number): Ejemplo => {
    const sinPrecio = ['sinVenta', 'moneda'].includes(claseOf(n));
    return {
      id: String(20_000 + n),
      precio: sinPrecio ? null : precioOf(n),
      moneda: sinPrecio ? null : monedaOf(n),
      existencia: claseOf(n) === 'sinExistencia' ? null : libresOf(n),
      texto: pieza(n).modelo,
    };
  };

  return {
    name: 'ts',
    title: 'TecnoSinergia',
    about: 'El mayorista que dice todo su catálogo en una respuesta: se le compra por correo.',
    prefixes: ['/ts/v3'],
    faultRoute: 'GET /item/list',
    handle,
    refusal: (fault) => sobre(false, String(fault.message ?? 'Solicitud rechazada'), 1, []),
    ...mayorista({ store, reloj, interruptores, cuenta, ids, claseOf, ejemplo }),
  };
}
