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
  /** Whether the account may ask for notifications; whether what a destination is not is told as null. */
  notificaciones: ['permitidas', '403'],
  hermanoNulo: ['no', 'si'],
  /** A document tells one settlement, or also the one before it, told already by its own. */
  liquidacionCuantas: ['una', 'variasYRepetidas'],
  /** How its dates are written, and whether each line repeats those of its settlement. */
  liquidacionFechas: ['iso', 'puntos', 'espacio'],
  liquidacionRepite: ['no', 'si'],
  liquidacionHora: ['llega', 'falta'],
  decimales: ['punto', 'coma', 'comaYMiles'],
  /** The newest one is there, is still being made, or never will be. */
  liquidacion: ['lista', 'enCola', 'fatal'],
  /** The word of an ISR that is charged by the month. */
  isrMensual: ['IncomeTaxWithholding', 'Retención de ISR', 'nunca'],
  /** Whether a change of the offer may name the product type PRODUCT. */
  tipoGenerico: ['acepta', 'rechaza'],
  /** A change of a sku that nobody has: not found, invalid, or taken in and never heard of again. */
  skuDesconocido: ['404', '400', 'seAcepta'],
  /** A new listing that was accepted comes to be for sale, has a problem, or is never heard of again. */
  alta: ['activa', 'conProblema', 'nunca'],
  /** The length of a sku is counted as it is, or as it travels. */
  largoDeSku: ['crudo', 'codificado'],
  /** An accepted change shows after a while, or never. */
  cambio: ['seVe', 'nunca'],
  /** A file of changes is worked on, waits for ever, is cancelled by Amazon, or ends half done. */
  archivo: ['hecho', 'enCola', 'cancelado', 'fatal'],
  /** What is told of its end: a result, or none although it is done. */
  resultadoDeArchivo: ['llega', 'falta'],
  /** Whether the account may buy labels; whether any carrier is offered in México, and with its terms accepted. */
  guias: ['permitidas', '403'],
  paqueteriasDeGuias: ['hay', 'ninguna', 'caidas'],
  terminos: ['aceptados', 'sinAceptar'],
  tarifa: ['MXN', 'USD'],
  /** Between being offered and being bought. */
  precioDeGuia: ['igual', 'sube', 'seRetira'],
  /** What tells of people takes a token of its own, told with an envelope or without. */
  datosDePersonas: ['conFicha', 'sinFicha', '403'],
  sobreDeFicha: ['sin', 'con'],
  /** The label comes with the purchase or is asked for, and its sum is of the document or of what was packed. */
  etiqueta: ['conLaCompra', 'despues', 'danada'],
  sumaDeEtiqueta: ['delDocumento', 'delEmpaque'],
  /** How the package of a label that was bought is told. */
  paqueteComprado: ['PENDING', 'SHIPPED'],
  /** What is said to a label that is given back. */
  reembolso: ['RefundPending', 'RefundApplied', 'RefundRejected', 'Purchased'],
  /** A price is taken, refused at once, or accepted and then found wrong. */
  precioRaro: ['pasa', 'seRechaza', 'seDetiene'],
} as const satisfies Opciones;
