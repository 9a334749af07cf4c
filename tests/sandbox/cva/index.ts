/** CVA: a token by user, a catalogue that closes while its stores are open, orders firm at once, and labels by a token given apart. */
import { centavos, dolares, existencia, hash, pieza, PRODUCTOS, vende } from '../proveedores/catalogo';
import { type Ejemplo, CuentaConFichas, horaLocal, Interruptores, mayorista, Reloj } from '../proveedores/taller';
import {
  bearerOf,
  json,
  type SandboxRequest,
  type SandboxResponse,
  type Service,
  type ServiceOptions,
} from '../service';

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
  rechazo: ['mensaje', 'result', 'error', 'http'],
  estatus: ['INCOMPLETO', 'otro', 'nulo'],
  guia: ['ok', 'mensaje', 'vacia', 'error'],
  sinPedidos: ['vacio', '404', 'mensaje'],
} as const;

/** Its own branch and the centre of distribution; no list names the third as the stock does. */
const SUCURSALES = [
  { clave: 9, nombre: 'VENTAS MONTERREY' },
  { clave: 46, nombre: 'CENTRO DE DISTRIBUCION GUADALAJARA' },
  { clave: 24, nombre: 'VENTAS DF TALLER' },
];
const POR_PAGINA = 36;
const EN_LOTE = 500;
const FACTURA_MS = 60_000;
const DIA_MS = 86_400_000;
const POR_DOLAR = 18.55;

type Pedido = {
  folio: string;
  numOc: string;
  sucursal: number;
  lineas: { clave: string; cantidad: number }[];
  en: number;
  guias: { guia: string; bytes: number }[];
};
type Estado = { pedidos: Pedido[] };

export type CvaOptions = ServiceOptions & { productos?: number };

export function createCva({ store, productos = PRODUCTOS }: CvaOptions): Service {
  const reloj = new Reloj();
  const interruptores = new Interruptores(SWITCHES);
  const cuenta = new CuentaConFichas(LLAVES, 'sandbox-cva-jwt-');
  const fresh = (): Estado => ({ pedidos: [] });
  let estado = fresh();

  const ids = Array.from({ length: productos }, (_, n) => n).filter((n) => vende(n, 'cva'));
  const known = new Map(ids.map((n) => [`CV-${1_000 + n}`, n]));

  const claseOf = (n: number) =>
    n % 50 === 10
      ? 'cero'
      : n % 50 === 11
        ? 'moneda'
        : n % 50 === 20
          ? 'agotado'
          : n % 50 === 21
            ? 'promocion'
            : n % 50 === 30
              ? 'paquete'
              : n % 50 === 31
                ? 'promocionAgotada'
                : 'normal';
  const enDolares = (n: number) => n % 2 === 0;
  const precioOf = (n: number) => {
    const cents = centavos(n, 'cva');
    return claseOf(n) === 'cero' ? '0' : enDolares(n) ? dolares(cents, POR_DOLAR) : (cents / 100).toFixed(2);
  };
  const number = (value: number) => (interruptores.is('numeros', 'texto') ? String(value) : value);
  const vendidas = (n: number, sucursal: number) =>
    estado.pedidos
      .filter((one) => one.sucursal === sucursal)
      .flatMap(({ lineas }) => lineas)
      .filter(({ clave }) => known.get(clave) === n)
      .reduce((sum, { cantidad }) => sum + cantidad, 0);
  const hay = (n: number, { clave }: { clave: number }) =>
    claseOf(n) === 'agotado'
      ? 0
      : Math.max(0, existencia(n, 'cva', String(clave)) + (clave === 46 ? 9 : 0) - vendidas(n, clave));
  const totalOf = (n: number) => SUCURSALES.reduce((sum, one) => sum + hay(n, one), 0);

  const on = (q: URLSearchParams, name: string) => ['true', '1'].includes(q.get(name) ?? '');

  /** As the list of prices tells it. */
  function docOf(n: number, q: URLSearchParams) {
    const { marca, modelo, nombre, sat, upc } = pieza(n);
    const clase = claseOf(n);
    const rows = SUCURSALES.map((one) => ({ nombre: one.nombre, disponible: number(hay(n, one)) }));
    return {
      id: 10_427_000 + n,
      clave: `CV-${1_000 + n}`,
      codigo_fabricante: modelo,
      descripcion: nombre.toUpperCase(),
      principal: clase === 'paquete' ? null : 'SEGURIDAD',
      grupo: clase === 'paquete' ? null : 'CAMARAS',
      marca: clase === 'paquete' ? null : marca,
      garantia: '1 AÑO',
      disponible: number(hay(n, SUCURSALES[0]!)),
      disponibleCD: number(hay(n, SUCURSALES[1]!) + hay(n, SUCURSALES[2]!)),
      moneda: clase === 'moneda' ? 'Euros' : enDolares(n) ? 'Dolares' : 'Pesos',
      precio: number(Number(precioOf(n))),
      imagen: `https://www.grupocva.com/detalle_articulo/${10_427_000 + n}.jpg`,
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

  /** As the list of stock and offers tells it, under other names. */
  function inventarioOf(n: number) {
    const doc = docOf(n, new URLSearchParams());
    const rows = SUCURSALES.map((one) => ({
      ...(interruptores.is('claveDeSucursal', 'viene') ? { clave: one.clave } : {}),
      nombre: one.nombre,
      disponible: number(hay(n, one)),
    }));
    const empty = claseOf(n) === 'agotado' && interruptores.is('sinExistencia', 'listaVacia');
    return {
      id: String(doc.id),
      clave: doc.clave,
      codigo: doc.codigo_fabricante,
      precio: doc.precio,
      moneda: doc.moneda,
      promocion: null,
      inventario: empty ? [] : [...rows, { nombre: 'TOTAL', disponible: number(totalOf(n)) }],
    };
  }

  const fecha = (ms: number) => horaLocal(ms).slice(0, 10).split('-').reverse().join('/');

  function escrito(status: number, body: unknown): SandboxResponse {
    const plain = json(status, body);
    return interruptores.is('codificacion', 'latin1')
      ? { ...plain, body: Buffer.from(String(plain.body), 'latin1') }
      : plain;
  }
  const noHay = () =>
    interruptores.is('noHay', '404')
      ? escrito(404, { message: 'No se encontraron productos.' })
      : escrito(200, { articulos: [] });

  function handle(request: SandboxRequest): SandboxResponse {
    const { method, path } = request;
    const q = request.url.searchParams;
    const body = (request.data() ?? {}) as Record<string, unknown>;
    if (method === 'POST' && path === '/user/login') return login(body);
    if (method === 'POST' && path === '/waybill') return waybill(request, body);
    if (!cuenta.vive(bearerOf(request)))
      return escrito(interruptores.is('tokenViejo', '401') ? 401 : 403, { message: 'Token inválido' });
    if (method === 'GET' && path === '/catalogo_clientes/lista_precios') return precios(q);
    if (method === 'GET' && path === '/catalogo_clientes/precios_stock_ofertas') return stock(q);
    if (method === 'POST' && path === '/pedidos_web/crear_orden') return pedir(body);
    if (method === 'POST' && path === '/pedidos_web/pedido_orden_compra') return porOrden(String(body.orden));
    if (method === 'POST' && path === '/pedidos_web/consultar_pedido') return pedido(String(body.pedido));
    if (method === 'POST' && path === '/pedidos_web/consultar_factura') return factura(String(body.factura));
    return escrito(404, { message: 'Not Found' });
  }

  function login({ user, password }: Record<string, unknown>): SandboxResponse {
    if (cuenta.cerrada || user !== CUENTA.user || password !== CUENTA.password) {
      const status = interruptores.is('llaveMala', '401') ? 401 : interruptores.is('llaveMala', '403') ? 403 : 200;
      return escrito(status, { message: 'Usuario o contraseña incorrectos' });
    }
    const token = cuenta.da();
    store.changed();
    return escrito(200, { usuario: { id_cliente: 666, clave_cliente: number(10_000), usuario: user }, token });
  }

  function precios(q: URLSearchParams): SandboxResponse {
    const asked = q.get('clave') ?? q.get('codigo');
    if (asked !== null) {
      const n = known.get(asked) ?? ids.find((one) => pieza(one).modelo === asked);
      return n === undefined ? noHay() : escrito(200, docOf(n, q));
    }
    const hora = Number(horaLocal(reloj.now()).slice(11, 13));
    if (hora >= 9 && hora < 19) {
      const status = interruptores.is('horario', '200') ? 200 : interruptores.is('horario', '403') ? 403 : 404;
      return escrito(status, { message: 'Consulta no disponible en este horario' });
    }
    const words = (q.get('desc') ?? '').toLowerCase();
    const found =
      words === '' ? ids : ids.filter((n) => `${pieza(n).nombre} ${pieza(n).modelo}`.toLowerCase().includes(words));
    const page = Math.max(1, Number(q.get('page') ?? 1));
    const slice = found.slice((page - 1) * POR_PAGINA, page * POR_PAGINA);
    if (slice.length === 0) return noHay();
    return escrito(200, {
      articulos: slice.map((n) => docOf(n, q)),
      ...(interruptores.is('paginacion', 'viene')
        ? { paginacion: { total_paginas: number(Math.ceil(found.length / POR_PAGINA)), pagina: page } }
        : {}),
    });
  }

  function stock(q: URLSearchParams): SandboxResponse {
    if (q.has('batch')) {
      const page = Math.max(1, Number(q.get('page') ?? 1));
      const slice = ids.slice((page - 1) * EN_LOTE, page * EN_LOTE);
      if (slice.length === 0) return noHay();
      const paginacion = { total_paginas: number(Math.ceil(ids.length / EN_LOTE)), pagina: page };
      return escrito(200, {
        articulos: slice.map(inventarioOf),
        ...(interruptores.is('paginacion', 'viene') ? { paginacion } : {}),
      });
    }
    const n = known.get(q.get('clave') ?? '');
    return n === undefined ? noHay() : escrito(200, inventarioOf(n));
  }

  /** A no, in each way that is seen of it. */
  function no(message: string): SandboxResponse {
    if (interruptores.is('rechazo', 'http')) return escrito(400, { message });
    if (interruptores.is('rechazo', 'error')) return escrito(200, { error: message });
    return interruptores.is('rechazo', 'result')
      ? escrito(200, { result: 0, message })
      : escrito(200, { message, action: 'Contacte a su ejecutivo' });
  }

  function pedir(body: Record<string, unknown>): SandboxResponse {
    const { test, num_oc: numOc, codigo_sucursal: sucursal, tipo_flete: flete, productos } = body;
    const branch = SUCURSALES.find(({ clave }) => clave === sucursal);
    if (!branch || !['SF', 'FF', 'FS'].includes(String(flete)) || !Array.isArray(productos) || productos.length === 0)
      return no('Datos incompletos');
    const lineas = (productos as { clave: string; cantidad: number }[]).map(({ clave, cantidad }) => ({
      clave,
      cantidad,
    }));
    for (const { clave, cantidad } of lineas) {
      const n = known.get(clave);
      if (n === undefined || hay(n, branch) < cantidad) return no(`Sin existencia suficiente de ${clave}`);
    }
    const same = estado.pedidos.find((one) => one.numOc === numOc);
    if (same && interruptores.is('repetido', 'rechaza')) return no('La orden de compra ya existe');
    if (same && interruptores.is('repetido', 'elMismo')) return escrito(200, hechoOf(same));
    const made: Pedido = {
      folio: `NGB-${987_217 + estado.pedidos.length}`,
      numOc: String(numOc),
      sucursal: branch.clave,
      lineas,
      en: reloj.now(),
      guias: [],
    };
    if (test === 1 || test === true) return escrito(200, hechoOf(made));
    estado.pedidos.push(made);
    store.changed();
    return escrito(200, hechoOf(made));
  }

  const subtotalOf = ({ lineas }: Pedido) =>
    lineas.reduce((sum, { clave, cantidad }) => {
      const cents = centavos(known.get(clave)!, 'cva');
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
      iva: interruptores.is('iva', 'importe') ? number(Number(iva.toFixed(2))) : 1,
      total: number(total),
      moneda: interruptores.is('moneda', 'USD') ? 'USD' : 'Dolares',
      tipo_cambio: number(POR_DOLAR),
      email_agente: 'agente@demo.mx',
      email_almacen: 'almacen@demo.mx',
      flete: null,
      fecha_entrega_estimada: null,
    };
  };

  const facturaOf = ({ folio, en }: Pedido) =>
    reloj.now() - en >= FACTURA_MS ? `G-${200_000 + (hash(folio) % 90_000)}` : null;

  /** Every order under one reference, which it takes as often as it is sent. */
  function porOrden(orden: string): SandboxResponse {
    const folios = estado.pedidos.filter(({ numOc }) => numOc === orden).map(({ folio }) => folio);
    if (folios.length === 0 && !interruptores.is('sinPedidos', 'vacio')) {
      const message = 'No se encontraron pedidos de esa orden';
      return escrito(interruptores.is('sinPedidos', '404') ? 404 : 200, { message });
    }
    return escrito(200, { orden, pedidos: folios, status: 'ok' });
  }

  function pedido(folio: string): SandboxResponse {
    const one = estado.pedidos.find((each) => each.folio === folio);
    if (!one) return escrito(404, { message: 'No se encontró el pedido' });
    const invoice = facturaOf(one);
    const waiting = interruptores.is('estatus', 'INCOMPLETO')
      ? 'INCOMPLETO'
      : interruptores.is('estatus', 'otro')
        ? 'EN PROCESO'
        : null;
    return escrito(200, {
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
    if (!one) return escrito(404, { message: 'No se encontró la factura' });
    return escrito(200, {
      factura: {
        // Pesos are `MN` here.
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

  function waybill(request: SandboxRequest, body: Record<string, unknown>): SandboxResponse {
    if (bearerOf(request) !== TOKEN_GUIAS) return escrito(401, { message: 'Token inválido' });
    const one = estado.pedidos.find(({ folio }) => folio === body.order_number);
    if (!one || interruptores.is('guia', 'error')) return escrito(200, { error: 'No se pudo registrar la guía' });
    one.guias.push({ guia: String(body.waybills), bytes: Buffer.from(String(body.file), 'base64').length });
    store.changed();
    if (interruptores.is('guia', 'vacia')) return escrito(200, {});
    return escrito(200, {
      ...(interruptores.is('guia', 'ok') ? { status: 'ok' } : {}),
      message: 'Guía registrada',
      order_number: one.folio,
    });
  }

  const ejemplo = (n: number): Ejemplo => {
    const sinPrecio = ['cero', 'moneda'].includes(claseOf(n));
    return {
      id: `CV-${1_000 + n}`,
      precio: sinPrecio ? null : precioOf(n),
      moneda: sinPrecio ? null : enDolares(n) ? 'USD' : 'MXN',
      existencia: totalOf(n),
      texto: pieza(n).modelo,
    };
  };

  return {
    name: 'cva',
    title: 'CVA',
    about: 'El mayorista que cierra su catálogo de día, y recibe guías con un token aparte.',
    prefixes: ['/cva/api/v2'],
    faultRoute: '/pedidos_web/crear_orden',
    handle,
    refusal: (fault) => no(String(fault.message ?? 'El cliente no cuenta con crédito disponible')),
    ...mayorista({
      store,
      reloj,
      interruptores,
      cuenta,
      ids,
      claseOf,
      ejemplo,
      estado: { fresh, get: () => estado, set: (next) => (estado = next) },
      pedidos: () => estado.pedidos.map(({ folio, numOc, guias }) => ({ folio, referencia: numOc, guias })),
    }),
  };
}
