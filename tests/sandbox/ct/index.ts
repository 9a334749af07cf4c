/** CT: a token by customer, stock by warehouse, and orders of two steps of which the first lapses after two days. */
import { centavos, dolares, existencia, hash, pieza, PRODUCTOS, vende } from '../proveedores/catalogo';
import {
  type Ejemplo,
  CuentaConFichas,
  horaLocal,
  Interruptores,
  Limite,
  mayorista,
  Reloj,
} from '../proveedores/taller';
import { html, json, type SandboxRequest, type SandboxResponse, type Service, type ServiceOptions } from '../service';

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

/** The last is in no public table. */
const ALMACENES = ['01A', '13A', '35A', '44A'];
/** The last of them is in no table of short names. */
const HOMOCLAVES: Record<string, string> = { '01A': 'HMO', '13A': 'GDL', '35A': 'DFA' };
const FACTURA_MS = 60_000;
const LISTA_MS = 60_000;
const LAPSO_MS = 48 * 3_600_000;

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

export type CtOptions = ServiceOptions & { productos?: number };

export function createCt({ store, productos = PRODUCTOS }: CtOptions): Service {
  const reloj = new Reloj();
  const interruptores = new Interruptores(SWITCHES);
  const cuenta = new CuentaConFichas(LLAVES, 'sandbox-ct-jwt-');
  const limite = new Limite(100, reloj.now);
  const fresh = (): Estado => ({ pedidos: [] });
  let estado = fresh();

  const ids = Array.from({ length: productos }, (_, n) => n).filter((n) => vende(n, 'ct'));
  const known = new Set(ids);
  const claveOf = (n: number) => `CAM${pieza(n).marca.slice(0, 3).replace('-', 'X')}${10_000 + n}`;
  const numberOf = (clave: string) => {
    const n = Number(/\d{5,9}$/.exec(clave)?.[0] ?? NaN) - 10_000;
    return known.has(n) && claveOf(n) === clave ? n : null;
  };
  const claseOf = (n: number) =>
    n % 50 === 10
      ? 'cero'
      : n % 50 === 11
        ? 'moneda'
        : n % 50 === 20
          ? 'agotado'
          : n % 50 === 30
            ? 'inactivo'
            : n % 50 === 21
              ? 'promocion'
              : 'normal';
  const monedaOf = (n: number) => (claseOf(n) === 'moneda' ? 'EUR' : n % 4 === 1 ? 'USD' : 'MXN');
  const precioOf = (n: number) => {
    const cents = centavos(n, 'ct');
    return claseOf(n) === 'cero' ? '0' : monedaOf(n) === 'USD' ? dolares(cents, 18.52) : (cents / 100).toFixed(2);
  };
  const haySin = (n: number, almacen: string) =>
    claseOf(n) === 'agotado' ? 0 : existencia(n, 'ct', almacen) + (almacen === '13A' ? 3 : 0);
  const hay = (n: number, almacen: string) =>
    estado.pedidos
      .filter((one) => one.confirmado !== null && one.almacen === almacen)
      .flatMap(({ producto }) => producto)
      .filter(({ clave }) => clave === claveOf(n))
      .reduce((left, { cantidad }) => left - cantidad, haySin(n, almacen));

  const error = (errorCode: string, errorMessage: string, errorReference = '') => ({
    errorCode,
    errorMessage,
    errorReference,
  });
  const statusOfError = () =>
    interruptores.is('errorHttp', '200') ? 200 : interruptores.is('errorHttp', '400') ? 400 : 401;
  const no = (code: string, message: string, reference?: string) =>
    json(statusOfError(), error(code, message, reference));
  const uno = (value: unknown) => (interruptores.is('forma', 'arreglo') ? [value] : value);
  const noHay = () => (interruptores.is('noHay', '404') ? json(404, { message: 'Not Found' }) : json(200, []));

  function handle(request: SandboxRequest): SandboxResponse {
    const { method, path } = request;
    if (method === 'POST' && path === '/cliente/token') return token(request);
    if (path === '/ftp/catalogo_xml/productos.json') return json(200, ids.map(deArchivo));
    if (limite.pide() > 0) return lleno();
    if (!cuenta.vive(request.headers['x-auth'] as string | undefined)) return no('4010', 'No autorizado');
    if (method === 'POST') return escribir(path, (request.data() ?? {}) as Record<string, unknown>);
    if (path === '/pedido/tipoCambio') return json(200, { tipoCambio: 18.52 });
    const [, room = '', verb = '', key] = path.split('/').map((part) => decodeURIComponent(part));
    if (path === '/existencia/promociones') return json(200, ids.map(conPromocion));
    if (room === 'existencia' && verb === 'promociones' && key) return promociones(key);
    if (room === 'existencia' && key === undefined) return existencias(verb);
    if (room === 'pedido' && verb === 'estatus' && key) return estatus(key);
    if (room === 'pedido' && verb === 'detalle' && key) return detalle(key);
    if (room === 'pedido' && verb === 'listar') return listar();
    return json(404, { message: 'Not Found' });
  }

  const lleno = () =>
    interruptores.is('limite', '429')
      ? json(429, { message: 'Too many requests' })
      : html(503, '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>');

  function token(request: SandboxRequest): SandboxResponse {
    const asked = (request.data() ?? {}) as Record<string, unknown>;
    const isOurs = Object.entries(LLAVES).every(([name, value]) => asked[name] === value);
    if (cuenta.cerrada || !isOurs) return no('4010', 'No autorizado');
    const issued = cuenta.da();
    store.changed();
    return json(200, { token: issued, time: reloj.date().toISOString() });
  }

  /** As its file tells a piece, whose warehouses have short names there. */
  function deArchivo(n: number) {
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
      existencia: Object.fromEntries(ALMACENES.map((almacen) => [HOMOCLAVES[almacen] ?? almacen, hay(n, almacen)])),
      precio: n % 3 ? precio : String(precio),
      moneda: monedaOf(n),
      tipoCambio: monedaOf(n) === 'MXN' ? 1 : 18.52,
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
      imagen: `http://ctonline.mx/img/productos/${claveOf(n)}.jpg`,
    };
  }

  function promociones(clave: string): SandboxResponse {
    const n = numberOf(clave);
    return n === null ? noHay() : json(200, conPromocion(n));
  }

  function conPromocion(n: number) {
    const day = 86_400_000;
    const vigente = (from: number, to: number) => ({
      ini: new Date(reloj.now() + from * day).toISOString(),
      fin: new Date(reloj.now() + to * day).toISOString(),
    });
    const precio = Number(precioOf(n));
    const rebaja = interruptores.is('promocion', 'precio')
      ? { precio: Number((precio * 0.9).toFixed(2)) }
      : { precio: 0, porciento: 10 };
    const almacenes = ALMACENES.map((almacen) => ({
      [almacen]: hay(n, almacen),
      ...(claseOf(n) === 'promocion' && almacen === '13A' ? { promocion: { ...rebaja, vigente: vigente(-1, 1) } } : {}),
      // Past ones stay listed.
      ...(claseOf(n) === 'promocion' && almacen === '01A'
        ? { promocion: { ...rebaja, vigente: vigente(-9, -1) } }
        : {}),
    }));
    return { codigo: claveOf(n), precio: n % 3 ? precio : String(precio), moneda: monedaOf(n), almacenes };
  }

  function existencias(clave: string): SandboxResponse {
    const n = numberOf(clave);
    if (n === null) return noHay();
    return json(200, Object.fromEntries(ALMACENES.map((almacen) => [almacen, { existencia: hay(n, almacen) }])));
  }

  function escribir(path: string, body: Record<string, unknown>): SandboxResponse {
    if (path === '/pedido') return pedir(body);
    if (path === '/pedido/confirmar') return confirmar(String(body.folio));
    if (path === '/pedido/guias') return guias(String(body.folio), body.guias);
    return json(404, { message: 'Not Found' });
  }

  function pedir(body: Record<string, unknown>): SandboxResponse {
    const { idPedido, almacen, tipoPago, producto, envio } = body;
    if (!Number.isInteger(idPedido) || typeof almacen !== 'string' || !Array.isArray(producto) || !Array.isArray(envio))
      return no('4001', 'Datos incompletos');
    const [to] = envio as { codigoPostal?: unknown; telefono?: unknown }[];
    if (to && !(Number.isInteger(to.codigoPostal) && Number.isInteger(to.telefono)))
      return no('4001', 'codigoPostal y telefono son enteros');
    const lines = producto as Linea[];
    const same = estado.pedidos.find((one) => one.idPedido === idPedido);
    if (same && interruptores.is('repetido', 'primero')) return json(200, uno(docOf(same)));
    if (same && interruptores.is('repetido', 'rechaza')) return no('4011', 'El pedido ya existe');
    const errores = lines.flatMap(({ clave, cantidad }) => {
      const n = numberOf(clave);
      return n === null || hay(n, almacen) < cantidad ? [error('4008', 'Inventario insuficiente', clave)] : [];
    });
    if (errores.length > 0 && interruptores.is('errores', 'arriba')) return json(statusOfError(), errores[0]);
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
    store.changed();
    return json(200, uno(docOf(pedido)));
  }

  const lapsed = ({ en, confirmado }: Pedido) => confirmado === null && reloj.now() - en > LAPSO_MS;
  const vivos = () => estado.pedidos.filter((one) => !(lapsed(one) && interruptores.is('lapso', 'desaparece')));
  const invoiced = ({ confirmado }: Pedido) => confirmado !== null && reloj.now() - confirmado >= FACTURA_MS;
  const statusOf = (pedido: Pedido) =>
    lapsed(pedido)
      ? 'Cancelado'
      : invoiced(pedido)
        ? 'Facturado'
        : pedido.confirmado === null || interruptores.is('trasConfirmar', 'Pendiente')
          ? 'Pendiente'
          : 'Confirmado';
  const uuidOf = ({ folio }: Pedido) => `9B2504E0-4F89-41D3-9A0C-${String(hash(folio)).padStart(12, '0')}`;

  function docOf(pedido: Pedido) {
    const { folio, idPedido, almacen, tipoPago, producto, envio, en, errores } = pedido;
    const respuesta = {
      pedidoWeb: folio,
      fecha: new Date(en).toISOString(),
      tipoDeCambio: 18.52,
      estatus: statusOf(pedido),
      errores,
      ...(invoiced(pedido) && interruptores.is('folioFactura', 'si') ? { folioFactura: `F-${folio}` } : {}),
    };
    return {
      idPedido,
      almacen,
      tipoPago,
      envio,
      producto,
      respuestaCT: interruptores.is('respuesta', 'objeto') ? respuesta : [respuesta],
    };
  }

  function confirmar(folio: string): SandboxResponse {
    const pedido = vivos().find((one) => one.folio === folio);
    if (!pedido) return no('4004', 'El pedido no existe');
    if (lapsed(pedido) || pedido.errores.length > 0) return no('4005', 'El pedido no se puede confirmar');
    if (pedido.confirmado !== null && interruptores.is('segundoConfirmar', 'rechaza'))
      return no('4006', 'El pedido ya está confirmado');
    pedido.confirmado ??= reloj.now();
    store.changed();
    return json(200, { okCode: '2000', okMessage: 'Pedido confirmado', okReference: folio });
  }

  function guias(folio: string, sent: unknown): SandboxResponse {
    const pedido = vivos().find((one) => one.folio === folio);
    if (!pedido || !Array.isArray(sent)) return no('4004', 'El pedido no existe');
    if (pedido.confirmado === null || (interruptores.is('guias', 'alFacturar') && !invoiced(pedido)))
      return no('4007', 'El pedido todavía no admite guías');
    for (const one of sent as { guia: string; paqueteria: string; archivo: string }[])
      pedido.guias.push({ ...one, bytes: Buffer.from(one.archivo, 'base64').length });
    store.changed();
    return json(200, { okCode: '2000', okMessage: 'Guías registradas', okReference: folio });
  }

  function estatus(folio: string): SandboxResponse {
    const pedido = vivos().find((one) => one.folio === folio);
    if (!pedido) return noHay();
    if (lapsed(pedido) && interruptores.is('lapso', 'error')) return no('4005', 'El pedido venció');
    return json(200, uno({ status: statusOf(pedido), folio, ...(invoiced(pedido) ? { uuid: uuidOf(pedido) } : {}) }));
  }

  /** All of them, or all but those of this minute. */
  function listar(): SandboxResponse {
    const tarda = interruptores.is('lista', 'tarda') ? LISTA_MS : 0;
    const docs = vivos()
      .filter(({ en }) => reloj.now() - en >= tarda)
      .map(docOf);
    return json(200, docs.length === 1 ? uno(docs[0]) : docs);
  }

  function detalle(folio: string): SandboxResponse {
    const pedido = vivos().find((one) => one.folio === folio);
    return pedido ? json(200, uno(docOf(pedido))) : noHay();
  }

  const ejemplo = (n: number): Ejemplo => {
    const sinPrecio = ['cero', 'moneda'].includes(claseOf(n));
    return {
      id: claveOf(n),
      precio: sinPrecio ? null : precioOf(n),
      moneda: sinPrecio ? null : monedaOf(n),
      existencia: ALMACENES.reduce((sum, almacen) => sum + hay(n, almacen), 0),
      texto: pieza(n).modelo,
    };
  };

  return {
    name: 'ct',
    title: 'CT',
    about: 'El mayorista de pedidos en dos pasos: uno que vence en 48 horas y otro que hace facturar.',
    prefixes: ['/ct'],
    faultRoute: 'POST /pedido',
    handle,
    modes: {
      /** Whole on the wire, and cut where it was made. */
      'archivo-cortado': (answer) => ({
        ...answer,
        body: String(answer.body).slice(0, String(answer.body).length >> 1),
      }),
    },
    refusal: (fault) => no('4000', String(fault.message ?? 'Sin línea de crédito')),
    ...mayorista({
      store,
      reloj,
      interruptores,
      cuenta,
      ids,
      claseOf,
      ejemplo,
      estado: { fresh, get: () => estado, set: (next) => (estado = next) },
      pedidos: () =>
        estado.pedidos.map(({ folio, idPedido, guias }) => ({ folio, referencia: String(idPedido), guias })),
      limite,
    }),
  };
}
