import { tableOf } from '~/core/table';

/** The labels of fields by name, for answers that have no page to read labels from. */
const ETIQUETAS: Readonly<Record<string, string>> = tableOf({
  apellidos: 'Apellidos',
  calle: 'Calle',
  calleA: 'Entre calle',
  calleB: 'Y calle',
  cantidad: 'Cantidad',
  ciudad: 'Ciudad',
  codigo: 'Código de verificación',
  codigoSat: 'Código SAT',
  colonia: 'Colonia',
  confirmar: 'Confirmar Contraseña',
  costo: 'Costo del envío',
  cotizado: 'Envío cotizado',
  cp: 'Código postal',
  diferencia: 'Facturar con esta diferencia',
  email: 'Email',
  email2: 'Email 2',
  email3: 'Email 3',
  enlaceDias: 'Vigencia de los enlaces (días)',
  estado: 'Estado',
  estatus: 'Estatus',
  fecha: 'Fecha',
  folio: 'Folio',
  formaPago: 'Forma de Pago',
  guia: 'Número de guía',
  label: 'Nombre',
  linkFactura: 'Página de facturas',
  linkHome: 'Sitio',
  linkProductos: 'Página de productos',
  monto: 'Monto',
  municipio: 'Municipio',
  nombre: 'Nombre',
  nombreReceptor: 'Nombre',
  numOrden: 'No. Orden',
  numeroE: 'Número exterior',
  numeroExterior: 'Número ext.',
  numeroI: 'Número interior',
  numeroInterior: 'Número int.',
  paqueteria: 'Paquetería',
  paqueteriaUrl: 'Página de rastreo',
  password: 'Contraseña',
  passwordActual: 'Contraseña actual',
  precioUnitario: 'Precio Unitario',
  proveedor: 'Proveedor',
  razonSocial: 'Razón Social',
  recuperacion: 'Código de recuperación',
  referencia: 'Referencia',
  regimen: 'Regimen a facturar',
  reglaFactura: 'Enlace de cada factura',
  rfc: 'RFC',
  rol: 'Rol',
  sufijoFactura: 'Sufijo del enlace',
  telefono: 'Teléfono',
  usoCfdi: 'Uso de CFDI',
  usuario: 'Usuario',
  value: 'Clave',
});

/** Of a list's own fields: 'Descripción del artículo 1'. */
const DE_RENGLON: Readonly<Record<string, string>> = tableOf({ nombre: 'Descripción' });

/** Returns the label of a field: 'RFC' for `rfc`, 'Cantidad, renglón 2' for `articulos[1].cantidad`; undefined for an unknown field. */
export function etiquetaOf(name: string): string | undefined {
  const [, renglon, campo] = /^\w+\[(\d+)\]\.(\w+)$/.exec(name) ?? [];
  if (renglon === undefined || campo === undefined) return ETIQUETAS[name];
  const etiqueta = DE_RENGLON[campo] ?? ETIQUETAS[campo];
  return etiqueta && `${etiqueta}, renglón ${Number(renglon) + 1}`;
}
