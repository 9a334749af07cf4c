/** The impostor of CT: a token by customer, stock by warehouse, and orders of two steps. An order without its second step lapses after two days. */
import { centavos, claveOf as claveAt, dolares, existencia, hash, pieza } from '../world/catalogo';
import { FACTURA_MS, openMayorista, type MayoristaOptions } from '../proveedores/mayorista';
import { horaLocal } from '../proveedores/taller';
import { fotoEn } from '../imagenes';
import { routed } from '../routes';
import { bodyOf, html, json, type SandboxRequest, type SandboxResponse, type Service } from '../service';

export const LLAVES = { email: 'COMPRAS@DEMO.MX', cliente: 'HMO0000', rfc: 'XAXX010101000' };

const SWITCHES = {
  forma: ['arreglo', 'objeto'],
  respuesta: ['objeto', 'arreglo'],
  repetido: ['otro', 'primero', 'rechaza'],
  errorHttp: ['200', '400', '401'],
  errores: ['adentro', 'arriba'],
  segundoConfirmar: ['rechaza', 'ok'],
  trasConfirmar: ['Confirmado', 'Pendiente'],
  guias: ['siempre', 'alFacturar'],
  lapso: ['cancelado', 'error', 'desaparece'],
  folioFactura: ['si', 'nunca'],
  limite: ['429', '503'],
  noHay: ['404', 'vacio'],
  promocion: ['precio', 'porciento'],
  lista: ['alMomento', 'tarda'],
} as const;

/** Warehouses. The last one is in no public table. */
const ALMACENES = ['01A', '13A', '35A', '44A'];
/** Short names of the warehouses. The last warehouse has none. */
const HOMOCLAVES: Record<string, string> = { '01A': 'HMO', '13A': 'GDL', '35A': 'DFA' };
const LISTA_MS = 60_000;
const LAPSO_MS = 48 * 3_600_000;

/** Pesos per dollar. */
const POR_DOLAR = 18.52;
type Linea = { clave: string; cantidad: number; precio: number; moneda: string };
type Pedido = {
  folio: string;
  idPedido: number;
  almacen: string;
  tipoPago: string;
  producto: Linea[];
  envio: unknown[];
  en: number;
  confirmado: number | null;
  guias: { guia: string; paqueteria: string; bytes: number }[];
  errores: unknown[];
};
type Estado = { pedidos: Pedido[] };

const claveOf = (n: number) => claveAt('ct', n);

export function createCt(options: MayoristaOptions): Service {
  const { reloj, cuenta, limite, changed, estado, ids, claseOf, is, numberOf, service } = openMayorista(options, {
    name: 'ct',
    llaves: LLAVES,
    switches: SWITCHES,
    prefijo: 'sandbox-ct-jwt-',
    clases: { 10: 'cero', 11: 'moneda', 20: 'agotado', 21: 'promocion', 30: 'inactivo' },
    porMinuto: 100,
    fresh: (): Estado => ({ pedidos: [] }),
  });

  const monedaOf = (n: number) => (claseOf(n) === 'moneda' ? 'EUR' : n % 4 === 1 ? 'USD' : 'MXN');
  const precioOf = (n: number) => {
    const cents = centavos(n, 'ct');
    return claseOf(n) === 'cero' ? '0' : monedaOf(n) === 'USD' ? dolares(cents, POR_DOLAR) : (cents / 100).toFixed(2);
  };
  const shelfOf = (n: number, almacen: string) =>
    claseOf(n) === 'agotado' ? 0 : existencia(n, 'ct', almacen) + (almacen === '13A' ? 3 : 0);
  const stockOf = (n: number, almacen: string) =>
    estado.pedidos
      .filter((one) => one.confirmado !== null && one.almacen === almacen)
      .flatMap(({ producto }) => producto)
      .filter(({ clave }) => clave === claveOf(n))
      .reduce((left, { cantidad }) => left - cantidad, shelfOf(n, almacen));

  const error = (errorCode: string, errorMessage: string, errorReference = '') => ({
    errorCode,
    errorMessage,
    errorReference,
  });
  const statusOfError = () => (is('errorHttp', '200') ? 200 : is('errorHttp', '400') ? 400 : 401);
  const no = (code: string, message: string, reference?: string) =>
    json(statusOfError(), error(code, message, reference));
  const oneOf = (value: unknown) => (is('forma', 'arreglo') ? [value] : value);
  const nothing = () => (is('noHay', '404') ? json(404, { message: 'Not Found' }) : json(200, []));

  const behindToken = routed(
    {
      'POST /pedido': order,
      'POST /pedido/confirmar': (request) => confirm(String(bodyOf(request).folio)),
      'POST /pedido/guias': (request) => addGuias(bodyOf(request)),
      'GET /pedido/tipoCambio': () => json(200, { tipoCambio: POR_DOLAR }),
      'GET /pedido/estatus/:folio': ({ params }) => estatus(params.folio!),
      'GET /pedido/detalle/:folio': ({ params }) => detalle(params.folio!),
      'GET /pedido/listar': list,
      'GET /existencia/promociones': () => json(200, ids.map(conPromocion)),
      'GET /existencia/promociones/:clave': ({ params }) => promociones(params.clave!),
      'GET /existencia/:clave': ({ params }) => existencias(params.clave!),
    },
    () => json(404, { message: 'Not Found' }),
  );

  function handle(request: SandboxRequest) {
    if (request.route === 'POST /cliente/token') return token(request);
    if (request.path === '/ftp/catalogo_xml/productos.json') return json(200, ids.map(fileDocOf));
    if (limite.take() > 0) return full();
    if (!cuenta.knows(request.headers['x-auth'] as string | undefined)) return no('4010', 'No autorizado');
    return behindToken(request);
  }

  const full = () =>
    is('limite', '429')
      ? json(429, { message: 'Too many requests' })
      : html(503, '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>');

  function token(request: SandboxRequest): SandboxResponse {
    const issued = cuenta.issue(bodyOf(request), LLAVES);
    return issued === undefined
      ? no('4010', 'No autorizado')
      : json(200, { token: issued, time: reloj.date().toISOString() });
  }

  /** A piece as the file of the catalogue tells it, with short names for its warehouses. */
  function fileDocOf(n: number) {
    const { marca, modelo, nombre, upc } = pieza(n);
    const precio = Number(precioOf(n));
    const dia = (ms: number) => horaLocal(reloj.now() + ms).slice(0, 10);
    return {
      idProducto: 51_000 + n,
      clave: claveOf(n),
      numParte: modelo,
      nombre: nombre.split(' ')[0],
      modelo: n % 4 ? modelo : '',
      marca,
      subcategoria: 'Cámaras bala',
      categoria: 'Seguridad',
      descripcion_corta: nombre,
      ean: '',
      upc,
      sustituto: '',
      activo: claseOf(n) === 'inactivo' ? 0 : 1,
      protegido: 0,
      existencia: Object.fromEntries(ALMACENES.map((almacen) => [HOMOCLAVES[almacen] ?? almacen, stockOf(n, almacen)])),
      precio: n % 3 ? precio : String(precio),
      moneda: monedaOf(n),
      tipoCambio: monedaOf(n) === 'MXN' ? 1 : POR_DOLAR,
      especificaciones: [{ tipo: 'Resolución', valor: '1920x1080' }],
      promociones:
        claseOf(n) === 'promocion'
          ? [
              {
                tipo: 'importe',
                promocion: Number((precio * 0.9).toFixed(2)),
                vigencia: { inicio: `${dia(-86_400_000)} 00:00:00`, fin: `${dia(86_400_000)} 23:59:59` },
              },
            ]
          : [],
      imagen: fotoEn(options.baseUrl(), `http://ctonline.mx/img/productos/${claveOf(n)}.jpg`),
    };
  }

  function promociones(clave: string): SandboxResponse {
    const n = numberOf(clave);
    return n === undefined ? nothing() : json(200, conPromocion(n));
  }

  function conPromocion(n: number) {
    const day = 86_400_000;
    const vigente = (from: number, to: number) => ({
      ini: new Date(reloj.now() + from * day).toISOString(),
      fin: new Date(reloj.now() + to * day).toISOString(),
    });
    const precio = Number(precioOf(n));
    const rebaja = is('promocion', 'precio')
      ? { precio: Number((precio * 0.9).toFixed(2)) }
      : { precio: 0, porciento: 10 };
    const almacenes = ALMACENES.map((almacen) => ({
      [almacen]: stockOf(n, almacen),
      ...(claseOf(n) === 'promocion' && almacen === '13A' ? { promocion: { ...rebaja, vigente: vigente(-1, 1) } } : {}),
      // A promotion that has ended stays listed.
      ...(claseOf(n) === 'promocion' && almacen === '01A'
        ? { promocion: { ...rebaja, vigente: vigente(-9, -1) } }
        : {}),
    }));
    return { codigo: claveOf(n), precio: n % 3 ? precio : String(precio), moneda: monedaOf(n), almacenes };
  }

  function existencias(clave: string): SandboxResponse {
    const n = numberOf(clave);
    if (n === undefined) return nothing();
    return json(200, Object.fromEntries(ALMACENES.map((almacen) => [almacen, { existencia: stockOf(n, almacen) }])));
  }

  function order(request: SandboxRequest): SandboxResponse {
    const { idPedido, almacen, tipoPago, producto, envio } = bodyOf(request);
    if (!Number.isInteger(idPedido) || typeof almacen !== 'string' || !Array.isArray(producto) || !Array.isArray(envio))
      return no('4001', 'Datos incompletos');
    const [to] = envio as { codigoPostal?: unknown; telefono?: unknown }[];
    if (to && !(Number.isInteger(to.codigoPostal) && Number.isInteger(to.telefono)))
      return no('4001', 'codigoPostal y telefono son enteros');
    const lines = producto as Linea[];
    const same = estado.pedidos.find((one) => one.idPedido === idPedido);
    if (same && is('repetido', 'primero')) return json(200, oneOf(docOf(same)));
    if (same && is('repetido', 'rechaza')) return no('4011', 'El pedido ya existe');
    const errores = lines.flatMap(({ clave, cantidad }) => {
      const n = numberOf(clave);
      return n === undefined || stockOf(n, almacen) < cantidad ? [error('4008', 'Inventario insuficiente', clave)] : [];
    });
    if (errores.length > 0 && is('errores', 'arriba')) return json(statusOfError(), errores[0]);
    const pedido: Pedido = {
      folio: `W${almacen.slice(0, 2)}-${String(estado.pedidos.length + 1).padStart(6, '0')}`,
      idPedido: idPedido as number,
      almacen,
      tipoPago: String(tipoPago),
      producto: lines,
      envio,
      en: reloj.now(),
      confirmado: null,
      guias: [],
      errores,
    };
    estado.pedidos.push(pedido);
    changed();
    return json(200, oneOf(docOf(pedido)));
  }

  const lapsed = ({ en, confirmado }: Pedido) => confirmado === null && reloj.now() - en > LAPSO_MS;
  const vivos = () => estado.pedidos.filter((one) => !(lapsed(one) && is('lapso', 'desaparece')));
  const find = (folio: string) => vivos().find((one) => one.folio === folio);
  const invoiced = ({ confirmado }: Pedido) => confirmado !== null && reloj.now() - confirmado >= FACTURA_MS;
  const statusOf = (pedido: Pedido) =>
    lapsed(pedido)
      ? 'Cancelado'
      : invoiced(pedido)
        ? 'Facturado'
        : pedido.confirmado === null || is('trasConfirmar', 'Pendiente')
          ? 'Pendiente'
          : 'Confirmado';
  const folioDeFactura = ({ folio }: Pedido) => `F-${folio}`;
  const uuidOf = ({ folio }: Pedido) => `9B2504E0-4F89-41D3-9A0C-${String(hash(folio)).padStart(12, '0')}`;

  function docOf(pedido: Pedido) {
    const { folio, idPedido, almacen, tipoPago, producto, envio, en, errores } = pedido;
    const respuesta = {
      pedidoWeb: folio,
      fecha: new Date(en).toISOString(),
      tipoDeCambio: POR_DOLAR,
      estatus: statusOf(pedido),
      errores,
      ...(invoiced(pedido) && is('folioFactura', 'si') ? { folioFactura: folioDeFactura(pedido) } : {}),
    };
    return {
      idPedido,
      almacen,
      tipoPago,
      envio,
      producto,
      respuestaCT: is('respuesta', 'objeto') ? respuesta : [respuesta],
    };
  }

  const totalOf = (lineas: readonly Linea[]) =>
    lineas
      .reduce(
        (sum, { cantidad, precio, moneda }) => sum + cantidad * precio * (moneda === 'USD' ? POR_DOLAR : 1) * 1.16,
        0,
      )
      .toFixed(2);

  function confirm(folio: string): SandboxResponse {
    const pedido = find(folio);
    if (!pedido) return no('4004', 'El pedido no existe');
    if (lapsed(pedido) || pedido.errores.length > 0) return no('4005', 'El pedido no se puede confirmar');
    if (pedido.confirmado !== null && is('segundoConfirmar', 'rechaza'))
      return no('4006', 'El pedido ya está confirmado');
    pedido.confirmado ??= reloj.now();
    changed();
    return json(200, { okCode: '2000', okMessage: 'Pedido confirmado', okReference: folio });
  }

  function addGuias({ folio, guias: sent }: Record<string, unknown>): SandboxResponse {
    const pedido = find(String(folio));
    if (!pedido || !Array.isArray(sent)) return no('4004', 'El pedido no existe');
    if (pedido.confirmado === null || (is('guias', 'alFacturar') && !invoiced(pedido)))
      return no('4007', 'El pedido todavía no admite guías');
    for (const one of sent as { guia: string; paqueteria: string; archivo: string }[])
      pedido.guias.push({ ...one, bytes: Buffer.from(one.archivo, 'base64').length });
    changed();
    return json(200, { okCode: '2000', okMessage: 'Guías registradas', okReference: String(folio) });
  }

  function estatus(folio: string): SandboxResponse {
    const pedido = find(folio);
    if (!pedido) return nothing();
    if (lapsed(pedido) && is('lapso', 'error')) return no('4005', 'El pedido venció');
    return json(200, oneOf({ status: statusOf(pedido), folio, ...(invoiced(pedido) ? { uuid: uuidOf(pedido) } : {}) }));
  }

  /** Lists every order. Under the switch `lista` an order of the last minute is missing. */
  function list(): SandboxResponse {
    const tarda = is('lista', 'tarda') ? LISTA_MS : 0;
    const docs = vivos()
      .filter(({ en }) => reloj.now() - en >= tarda)
      .map(docOf);
    return json(200, docs.length === 1 ? oneOf(docs[0]) : docs);
  }

  function detalle(folio: string): SandboxResponse {
    const pedido = find(folio);
    return pedido ? json(200, oneOf(docOf(pedido))) : nothing();
  }

  return service({
    title: 'CT',
    about: 'El mayorista de pedidos en dos pasos: uno que vence en 48 horas y otro que hace facturar.',
    prefixes: ['/ct'],
    faultRoute: 'POST /pedido',
    handle,
    modes: {
      /** The first half of the file with a content length to match, as if it had been cut where it is made. */
      'archivo-cortado': (answer) => ({
        ...answer,
        body: String(answer.body).slice(0, String(answer.body).length >> 1),
      }),
    },
    refuse: (text) => no('4000', text),
    usualNo: 'Sin línea de crédito',
    sinPrecio: ['cero', 'moneda'],
    precioOf,
    porDolar: POR_DOLAR,
    monedaOf,
    existenciaOf: (n) => ALMACENES.reduce((sum, almacen) => sum + stockOf(n, almacen), 0),
    pedidoOf: ({ folio, idPedido, producto, guias }) => ({
      folio,
      referencia: String(idPedido),
      total: totalOf(producto),
      guias,
    }),
    entregaOf: (pedido) => ({
      en: pedido.en,
      tomado: pedido.confirmado !== null,
      factura: invoiced(pedido) ? { folio: folioDeFactura(pedido), en: pedido.confirmado! + FACTURA_MS } : null,
    }),
  });
}
