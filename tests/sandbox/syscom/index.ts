/**
 * The impostor of Syscom: OAuth by application, a catalogue asked by words, orders that are firm at once, and invoices by which one learns how an
 * order went.
 */
import { centavos, claveOf, dolares, existencia, pieza } from '../world/catalogo';
import { FACTURA_MS, openMayorista, type MayoristaOptions } from '../proveedores/mayorista';
import { horaLocal, pageOf } from '../proveedores/taller';
import { fotoEn } from '../imagenes';
import { routed } from '../routes';
import { bearerOf, bodyOf, html, json, type SandboxRequest, type SandboxResponse, type Service } from '../service';
import { readCampos, type Campos } from './campos';

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
  pagos: ['objeto', 'lista'],
} as const;

/** Categories of three levels. One of the second level has none below it, and one leaf lists no product. */
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

const PAGOS = [
  { nombre: 'Transferencia', clave: 'transferencia', titulo: 'Transferencia electrónica', formas: ['pue', 'ppd'] },
  { nombre: 'Crédito', clave: 'credito-1', titulo: 'Crédito', formas: ['PPD'] },
];
const FLETERAS = [
  { codigo: 'estafeta', dia_siguiente: false, nombre: 'Estafeta' },
  { codigo: 'estafeta_aereo', dia_siguiente: true, nombre: 'Estafeta día siguiente' },
];
const USOS = [
  { codigo: 'G01', nombre: 'Adquisición de mercancía' },
  { codigo: 'G03', nombre: 'Gastos en general' },
];

const MAX_GUIA = 6 * 1024 * 1024;
const POR_PAGINA = 60;

type Pedido = {
  folio: string;
  ordenCompra: string;
  en: number;
  total: string;
  lineas: { id: number; cantidad: number }[];
  guia: number | null;
};
type Estado = { pedidos: Pedido[]; vendidas: Record<string, number> };

export function createSyscom(options: MayoristaOptions): Service {
  const { reloj, cuenta, limite, changed, estado, ids, claseOf, is, numberOf, service } = openMayorista(options, {
    name: 'syscom',
    llaves: LLAVES,
    switches: SWITCHES,
    prefijo: 'sandbox-syscom-token-',
    clases: {
      10: 'sinDistribucion',
      11: 'soloUsados',
      20: 'tope',
      21: 'cero',
      30: 'proyecto',
      31: 'sinNuevo',
    },
    porMinuto: 60,
    fresh: (): Estado => ({ pedidos: [], vendidas: {} }),
  });

  /** The pieces of each leaf. Some pieces are in two leaves, and the last leaf but one is empty. */
  const porHoja = new Map<string, number[]>(HOJAS.map((id) => [id, []]));
  for (const n of ids) {
    const at = n % HOJAS.length;
    const first = at === HOJAS.length - 2 ? 0 : at;
    porHoja.get(HOJAS[first]!)!.push(n);
    if (n % 97 === 0 && first !== 1) porHoja.get(HOJAS[1]!)!.push(n);
  }
  const idOf = (n: number) => Number(claveOf('syscom', n));
  const fotoOf = (file: string) => fotoEn(options.baseUrl(), `https://ftp3.syscom.mx/usuarios/fotos/${file}`);
  const notFound = () => json(404, { message: 'Not Found' });

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
    const { marca, modelo, nombre, sat, gramos } = pieza(n);
    const clase = claseOf(n);
    const moneda = is('moneda', 'obedece') ? asked.toLowerCase() : 'usd';
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
      img_portada: n % 5 ? fotoOf(`${idOf(n)}-p.PNG`) : '',
      link_privado: 'https://www.productos-info.com/s/demo.html',
      link: `/producto/${modelo}-${marca}-${idOf(n)}.html`,
      iconos: [],
      peso: n % 6 ? String(gramos / 1_000) : '-',
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

  const behindToken = routed(
    {
      'POST /carrito/generar': order,
      'GET /categorias': () =>
        json(
          200,
          NIVEL_1.map(({ id, nombre }) => ({ id: String(id), nombre, nivel: 1 })),
        ),
      'GET /categorias/*': ({ params }) => categoria(params.rest!),
      'GET /productos': ({ url }) => search(url.searchParams),
      'GET /productos/*': ({ params, url }) => producto(params.rest!, url.searchParams.get('moneda') ?? 'usd'),
      'GET /tipocambio': () =>
        json(200, { normal: '18.62', preferencial: '18.41', un_dia: '18.65', una_semana: '18.70' }),
      'GET /carrito/pago': pagos,
      'GET /carrito/fleteras': () => json(200, FLETERAS),
      'GET /carrito/cfdi': () => json(200, USOS),
      'GET /carrito/estados/*': ({ params }) => estados(params.rest!),
      'GET /facturas': ({ url }) => facturas(url.searchParams),
      'GET /facturas/*': ({ params }) => factura(params.rest!),
    },
    notFound,
  );

  function handle(request: SandboxRequest) {
    if (is('borde', '403') && !/mozilla/i.test(String(request.headers['user-agent'] ?? '')))
      return html(403, '<html><head><title>403 Forbidden</title></head><body><h1>403 Forbidden</h1></body></html>');
    if (request.path === '/oauth/token') return token(request);
    const wait = limite.take();
    if (wait > 0)
      return json(
        429,
        { message: 'Too Many Attempts.' },
        is('limite', 'conRetryAfter') ? { 'retry-after': String(wait) } : {},
      );
    if (!cuenta.knows(bearerOf(request))) return json(401, { message: 'Unauthenticated.' });
    return behindToken({ ...request, path: request.path.replace(/^\/api\/v1/, '') });
  }

  /** The ways of payment, each by its key; the documents nest lists where clients saw objects. */
  function pagos(): SandboxResponse {
    const rows = PAGOS.map(({ nombre, clave, titulo, formas }) => {
      const forma = Object.fromEntries(formas.map((one, at) => [one, String(at + 1)]));
      const metodo = { titulo, codigo: '03', descuento: '4', plazo: 1, forma };
      return { nombre, metodo: is('pagos', 'objeto') ? { [clave]: metodo } : [{ [clave]: [metodo] }] };
    });
    return json(200, rows);
  }

  function estados(cp: string): SandboxResponse {
    if (!/^\d{5}$/.test(cp)) return json(200, is('estados', 'objeto') ? { estado: [] } : []);
    const lista = [{ codigo_postal: cp, municipio: 'CHIHUAHUA', estado_nombre: 'CHIHUAHUA', codigo_estado: 'CHIH' }];
    return json(200, is('estados', 'objeto') ? { estado: lista } : lista);
  }

  function token(request: SandboxRequest): SandboxResponse {
    const issued = cuenta.issue(bodyOf(request), { client_id: LLAVES.idUsuario, client_secret: LLAVES.secret });
    const message = 'Client authentication failed';
    return issued === undefined
      ? json(401, { error: 'invalid_client', error_description: message, message })
      : json(200, { token_type: 'Bearer', expires_in: 31_536_000, access_token: issued });
  }

  function categoria(asked: string): SandboxResponse {
    const below = NIVEL_2.some(({ padre }) => String(padre) === asked) ? NIVEL_2 : NIVEL_3;
    const found = [...NIVEL_1, ...NIVEL_2, ...NIVEL_3].find(({ id }) => String(id) === asked);
    if (!found) return json(404, nothing('La categoría no existe'));
    const name = is('subcategorias', 'sinAcento') ? 'subcategorias' : 'subcategorías';
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

  function search(q: URLSearchParams): SandboxResponse {
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
    if (found.length === 0 && is('noHay', '404')) return json(404, nothing('No hay productos'));
    const { page, slice, last } = pageOf(found, q.get('pagina'), POR_PAGINA);
    return json(200, {
      cantidad: found.length,
      pagina: page,
      paginas: last,
      productos: slice.map((n) => docOf(n, q.get('moneda') ?? 'usd')),
      todo: false,
    });
  }

  const nothing = (detail: string) => ({ code: 404, title: 'Not Found', detail, status: 404, source: {} });

  function producto(asked: string, moneda: string): SandboxResponse {
    const id = decodeURIComponent(asked);
    const n = /^\d+$/.test(id) ? numberOf(String(Number(id))) : undefined;
    if (n === undefined) return json(404, nothing(`El producto ${id} no existe`));
    return json(200, {
      ...docOf(n, moneda),
      iconos: { sup_der: 'https://ftp3.syscom.mx/usuarios/fotos/3anos.png' },
      [n % 2 ? 'imagenes' : 'imágenes']: [
        { imagen: fotoOf(`${id}-2.PNG`), orden: '2' },
        { imagen: fotoOf(`${id}-1.PNG`), orden: '1' },
      ],
      descripcion: '<p>Producto de demostración.</p>',
      recursos: [],
    });
  }

  /** A refusal, in the shape that the switch `rechazo` says. */
  function no(texto: string): SandboxResponse {
    if (is('rechazo', 'html')) return html(400, `<html><body><h1>${texto}</h1></body></html>`);
    if (is('rechazo', 'message')) return json(422, { message: texto });
    if (is('rechazo', 'title')) return json(400, { code: 400, title: 'Bad Request', detail: texto });
    return json(200, { error: texto });
  }

  function order(request: SandboxRequest): SandboxResponse {
    const read = readCampos(request);
    const wanted = is('cuerpo', 'todos') || is('cuerpo', read.partes ? 'soloPartes' : 'soloJson');
    if (!wanted || !read.campos) return invalid('tipo_entrega', 'requerido');
    return create(read.campos, read.guia);
  }

  const invalid = (campo: string, problema: string) =>
    json(422, { status: 422, message: 'Datos inválidos', error: 'validation', detalles: [{ campo, problema }] });

  function create(pedido: Campos, guia: Buffer | null): SandboxResponse {
    if (guia && guia.length > MAX_GUIA) return no('El archivo pdf_guia excede 6 MB');
    const direccion = pedido.direccion;
    const [pago, forma] = [PAGOS.find(({ clave }) => clave === pedido.metodo_pago), pedido.tipo_pago.toLowerCase()];
    if (!pago?.formas.some((one) => one.toLowerCase() === forma)) return no('Método de pago no válido');
    if (!FLETERAS.some(({ codigo }) => codigo === pedido.fletera)) return no('Fletera no válida');
    for (const campo of ['colonia', 'num_ext', 'telefono'])
      if (!direccion[campo]) return no(`No se encontró el campo ${campo}`);
    if (String(direccion.estado).length > 4 || !is('pais', direccion.pais as 'MEX'))
      return invalid('direccion', 'estado o país');
    for (const { id, cantidad } of pedido.productos) {
      const n = numberOf(String(id));
      if (n === undefined) return no(`El producto ${id} no existe`);
      if (claseOf(n) !== 'normal' || nuevoOf(n) < cantidad)
        return no(`El producto ${pieza(n).modelo} no cuenta con existencia suficiente`);
    }
    if (is('repetido', 'rechaza') && estado.pedidos.some((one) => one.ordenCompra === pedido.orden_compra))
      return no('La orden de compra ya existe');
    const numero = String(estado.pedidos.length + 1).padStart(6, '0');
    const folio = pedido.testmode ? 'TESTMODE' : `576-${numero}/01-API`;
    const flete = guia && is('flete', 'conCargo') ? 189 : 0;
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
        guia: guia && is('guia', 'llega') ? guia.length : null,
      });
      changed();
    }
    return json(200, {
      ...(is('exito', 'errorVacio') ? { error: '' } : {}),
      cliente: { num_cliente: '104000001', rfc: 'XEXX010101000' },
      resumen: {
        moneda: 'MXN',
        forma_pago: '1',
        tipo_cambio: '18.41',
        ...(is('folio', 'ambos') ? { folio } : {}),
        folio_pedido: folio,
        fecha_creacion: horaLocal(reloj.now()),
        iva_aplicado: 16,
      },
      productos: pedido.productos,
      totales: { subtotal: subtotal.toFixed(2), flete, iva: (subtotal * 0.16).toFixed(2), total },
    });
  }

  const folioDeFactura = (at: number) => `FA26/${104_000 + at}`;

  function facturados() {
    return estado.pedidos
      .map((pedido, at) => ({ pedido, folio: folioDeFactura(at) }))
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
    folio_pedido: is('pedidoDeFactura', 'entero') ? pedido.folio : pedido.folio.split('/')[0],
    uuid: '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
  });

  const invoiceLineOf = ({ id, cantidad }: Pedido['lineas'][number]) => ({
    producto_id: String(id),
    cod_art: pieza(id - 200_000).modelo,
    cantidad: String(cantidad),
  });

  function facturas(q: URLSearchParams): SandboxResponse {
    const text = q.get('busqueda');
    const matches = ({ pedido }: ReturnType<typeof facturados>[number]) =>
      text === null ||
      (is('busquedaDeFacturas', 'porPedido') && pedido.folio === text) ||
      (is('busquedaDeFacturas', 'porOrdenDeCompra') && pedido.ordenCompra === text);
    const year = q.get('anio');
    const found = facturados()
      .filter(matches)
      .filter(({ pedido }) => year === null || horaLocal(pedido.en).startsWith(year));
    return json(200, { cantidad: found.length, pagina: 1, paginas: 1, facturas: found.map(renglon) });
  }

  function factura(asked: string): SandboxResponse {
    const folio = is('folioEnRuta', '%2F')
      ? asked.includes('%2F') && decodeURIComponent(asked)
      : is('folioEnRuta', 'guion')
        ? asked.replace('-', '/')
        : asked;
    const found = facturados().find((one) => one.folio === folio);
    if (!found) return json(404, nothing('La factura no existe'));
    return json(200, {
      ...renglon(found),
      fiscal: 'Vigente',
      nom_guia: '4012345678',
      productos: found.pedido.lineas.map(invoiceLineOf),
    });
  }

  return service({
    title: 'Syscom',
    about: 'El mayorista con catálogo por búsqueda, pedidos firmes y facturas que dicen cómo va cada pedido.',
    prefixes: ['/syscom'],
    faultRoute: '/carrito/generar',
    handle,
    refuse: no,
    usualNo: 'El pedido no se puede procesar',
    sinPrecio: ['sinDistribucion', 'cero', 'proyecto'],
    precioOf: (n) => precioOf(n, 'usd'),
    monedaOf: () => 'USD',
    porDolar: 18.41,
    existenciaOf: (n) => (claseOf(n) === 'sinNuevo' ? null : nuevoOf(n)),
    pedidoOf: ({ folio, ordenCompra, total, guia }) => ({
      folio,
      referencia: ordenCompra,
      total,
      guias: guia === null ? [] : [{ bytes: guia }],
    }),
    entregaOf: ({ en }, at) => ({
      en,
      tomado: true,
      factura: reloj.now() - en < FACTURA_MS ? null : { folio: folioDeFactura(at), en: en + FACTURA_MS },
    }),
  });
}
