/** The impostor of CVA: a token by user, a catalogue that closes by day, orders that are firm at once, and labels with a token of their own. */
import { centavos, claveOf, dolares, existencia, pieza } from '../world/catalogo';
import { FACTURA_MS, openMayorista, type MayoristaOptions } from '../proveedores/mayorista';
import { Horas, horaLocal, pageOf } from '../proveedores/taller';
import { fotoEn } from '../imagenes';
import { routed } from '../routes';
import { bearerOf, bodyOf, json, type SandboxRequest, type SandboxResponse, type Service } from '../service';

const CUENTA = { user: 'admin00000', password: 'demo' };
const TOKEN_GUIAS = 'sandbox-cva-guias-1';
export const LLAVES = { usuario: CUENTA.user, password: CUENTA.password, tokenGuias: TOKEN_GUIAS };

const SWITCHES = {
  llaveMala: ['401', '403', '200'],
  tokenViejo: ['401', '403'],
  horario: ['200', '403', '404'],
  noHay: ['404', 'vacio'],
  paginacion: ['viene', 'falta'],
  numeros: ['numero', 'texto'],
  codificacion: ['utf8', 'latin1'],
  claveDeSucursal: ['viene', 'falta'],
  sinExistencia: ['enCeros', 'listaVacia'],
  moneda: ['USD', 'Dolares'],
  iva: ['importe', 'bandera'],
  repetido: ['otro', 'elMismo', 'rechaza'],
  /** Whether a test makes nothing, as the documents say. */
  prueba: ['nada', 'compra'],
  rechazo: ['mensaje', 'result', 'error', 'http'],
  estatus: ['INCOMPLETO', 'otro', 'nulo'],
  guia: ['ok', 'mensaje', 'vacia', 'error'],
  sinPedidos: ['vacio', '404', 'mensaje'],
  nombreDeSucursal: ['comoSuExistencia', 'otro'],
} as const;

/** Branches: the customer's own, the centre of distribution, and one that no list names as the stock does. */
const SUCURSALES = [
  { clave: 9, nombre: 'VENTAS MONTERREY' },
  { clave: 46, nombre: 'CENTRO DE DISTRIBUCION GUADALAJARA' },
  { clave: 24, nombre: 'VENTAS DF TALLER' },
];
const POR_PAGINA = 36;
const EN_LOTE = 500;
const DIA_MS = 86_400_000;
const POR_DOLAR = 18.55;
const PRIMER_PEDIDO = 987_217;

type Pedido = {
  folio: string;
  numOc: string;
  sucursal: number;
  lineas: { clave: string; cantidad: number }[];
  en: number;
  guias: { guia: string; bytes: number }[];
};
type Estado = { pedidos: Pedido[] };

export function createCva(options: MayoristaOptions): Service {
  const horas = new Horas(options.horas);
  const { reloj, cuenta, changed, estado, ids, claseOf, is, numberOf, service } = openMayorista(options, {
    name: 'cva',
    llaves: LLAVES,
    switches: SWITCHES,
    prefijo: 'sandbox-cva-jwt-',
    clases: {
      10: 'cero',
      11: 'moneda',
      20: 'agotado',
      21: 'promocion',
      30: 'paquete',
      31: 'promocionAgotada',
    },
    fresh: (): Estado => ({ pedidos: [] }),
  });

  const enDolares = (n: number) => n % 2 === 0;
  const precioOf = (n: number) => {
    const cents = centavos(n, 'cva');
    return claseOf(n) === 'cero' ? '0' : enDolares(n) ? dolares(cents, POR_DOLAR) : (cents / 100).toFixed(2);
  };
  const number = (value: number) => (is('numeros', 'texto') ? String(value) : value);
  const soldOf = (n: number, sucursal: number) =>
    estado.pedidos
      .filter((one) => one.sucursal === sucursal)
      .flatMap(({ lineas }) => lineas)
      .filter(({ clave }) => numberOf(clave) === n)
      .reduce((sum, { cantidad }) => sum + cantidad, 0);
  const stockOf = (n: number, { clave }: { clave: number }) =>
    claseOf(n) === 'agotado'
      ? 0
      : Math.max(0, existencia(n, 'cva', String(clave)) + (clave === 46 ? 9 : 0) - soldOf(n, clave));
  const totalOf = (n: number) => SUCURSALES.reduce((sum, one) => sum + stockOf(n, one), 0);

  const on = (q: URLSearchParams, name: string) => ['true', '1'].includes(q.get(name) ?? '');

  /** A piece as the list of prices tells it. */
  function docOf(n: number, q: URLSearchParams) {
    const { marca, modelo, nombre, sat, upc } = pieza(n);
    const clase = claseOf(n);
    const rows = SUCURSALES.map((one) => ({ nombre: one.nombre, disponible: number(stockOf(n, one)) }));
    return {
      id: 10_427_000 + n,
      clave: claveOf('cva', n),
      codigo_fabricante: modelo,
      descripcion: nombre.toUpperCase(),
      principal: clase === 'paquete' ? null : 'SEGURIDAD',
      grupo: clase === 'paquete' ? null : 'CAMARAS',
      marca: clase === 'paquete' ? null : marca,
      garantia: '1 AÑO',
      disponible: number(stockOf(n, SUCURSALES[0]!)),
      disponibleCD: number(stockOf(n, SUCURSALES[1]!) + stockOf(n, SUCURSALES[2]!)),
      moneda: clase === 'moneda' ? 'Euros' : enDolares(n) ? 'Dolares' : 'Pesos',
      precio: number(Number(precioOf(n))),
      imagen: fotoEn(options.baseUrl(), `https://www.grupocva.com/detalle_articulo/${10_427_000 + n}.jpg`),
      imagenes: null,
      ...(on(q, 'promos') && { promociones: promocionOf(n) }),
      ...(on(q, 'sucursales') && {
        disponibilidad_sucursales: [...rows, { nombre: 'TOTAL', disponible: number(totalOf(n)) }],
      }),
      ...(on(q, 'tc') && { tipo_cambio: number(POR_DOLAR), fecha_actualizacion_tipo_cambio: '19/11/2026 11:04:18' }),
      ...(on(q, 'upc') && { upc }),
      ...(on(q, 'codigosat') && { sat_info: { clave: number(Number(sat)), descripcion: 'Cámaras de seguridad' } }),
    };
  }

  function promocionOf(n: number) {
    if (!claseOf(n).startsWith('promocion')) return null;
    return {
      total_descuento: 10,
      moneda_descuento: 'Dolares',
      precio_descuento: number(Number((Number(precioOf(n)) * 0.9).toFixed(2))),
      moneda_precio_descuento: enDolares(n) ? 'Dolares' : 'Pesos',
      clave_promocion: 608_796,
      descripcion_promocion: 'PROMO',
      promocion_vencimiento: fecha(reloj.now() + DIA_MS),
      disponible_en_promocion: claseOf(n) === 'promocionAgotada' ? 0 : 5,
    };
  }

  /** A promotion as the list of stock tells it: without an end. */
  const ofertaOf = (n: number) => ({
    precio: number(Number((Number(precioOf(n)) * 0.9).toFixed(2))),
    moneda: enDolares(n) ? 'Dolares' : 'Pesos',
    descripcion: 'PROMO',
  });

  /** A piece as the list of stock and offers tells it, under other names. */
  function inventarioOf(n: number) {
    const doc = docOf(n, new URLSearchParams());
    const rows = SUCURSALES.map((one) => ({
      ...(is('claveDeSucursal', 'viene') ? { clave: one.clave } : {}),
      nombre: one.nombre,
      disponible: number(stockOf(n, one)),
    }));
    const empty = claseOf(n) === 'agotado' && is('sinExistencia', 'listaVacia');
    return {
      id: String(doc.id),
      clave: doc.clave,
      codigo: doc.codigo_fabricante,
      precio: doc.precio,
      moneda: doc.moneda,
      promocion: claseOf(n) === 'promocion' ? ofertaOf(n) : null,
      inventario: empty ? [] : [...rows, { nombre: 'TOTAL', disponible: number(totalOf(n)) }],
    };
  }

  const fecha = (ms: number) => horaLocal(ms).slice(0, 10).split('-').reverse().join('/');

  function written(status: number, body: unknown): SandboxResponse {
    const plain = json(status, body);
    return is('codificacion', 'latin1') ? { ...plain, body: Buffer.from(String(plain.body), 'latin1') } : plain;
  }
  const nothing = () =>
    is('noHay', '404') ? written(404, { message: 'No se encontraron productos.' }) : written(200, { articulos: [] });

  const behindToken = routed(
    {
      'GET /catalogo_clientes/lista_precios': ({ url }) => precios(url.searchParams),
      'GET /catalogo_clientes/precios_stock_ofertas': ({ url }) => stock(url.searchParams),
      'POST /pedidos_web/crear_orden': (request) => order(bodyOf(request)),
      'POST /pedidos_web/pedido_orden_compra': (request) => ordersOf(String(bodyOf(request).orden)),
      'POST /pedidos_web/consultar_pedido': (request) => pedido(String(bodyOf(request).pedido)),
      'POST /pedidos_web/consultar_factura': (request) => factura(String(bodyOf(request).factura)),
    },
    () => written(404, { message: 'Not Found' }),
  );

  function handle(request: SandboxRequest) {
    if (request.route === 'POST /user/login') return login(bodyOf(request));
    if (request.route === 'POST /waybill') return waybill(request);
    if (request.route === 'GET /catalogo_clientes/sucursales') return written(200, { sucursales: sucursales() });
    return cuenta.knows(bearerOf(request))
      ? behindToken(request)
      : written(is('tokenViejo', '401') ? 401 : 403, { message: 'Token inválido' });
  }

  /** The branches of orders. The stock names one of them the same, but for its accents, or none; the others it always names its own way. */
  function sucursales() {
    const cedis = is('nombreDeSucursal', 'comoSuExistencia')
      ? 'Centro de Distribución Guadalajara'
      : 'CEDIS Guadalajara';
    return [
      { clave: '1', nombre: 'GUADALAJARA', cp: '44900' },
      { clave: '9', nombre: 'MONTERREY', cp: '64000' },
      { clave: '24', nombre: 'CDMX', cp: '06000' },
      { clave: '46', nombre: cedis, cp: '45640' },
    ];
  }

  function login(asked: Record<string, unknown>): SandboxResponse {
    const token = cuenta.issue(asked, CUENTA);
    if (token === undefined) {
      const status = is('llaveMala', '401') ? 401 : is('llaveMala', '403') ? 403 : 200;
      return written(status, { message: 'Usuario o contraseña incorrectos' });
    }
    return written(200, { usuario: { id_cliente: 666, clave_cliente: number(10_000), usuario: asked.user }, token });
  }

  function precios(q: URLSearchParams): SandboxResponse {
    const asked = q.get('clave') ?? q.get('codigo');
    if (asked !== null) {
      const n = numberOf(asked) ?? ids.find((one) => pieza(one).modelo === asked);
      return n === undefined ? nothing() : written(200, docOf(n, q));
    }
    const hora = Number((horas.hora() ?? horaLocal(reloj.now()).slice(11)).slice(0, 2));
    if (hora >= 9 && hora < 19) {
      const status = is('horario', '200') ? 200 : is('horario', '403') ? 403 : 404;
      return written(status, { message: 'Consulta no disponible en este horario' });
    }
    const words = (q.get('desc') ?? '').toLowerCase();
    const found =
      words === '' ? ids : ids.filter((n) => `${pieza(n).nombre} ${pieza(n).modelo}`.toLowerCase().includes(words));
    return paged(found, q, POR_PAGINA, (n) => docOf(n, q));
  }

  function stock(q: URLSearchParams): SandboxResponse {
    if (q.has('batch')) return paged(ids, q, EN_LOTE, inventarioOf);
    const n = numberOf(q.get('clave') ?? '');
    return n === undefined ? nothing() : written(200, inventarioOf(n));
  }

  function paged(found: readonly number[], q: URLSearchParams, size: number, docOf: (n: number) => object) {
    const { page, slice, last } = pageOf(found, q.get('page'), size);
    if (slice.length === 0) return nothing();
    return written(200, {
      articulos: slice.map(docOf),
      ...(is('paginacion', 'viene') && { paginacion: { total_paginas: number(last), pagina: page } }),
    });
  }

  /** A refusal, in the shape that the switch `rechazo` says. */
  function no(message: string): SandboxResponse {
    if (is('rechazo', 'http')) return written(400, { message });
    if (is('rechazo', 'error')) return written(200, { error: message });
    return is('rechazo', 'result')
      ? written(200, { result: 0, message })
      : written(200, { message, action: 'Contacte a su ejecutivo' });
  }

  function order(body: Record<string, unknown>): SandboxResponse {
    const { test, num_oc: numOc, codigo_sucursal: sucursal, tipo_flete: flete, productos } = body;
    const branch = SUCURSALES.find(({ clave }) => clave === sucursal);
    if (!branch || !['SF', 'FF', 'FS'].includes(String(flete)) || !Array.isArray(productos) || productos.length === 0)
      return no('Datos incompletos');
    const lineas = (productos as { clave: string; cantidad: number }[]).map(({ clave, cantidad }) => ({
      clave,
      cantidad,
    }));
    for (const { clave, cantidad } of lineas) {
      const n = numberOf(clave);
      if (n === undefined || stockOf(n, branch) < cantidad) return no(`Sin existencia suficiente de ${clave}`);
    }
    const same = estado.pedidos.find((one) => one.numOc === numOc);
    if (same && is('repetido', 'rechaza')) return no('La orden de compra ya existe');
    if (same && is('repetido', 'elMismo')) return written(200, hechoOf(same));
    const made: Pedido = {
      folio: `NGB-${PRIMER_PEDIDO + estado.pedidos.length}`,
      numOc: String(numOc),
      sucursal: branch.clave,
      lineas,
      en: reloj.now(),
      guias: [],
    };
    if ((test === 1 || test === true) && is('prueba', 'nada')) return written(200, hechoOf(made));
    estado.pedidos.push(made);
    changed();
    return written(200, hechoOf(made));
  }

  const subtotalOf = ({ lineas }: Pedido) =>
    lineas.reduce((sum, { clave, cantidad }) => {
      const cents = centavos(numberOf(clave)!, 'cva');
      return sum + Number(dolares(cents, POR_DOLAR)) * cantidad;
    }, 0);
  const importes = (one: Pedido) => {
    const subtotal = subtotalOf(one);
    return { subtotal, iva: subtotal * 0.16, total: Number((subtotal * 1.16).toFixed(2)) };
  };
  const hechoOf = (one: Pedido) => {
    const { subtotal, iva, total } = importes(one);
    return {
      pedido: one.folio,
      subtotal: number(Number(subtotal.toFixed(2))),
      iva: is('iva', 'importe') ? number(Number(iva.toFixed(2))) : 1,
      total: number(total),
      moneda: is('moneda', 'USD') ? 'USD' : 'Dolares',
      tipo_cambio: number(POR_DOLAR),
      email_agente: 'agente@demo.mx',
      email_almacen: 'almacen@demo.mx',
      flete: null,
      fecha_entrega_estimada: null,
    };
  };

  const facturaOf = ({ folio, en }: Pedido) =>
    reloj.now() - en >= FACTURA_MS ? `G-${Number(folio.slice(4)) - PRIMER_PEDIDO + 200_000}` : null;

  /** Answers with every order of one reference. CVA takes a reference as often as it is sent. */
  function ordersOf(orden: string): SandboxResponse {
    const folios = estado.pedidos.filter(({ numOc }) => numOc === orden).map(({ folio }) => folio);
    if (folios.length === 0 && !is('sinPedidos', 'vacio')) {
      const message = 'No se encontraron pedidos de esa orden';
      return written(is('sinPedidos', '404') ? 404 : 200, { message });
    }
    return written(200, { orden, pedidos: folios, status: 'ok' });
  }

  function pedido(folio: string): SandboxResponse {
    const one = estado.pedidos.find((each) => each.folio === folio);
    if (!one) return written(404, { message: 'No se encontró el pedido' });
    const invoice = facturaOf(one);
    const waiting = is('estatus', 'INCOMPLETO') ? 'INCOMPLETO' : is('estatus', 'otro') ? 'EN PROCESO' : null;
    return written(200, {
      pedido: {
        estatus: invoice ? 'FACTURADO' : waiting,
        factura: invoice,
        total: number(importes(one).total),
        moneda: 'USD',
        fecha_pedido: fecha(one.en),
        num_oc: one.numOc,
        flete: 'Sin Flete',
        paqueteria: null,
        guia: null,
        productos: one.lineas,
      },
      status: 'ok',
    });
  }

  function factura(folio: string): SandboxResponse {
    const one = estado.pedidos.find((each) => facturaOf(each) === folio);
    if (!one) return written(404, { message: 'No se encontró la factura' });
    return written(200, {
      factura: {
        // An invoice calls pesos `MN`.
        total: number(Number((importes(one).total * POR_DOLAR).toFixed(2))),
        saldo: 0,
        moneda: 'MN',
        fecha_factura: fecha(one.en),
        num_oc: one.numOc,
        flete: null,
        guia: one.guias[0]?.guia ?? null,
        productos: one.lineas,
      },
      status: 'ok',
    });
  }

  function waybill(request: SandboxRequest): SandboxResponse {
    const body = bodyOf(request);
    if (bearerOf(request) !== TOKEN_GUIAS) return written(401, { message: 'Token inválido' });
    const one = estado.pedidos.find(({ folio }) => folio === body.order_number);
    if (!one || is('guia', 'error')) return written(200, { error: 'No se pudo registrar la guía' });
    one.guias.push({ guia: String(body.waybills), bytes: Buffer.from(String(body.file), 'base64').length });
    changed();
    if (is('guia', 'vacia')) return written(200, {});
    return written(200, {
      ...(is('guia', 'ok') ? { status: 'ok' } : {}),
      message: 'Guía registrada',
      order_number: one.folio,
    });
  }

  return service({
    title: 'CVA',
    about: 'El mayorista que cierra su catálogo de día, y recibe guías con un token aparte.',
    prefixes: ['/cva/api/v2'],
    faultRoute: '/pedidos_web/crear_orden',
    handle,
    puertas: horas.control,
    reset: horas.reset,
    refuse: no,
    usualNo: 'El cliente no cuenta con crédito disponible',
    sinPrecio: ['cero', 'moneda'],
    precioOf,
    porDolar: POR_DOLAR,
    monedaOf: (n) => (enDolares(n) ? 'USD' : 'MXN'),
    existenciaOf: totalOf,
    pedidoOf: (one) => ({
      folio: one.folio,
      referencia: one.numOc,
      total: (importes(one).total * POR_DOLAR).toFixed(2),
      guias: one.guias,
    }),
    entregaOf: (one) => {
      const folio = facturaOf(one);
      return { en: one.en, tomado: true, factura: folio === null ? null : { folio, en: one.en + FACTURA_MS } };
    },
  });
}
