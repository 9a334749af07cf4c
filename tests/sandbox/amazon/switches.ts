import type { Opciones } from '../proveedores/taller';

/** Unconfirmed facts of Amazon in México. The first way of each is played until a test asks for another. */
export const SWITCHES = {
  /** Whether the ITEM subtotal is without IVA or holds it. */
  precio: ['neto', 'bruto'],
  lineaDeImpuesto: ['llega', 'falta'],
  descuento: ['negativo', 'positivo'],
  /** Meaning of `grandTotal`: the amount that the buyer paid, the amount due to the seller, or no such field. */
  total: ['pagado', 'alVendedor', 'falta'],
  importesDeLinea: ['llegan', 'faltan'],
  centavo: ['exacto', 'sobra'],
  pendientes: ['sinPrecio', 'conPrecio'],
  canceladas: ['cantidadCero', 'conservanCantidad'],
  /** Blocks with data of people: they arrive, they are missing, or the whole call is refused. */
  personas: ['llegan', 'faltan', '403'],
  surtido: ['llega', 'falta'],
  /**
   * Pages continue after the last row, or by position. By position, a row that leaves the window hides another, and a row that enters comes twice.
   */
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
  /** The message with an invoice: the sale offers it, does not offer it, or the whole API is refused. */
  mensajeFactura: ['permitido', 'noEsta', '403'],
  retenido: ['MarketplaceFacilitatorVAT', 'otroNombre', 'nunca'],
  isr: ['porMes', 'porVenta'],
  comision: ['conIva', 'sinIva'],
  palabraDeEstado: ['Released', 'RELEASED', 'falta'],
  /** Where a payment that waits names the day of its release: with the movement, with its lines, under another word, or nowhere. */
  diferido: ['movimiento', 'lineas', 'otraPalabra', 'sinFecha', 'no'],
  desgloses: ['llegan', 'nulos'],
  paginaVacia: ['no', 'si'],
  milisegundos: ['sin', 'con'],
  /** Undocumented fields at each level of a sale. */
  camposNuevos: ['no', 'si'],
  /** Case of the words of a sale: as documented, or small letters. */
  palabras: ['comoSeDocumentan', 'minusculas'],
  /** End of a report of listings: made, cancelled for lack of data, or failed. */
  reporte: ['sale', 'cancelado', 'fatal'],
  codificacion: ['utf8', 'latin1', 'latin1SinDecirlo'],
  empaque: ['gzip', 'plano'],
  encabezados: ['documentados', 'traducidos'],
  /** Whether the account may use notifications, and whether a destination shows the kinds that it is not as null. */
  notificaciones: ['permitidas', '403'],
  hermanoNulo: ['no', 'si'],
  /** Settlements in one document: its own, or also the one before, which has a document too. */
  liquidacionCuantas: ['una', 'variasYRepetidas'],
  /** Form of the dates of a settlement, and whether each line repeats the dates of its settlement. */
  liquidacionFechas: ['iso', 'puntos', 'espacio'],
  liquidacionRepite: ['no', 'si'],
  liquidacionHora: ['llega', 'falta'],
  decimales: ['punto', 'coma', 'comaYMiles'],
  /** State of the newest settlement's report: ready, waiting, or failed. */
  liquidacion: ['lista', 'enCola', 'fatal'],
  /** Name of an ISR that is charged by the month. */
  isrMensual: ['IncomeTaxWithholding', 'Retención de ISR', 'nunca'],
  /** Whether a change of the offer may name the product type PRODUCT. */
  tipoGenerico: ['acepta', 'rechaza'],
  /** Answer to a change of an unknown sku: not found, invalid, or accepted without effect. */
  skuDesconocido: ['404', '400', 'seAcepta'],
  /** Fate of a new listing that was accepted: on sale, with a problem, or never seen. */
  alta: ['activa', 'conProblema', 'nunca'],
  /** Whether the length of a sku is counted raw or encoded. */
  largoDeSku: ['crudo', 'codificado'],
  /** Whether an accepted change shows after a while or never. */
  cambio: ['seVe', 'nunca'],
  /** Fate of a file of changes: done, waiting for ever, cancelled by Amazon, or ended half way. */
  archivo: ['hecho', 'enCola', 'cancelado', 'fatal'],
  /** Whether a file that is done has a result. */
  resultadoDeArchivo: ['llega', 'falta'],
  /** Whether the account may buy labels, whether any carrier is on offer, and whether its terms are accepted. */
  guias: ['permitidas', '403'],
  paqueteriasDeGuias: ['hay', 'ninguna', 'caidas'],
  terminos: ['aceptados', 'sinAceptar'],
  tarifa: ['MXN', 'USD'],
  /** Price of a label between its offer and its purchase: the same, higher, or withdrawn. */
  precioDeGuia: ['igual', 'sube', 'seRetira'],
  /** Whether data of people take a token of its own, and whether that token comes inside `payload`. */
  datosDePersonas: ['conFicha', 'sinFicha', '403'],
  sobreDeFicha: ['sin', 'con'],
  /** Whether the label comes with the purchase, later or damaged, and whether its sum is of the document or of the packed one. */
  etiqueta: ['conLaCompra', 'despues', 'danada'],
  sumaDeEtiqueta: ['delDocumento', 'delEmpaque'],
  /** State of the package of a label that was bought. */
  paqueteComprado: ['PENDING', 'SHIPPED'],
  /** State of a label that is given back. */
  reembolso: ['RefundPending', 'RefundApplied', 'RefundRejected', 'Purchased'],
  /** Answer about the featured offer's price: it arrives, the whole call is refused, every row is, or with a result that nobody knows. */
  ofertaDestacada: ['llega', '403', 'sinServicio', 'resultadoNuevo'],
  /** The word for an offer that is alone on its page, and the rows of an answer in the order of the question or not. */
  sinOtraOferta: ['NO_COMPETING_OFFERS', 'NO_COMPETING_OFFER'],
  filasDePrecio: ['enOrden', 'alReves'],
  /** Whether a question of bad rows alone is a success or a 400. */
  soloFilasMalas: ['200', '400'],
  /** Estimates of fees: they arrive, every row fails, or the whole call is refused; and the most rows of one question. */
  estimacion: ['llega', 'falla', '403'],
  tandaDeEstimaciones: ['veinte', 'cinco', 'sinTope'],
  /** IVA of an estimated fee: inside it without a word, left out, told beside a fee without it, or told and inside. */
  ivaEnEstimacion: ['dentro', 'fuera', 'dichoAparte', 'dichoDentro'],
  nombresDeCargos: ['documentados', 'otros'],
  desgloseDeEstimacion: ['llega', 'falta'],
  /** Whether a success comes with an error of empty texts. */
  errorVacio: ['no', 'si'],
  /** Fate of an odd price: taken, refused at once, or accepted and then found wrong. */
  precioRaro: ['pasa', 'seRechaza', 'seDetiene'],
} as const satisfies Opciones;
