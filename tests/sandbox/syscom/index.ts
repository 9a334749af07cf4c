/** Syscom: OAuth by application, a catalogue asked by words, orders firm at once, and invoices that tell how an order went. */
import { dolares, centavos, existencia, pieza, PRODUCTOS, vende } from '../proveedores/catalogo';
import {
  type Ejemplo,
  CuentaConFichas,
  horaLocal,
  Interruptores,
  Limite,
  mayorista,
  Reloj,
} from '../proveedores/taller';
import {
  bearerOf,
  html,
  json,
  type SandboxRequest,
  type SandboxResponse,
  type Service,
  type ServiceOptions,
} from '../service';
import { campos, type Campos } from './campos';

export const LLAVES = { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' };

const SWITCHES = {
  exito: ['errorVacio', 'sinError'],
  folio: ['ambos', 'soloFolioPedido'],
  cuerpo: ['todos', 'soloJson', 'soloPartes'],
  guia: ['llega', 'seIgnora'],
  flete: ['sinCargo', 'conCargo'],
  pais: ['MEX', 'MÉX'],
  rechazo: ['error', 'message', 'title', 'html'],
  repetido: ['otro', 'rechaza'],
  limite: ['conRetryAfter', 'sinRetryAfter'],
  borde: ['pasa', '403'],
  busquedaDeFacturas: ['porPedido', 'porOrdenDeCompra', 'nada'],
  subcategorias: ['sinAcento', 'conAcento'],
  folioEnRuta: ['%2F', 'guion', 'crudo'],
  pedidoDeFactura: ['entero', 'cortado'],
  moneda: ['obedece', 'ignora'],
  noHay: ['404', 'vacio'],
  estados: ['objeto', 'lista'],
} as const;

/** Three levels; one of the second has none below it, and one leaf has no product. */
const NIVEL_1 = [
  { id: 22, nombre: 'Videovigilancia ' },
  { id: 26, nombre: 'Redes  e IT' },
  { id: 65811, nombre: 'Cableado estructurado' },
];
const NIVEL_2 = NIVEL_1.flatMap(({ id }, at) =>
  [1, 2, 3].map((n) => ({ id: 200 + at * 10 + n, padre: id, hoja: at === 2 && n === 3 })),
);
const NIVEL_3 = NIVEL_2.filter(({ hoja }) => !hoja).flatMap(({ id }) =>
  [1, 2, 3].map((n) => ({ id: id * 10 + n, padre: id })),
);
const HOJAS = [...NIVEL_3, ...NIVEL_2.filter(({ hoja }) => hoja)].map(({ id }) => String(id));

const MAX_GUIA = 6 * 1024 * 1024;
const POR_PAGINA = 60;
const FACTURA_MS = 60_000;

type Pedido = {
  folio: string;
  ordenCompra: string;
  en: number;
  total: string;
  lineas: { id: number; cantidad: number }[];
  guia: number | null;
};
type Estado = { pedidos: Pedido[]; vendidas: Record<string, number> };

export type SyscomOptions = ServiceOptions & { productos?: number };

export function createSyscom({ store, productos = PRODUCTOS }: SyscomOptions): Service {
  const reloj = new Reloj();
  const interruptores = new Interruptores(SWITCHES);
  const cuenta = new CuentaConFichas(LLAVES, 'sandbox-syscom-token-');
  const limite = new Limite(60, reloj.now);
  const fresh = (): Estado => ({ pedidos: [], vendidas: {} });
  let estado = fresh();

  const ids = Array.from({ length: productos }, (_, n) => n).filter((n) => vende(n, 'syscom'));
  const known = new Set(ids);
  /** What each leaf lists. Some pieces are in two; the last leaf but one is empty. */
  const porHoja = new Map<string, number[]>(HOJAS.map((id) => [id, []]));
  for (const n of ids) {
    const at = n % HOJAS.length;
    const first = at === HOJAS.length - 2 ? 0 : at;
    porHoja.get(HOJAS[first]!)!.push(n);
    if (n % 97 === 0 && first !== 1) porHoja.get(HOJAS[1]!)!.push(n);
  }
  const idOf = (n: number) => 200_000 + n;
  const numberOf = (id: string) => (/^\d+$/.test(id) && known.has(Number(id) - 200_000) ? Number(id) - 200_000 : null);

  /** What a piece is an example of. */
  const claseOf = (n: number) =>
    n % 50 === 10
      ? 'sinDistribucion'
      : n % 50 === 11
        ? 'soloUsados'
        : n % 50 === 20
          ? 'tope'
          : n % 50 === 21
            ? 'cero'
            : n % 50 === 30
              ? 'proyecto'
              : n % 50 === 31
                ? 'sinNuevo'
                : 'normal';

  function nuevoOf(n: number): number {
    const clase = claseOf(n);
    if (clase === 'tope') return 500;
    if (clase === 'soloUsados') return 0;
    return Math.max(0, 1 + existencia(n, 'syscom', 'matriz') + 4 - (estado.vendidas[n] ?? 0));
  }

  function precioOf(n: number, moneda: string): string {
    const cents = centavos(n, 'syscom');
    return moneda === 'mxn' ? (cents / 100).toFixed(2) : dolares(cents);
  }

  function docOf(n: number, asked: string) {
    const { marca, modelo, nombre, sat } = pieza(n);
    const clase = claseOf(n);
    const moneda = interruptores.is('moneda', 'obedece') ? asked.toLowerCase() : 'usd';
    const nuevo = nuevoOf(n);
    const precio = clase === 'cero' ? '0.00' : precioOf(n, moneda);
    const precios =
      clase === 'sinDistribucion'
        ? []
        : { precio_1: precio, precio_lista: precio, precio_especial: precio, precio_descuento: precio };
    return {
      producto_id: n % 2 ? String(idOf(n)) : idOf(n),
      modelo,
      total_existencia: nuevo + 5,
      titulo: nombre,
      marca,
      garantia: n % 4 ? '3 años' : '',
      sat_key: n % 7 ? sat : 'No disponible.',
      sat_description: 'C?maras de seguridad',
      img_portada: n % 5 ? `https://ftp3.syscom.mx/usuarios/fotos/${idOf(n)}-p.PNG` : '',
      link_privado: 'https://www.productos-info.com/s/demo.html',
      link: `/producto/${modelo}-${marca}-${idOf(n)}.html`,
      iconos: [],
      peso: n % 6 ? '0.4' : '-',
      precios,
      ...(clase === 'sinDistribucion' ? { nota: 'SOLICITAR DISTRIBUCIÓN' } : {}),
      ...(clase === 'proyecto' ? { proyecto: true } : {}),
      imagen_360: [],
      existencia:
        clase === 'sinNuevo'
          ? { asterisco: { a: 0, b: 4, c: 1, d: 0 } }
          : { nuevo, asterisco: { a: 0, b: 4, c: 1, d: 0 }, detalle: [] },
    };
  }

  function handle(request: SandboxRequest): SandboxResponse {
    if (interruptores.is('borde', '403') && !/mozilla/i.test(String(request.headers['user-agent'] ?? '')))
      return html(403, '<html><head><title>403 Forbidden</title></head><body><h1>403 Forbidden</h1></body></html>');
    if (request.path === '/oauth/token') return token(request);
    const wait = limite.pide();
    if (wait > 0)
      return json(
        429,
        { message: 'Too Many Attempts.' },
        interruptores.is('limite', 'conRetryAfter') ? { 'retry-after': String(wait) } : {},
      );
    if (!cuenta.vive(bearerOf(request))) return json(401, { message: 'Unauthenticated.' });
    const path = request.path.replace(/^\/api\/v1/, '');
    const q = request.url.searchParams;
    if (request.method === 'POST' && path === '/carrito/generar') return pedir(request);
    if (request.method !== 'GET') return json(404, { message: 'Not Found' });
    if (path === '/categorias')
      return json(
        200,
        NIVEL_1.map((one) => ({ id: String(one.id), nombre: one.nombre, nivel: 1 })),
      );
    if (path.startsWith('/categorias/')) return categoria(path.slice('/categorias/'.length));
    if (path === '/productos') return buscar(q);
    if (path.startsWith('/productos/')) return producto(path.slice('/productos/'.length), q.get('moneda') ?? 'usd');
    if (path === '/tipocambio')
      return json(200, { normal: '18.62', preferencial: '18.41', un_dia: '18.65', una_semana: '18.70' });
    if (path.startsWith('/carrito/estados/')) return estados(path.slice('/carrito/estados/'.length));
    if (path === '/facturas') return facturas(q);
    if (path.startsWith('/facturas/')) return factura(path.slice('/facturas/'.length));
    return json(404, { message: 'Not Found' });
  }

  function estados(cp: string): SandboxResponse {
    if (!/^\d{5}$/.test(cp)) return json(200, interruptores.is('estados', 'objeto') ? { estado: [] } : []);
    const lista = [{ codigo_postal: cp, municipio: 'CHIHUAHUA', estado_nombre: 'CHIHUAHUA', codigo_estado: 'CHIH' }];
    return json(200, interruptores.is('estados', 'objeto') ? { estado: lista } : lista);
  }

  function token(request: SandboxRequest): SandboxResponse {
    const { client_id: id, client_secret: secret } = (request.data() ?? {}) as Record<string, string>;
    if (cuenta.cerrada || id !== LLAVES.idUsuario || secret !== LLAVES.secret)
      return json(401, {
        error: 'invalid_client',
        error_description: 'Client authentication failed',
        message: 'Client authentication failed',
      });
    const issued = cuenta.da();
    store.changed();
    return json(200, { token_type: 'Bearer', expires_in: 31_536_000, access_token: issued });
  }

  function categoria(asked: string): SandboxResponse {
    const below = NIVEL_2.some(({ padre }) => String(padre) === asked) ? NIVEL_2 : NIVEL_3;
    const found = [...NIVEL_1, ...NIVEL_2, ...NIVEL_3].find(({ id }) => String(id) === asked);
    if (!found) return json(404, noHay('La categoría no existe'));
    const name = interruptores.is('subcategorias', 'sinAcento') ? 'subcategorias' : 'subcategorías';
    const nivel = NIVEL_1.some(({ id }) => id === found.id) ? 1 : NIVEL_2.some(({ id }) => id === found.id) ? 2 : 3;
    const suyas = below.filter(({ padre }) => String(padre) === asked);
    return json(200, {
      id: asked,
      nombre: `Categoría ${asked}`,
      nivel: String(nivel),
      origen: [],
      [name]: suyas.map(({ id }) => ({ id: String(id), nombre: `Categoría ${id}`, nivel: String(nivel + 1) })),
    });
  }

  function buscar(q: URLSearchParams): SandboxResponse {
    if (!q.get('busqueda') && !q.get('categoria') && !q.get('marca'))
      return json(400, { message: 'Se requiere busqueda, categoria o marca' });
    const words = (q.get('busqueda') ?? '')
      .toLowerCase()
      .split(/[\s+]+/)
      .filter(Boolean);
    const listed =
      q.get('categoria') === null
        ? ids
        : q
            .get('categoria')!
            .split(',')
            .flatMap((id) => porHoja.get(id) ?? []);
    const found = listed.filter((n) => {
      if (words.length === 0 && !q.get('marca')) return true;
      const { nombre, modelo, marca } = pieza(n);
      const text = `${nombre} ${modelo}`.toLowerCase();
      return words.every((word) => text.includes(word)) && (!q.get('marca') || marca.toLowerCase() === q.get('marca'));
    });
    if (found.length === 0 && interruptores.is('noHay', '404')) return json(404, noHay('No hay productos'));
    const pagina = Math.max(1, Number(q.get('pagina') ?? 1));
    const slice = found.slice((pagina - 1) * POR_PAGINA, pagina * POR_PAGINA);
    return json(200, {
      cantidad: found.length,
      pagina,
      paginas: Math.ceil(found.length / POR_PAGINA),
      productos: slice.map((n) => docOf(n, q.get('moneda') ?? 'usd')),
      todo: false,
    });
  }

  const noHay = (detail: string) => ({ code: 404, title: 'Not Found', detail, status: 404, source: {} });

  function producto(asked: string, moneda: string): SandboxResponse {
    const id = decodeURIComponent(asked);
    const n = numberOf(id);
    if (n === null) return json(404, noHay(`El producto ${id} no existe`));
    return json(200, {
      ...docOf(n, moneda),
      iconos: { sup_der: 'https://ftp3.syscom.mx/usuarios/fotos/3anos.png' },
      [n % 2 ? 'imagenes' : 'imágenes']: [
        { imagen: `https://ftp3.syscom.mx/usuarios/fotos/${id}-2.PNG`, orden: '2' },
        { imagen: `https://ftp3.syscom.mx/usuarios/fotos/${id}-1.PNG`, orden: '1' },
      ],
      descripcion: '<p>Producto de demostración.</p>',
      recursos: [],
    });
  }

  /** A no, as one of the shapes it may have. */
  function no(texto: string): SandboxResponse {
    if (interruptores.is('rechazo', 'html')) return html(400, `<html><body><h1>${texto}</h1></body></html>`);
    if (interruptores.is('rechazo', 'message')) return json(422, { message: texto });
    if (interruptores.is('rechazo', 'title')) return json(400, { code: 400, title: 'Bad Request', detail: texto });
    return json(200, { error: texto });
  }

  function pedir(request: SandboxRequest): SandboxResponse {
    const read = campos(request);
    const wanted =
      interruptores.is('cuerpo', 'todos') || interruptores.is('cuerpo', read.partes ? 'soloPartes' : 'soloJson');
    if (!wanted || !read.campos)
      return json(422, {
        status: 422,
        message: 'Datos inválidos',
        error: 'validation',
        detalles: [{ campo: 'tipo_entrega', problema: 'requerido' }],
      });
    return crear(read.campos, read.guia);
  }

  function crear(pedido: Campos, guia: Buffer | null): SandboxResponse {
    if (guia && guia.length > MAX_GUIA) return no('El archivo pdf_guia excede 6 MB');
    const direccion = pedido.direccion;
    for (const campo of ['colonia', 'num_ext', 'telefono'])
      if (!direccion[campo]) return no(`No se encontró el campo ${campo}`);
    if (String(direccion.estado).length > 4 || !interruptores.is('pais', direccion.pais as 'MEX'))
      return json(422, {
        status: 422,
        message: 'Datos inválidos',
        error: 'validation',
        detalles: [{ campo: 'direccion', problema: 'estado o país' }],
      });
    for (const { id, cantidad } of pedido.productos) {
      const n = numberOf(String(id));
      if (n === null) return no(`El producto ${id} no existe`);
      if (claseOf(n) !== 'normal' || nuevoOf(n) < cantidad)
        return no(`El producto ${pieza(n).modelo} no cuenta con existencia suficiente`);
    }
    if (
      interruptores.is('repetido', 'rechaza') &&
      estado.pedidos.some((one) => one.ordenCompra === pedido.orden_compra)
    )
      return no('La orden de compra ya existe');
    const numero = String(estado.pedidos.length + 1).padStart(6, '0');
    const folio = pedido.testmode ? 'TESTMODE' : `576-${numero}/01-API`;
    const flete = guia && interruptores.is('flete', 'conCargo') ? 189 : 0;
    const subtotal = pedido.productos.reduce(
      (sum, { id, cantidad }) => sum + (centavos(Number(id) - 200_000, 'syscom') / 100) * cantidad,
      0,
    );
    const total = ((subtotal + flete) * 1.16).toFixed(2);
    if (pedido.ordenar && !pedido.testmode) {
      for (const { id, cantidad } of pedido.productos) {
        const n = Number(id) - 200_000;
        estado.vendidas[n] = (estado.vendidas[n] ?? 0) + cantidad;
      }
      estado.pedidos.push({
        folio,
        ordenCompra: pedido.orden_compra,
        en: reloj.now(),
        total,
        lineas: pedido.productos,
        guia: guia && interruptores.is('guia', 'llega') ? guia.length : null,
      });
      store.changed();
    }
    return json(200, {
      ...(interruptores.is('exito', 'errorVacio') ? { error: '' } : {}),
      cliente: { num_cliente: '104000001', rfc: 'XEXX010101000' },
      resumen: {
        moneda: 'MXN',
        forma_pago: '1',
        tipo_cambio: '18.41',
        ...(interruptores.is('folio', 'ambos') ? { folio } : {}),
        folio_pedido: folio,
        fecha_creacion: horaLocal(reloj.now()),
        iva_aplicado: 16,
      },
      productos: pedido.productos,
      totales: { subtotal: subtotal.toFixed(2), flete, iva: (subtotal * 0.16).toFixed(2), total },
    });
  }

  function facturados() {
    return estado.pedidos
      .map((pedido, index) => ({ pedido, folio: `FA26/${104_000 + index}` }))
      .filter(({ pedido }) => reloj.now() - pedido.en >= FACTURA_MS);
  }

  const renglon = ({ pedido, folio }: ReturnType<typeof facturados>[number]) => ({
    folio_factura: folio,
    fecha: horaLocal(pedido.en).slice(0, 10),
    total: pedido.total,
    texto: '',
    moneda: 'MXN',
    estatus_fiscal: 'Vigente',
    estatus: 'Pagada',
    folio_pedido: interruptores.is('pedidoDeFactura', 'entero') ? pedido.folio : pedido.folio.split('/')[0],
    uuid: '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
  });

  const lineaDeFactura = ({ id, cantidad }: Pedido['lineas'][number]) => ({
    producto_id: String(id),
    cod_art: pieza(id - 200_000).modelo,
    cantidad: String(cantidad),
  });

  function facturas(q: URLSearchParams): SandboxResponse {
    const text = q.get('busqueda');
    const matches = ({ pedido }: ReturnType<typeof facturados>[number]) =>
      text === null ||
      (interruptores.is('busquedaDeFacturas', 'porPedido') && pedido.folio === text) ||
      (interruptores.is('busquedaDeFacturas', 'porOrdenDeCompra') && pedido.ordenCompra === text);
    const found = facturados().filter(matches);
    return json(200, { cantidad: found.length, pagina: 1, paginas: 1, facturas: found.map(renglon) });
  }

  function factura(asked: string): SandboxResponse {
    const folio = interruptores.is('folioEnRuta', '%2F')
      ? asked.includes('%2F') && decodeURIComponent(asked)
      : interruptores.is('folioEnRuta', 'guion')
        ? asked.replace('-', '/')
        : asked;
    const found = facturados().find((one) => one.folio === folio);
    if (!found) return json(404, noHay('La factura no existe'));
    return json(200, {
      ...renglon(found),
      fiscal: 'Vigente',
      nom_guia: '4012345678',
      productos: found.pedido.lineas.map(lineaDeFactura),
    });
  }

  const ejemplo = (n: number): Ejemplo => {
    const sinPrecio = ['sinDistribucion', 'cero', 'proyecto'].includes(claseOf(n));
    return {
      id: String(idOf(n)),
      precio: sinPrecio ? null : precioOf(n, 'usd'),
      moneda: sinPrecio ? null : 'USD',
      existencia: claseOf(n) === 'sinNuevo' ? null : nuevoOf(n),
      texto: pieza(n).modelo,
    };
  };
  return {
    name: 'syscom',
    title: 'Syscom',
    about: 'El mayorista con catálogo por búsqueda, pedidos firmes y facturas que dicen cómo va cada pedido.',
    prefixes: ['/syscom'],
    faultRoute: '/carrito/generar',
    handle,
    refusal: (fault) => no(String(fault.message ?? 'El pedido no se puede procesar')),
    ...mayorista({
      store,
      reloj,
      interruptores,
      cuenta,
      ids,
      claseOf,
      ejemplo,
      estado: { fresh, get: () => estado, set: (next) => (estado = next) },
      pedidos: () => estado.pedidos.map(({ folio, ordenCompra }) => ({ folio, referencia: ordenCompra })),
      limite,
    }),
  };
}
