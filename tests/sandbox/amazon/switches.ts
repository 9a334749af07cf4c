import type { Opciones } from '../proveedores/taller';

/** What nobody has confirmed of Amazon in México; the first way is played until a test asks for another. */
export const SWITCHES = {
  /** The ITEM subtotal is net of IVA, or holds it. */
  precio: ['neto', 'bruto'],
  lineaDeImpuesto: ['llega', 'falta'],
  descuento: ['negativo', 'positivo'],
  /** `grandTotal` is what the buyer paid, what the seller is due, or is not there. */
  total: ['pagado', 'alVendedor', 'falta'],
  importesDeLinea: ['llegan', 'faltan'],
  centavo: ['exacto', 'sobra'],
  pendientes: ['sinPrecio', 'conPrecio'],
  canceladas: ['cantidadCero', 'conservanCantidad'],
  /** Blocks with people's data: they come, the role is missing, or the whole call is refused. */
  personas: ['llegan', 'faltan', '403'],
  surtido: ['llega', 'falta'],
  /** Pages go on after the last row, or by position: then what leaves the window hides another, and what enters it is told twice. */
  paginas: ['porFila', 'porPosicion'],
  ultimaPagina: ['sinToken', 'tokenVacio'],
  tokenAjeno: ['400', '403'],
  rfc: ['BUSINESS', 'VAT', 'otraPalabra', 'nunca'],
  estadoNuevo: ['no', 'si'],
  limite: ['sinEncabezado', 'conEncabezado'],
  limiteDeFichas: ['no', 'si'],
  refresco: ['mismo', 'otro'],
  revocado: ['invalid_grant', 'unauthorized_client'],
  paqueteRepetido: ['204', '400'],
  confirmarTerminada: ['400', '204'],
  paquetes: ['alMomento', 'tarde'],
  /** Whether México has codes for carriers besides Other. */
  paqueterias: ['conCodigo', 'soloOther'],
  /** Whether the account may send the buyer an invoice: offered for the sale, not offered, or the whole API refused. */
  mensajeFactura: ['permitido', 'noEsta', '403'],
  retenido: ['MarketplaceFacilitatorVAT', 'otroNombre', 'nunca'],
  isr: ['porMes', 'porVenta'],
  comision: ['conIva', 'sinIva'],
  palabraDeEstado: ['Released', 'RELEASED', 'falta'],
  desgloses: ['llegan', 'nulos'],
  paginaVacia: ['no', 'si'],
  milisegundos: ['sin', 'con'],
  /** Fields nobody has documented, at each level of a sale. */
  camposNuevos: ['no', 'si'],
  /** Its words in the case of the documentation, or small. */
  palabras: ['comoSeDocumentan', 'minusculas'],
  /** A report of listings is made, cancelled as without data, or ends in a failure. */
  reporte: ['sale', 'cancelado', 'fatal'],
  codificacion: ['utf8', 'latin1', 'latin1SinDecirlo'],
  empaque: ['gzip', 'plano'],
  encabezados: ['documentados', 'traducidos'],
  /** Whether a change of the offer may name the product type PRODUCT. */
  tipoGenerico: ['acepta', 'rechaza'],
  /** An accepted change shows after a while, or never. */
  cambio: ['seVe', 'nunca'],
  /** A price is taken, refused at once, or accepted and then found wrong. */
  precioRaro: ['pasa', 'seRechaza', 'seDetiene'],
} as const satisfies Opciones;
