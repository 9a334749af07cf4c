import type { NombreIcono } from '../core/nombreIcono';
import { ROLES, type Rol } from '../domain/cuentas/usuario';

/** Read by app/routes.ts, which Remix evaluates without our aliases: relative imports only. */
export { ROLES, type Rol };

export type Screen = {
  label: string;
  icono: NombreIcono;
  /** Module under app/. */
  file: string;
  group: 'inicio' | 'facturacion' | 'catalogos' | 'reportes' | 'herramientas' | 'configuracion' | 'cuenta';
  roles: readonly Rol[];
  /** Who finds it in the menu; without it, all of `roles`. */
  menu?: readonly Rol[];
  /** Whose home it is: mounted at `/rol` as well. */
  home?: readonly Rol[];
  /** Only a home, without an address of its own. */
  homeOnly?: true;
};

/** Every screen behind a session and who may open it. What is not here does not exist: routes, menu, guard and the permission test read this. */
export const SCREENS = {
  hoy: {
    label: 'Hoy',
    icono: 'casa',
    file: 'routes/inicio/hoy.tsx',
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
    file: 'routes/catalogos/facturasClientes.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'cont'],
    menu: ['sa', 'admin', 'cont'],
    home: ['cont'],
  },
  ordenes: {
    label: 'Ordenes',
    icono: 'bolsa',
    file: 'routes/catalogos/ordenes.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'cont'],
  },
  ordenesCanceladas: {
    label: 'Ordenes canceladas',
    icono: 'ordenCancelada',
    file: 'routes/catalogos/ordenesCanceladas.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
  },
  ordenesActivas: {
    label: 'Ordenes activas',
    icono: 'espera',
    file: 'routes/herramientas/ordenesActivas.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
    home: ['user'],
  },
  envios: {
    label: 'Envios',
    icono: 'camion',
    file: 'routes/catalogos/envios.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
  },
  enviosPendientes: {
    label: 'Envios pendientes',
    icono: 'cajaAbierta',
    file: 'routes/herramientas/enviosPendientes.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  cotizarEnvios: {
    label: 'Cotizar envios',
    icono: 'calculadora',
    file: 'routes/herramientas/cotizarEnvios.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  datosFiscales: {
    label: 'Datos Fiscales de Clientes',
    icono: 'contacto',
    file: 'routes/catalogos/datosFiscales.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  empresas: {
    label: 'Empresas',
    icono: 'empresas',
    file: 'routes/catalogos/empresas.tsx',
    group: 'catalogos',
    roles: ['sa'],
  },
  facturasProveedores: {
    label: 'Facturas de proveedores',
    icono: 'facturaProveedor',
    file: 'routes/catalogos/facturasProveedores.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'cont'],
    menu: ['sa', 'admin', 'cont'],
  },
  agentesVentas: {
    label: 'Venta Agentes',
    icono: 'trato',
    file: 'routes/catalogos/agentesVentas.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  proveedores: {
    label: 'Proveedores',
    icono: 'tienda',
    file: 'routes/catalogos/proveedores.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  productos: {
    label: 'Productos',
    icono: 'producto',
    file: 'routes/catalogos/productos.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'aux'],
  },
  cambiarCategoria: {
    label: 'Cambiar categoria',
    icono: 'etiquetas',
    file: 'routes/herramientas/cambiarCategoria.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  publicadorML: {
    label: 'Publicador ML',
    icono: 'enviar',
    file: 'routes/herramientas/publicadorML.tsx',
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
    file: 'routes/catalogos/stockInterno.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
  },
  etiquetasStock: {
    label: 'Etiquetas en blanco',
    icono: 'etiquetas',
    file: 'routes/catalogos/etiquetasStock.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  devoluciones: {
    label: 'Devoluciones',
    icono: 'deshacer',
    file: 'routes/catalogos/devoluciones.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  publicaciones: {
    label: 'Publicaciones',
    icono: 'etiquetas',
    file: 'routes/catalogos/publicaciones.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user', 'aux'],
  },
  buscador: {
    label: 'Buscador de Productos',
    icono: 'buscarProducto',
    file: 'routes/herramientas/buscador.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user', 'aux'],
  },
  ordenesPorConfirmar: {
    label: 'Ordenes por confirmar',
    icono: 'confirmar',
    file: 'routes/herramientas/ordenesPorConfirmar.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  ordenesCT: {
    label: 'Ordenes CT',
    icono: 'lista',
    file: 'routes/catalogos/ordenesCT.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin', 'user'],
  },
  preguntas: {
    label: 'Preguntas',
    icono: 'pregunta',
    file: 'routes/catalogos/preguntas.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  reclamos: {
    label: 'Reclamos',
    icono: 'reclamo',
    file: 'routes/catalogos/reclamos.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  responderPreguntas: {
    label: 'Responder preguntas',
    icono: 'responder',
    file: 'routes/herramientas/responderPreguntas.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  cotizaciones: {
    label: 'Cotizaciones',
    icono: 'archivos',
    file: 'routes/herramientas/cotizaciones.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin'],
  },
  pagosProveedores: {
    label: 'Pagos a proveedores',
    icono: 'moneda',
    file: 'routes/herramientas/pagosProveedores.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin'],
  },
  llenarReporte: {
    label: 'Llenar reporte',
    icono: 'cartera',
    file: 'routes/herramientas/llenarReporte.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user'],
  },
  mensual: {
    label: 'Mensual',
    icono: 'barras',
    file: 'routes/reportes/mensual.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  conciliacion: {
    label: 'Conciliación',
    icono: 'balanza',
    file: 'routes/reportes/conciliacion.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  grafica: {
    label: 'Gráfica',
    icono: 'pastel',
    file: 'routes/reportes/grafica.tsx',
    group: 'reportes',
    roles: ['sa', 'admin'],
  },
  rFacturacionGeneral: {
    label: 'Reporte de facturación general',
    icono: 'faltante',
    file: 'routes/reportes/rFacturacionGeneral.tsx',
    group: 'reportes',
    roles: ['sa', 'admin', 'cont'],
  },
  usuarios: {
    label: 'Usuarios',
    icono: 'usuarios',
    file: 'routes/catalogos/usuarios.tsx',
    group: 'catalogos',
    roles: ['sa', 'admin'],
  },
  datosUsuario: {
    label: 'Editar Datos',
    icono: 'configuracionUsuario',
    file: 'routes/cuenta/datosUsuario.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  subirApp: {
    label: 'Subir app',
    icono: 'subir',
    file: 'routes/cuenta/subirApp.tsx',
    group: 'cuenta',
    roles: ['sa'],
    menu: [],
  },
  segundoFactor: {
    label: 'Verificación en dos pasos',
    icono: 'visto',
    file: 'routes/cuenta/segundoFactor.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  tokensApi: {
    label: 'Tokens de API',
    icono: 'enchufe',
    file: 'routes/cuenta/tokensApi.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  ganchos: {
    label: 'Webhooks',
    icono: 'enchufe',
    file: 'routes/cuenta/ganchos.tsx',
    group: 'cuenta',
    roles: ['sa'],
    menu: [],
  },
  api: {
    label: 'API',
    icono: 'enchufe',
    file: 'routes/cuenta/api.tsx',
    group: 'cuenta',
    roles: ROLES,
    menu: [],
  },
  facturacion: {
    label: 'Facturación',
    icono: 'recibo',
    file: 'routes/facturacion/facturacion.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
  },
  facturacionGeneral: {
    label: 'Facturación general',
    icono: 'calendario',
    file: 'routes/facturacion/facturacionGeneral.tsx',
    group: 'facturacion',
    roles: ['sa'],
  },
  enlaces: {
    label: 'Enlace de facturación',
    icono: 'enlace',
    file: 'routes/facturacion/enlaces.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  notaSencilla: {
    label: 'Nota sencilla',
    icono: 'nota',
    file: 'routes/facturacion/notaSencilla.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
  },
  notasSencillas: {
    label: 'Notas sencillas',
    icono: 'nota',
    file: 'routes/facturacion/notasSencillas.tsx',
    group: 'facturacion',
    roles: ['sa', 'admin', 'user'],
    menu: [],
  },
  tiendasConfiguracion: {
    label: 'Configuración de tiendas',
    icono: 'ajustes',
    file: 'routes/configuracion/tiendasConfiguracion.tsx',
    group: 'configuracion',
    roles: ['sa', 'admin'],
  },
  tokens: {
    label: 'Activación de API',
    icono: 'enchufe',
    file: 'routes/configuracion/tokens.tsx',
    group: 'configuracion',
    roles: ['sa', 'admin'],
  },
  lote: {
    label: 'Varios a la vez',
    icono: 'lista',
    file: 'routes/herramientas/lote.tsx',
    group: 'herramientas',
    roles: ['sa', 'admin', 'user', 'cont'],
    menu: [],
  },
  pendientes: {
    label: 'Pendientes',
    icono: 'alerta',
    file: 'routes/herramientas/pendientes.tsx',
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
  lotes: { path: 'lotes/:id', file: 'routes/files/lotes.ts', at: 'area', roles: ['sa'] },
  descargasProveedorXml: {
    path: 'descargas/proveedorXml/:id',
    file: 'routes/files/descargasProveedorXml.ts',
    at: 'area',
    roles: ['sa', 'admin', 'user', 'cont'],
  },
  archivoDePago: {
    path: 'archivos/pago/:pago/:archivo',
    file: 'routes/files/archivoDePago.ts',
    at: 'area',
    roles: ['sa', 'admin'],
  },
  fuentes: { path: 'fuentes', file: 'routes/files/fuentes.ts', at: 'area', roles: ROLES },
  novedades: { path: 'novedades', file: 'routes/files/novedades.ts', at: 'area', roles: ['sa', 'admin', 'user'] },
  activacion: { path: 'activacion', file: 'routes/files/activacion.ts', at: 'sesion', roles: ['sa', 'admin'] },
  avisosMercadolibre: {
    path: 'avisos/mercadolibre/:secreto',
    file: 'routes/files/avisosMercadolibre.ts',
    at: 'abierta',
  },
  api: { path: 'api/*', file: 'routes/files/api.ts', at: 'abierta' },
  nada: { path: 'nada', file: 'routes/files/nada.ts', at: 'abierta' },
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
