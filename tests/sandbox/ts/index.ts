/**
 * The impostor of TecnoSinergia: every answer in one envelope, and the whole catalogue in one answer. TecnoSinergia takes no orders here, because
 * no source shows its orders.
 */
import { centavos, claveOf, dolares, existencia, pieza } from '../world/catalogo';
import { openMayorista, type MayoristaOptions } from '../proveedores/mayorista';
import { fotoEn } from '../imagenes';
import { routed } from '../routes';
import { json, type SandboxRequest, type SandboxResponse, type Service } from '../service';

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

export function createTs(options: MayoristaOptions): Service {
  const { cuenta, ids, claseOf, is, numberOf, service } = openMayorista(options, {
    name: 'ts',
    llaves: LLAVES,
    switches: SWITCHES,
    clases: {
      10: 'dolares',
      11: 'sinVenta',
      20: 'moneda',
      21: 'descontinuado',
      30: 'apartado',
      31: 'sinExistencia',
    },
  });
  const monedaOf = (n: number) => (claseOf(n) === 'moneda' ? 'EUR' : claseOf(n) === 'dolares' ? 'USD' : 'MXN');
  const precioOf = (n: number) => {
    const cents = centavos(n, 'ts');
    return monedaOf(n) === 'USD' ? dolares(cents, 18.5) : (cents / 100).toFixed(2);
  };
  const stockOf = (n: number) => ALMACENES.map((almacen) => ({ almacen, cantidad: existencia(n, 'ts', almacen) }));
  const totalOf = (n: number) => stockOf(n).reduce((sum, { cantidad }) => sum + cantidad, 0);
  const libresOf = (n: number) => Math.max(0, totalOf(n) - (claseOf(n) === 'apartado' ? 2 : 0));

  const number = (value: number) => (is('numeros', 'texto') ? String(value) : value);
  const words = (text: string) =>
    is('textos', 'limpios') ? text : `${text.replaceAll('á', '&aacute;').replaceAll('é', '&eacute;')} `;

  function docOf(n: number) {
    const { marca, modelo, nombre, sat, gramos } = pieza(n);
    const clase = claseOf(n);
    const sale = clase === 'sinVenta' ? 0 : Number(precioOf(n));
    const stock = Object.fromEntries(stockOf(n).map(({ almacen, cantidad }) => [`stock_${almacen}`, number(cantidad)]));
    return {
      item_id: Number(claveOf('ts', n)),
      code: claveOf('ts', n),
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
      ...(sale === 0 && is('sinVenta', 'ausente') ? {} : { sale_price: number(sale) }),
      sat_code: sat,
      ...(clase === 'sinExistencia'
        ? {}
        : { ...stock, stock_total: number(totalOf(n)), available: number(libresOf(n)) }),
      image: fotoEn(options.baseUrl(), `https://tecnosinergia.com/${n}.jpg`),
      weight: number(gramos / 1_000),
    };
  }

  const sobre = (status: boolean, message: string, code: number, data?: unknown, http = 200) =>
    written(http, { status, message, code, ...(data === undefined ? {} : { data }) });

  function written(status: number, body: unknown): SandboxResponse {
    const plain = json(status, body);
    const text = String(plain.body);
    if (is('codificacion', 'bom')) return { ...plain, body: `\ufeff${text}` };
    return is('codificacion', 'latin1') ? { ...plain, body: Buffer.from(text, 'latin1') } : plain;
  }

  const behindKey = routed(
    {
      'GET /status': () => sobre(true, 'Token activo', 0),
      'GET /item/list': ({ url }) => items(url.searchParams.get('item_id')),
    },
    () => sobre(false, 'Ruta no disponible', 404, [], 404),
  );

  function handle(request: SandboxRequest) {
    return cuenta.cerrada || request.headers['api-token'] !== LLAVES.token
      ? sobre(false, 'Token inválido', 401, [], is('llaveMala', '401') ? 401 : 200)
      : behindKey(request);
  }

  function items(asked: string | null): SandboxResponse {
    if (asked === null) return sobre(true, 'OK', 0, ids.map(docOf));
    const n = numberOf(asked);
    if (n !== undefined) return sobre(true, 'OK', 0, docOf(n));
    if (is('noHay', 'estatusFalso')) return sobre(false, 'Artículo no encontrado', 1, []);
    return sobre(true, 'OK', 0, is('noHay', 'vacio') ? [] : null);
  }

  return service({
    title: 'TecnoSinergia',
    about: 'El mayorista que dice todo su catálogo en una respuesta: se le compra por correo.',
    prefixes: ['/ts/v3'],
    faultRoute: 'GET /item/list',
    handle,
    refuse: (text) => sobre(false, text, 1, []),
    usualNo: 'Solicitud rechazada',
    sinPrecio: ['sinVenta', 'moneda'],
    precioOf,
    porDolar: 18.5,
    monedaOf,
    existenciaOf: (n) => (claseOf(n) === 'sinExistencia' ? null : libresOf(n)),
  });
}
