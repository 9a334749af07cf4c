/** Every call of the old client as its documents write it: who may, what is sent, what comes back. `llamadas.test.ts` plays them in this order. */
import { ROLES, type Rol } from '~/core/usuario';
import { cep } from '../support/builders/archivos';
import { buildApk } from '../support/builders/app';
import { unPdf } from '../support/builders/stock';

/** What the calls are about; a call may leave what the next one needs. */
export type Mundo = Record<string, string> & { [mas: `_${string}`]: never };
type Json = Record<string, unknown>;
export type Llamada = {
  /** Method and path as the documents write them. */
  dice: string;
  /** The same as it is called now, where a GET that changed something became a POST. */
  ahora?: 'POST';
  quien: readonly Rol[] | 'abierta';
  /** The address with its values. */
  en?: (m: Mundo) => string;
  cuerpo?: (m: Mundo) => Json;
  /** A form: its files and fields. */
  forma?: (m: Mundo) => Record<string, string | File | Blob>;
  /** Names and types of the answer: `docs[].precio` is a number in each of `docs`; `?` may be null. */
  responde: Record<string, Tipo>;
  /** What the first role is told beside that: payments to suppliers are not for everybody. */
  alPrimero?: Record<string, Tipo>;
  /** Keeps of the answer what later calls name. */
  deja?: (body: never, m: Mundo) => void;
  /** What it refuses by the flag when what is sent has this put over it. */
  rechaza?: readonly [Json, RegExp][];
  /** The answer is a file. */
  archivo?: true;
  /** It asks a far side: the worker runs meanwhile. */
  conTrabajador?: true;
  /** A right that wants a password given a moment ago, or a call that ends sessions, is not played by role. */
  unaVez?: true;
};
export type Tipo = 'texto' | 'texto?' | 'numero' | 'numero?' | 'si' | 'lista' | 'objeto' | 'objeto?';

const SA = ['sa'] as const;
const MANDAN = ['sa', 'admin'] as const;
const OPERAN = ['sa', 'admin', 'user'] as const;
const CON_AUX = ['sa', 'admin', 'user', 'aux'] as const;
const CON_CONT = ['sa', 'admin', 'user', 'cont'] as const;

const con = (antes: string, campos: Record<string, Tipo>) =>
  Object.fromEntries(Object.entries(campos).map(([campo, tipo]) => [`${antes}${campo}`, tipo]));
const HECHO = { error: 'si', message: 'texto' } as const;
const RANGO = (m: Mundo) => `${m.desde}/${m.hasta}`;
const json = (query: Json) => encodeURIComponent(JSON.stringify(query));

const PERSONA: Record<string, Tipo> = {
  _id: 'texto',
  nombre: 'texto',
  apellidos: 'texto',
  user: 'texto',
  rol: 'texto',
  email: 'texto',
  activo: 'si',
  fechaCreacion: 'texto',
};
const ORDEN: Record<string, Tipo> = {
  _id: 'texto',
  marketId: 'texto',
  market: 'texto',
  dateCreated: 'texto',
  estatus: 'texto',
  pagos: 'lista',
  pagado: 'numero?',
  pagadoAbs: 'numero?',
  'productos[].nombre': 'texto',
  'productos[].sku': 'texto?',
  'productos[].cantidad': 'numero',
  'productos[].precioUnitario': 'numero',
  'productos[].comision': 'numero',
  paquete: 'texto?',
  cotizacion: 'texto?',
  comision: 'numero?',
  retencion: 'numero?',
  envioPropio: 'si',
  envio: 'objeto?',
  envios: 'lista',
  facturaCliente: 'objeto?',
  proveedorFacturas: 'lista',
  datosProveedor: 'objeto',
  'datos.id': 'texto',
  'datos.status': 'texto',
  'datos.tags': 'lista',
  'datos.payments': 'lista',
  'datos.shipping.id': 'texto?',
  'datos.buyer.id': 'texto?',
  'datos.order_items[].quantity': 'numero',
  'datos.items': 'objeto?',
};
const PAGINA: Record<string, Tipo> = {
  docs: 'lista',
  totalDocs: 'numero',
  totalPages: 'numero',
  page: 'numero',
  pagingCounter: 'numero',
  nextPage: 'numero?',
  hasNextPage: 'si',
};
const PRODUCTO: Record<string, Tipo> = {
  _id: 'texto',
  idML: 'texto?',
  nombre: 'texto?',
  marca: 'texto?',
  modeloFabricante: 'texto?',
  modeloProveedor: 'texto?',
  proveedor: 'texto',
  stock: 'numero?',
  costoEnvio: 'numero?',
  piezasVendidas: 'numero',
  productoMaximo: 'numero?',
  precioLista: 'numero?',
  autoOrden: 'si',
  activo: 'si',
  fechaCreacion: 'texto',
  lastUpdate: 'texto',
  gtin: 'lista',
  precio: 'numero?',
  moneda: 'texto?',
  'datos.tvc_id': 'texto?',
  'datos.link': 'texto?',
  'datos.sku': 'texto?',
};
const PUBLICACION: Record<string, Tipo> = {
  _id: 'texto',
  titulo: 'texto?',
  marketId: 'texto?',
  market: 'texto',
  sku: 'texto?',
  precio: 'numero?',
  stock: 'numero?',
  vendido: 'numero?',
  categoria: 'texto?',
  marketLink: 'texto?',
  dateCreated: 'texto?',
  'datos.id': 'texto',
  'datos.status': 'texto',
  'datos.price': 'numero?',
  'datos.available_quantity': 'numero?',
  'datos.autoSync': 'si',
  'datos.subtitle': 'texto?',
  'datos.start_time': 'texto?',
  'datos.stop_time': 'texto?',
  'datos.end_time': 'texto?',
  'datos.descriptions': 'lista',
};
const ENVIO: Record<string, Tipo> = {
  marketId: 'texto?',
  estatus: 'texto',
  costo: 'numero?',
  cobrado: 'numero?',
  municipio: 'texto?',
  ciudad: 'texto?',
  'paqueteria.nombre': 'texto?',
  'paqueteria.link': 'texto?',
  'paqueteria.guia': 'texto?',
  nombreReceptor: 'texto?',
  apellidos: 'texto?',
  telefono: 'texto?',
  calle: 'texto?',
  numeroE: 'texto?',
  numeroI: 'texto?',
  calleA: 'texto?',
  calleB: 'texto?',
  referencia: 'texto?',
  colonia: 'texto?',
  cp: 'texto?',
};
const ENVIADO: Record<string, Tipo> = {
  ...ENVIO,
  dateCreated: 'texto',
  estado: 'texto?',
  ordenes: 'lista',
  'paqueteria.url': 'texto?',
  'datos.last_updated': 'texto?',
  'datos.tracking_number': 'texto?',
  'datos.shipping_items[].quantity': 'numero',
  'datos.shipping_items[].description': 'texto',
};
const PIEZA: Record<string, Tipo> = {
  _id: 'texto',
  folio: 'texto',
  'status.value': 'texto',
  'status.label': 'texto',
  cost: 'numero',
  amountRecovered: 'numero',
  observations: 'texto?',
  'statusHistory[].status': 'texto',
  'statusHistory[].date': 'texto',
  'factura.folio': 'texto?',
  'factura.supplier': 'texto?',
  'factura.file': 'objeto?',
};
const DE_PIEZA: Record<string, Tipo> = {
  nombre: 'texto',
  proveedor: 'texto?',
  modeloProveedor: 'texto?',
  'datos.sku': 'texto?',
  'datos.tvc_id': 'texto?',
  'datos.link': 'texto?',
};
const EN_LISTA = { ...con('[].', PIEZA), ...con('[].producto[].', DE_PIEZA), '[].orden[].marketId': 'texto' } as const;
const UNA_PIEZA = { ...PIEZA, ...con('producto.', DE_PIEZA), orden: 'objeto?' } as const;
const PREGUNTA: Record<string, Tipo> = {
  dateCreated: 'texto',
  marketLink: 'texto?',
  'datos.status': 'texto',
  'datos.text': 'texto',
  'datos.answer': 'objeto?',
  'datos.from.id': 'texto?',
};
const PEDIDO: Record<string, Tipo> = {
  _id: 'texto',
  idPedido: 'texto',
  market: 'texto',
  'producto[].clave': 'texto',
  'producto[].cantidad': 'numero',
  'producto[].precio': 'numero?',
  'respuestaCT.fecha': 'texto?',
  'respuestaCT.folioFactura': 'texto?',
  'respuestaCT.estatus': 'texto',
  'respuestaCT.pedidoWeb': 'texto?',
  almacen: 'texto?',
  facturaCliente: 'texto?',
};
const POR_CONFIRMAR: Record<string, Tipo> = {
  dateCreated: 'texto',
  marketId: 'texto',
  paquete: 'texto?',
  cotizacion: 'texto?',
  titulo: 'texto',
  pagado: 'numero',
  proveedor: 'texto',
  error: 'texto?',
};
const REGISTRO: Record<string, Tipo> = {
  _id: 'texto?',
  rfc: 'texto',
  razonS: 'texto',
  emails: 'lista',
  cp: 'texto',
  regimen: 'texto',
};
const FACTURADA = {
  response: 'texto',
  error: 'si',
  message: 'texto',
  'INV.Serie': 'texto',
  'INV.Folio': 'texto',
} as const;
const DE_PROVEEDOR: Record<string, Tipo> = {
  _id: 'texto',
  fechaCreacion: 'texto',
  proveedor: 'texto',
  folio: 'texto',
  monto: 'numero',
  'usuario.nombre': 'texto?',
  'usuario.apellidos': 'texto?',
  orden: 'texto',
};
const OPCIONES = { '[].key': 'texto', '[].name': 'texto' } as const;
const PROVEEDOR: Record<string, Tipo> = {
  '[].value': 'texto',
  '[].label': 'texto',
  '[].linkHome': 'texto?',
  '[].linkProductos': 'texto?',
  '[].linkFactura': 'texto?',
};
const LOTE = { response: 'texto', error: 'si', message: 'texto', lote: 'objeto' } as const;
const CATEGORIA: Record<string, Tipo> = {
  category_id: 'texto',
  category_name: 'texto',
  'arbol.padres': 'lista',
  'arbol.hijos': 'lista',
  'atribReq[].id': 'texto',
  'atribReq[].name': 'texto',
  'atribReq[].values': 'lista',
  'atribReq[].default_unit': 'texto?',
  'atribReq[].allowed_units': 'lista',
  'atribReq[].tags.conditional_required': 'si',
};

const CLIENTE = (m: Mundo) => ({
  rfc: m.rfc,
  razons: m.razonSocial,
  codpos: m.cp,
  regimen: m.regimen,
  email: 'cliente@correo.test',
  email2: '',
  email3: null,
  telefono: '',
  UID: '',
  pais: 'MEX',
});
const DATOS = (m: Mundo) => ({
  rfc: m.rfc,
  razonS: m.razonSocial,
  emails: ['cliente@correo.test', '', ''],
  cp: m.cp,
  regimen: m.regimen,
});
const ARTICULO = {
  nombre: 'Cable HDMI',
  cantidad: 1,
  precioUnitario: 116,
  precioSinÍva: 100,
  sku: '',
  codigoSat: '43222609',
};
const DIRECCION = {
  nombreReceptor: 'Juan',
  apellidos: 'Pérez',
  telefono: '5512345678',
  cp: '06600',
  colonia: 'Juárez',
  ciudad: 'México',
  estado: 'CDMX',
  calle: 'Hamburgo',
  numeroE: '10',
};
const datosML = {
  category_id: 'MLM4637',
  attributes: [
    { id: 'BRAND', value_name: 'Saxxon' },
    { id: 'MODEL', value_name: 'CAT6' },
    { id: 'LENGTH', value_name: '3 m' },
    { id: 'EMPTY_GTIN_REASON', value_id: '17055160' },
  ],
};
const LLAMADO = /revisar sus datos/;

export const LLAMADAS: readonly Llamada[] = [
  {
    dice: 'POST /api/usuario/login',
    quien: 'abierta',
    cuerpo: () => ({ user: 'admin', password: 'Trastienda#1' }),
    responde: { token: 'texto', rol: 'texto', ...HECHO },
    rechaza: [
      [{ password: 'Otra#1234' }, /incorrectos/],
      [{ user: '' }, /\(user\)/],
    ],
  },
  {
    dice: 'POST /api/usuario/login/token',
    quien: 'abierta',
    cuerpo: ({ token }) => ({ token }),
    responde: { nombre: 'texto', apellidos: 'texto', rol: 'texto', ...HECHO },
    rechaza: [[{ token: 'nada' }, /no existe/]],
  },
  {
    dice: 'GET /api/checkToken/{token}',
    quien: 'abierta',
    en: ({ enlace }) => `/api/checkToken/${enlace}`,
    responde: { token: 'texto', ...HECHO },
  },
  { dice: 'GET /api/self/usuario', quien: ROLES, responde: PERSONA },
  {
    dice: 'PUT /api/self/usuario',
    quien: ROLES,
    cuerpo: () => ({ nombre: 'Super', apellidos: 'Usuario', user: 'sa', rol: 'su', email: 'sa@t.test', activo: true }),
    responde: HECHO,
    rechaza: [[{ email: 'x' }, /\(email\)/]],
  },
  {
    dice: 'PUT /api/self/password/user',
    quien: ROLES,
    unaVez: true,
    cuerpo: () => ({ password: 'x' }),
    responde: {},
  },
  { dice: 'GET /api/urlActivacionML', quien: MANDAN, unaVez: true, responde: { url: 'texto' } },
  { dice: 'GET /api/existML', quien: MANDAN, responde: { exist: 'si' } },
  { dice: 'GET /api/existToken/factura.com', quien: MANDAN, responde: { exist: 'si' } },
  { dice: 'GET /api/existToken/syscom', quien: MANDAN, responde: { exist: 'si' } },
  ...(['POST', 'PUT'] as const).flatMap((metodo): Llamada[] => [
    {
      dice: `${metodo} /api/token/factura.com`,
      quien: MANDAN,
      unaVez: true,
      cuerpo: ({ apiKey, secret }) => ({ apiKey, secret }),
      responde: HECHO,
    },
    {
      dice: `${metodo} /api/token/syscom`,
      quien: MANDAN,
      unaVez: true,
      cuerpo: ({ idUsuario, secretSyscom }) => ({ idUsuario, secret: secretSyscom }),
      responde: HECHO,
    },
  ]),
  {
    dice: 'GET /api/VerificarExitenciaTokenAMZ',
    quien: MANDAN,
    responde: { stsToken: 'si', access_token: 'si', access_token_restringido: 'si', EBConfig: 'si' },
  },
  { dice: 'GET /api/linkVinculacionAMZ', quien: MANDAN, unaVez: true, responde: { url: 'texto' } },
  { dice: 'POST /api/vincularEB', quien: MANDAN, unaVez: true, responde: {} },
  {
    dice: 'POST /api/linkConfirmacionAMZ',
    quien: MANDAN,
    unaVez: true,
    cuerpo: () => ({
      amazon_callback_uri: 'https://malo.test',
      selling_partner_id: 'A',
      amazon_state: 'x',
      state: null,
      spapi_oauth_code: null,
    }),
    responde: { url: 'texto' },
    rechaza: [[{}, /Amazon/]],
  },
  {
    dice: 'POST /api/informacionAutorizacionAMZ',
    quien: MANDAN,
    unaVez: true,
    cuerpo: () => ({ access_token: null, token_type: null, expires_in: null, refresh_token: 'x' }),
    responde: {},
    rechaza: [[{}, /selling_partner_id/]],
  },
  {
    dice: 'POST /api/activacionML',
    quien: MANDAN,
    unaVez: true,
    cuerpo: () => ({ code: 'x' }),
    responde: { user_id: 'texto' },
    rechaza: [[{}, /Activar Mercado Libre/]],
  },
  {
    dice: 'POST /api/apiSh/activacion',
    quien: MANDAN,
    unaVez: true,
    cuerpo: () => ({ code: 'x', shopID: 7 }),
    responde: {},
    rechaza: [[{}, /no maneja/]],
  },
  {
    dice: 'GET /api/empresas/configProveedor/{syscom|ct|ts|tvc}',
    quien: MANDAN,
    en: () => '/api/empresas/configProveedor/ct',
    responde: { 'ganancia.amz': 'numero', 'ganancia.ml': 'numero', crearPedido: 'si' },
  },
  {
    dice: 'POST /api/empresas/configuracion/{supplier}',
    quien: MANDAN,
    en: () => '/api/empresas/configuracion/ct',
    cuerpo: () => ({ amz: 0.5, ml: '0.5' }),
    responde: HECHO,
    rechaza: [[{ ml: 'x' }, /\(ml\)/]],
  },
  {
    dice: 'POST /api/empresas/pedidoConfig/{supplier}/{true|false}',
    quien: MANDAN,
    en: () => '/api/empresas/pedidoConfig/ct/true',
    responde: HECHO,
  },
  {
    dice: 'POST /api/syscom/file',
    quien: MANDAN,
    forma: () => ({
      file: new File(
        ['id\tmodelo\tprecio_lista\tprecio_descuento\ttotal_existencia\tmoneda\n1\tM-1\t9\t7\t66\tMXN\n'],
        'lista.csv',
      ),
    }),
    responde: { error: 'si', mensaje: 'texto' },
  },
  {
    dice: 'GET /api/internalStocks/{folio}/{token}',
    quien: 'abierta',
    en: ({ folio, token }) => `/api/internalStocks/${folio}/${token}`,
    responde: UNA_PIEZA,
  },
  {
    dice: 'GET /api/internalStock/estatus/{token}',
    quien: 'abierta',
    en: ({ token }) => `/api/internalStock/estatus/${token}`,
    responde: { '[].value': 'texto', '[].label': 'texto' },
  },
  {
    dice: 'PUT /api/internalStock/estatus/{token}',
    quien: 'abierta',
    en: ({ token }) => `/api/internalStock/estatus/${token}`,
    cuerpo: ({ token, pieza }) => ({ token, status: 'disponible', _id: pieza }),
    responde: HECHO,
    rechaza: [[{ status: '' }, /\(status\)/]],
  },
  {
    dice: 'GET /api/ordenes/rangoFecha/{startISO}/{endISO}',
    quien: CON_CONT,
    en: (m) =>
      `/api/ordenes/rangoFecha/${RANGO(m)}?query=${json({ estatus: { $ne: 'cancelado' }, facturaCliente: { $exists: false }, proveedorPagos: { $size: 0 }, 'proveedorFacturas.0': { $exists: false } })}`,
    responde: con('[].', ORDEN),
  },
  {
    dice: 'GET /api/ordenes/rangoFechaV2/{startISO}/{endISO}/{filterJson}',
    quien: CON_CONT,
    en: (m) => `/api/ordenes/rangoFechaV2/${RANGO(m)}/${json({ estatus: { $ne: 'cancelado' }, proveedorPagos: [] })}`,
    responde: con('[].', ORDEN),
  },
  { dice: 'GET /api/empresa/proveedores', quien: ROLES, responde: PROVEEDOR },
  {
    dice: 'GET /api/ordenes/rangoFecha/factura/{start}/{end}',
    quien: MANDAN,
    en: (m) => `/api/ordenes/rangoFecha/factura/${RANGO(m)}`,
    responde: { ordenesDevueltas: 'lista', refacturacion: 'lista' },
  },
  { dice: 'GET /api/factura.com/usosCFDI', quien: OPERAN, responde: OPCIONES },
  {
    dice: 'GET /api/factura.com/usosCFDI/publico/{token}',
    quien: 'abierta',
    en: ({ enlace }) => `/api/factura.com/usosCFDI/publico/${enlace}`,
    responde: OPCIONES,
  },
  { dice: 'GET /api/factura.com/regimenesfiscales', quien: OPERAN, responde: OPCIONES },
  {
    dice: 'GET /api/factura.com/regimenesfiscales/publico/{token}',
    quien: 'abierta',
    en: ({ enlace }) => `/api/factura.com/regimenesfiscales/publico/${enlace}`,
    responde: OPCIONES,
  },
  { dice: 'GET /api/factura.com/formasPago', quien: OPERAN, responde: OPCIONES },
  {
    dice: 'GET /api/ordenes/{orden}',
    quien: CON_CONT,
    en: ({ numOrden }) => `/api/ordenes/${numOrden}`,
    responde: con('[].', ORDEN),
  },
  {
    dice: 'GET /api/ordenes/token/{token}',
    quien: 'abierta',
    en: ({ enlace }) => `/api/ordenes/token/${enlace}`,
    responde: { 'orden[].productos': 'lista', ordeni: 'texto', market: 'texto' },
  },
  {
    dice: 'GET /api/factura.com/datosFiscales/{rfc}',
    quien: OPERAN,
    en: ({ rfc }) => `/api/factura.com/datosFiscales/${rfc}`,
    responde: { ...REGISTRO, uid: 'texto?', opciones: 'lista' },
  },
  {
    dice: 'GET /api/factura.com/datosFiscales/publico/{rfc}/{token}',
    quien: 'abierta',
    en: ({ rfc, enlace }) => `/api/factura.com/datosFiscales/publico/${rfc}/${enlace}`,
    responde: { ...REGISTRO, opciones: 'lista' },
  },
  ...(['POST', 'PUT'] as const).flatMap((metodo): Llamada[] => [
    {
      dice: `${metodo} /api/factura.com/datosFiscales`,
      quien: OPERAN,
      conTrabajador: true,
      cuerpo: DATOS,
      responde: REGISTRO,
      rechaza: [
        [{ emails: ['x', ''] }, /\(emails\.0\)/],
        [{ emails: [] }, /\(emails\)/],
      ],
    },
    {
      dice: `${metodo} /api/factura.com/datosFiscales/publico/{token}`,
      quien: 'abierta',
      conTrabajador: true,
      en: ({ enlace }) => `/api/factura.com/datosFiscales/publico/${enlace}`,
      cuerpo: DATOS,
      responde: REGISTRO,
      rechaza: [[{ cp: '1' }, /\(cp\)/]],
    },
  ]),
  {
    dice: 'POST /api/factura.com/CFDI',
    quien: OPERAN,
    conTrabajador: true,
    cuerpo: (m) => ({
      cliente: CLIENTE(m),
      articulos: [ARTICULO],
      usoCFDI: 'G03',
      tipoPago: '04',
      ticket: m.porFacturar!,
      expira: false,
      fechaFacturacion: new Date().toISOString(),
    }),
    responde: FACTURADA,
    rechaza: [
      [{ ticket: 'nada' }, /No se encontró/],
      [{ usoCFDI: '' }, /\(usoCFDI\)/],
      [{ articulos: [] }, /al menos un artículo/],
    ],
  },
  {
    dice: 'POST /api/factura.com/CFDI/publico/{token}',
    quien: 'abierta',
    conTrabajador: true,
    en: ({ enlace }) => `/api/factura.com/CFDI/publico/${enlace}`,
    cuerpo: (m) => ({
      cliente: CLIENTE(m),
      articulos: [ARTICULO],
      usoCFDI: 'G03',
      tipoPago: false,
      ticket: m.numOrden!,
      expira: false,
      fechaFacturacion: false,
    }),
    responde: FACTURADA,
    rechaza: [[{ usoCFDI: null }, /\(usoCFDI\)/]],
  },
  {
    dice: 'POST /api/factura.com/CFDI/general',
    quien: SA,
    cuerpo: ({ delMes }) => ({ fecha: '2025-01-15T18:00:00.000Z', datos: [{ _id: delMes }] }),
    responde: LOTE,
    rechaza: [[{ fecha: '' }, /\(fecha\)/]],
  },
  {
    dice: 'POST /api/factura.com/CFDI/notasCreditoR',
    quien: MANDAN,
    cuerpo: () => ({ fecha: '2026-07', datos: [] }),
    responde: LOTE,
    rechaza: [[{}, /No hay notas de crédito/]],
  },
  {
    dice: 'POST /api/factura.com/CFDI/notasCreditoC',
    quien: MANDAN,
    cuerpo: () => ({ ordenes: [], fecha: '2026-07' }),
    responde: LOTE,
    rechaza: [[{}, /No hay notas de crédito/]],
  },
  {
    dice: 'POST /api/factura/notaSecilla',
    quien: OPERAN,
    cuerpo: () => ({
      cliente: {
        nombre: 'Ana',
        apellidos: 'Pérez',
        telefono: '5512345678',
        email: 'a@t.test',
        codpos: '06600',
        calle: '',
      },
      articulos: [ARTICULO],
      ticket: null,
      fechaNota: '',
    }),
    responde: HECHO,
    rechaza: [[{ articulos: [] }, /artículo/]],
  },
  {
    dice: 'GET /api/datosFiscales',
    quien: MANDAN,
    responde: con('[].', {
      ...REGISTRO,
      uid: 'texto?',
      telefono: 'texto?',
      fechaCreacion: 'texto',
      nombre: 'texto?',
      apellidos: 'texto?',
      calle: 'texto?',
      numero_exterior: 'texto?',
      numero_interior: 'texto?',
      colonia: 'texto?',
      ciudad: 'texto?',
      delegacion: 'texto?',
      estado: 'texto?',
      pais: 'texto',
    }),
  },
  {
    dice: 'POST /api/empresa',
    quien: SA,
    cuerpo: () => ({ nombre: 'Una empresa' }),
    responde: { ...HECHO, _id: 'texto' },
    deja: (body: { _id: string }, m) => void (m.empresa = body._id),
    rechaza: [
      [{ nombre: ' ' }, /\(nombre\)/],
      [{}, /Ya existe una empresa/],
    ],
  },
  {
    dice: 'GET /api/empresas',
    quien: SA,
    responde: { '[]._id': 'texto', '[].nombre': 'texto', '[].activo': 'si', '[].fechaCreacion': 'texto' },
  },
  {
    dice: 'PUT /api/empresa/{id}',
    quien: SA,
    en: ({ empresa }) => `/api/empresa/${empresa}`,
    cuerpo: () => ({ nombre: 'Otra empresa' }),
    responde: HECHO,
    rechaza: [[{ nombre: null }, /\(nombre\)/]],
  },
  { dice: 'DELETE /api/empresa/{id}', quien: SA, en: ({ empresa }) => `/api/empresa/${empresa}`, responde: HECHO },
  {
    dice: 'GET /api/empresa/activar/{id}',
    ahora: 'POST',
    quien: SA,
    en: ({ empresa }) => `/api/empresa/activar/${empresa}`,
    responde: HECHO,
  },
  {
    dice: 'POST /api/empresa/file/app',
    quien: SA,
    forma: () => ({ file: new File([new Uint8Array(buildApk({ version: '7.0' }))], 'tienda.apk') }),
    responde: HECHO,
  },
  { dice: 'GET /api/empresa/download', quien: ROLES, archivo: true, responde: {} },
  { dice: 'GET /api/usuarios', quien: MANDAN, responde: con('[].', PERSONA) },
  {
    dice: 'POST /api/usuario',
    quien: MANDAN,
    unaVez: true,
    cuerpo: () => ({
      nombre: 'Eva',
      apellidos: 'Ruiz',
      user: 'eva',
      password: 'Qz7#mwPr2k',
      rol: 'user',
      email: 'e@t.test',
    }),
    responde: PERSONA,
    deja: (body: { _id: string }, m) => void (m.persona = body._id),
    rechaza: [[{ password: 'corta' }, /\(password\)/]],
  },
  {
    dice: 'PUT /api/usuario',
    quien: MANDAN,
    unaVez: true,
    cuerpo: ({ persona }) => ({
      _id: persona,
      nombre: 'Eva',
      apellidos: 'Ruiz Soto',
      user: 'eva',
      rol: 'user',
      email: 'e@t.test',
      activo: false,
    }),
    responde: PERSONA,
  },
  {
    dice: 'PUT /api/password/user',
    quien: MANDAN,
    unaVez: true,
    cuerpo: ({ persona }) => ({ _id: persona, password: 'Vt4!xbLq9d' }),
    responde: HECHO,
  },
  {
    dice: 'GET /api/facturas/{from}/{to}',
    quien: CON_CONT,
    en: (m) => `/api/facturas/${RANGO(m)}`,
    responde: con('[].', {
      folio: 'texto',
      numOrden: 'texto?',
      'datosSat.FechaTimbrado': 'texto',
      'datoFiscal.rfc': 'texto',
      'datoFiscal.razonS': 'texto',
      cancelada: 'si',
    }),
  },
  {
    dice: 'POST /api/proveedorFactura',
    quien: OPERAN,
    cuerpo: ({ orden }) => ({ folio: 'A/12', monto: '$1,160.00', proveedor: 'syscom', orden }),
    responde: DE_PROVEEDOR,
    deja: (body: { _id: string }, m) => void (m.facturaProveedor = body._id),
    rechaza: [
      [{ monto: '' }, /\(monto\)/],
      [{}, /Ya existe la factura con el folio indicado en la orden\./],
    ],
  },
  {
    dice: 'GET /api/proveedorFacturas/{from}/{to}',
    quien: CON_CONT,
    en: (m) => `/api/proveedorFacturas/${RANGO(m)}`,
    responde: con('[].', DE_PROVEEDOR),
    deja: ([fila]: [Json], m) => void (m.filaDeFactura = JSON.stringify(fila)),
  },
  {
    dice: 'PUT /api/proveedorFactura',
    quien: MANDAN,
    // As the list answered it.
    cuerpo: ({ filaDeFactura }) => JSON.parse(filaDeFactura!) as Json,
    responde: DE_PROVEEDOR,
    rechaza: [[{ folio: '' }, /\(folio\)/]],
  },
  {
    dice: 'DELETE /api/proveedorFactura/{id}',
    quien: MANDAN,
    en: ({ facturaProveedor }) => `/api/proveedorFactura/${facturaProveedor}`,
    responde: HECHO,
  },
  {
    dice: 'GET /api/syscom/factura/{orderId}',
    quien: OPERAN,
    en: ({ orden }) => `/api/syscom/factura/${orden}`,
    responde: {},
  },
  { dice: 'GET /api/ordenes/estatus', quien: CON_CONT, responde: { enPreparacion: 'texto', cancelado: 'texto' } },
  {
    dice: 'GET /api/ordenesActivas',
    quien: OPERAN,
    en: (m) =>
      `/api/ordenesActivas?query=${json({ offsetpagelimit: true, page: 1, limit: 201, ordenar: { dateCreated: -1 }, search: { estatus: { $in: ['enPreparacion'] }, dateCreated: { $gte: m.desde, $lte: m.hasta } } })}`,
    responde: { docs: 'lista', ...con('docs[].', ORDEN) },
  },
  {
    dice: 'GET /api/factura.co/descargar/factura/{orderId}',
    quien: CON_CONT,
    en: ({ facturada }) => `/api/factura.co/descargar/factura/${facturada}`,
    responde: { 'facturaPDF.data': 'lista', 'facturaXML.data': 'lista' },
  },
  {
    dice: 'GET /api/envio/sendEmail/{id}',
    ahora: 'POST',
    quien: OPERAN,
    en: ({ orden }) => `/api/envio/sendEmail/${orden}`,
    responde: {},
  },
  {
    dice: 'GET /api/envio/sendLinkFactura/{orderId}',
    ahora: 'POST',
    quien: OPERAN,
    en: ({ orden }) => `/api/envio/sendLinkFactura/${orden}`,
    responde: {},
  },
  {
    dice: 'POST /api/orden/cambioEstatus/{orderId}',
    quien: OPERAN,
    en: ({ vieja }) => `/api/orden/cambioEstatus/${vieja}`,
    responde: HECHO,
  },
  {
    dice: 'GET /api/publicaciones',
    quien: CON_AUX,
    en: () =>
      `/api/publicaciones?query=${json({ market: ['ml', 'amz'], offsetpagelimit: true, page: 1, limit: 100, ordenar: { dateCreated: 1 } })}`,
    responde: { ...PAGINA, ...con('docs[].', PUBLICACION) },
  },
  {
    dice: 'GET /api/publicacionFiltrado',
    quien: CON_AUX,
    en: ({ clave }) => `/api/publicacionFiltrado?query=${json({ market: ['ml'], page: 1, limit: 101, filtro: clave })}`,
    responde: { ...PAGINA, ...con('docs[].', PUBLICACION) },
  },
  {
    dice: 'PUT /api/publicacion',
    quien: OPERAN,
    conTrabajador: true,
    cuerpo: ({ publicacion }) => ({
      _id: publicacion,
      title: 'Cable',
      price: 260,
      available_quantity: '4',
      status: 'active',
      autoSync: false,
    }),
    responde: PUBLICACION,
    rechaza: [[{ price: 'x' }, /\(price\)/]],
  },
  {
    dice: 'GET /api/apiML/categoria/predict/{text}',
    quien: OPERAN,
    en: () => `/api/apiML/categoria/predict/${encodeURIComponent('Cable HDMI 1/2 50%')}`,
    responde: con('[].', CATEGORIA),
  },
  { dice: 'GET /api/apiML/categorias', quien: OPERAN, responde: { '[].id': 'texto', '[].name': 'texto' } },
  {
    dice: 'GET /api/apiML/categoria/{id}',
    quien: OPERAN,
    en: () => '/api/apiML/categoria/MLM4637',
    responde: { id: 'texto', children_categories: 'lista' },
  },
  {
    dice: 'GET /api/apiML/categoria/attributes/{id}',
    quien: OPERAN,
    en: () => '/api/apiML/categoria/attributes/MLM4637',
    responde: CATEGORIA,
  },
  {
    dice: 'POST /api/apiML/producto/publicacion/{productId}',
    quien: OPERAN,
    en: ({ porPublicar }) => `/api/apiML/producto/publicacion/${porPublicar}`,
    cuerpo: () => ({ datosML, revision: false }),
    responde: HECHO,
    rechaza: [[{ datosML: { ...datosML, attributes: [] }, revision: true }, /\(BRAND\)/]],
  },
  {
    dice: 'PUT /api/producto/publicacion/{productId}',
    quien: OPERAN,
    conTrabajador: true,
    en: ({ otroPorPublicar }) => `/api/producto/publicacion/${otroPorPublicar}`,
    cuerpo: () => ({ datosML }),
    responde: HECHO,
  },
  {
    dice: 'GET /api/envios/{from}/{to}',
    quien: OPERAN,
    en: (m) => `/api/envios/${RANGO(m)}`,
    responde: con('[].', ENVIADO),
  },
  {
    dice: 'GET /api/envios/pendientes/{from}/{to}',
    quien: OPERAN,
    en: (m) => `/api/envios/pendientes/${RANGO(m)}`,
    responde: { ...con('envios[].', ENVIADO), ...con('proveedores', PROVEEDOR) },
  },
  {
    dice: 'GET /api/productos',
    quien: CON_AUX,
    en: () =>
      `/api/productos?query=${json({ offsetpagelimit: true, page: 1, limit: 101, ordenar: { piezasVendidas: -1 } })}`,
    responde: { ...PAGINA, ...con('docs[].', PRODUCTO) },
  },
  {
    dice: 'GET /api/productoFiltrado',
    quien: CON_AUX,
    en: () => `/api/productoFiltrado?query=${json({ page: 1, limit: 101, ordenar: { stock: 1 }, filtro: 'cámara' })}`,
    responde: { ...PAGINA, ...con('docs[].', PRODUCTO) },
  },
  {
    dice: 'GET /api/productos/sinPublicacion/ml',
    quien: OPERAN,
    en: () =>
      `/api/productos/sinPublicacion/ml?query=${json({ market: 'ml', offsetpagelimit: true, page: 1, limit: 100, filtro: '' })}`,
    responde: { ...PAGINA, 'docs[]._id': 'texto' },
  },
  {
    dice: 'POST /api/productos/buscador',
    quien: CON_AUX,
    cuerpo: ({ modelo }) => ({ buscar: modelo, proveedor: '' }),
    responde: {
      ...PRODUCTO,
      'publicacion.gold_pro': 'objeto?',
      'publicacion.gold_special': 'objeto?',
      'publicacion.amz': 'objeto?',
    },
    rechaza: [[{ buscar: 'nada de esto' }, /No se encontro un producto/]],
  },
  {
    dice: 'GET /api/producto/update/{id}',
    ahora: 'POST',
    quien: CON_AUX,
    en: ({ deSyscom }) => `/api/producto/update/${deSyscom}`,
    responde: PRODUCTO,
  },
  {
    dice: 'GET /api/producto/{id}',
    quien: CON_AUX,
    en: ({ producto }) => `/api/producto/${producto}`,
    responde: PRODUCTO,
  },
  {
    dice: 'PUT /api/producto/{id}',
    quien: OPERAN,
    en: ({ producto }) => `/api/producto/${producto}`,
    cuerpo: () => ({ productoMaximo: 3, costoEnvio: 99.5, precioLista: null, autoOrden: false }),
    responde: PRODUCTO,
    rechaza: [[{ costoEnvio: -1 }, /\(costoEnvio\)/]],
  },
  {
    dice: 'GET /api/preguntas2/{from}/{to}',
    quien: MANDAN,
    en: (m) => `/api/preguntas2/${RANGO(m)}`,
    responde: con('[].', PREGUNTA),
  },
  {
    dice: 'GET /api/preguntasSinResponder/{from}/{to}',
    quien: OPERAN,
    en: (m) => `/api/preguntasSinResponder/${RANGO(m)}`,
    responde: {
      '[].idPML': 'texto',
      '[].title': 'texto?',
      '[].attributes[].id': 'texto',
      ...con('[].preguntas[].', PREGUNTA),
    },
  },
  {
    dice: 'POST /api/responderPregunta',
    quien: OPERAN,
    cuerpo: ({ pregunta }) => ({ question_id: Number(pregunta), text: 'Sí, tenemos.' }),
    responde: HECHO,
    rechaza: [[{ text: ' ' }, /\(text\)/]],
  },
  {
    dice: 'GET /api/reclamos/{from}/{to}',
    quien: MANDAN,
    en: (m) => `/api/reclamos/${RANGO(m)}`,
    responde: con('[].', {
      marketId: 'texto',
      dateCreated: 'texto',
      orden: 'texto?',
      market: 'texto',
      estatus: 'texto',
      tipo: 'texto',
      recurso: 'texto',
    }),
  },
  { dice: 'GET /api/ct/lista', quien: OPERAN, responde: con('[].', PEDIDO) },
  {
    dice: 'GET /api/ordenesPorConfirmarCt',
    quien: OPERAN,
    responde: { ...con('[].', PEDIDO), ...con('[].', POR_CONFIRMAR) },
  },
  {
    dice: 'POST /api/orden/confirmarCT/{orderId}',
    quien: OPERAN,
    en: ({ porConfirmar }) => `/api/orden/confirmarCT/${porConfirmar}`,
    cuerpo: () => ({ motivo: 'Se acordó con el cliente.' }),
    responde: HECHO,
    conTrabajador: true,
  },
  {
    dice: 'DELETE /api/orden/list/ct/{orderId}',
    quien: OPERAN,
    en: ({ porQuitar }) => `/api/orden/list/ct/${porQuitar}`,
    responde: HECHO,
  },
  {
    dice: 'POST /api/envio/{marketId}',
    quien: OPERAN,
    en: ({ propia }) => `/api/envio/${propia}`,
    cuerpo: () => ({
      ...DIRECCION,
      estatus: 'enPreparacion',
      costo: 120,
      paqueteria: { nombre: 'DHL', link: 'https://www.dhl.com/mx', guia: 'JD0146' },
    }),
    responde: ENVIO,
    deja: (body: Json, m) => void (m.envioLeido = JSON.stringify(body)),
    rechaza: [[{ costo: 0 }, /\(costo\)/]],
  },
  {
    dice: 'PUT /api/envio',
    quien: OPERAN,
    cuerpo: ({ envioLeido }) => JSON.parse(envioLeido!) as Json,
    responde: ENVIO,
    rechaza: [[{ costo: 'x' }, /\(costo\)/]],
  },
  {
    dice: 'GET /api/envio/{token}',
    quien: 'abierta',
    en: ({ enlaceEnvio }) => `/api/envio/${enlaceEnvio}`,
    responde: {
      orden: 'texto',
      nombreReceptor: 'texto',
      apellidos: 'texto',
      telefono: 'texto',
      cp: 'texto',
      colonia: 'texto',
      ciudad: 'texto',
      estado: 'texto',
      calle: 'texto',
      numeroE: 'texto',
      numeroI: 'texto',
      calleA: 'texto',
      calleB: 'texto',
      referencia: 'texto',
      ocurre: 'si',
    },
  },
  {
    dice: 'POST /api/envioP/{token}',
    quien: 'abierta',
    en: ({ enlaceEnvio }) => `/api/envioP/${enlaceEnvio}`,
    cuerpo: () => ({ ...DIRECCION, referencia: 'Portón negro', numeroI: '', calleA: '', calleB: '', ocurre: false }),
    responde: HECHO,
    rechaza: [[{ telefono: '' }, /./]],
  },
  {
    dice: 'POST /api/ventaAgente',
    quien: MANDAN,
    cuerpo: () => ({ nombre: 'Ana', apellidos: 'Agente', email: 'ana@ct.mx', proveedor: 'ct' }),
    responde: HECHO,
    rechaza: [[{ email: 'x' }, /\(email\)/]],
  },
  {
    dice: 'GET /api/ventaAgentes',
    quien: MANDAN,
    responde: con('[].', {
      _id: 'texto',
      fechaCreacion: 'texto',
      nombre: 'texto',
      apellidos: 'texto',
      email: 'texto',
      proveedor: 'texto',
      activo: 'si',
    }),
    deja: ([fila]: [{ _id: string }], m) => void (m.agente = fila._id),
  },
  {
    dice: 'POST /api/ventaAgentes/cambiarEstado',
    quien: MANDAN,
    cuerpo: ({ agente }) => ({ agente, estado: false }),
    responde: HECHO,
    rechaza: [[{ estado: 'x' }, /\(estado\)/]],
  },
  {
    dice: 'GET /api/apiML/cliente/{buyerId}',
    quien: OPERAN,
    en: ({ comprador }) => `/api/apiML/cliente/${comprador}`,
    responde: {
      nickname: 'texto?',
      'address.city': 'texto?',
      'address.state': 'texto?',
      permalink: 'texto?',
      blocked: 'si',
    },
  },
  {
    dice: 'POST /api/apiML/cliente/bloquear/{buyerId}',
    quien: OPERAN,
    en: ({ comprador }) => `/api/apiML/cliente/bloquear/${comprador}`,
    responde: HECHO,
  },
  {
    dice: 'DELETE /api/apiML/cliente/activar/{buyerId}',
    quien: OPERAN,
    en: ({ comprador }) => `/api/apiML/cliente/activar/${comprador}`,
    responde: HECHO,
  },
  { dice: 'GET /api/internalStock/estatus', quien: OPERAN, responde: { '[].value': 'texto', '[].label': 'texto' } },
  {
    dice: 'POST /api/internalStock',
    quien: OPERAN,
    forma: ({ orden, productoDeStock }) => ({
      files: unPdf('fact'),
      body: new Blob(
        [
          JSON.stringify({
            producto: productoDeStock,
            cantidad: '1',
            cost: '100.50',
            status: 'enRevision',
            factura: { supplier: 'syscom' },
            folioF: 'F-9',
            observations: '',
            amountRecovered: 0,
            orden,
          }),
        ],
        { type: 'application/json' },
      ),
    }),
    responde: { '': 'lista' },
    deja: ([folio]: [string], m) => void (m.folioNuevo = folio),
  },
  {
    dice: 'GET /api/internalStocks/{from}/{to}/{supplierValue}/{statusValue}',
    quien: OPERAN,
    en: (m) => `/api/internalStocks/${RANGO(m)}/todos/todos`,
    responde: EN_LISTA,
  },
  {
    dice: 'GET /api/internalStocks/{orderId or productId}',
    quien: OPERAN,
    en: ({ productoDeStock }) => `/api/internalStocks/${productoDeStock}`,
    responde: EN_LISTA,
    deja: ([fila]: [Json], m) => {
      m.piezaLeida = JSON.stringify(fila);
      m.devolucion = String(fila._id);
    },
  },
  {
    dice: 'GET /api/internalStocks/file/{returnId}',
    quien: OPERAN,
    en: ({ devolucion }) => `/api/internalStocks/file/${devolucion}`,
    responde: {
      'factura.file.originalname': 'texto',
      'factura.file.mimetype': 'texto',
      'factura.file.buffer.data': 'lista',
    },
  },
  {
    dice: 'PUT /api/internalStock',
    quien: OPERAN,
    forma: ({ piezaLeida }) => ({ body: piezaLeida! }),
    responde: UNA_PIEZA,
  },
  {
    dice: 'POST /api/internalStock/qr',
    quien: OPERAN,
    cuerpo: ({ folio }) => ({ folios: [folio] }),
    responde: { 'pdf.data': 'lista', ...HECHO },
    rechaza: [[{ folios: ['DV-26-999999'] }, /no existe/]],
  },
  {
    dice: 'POST /api/proveedorPagos/{folio}/{orderId}/{supplierCode}',
    quien: MANDAN,
    en: ({ orden }) => `/api/proveedorPagos/${encodeURIComponent('A/2026')}/${orden}/syscom`,
    forma: () => ({ file: new File([new Uint8Array(cep())], 'cep.xml') }),
    responde: {
      ...con('orden.', ORDEN),
      'orden.proveedorPagos': 'lista',
      'pago.file.mimetype': 'texto',
      mensaje: 'texto',
    },
    deja: ({ pago }: { pago: { _id: string } }, m) => void (m.pago = pago._id),
  },
  {
    dice: 'GET /api/proveedorPagos',
    quien: MANDAN,
    en: (m) => `/api/proveedorPagos?query=${json({ dateCreated: { $gte: m.desde, $lte: m.hasta } })}`,
    responde: {
      '[]._id': 'texto',
      '[].folio': 'texto',
      '[].usuario.user': 'texto?',
      '[].dateCreate': 'texto',
    },
  },
  {
    dice: 'GET /api/orden/{orderId}',
    quien: CON_CONT,
    en: ({ orden }) => `/api/orden/${orden}`,
    responde: ORDEN,
    alPrimero: { 'proveedorPagos[].folio': 'texto' },
  },
  {
    dice: 'POST /api/ordenes/proveedorPagos',
    quien: MANDAN,
    cuerpo: ({ pago, orden }) => ({ proveedorPagos: [pago], orden }),
    responde: HECHO,
    rechaza: [[{ proveedorPagos: [] }, LLAMADO]],
  },
  {
    dice: 'GET /api/codigoPostal/{cp}',
    quien: ROLES,
    en: () => '/api/codigoPostal/06600',
    responde: {
      error: 'si',
      'response.ciudad': 'texto',
      'response.municipio': 'texto',
      'response.estado': 'texto',
      'response.asentamiento': 'lista',
    },
  },
  {
    dice: 'GET /api/codigoPostal/{cp}/{token}',
    quien: 'abierta',
    en: ({ enlaceEnvio }) => `/api/codigoPostal/06600/${enlaceEnvio}`,
    responde: { error: 'si', 'response.asentamiento': 'lista' },
  },
];
