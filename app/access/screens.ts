import type { NombreIcono } from '../core/nombreIcono';
import { ROLES, type Rol } from '../core/usuario';

/** Read by app/routes.ts, which Remix evaluates without our aliases: relative imports only. */
export { ROLES, type Rol };

export type Screen = {
  label: string;
  icono: NombreIcono;
  /** Module under app/. */
  file: string;
  group: 'inicio' | 'facturacion' | 'catalogos' | 'reportes' | 'herramientas' | 'configuracion' | 'cuenta';
  roles: readonly Rol[];
  /** Roles that find the screen in the menu; without this list, all of `roles`. */
  menu?: readonly Rol[];
  /** Roles whose home the screen is: it is mounted at `/rol` as well. */
  home?: readonly Rol[];
  /** True for a screen that is only a home, without an address of its own. */
  homeOnly?: true;
};

/**
 * Every screen behind a session, and who may open it. Routes, menu, guard and the permission test read this table; a screen that is not in it does not
 * exist.
 */
export const SCREENS = {
  hoy: {
    label: 'Hoy',
    icono: 'casa',
    file: 'routes/inicio/hoy/hoy.tsx',
    group: 'inicio',
    roles: ['sa', 'admin', 'user'],
    menu: [],
    home: ['sa', 'admin'],
  },
  bienvenida: {
    label: 'Inicio',
    icono: 'casa',
    file: 'routes/inicio/bienvenida.tsx',
    group: 'inicio',
    roles: ['aux'],
    menu: [],
    home: ['aux'],
    homeOnly: true,
  },
  buscar: {
    label: 'Buscar',
    icono: 'buscar',
    file: 'routes/inicio/buscar.tsx',
    group: 'inicio',
    roles: ROLES,
    menu: [],
  },
  facturasClientes: {
    label: 'Facturas de clientes',
    icono: 'facturaCliente',
    file: 'routes/facturacion/facturas/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'cont'],
    menu: ['sa', 'admin', 'cont'],
    home: ['cont'],
  },
  ordenes: {
    label: 'Ordenes',
    icono: 'bolsa',
    file: 'routes/ventas/ordenes/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'cont'],
  },
  ordenesCanceladas: {
    label: 'Ordenes canceladas',
    icono: 'ordenCancelada',
    file: 'routes/ventas/ordenes/canceladas.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'cont'],
    menu: ['sa', 'admin', 'user'],
  },
  ordenesActivas: {
    label: 'Ordenes activas',
    icono: 'espera',
    file: 'routes/ventas/ordenes/activas.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
    home: ['user'],
  },
  envios: {
    label: 'Envios',
    icono: 'camion',
    file: 'routes/ventas/envios/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
  },
  enviosPendientes: {
    label: 'Envios pendientes',
    icono: 'cajaAbierta',
    file: 'routes/ventas/envios/pendientes.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  cotizarEnvios: {
    label: 'Cotizar envios',
    icono: 'calculadora',
    file: 'routes/ventas/envios/cotizar.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  datosFiscales: {
    label: 'Datos Fiscales de Clientes',
    icono: 'contacto',
    file: 'routes/facturacion/receptores/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  empresas: {
    label: 'Empresas',
    icono: 'empresas',
    file: 'routes/personal/empresas/lista.tsx',
    group: 'catalogos',
    roles: ['sa'],
  },
  facturasProveedores: {
    label: 'Facturas de proveedores',
    icono: 'facturaProveedor',
    file: 'routes/compras/facturas/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'cont'],
    menu: ['sa', 'admin', 'cont'],
  },
  agentesVentas: {
    label: 'Venta Agentes',
    icono: 'trato',
    file: 'routes/compras/directorio/agentes.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  proveedores: {
    label: 'Proveedores',
    icono: 'tienda',
    file: 'routes/compras/directorio/proveedores.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  productos: {
    label: 'Productos',
    icono: 'producto',
    file: 'routes/compras/productos/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'aux'],
  },
  costosPropios: {
    label: 'Costos propios',
    icono: 'editar',
    file: 'routes/ventas/costos/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'cont'],
  },
  cambiarCategoria: {
    label: 'Cambiar categoria',
    icono: 'etiquetas',
    file: 'routes/publicaciones/publicador/cambiarCategoria.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  publicadorML: {
    label: 'Publicador ML',
    icono: 'enviar',
    file: 'routes/publicaciones/publicador/publicador.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  bodega: {
    label: 'Bodega',
    icono: 'camara',
    file: 'routes/bodega/bodega.ts',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  stockInterno: {
    label: 'Stock Interno',
    icono: 'bodega',
    file: 'routes/compras/stock/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
  },
  etiquetasStock: {
    label: 'Etiquetas en blanco',
    icono: 'etiquetas',
    file: 'routes/compras/stock/etiquetas.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  conteos: {
    label: 'Conteos',
    icono: 'lista',
    file: 'routes/compras/stock/conteos.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  devoluciones: {
    label: 'Devoluciones',
    icono: 'deshacer',
    file: 'routes/compras/stock/devoluciones.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  publicaciones: {
    label: 'Publicaciones',
    icono: 'etiquetas',
    file: 'routes/publicaciones/publicaciones/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'aux'],
  },
  buscador: {
    label: 'Buscador de Productos',
    icono: 'buscarProducto',
    file: 'routes/compras/buscador/buscador.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user', 'aux'],
  },
  ordenesPorConfirmar: {
    label: 'Ordenes por confirmar',
    icono: 'confirmar',
    file: 'routes/compras/pedidos/porConfirmar.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  ordenesCT: {
    label: 'Ordenes CT',
    icono: 'lista',
    file: 'routes/compras/pedidos/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
  },
  preguntas: {
    label: 'Preguntas',
    icono: 'pregunta',
    file: 'routes/atencion/preguntas/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  reclamos: {
    label: 'Reclamos',
    icono: 'reclamo',
    file: 'routes/atencion/reclamos/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  responderPreguntas: {
    label: 'Responder preguntas',
    icono: 'responder',
    file: 'routes/atencion/preguntas/responder.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  cotizaciones: {
    label: 'Cotizaciones',
    icono: 'archivos',
    file: 'routes/compras/cotizaciones/lista.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin'],
  },
  pagosProveedores: {
    label: 'Pagos a proveedores',
    icono: 'moneda',
    file: 'routes/compras/pagos/lista.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin'],
  },
  llenarReporte: {
    label: 'Llenar reporte',
    icono: 'cartera',
    file: 'routes/cierre/reportes/llenarReporte.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  mensual: {
    label: 'Mensual',
    icono: 'barras',
    file: 'routes/cierre/reportes/mensual.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  conciliacion: {
    label: 'Conciliación',
    icono: 'balanza',
    file: 'routes/cierre/conciliacion/conciliacion.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  grafica: {
    label: 'Gráfica',
    icono: 'pastel',
    file: 'routes/cierre/reportes/grafica.tsx',
    group: 'reportes',
    roles: ['sa', 'admin'],
  },
  utilidadPor: {
    label: 'Utilidad por producto',
    icono: 'columnas',
    file: 'routes/cierre/reportes/utilidadPor.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  rFacturacionGeneral: {
    label: 'Reporte de facturación general',
    icono: 'faltante',
    file: 'routes/cierre/reportes/rFacturacionGeneral.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  balanceFiscal: {
    label: 'Balance fiscal',
    icono: 'balanceFiscal',
    file: 'routes/facturacion/mes/balanceFiscal.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  estadoDeCuenta: {
    label: 'Estado de cuenta',
    icono: 'ventana',
    file: 'routes/compras/cuenta/estadoDeCuenta.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  diot: {
    label: 'DIOT',
    icono: 'porcentaje',
    file: 'routes/compras/diot/diot.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  loQueVeElSat: {
    label: 'Lo que el SAT ve',
    icono: 'ver',
    file: 'routes/facturacion/plataformas/loQueVeElSat.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  usuarios: {
    label: 'Usuarios',
    icono: 'usuarios',
    file: 'routes/personal/usuarios/lista.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  datosUsuario: {
    label: 'Editar Datos',
    icono: 'configuracionUsuario',
    file: 'routes/personal/cuenta/datosUsuario.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  subirApp: {
    label: 'Subir app',
    icono: 'subir',
    file: 'routes/operacion/aplicacion/subirApp.tsx',
    group: 'cuenta',
    roles: ['sa'],
    menu: [],
  },
  segundoFactor: {
    label: 'Verificación en dos pasos',
    icono: 'visto',
    file: 'routes/personal/cuenta/segundoFactor.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  tokensApi: {
    label: 'Tokens de API',
    icono: 'enchufe',
    file: 'routes/personal/cuenta/tokensApi.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  ganchos: {
    label: 'Webhooks',
    icono: 'enchufe',
    file: 'routes/personal/cuenta/ganchos.tsx',
    group: 'cuenta',
    roles: ['sa'],
    menu: [],
  },
  api: {
    label: 'API',
    icono: 'enchufe',
    file: 'routes/personal/cuenta/api.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  facturacion: {
    label: 'Facturación',
    icono: 'recibo',
    file: 'routes/facturacion/emision/facturacion.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
  },
  facturacionGeneral: {
    label: 'Facturación general',
    icono: 'calendario',
    file: 'routes/facturacion/mes/facturacionGeneral.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin'],
    menu: ['sa'],
  },
  enlaces: {
    label: 'Enlace de facturación',
    icono: 'enlace',
    file: 'routes/facturacion/enlaces/enlaces.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  notaSencilla: {
    label: 'Nota sencilla',
    icono: 'nota',
    file: 'routes/facturacion/notaSencilla/notaSencilla.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
  },
  notasSencillas: {
    label: 'Notas sencillas',
    icono: 'nota',
    file: 'routes/facturacion/notaSencilla/lista.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  tiendasConfiguracion: {
    label: 'Configuración de tiendas',
    icono: 'ajustes',
    file: 'routes/compras/tiendas/tiendas.tsx',
    group: 'configuracion',
    roles: ['sa', 'admin'],
  },
  tokens: {
    label: 'Activación de API',
    icono: 'enchufe',
    file: 'routes/operacion/conexiones/conexiones.tsx',
    group: 'configuracion',
    roles: ['sa', 'admin'],
  },
  lote: {
    label: 'Varios a la vez',
    icono: 'lista',
    file: 'routes/operacion/lotes/lote.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user', 'cont'],
    menu: [],
  },
  estado: {
    label: 'Estado',
    icono: 'pulso',
    file: 'routes/operacion/estado/estado.tsx',
    group: 'herramientas',
    roles: ['sa'],
  },
  pendientes: {
    label: 'Pendientes',
    icono: 'alerta',
    file: 'routes/operacion/pendientes/pendientes.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin'],
  },
} as const satisfies Record<string, Screen>;

/** Routes without a page. `area`: under the role's address. `sesion`: one address for all, inside needs a session of these roles. `abierta`: for anyone. */
export type FileRoute = { path: string; file: string } & (
  { at: 'area' | 'sesion'; roles: readonly Rol[] } | { at: 'abierta' }
);

const FILES = {
  listas: { path: 'listas/:lista', file: 'routes/files/listas.ts', at: 'area', roles: ROLES },
  fichas: { path: 'fichas/:lista/:id', file: 'routes/files/fichas.ts', at: 'area', roles: ROLES },
  avanceLote: {
    path: 'avanceLote/:id',
    file: 'routes/files/avanceLote.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user', 'cont'],
  },
  descargasLote: {
    path: 'descargas/lote/:id',
    file: 'routes/files/descargasLote.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user', 'cont'],
  },
  buscadorVivo: {
    path: 'buscadorVivo/:proveedor',
    file: 'routes/files/buscadorVivo.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user', 'aux'],
  },
  exportaciones: { path: 'exportaciones', file: 'routes/files/exportaciones.ts', at: 'area', roles: ROLES },
  descargasExportacion: {
    path: 'descargas/exportacion/:id',
    file: 'routes/files/descargasExportacion.ts',
    at: 'area',
    roles: ROLES,
  },
  descargasFactura: {
    path: 'descargas/factura/:id/:formato',
    file: 'routes/files/descargasFactura.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user', 'cont'],
  },
  expediente: {
    path: 'descargas/expediente/:id',
    file: 'routes/files/expediente.ts',
    at: 'area',
    roles: ['sa', 'admin', 'cont'],
  },
  descargasNota: {
    path: 'descargas/nota/:id',
    file: 'routes/files/descargasNota.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user'],
  },
  descargasGuia: {
    path: 'descargas/guia/:id',
    file: 'routes/files/descargasGuia.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user'],
  },
  etiquetas: {
    path: 'descargas/etiquetas',
    file: 'routes/files/etiquetas.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user'],
  },
  bodegaCascaron: {
    path: 'bodega/cascaron',
    file: 'routes/bodega/cascaron.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user'],
  },
  bodegaManifiesto: {
    path: 'bodega/manifiesto',
    file: 'routes/bodega/manifiesto.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user'],
  },
  bodegaLeer: { path: 'bodega/leer', file: 'routes/bodega/leer.ts', at: 'area', roles: ['sa', 'admin', 'user'] },
  bodegaEnviar: { path: 'bodega/enviar', file: 'routes/bodega/enviar.ts', at: 'area', roles: ['sa', 'admin', 'user'] },
  bodegaFoto: { path: 'bodega/foto/:id', file: 'routes/bodega/foto.ts', at: 'area', roles: ['sa', 'admin', 'user'] },
  facturaStock: {
    path: 'descargas/facturaStock/:id',
    file: 'routes/files/facturaStock.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user'],
  },
  subirAppParte: { path: 'subirApp/parte', file: 'routes/files/subirAppParte.ts', at: 'area', roles: ['sa'] },
  descargarApp: { path: 'descargas/app', file: 'routes/files/descargarApp.ts', at: 'area', roles: ROLES },
  preferencias: { path: 'preferencias', file: 'routes/files/preferencias.ts', at: 'area', roles: ROLES },
  clavesSat: { path: 'clavesSat', file: 'routes/files/clavesSat.ts', at: 'area', roles: ['sa', 'admin', 'user'] },
  codigosPostales: { path: 'codigosPostales/:cp', file: 'routes/files/codigosPostales.ts', at: 'area', roles: ROLES },
  lotes: { path: 'lotes/:id', file: 'routes/files/lotes.ts', at: 'area', roles: ['sa', 'admin'] },
  descargasProveedorXml: {
    path: 'descargas/proveedorXml/:id',
    file: 'routes/files/descargasProveedorXml.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user', 'cont'],
  },
  descargasRetencion: {
    path: 'descargas/retencion/:id',
    file: 'routes/files/descargasRetencion.ts',
    at: 'area',
    roles: ['sa', 'admin', 'cont'],
  },
  descargasLoQueVe: {
    path: 'descargas/loQueVeElSat/:anio',
    file: 'routes/files/descargasLoQueVe.ts',
    at: 'area',
    roles: ['sa', 'admin', 'cont'],
  },
  descargasUtilidadPor: {
    path: 'descargas/utilidadPor',
    file: 'routes/files/descargasUtilidadPor.ts',
    at: 'area',
    roles: ['sa', 'admin', 'cont'],
  },
  descargasEstadoDeCuenta: {
    path: 'descargas/estadoDeCuenta/:proveedor',
    file: 'routes/files/descargasEstadoDeCuenta.ts',
    at: 'area',
    roles: ['sa', 'admin', 'cont'],
  },
  descargasDiot: {
    path: 'descargas/diot/:mes',
    file: 'routes/files/descargasDiot.ts',
    at: 'area',
    roles: ['sa', 'admin', 'cont'],
  },
  descargasDiotExcel: {
    path: 'descargas/diotExcel/:mes',
    file: 'routes/files/descargasDiotExcel.ts',
    at: 'area',
    roles: ['sa', 'admin', 'cont'],
  },
  archivoDePago: {
    path: 'archivos/pago/:pago/:archivo',
    file: 'routes/files/archivoDePago.ts',
    at: 'area',
    roles: ['sa', 'admin'],
  },
  fuentes: { path: 'fuentes', file: 'routes/files/fuentes.ts', at: 'area', roles: ROLES },
  vitales: { path: 'vitales', file: 'routes/files/vitales.ts', at: 'area', roles: ROLES },
  presencia: { path: 'presencia', file: 'routes/files/presencia.ts', at: 'area', roles: ROLES },
  novedades: { path: 'novedades', file: 'routes/files/novedades.ts', at: 'area', roles: ['sa', 'admin', 'user'] },
  activacion: { path: 'activacion', file: 'routes/files/activacion.ts', at: 'sesion', roles: ['sa', 'admin'] },
  avisosMercadolibre: {
    path: 'avisos/mercadolibre/:secreto',
    file: 'routes/files/avisosMercadolibre.ts',
    at: 'abierta',
  },
  api: { path: 'api/*', file: 'routes/files/api.ts', at: 'abierta' },
  nada: { path: 'nada', file: 'routes/files/nada.ts', at: 'abierta' },
  foto: { path: 'fotos/:llave', file: 'routes/files/foto.ts', at: 'abierta' },
  metricas: { path: 'metrics', file: 'routes/files/metricas.ts', at: 'abierta' },
  healthcheck: { path: 'healthcheck', file: 'routes/files/healthcheck.ts', at: 'abierta' },
} as const satisfies Record<string, FileRoute>;

export const screens: readonly (readonly [string, Screen])[] = Object.entries(SCREENS);
export const files: readonly (readonly [string, FileRoute])[] = Object.entries(FILES);

export function screensOf(rol: Rol): (readonly [string, Screen])[] {
  return screens.filter(([, screen]) => screen.roles.includes(rol));
}

export function filesOf(rol: Rol): (readonly [string, FileRoute])[] {
  return files.filter(([, row]) => row.at === 'area' && row.roles.includes(rol));
}
