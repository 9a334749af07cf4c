/** The marketplace's words for how a claim goes on and ends, as people read them. Its lists are open: a word that is not here is shown as it came. */
const said = (words: Record<string, string>) => (word: string) => (Object.hasOwn(words, word) ? words[word]! : word);

/** Returns the part that somebody has in a claim. One person may be named by the claim or by the sale. */
export const papelDe = said({
  complainant: 'Comprador',
  buyer: 'Comprador',
  receiver: 'Comprador',
  respondent: 'Nosotros',
  seller: 'Nosotros',
  sender: 'Nosotros',
  mediator: 'Mercado Libre',
  internal: 'Mercado Libre',
  meli: 'Mercado Libre',
  purchase: 'Compra',
});

/** Returns how a return goes on. */
export const devolucionDe = said({
  pending: 'Pendiente',
  pending_cancel: 'Se está cancelando',
  pending_delivered: 'Falta confirmar su entrega',
  pending_expiration: 'Por vencer',
  pending_failure: 'Con un problema',
  scheduled: 'Programada',
  label_generated: 'Etiqueta generada',
  shipped: 'En camino',
  return_to_buyer: 'Regresa al comprador',
  delivered: 'Entregada',
  not_delivered: 'No entregada',
  cancelled: 'Cancelada',
  expired: 'Vencida',
  failed: 'Fallida',
});

/** Returns where the money of a return is. */
export const dineroDe = said({
  retained: 'El dinero está retenido',
  refunded: 'El dinero ya se devolvió',
  available: 'El dinero está disponible',
});

/** Returns how the package of a return goes on. */
export const envioDeDevolucion = said({
  pending: 'Pendiente',
  handling: 'En preparación',
  ready_to_ship: 'Listo para enviar',
  shipped: 'En camino',
  delivered: 'Entregado',
  not_delivered: 'No entregado',
  cancelled: 'Cancelado',
});

/** Returns where the package of a return goes to. */
export const destinoDe = said({ seller_address: 'a nuestro domicilio', warehouse: 'a la bodega de Mercado Libre' });

/** Words of the review of what came back: its progress, what it found, what we said, the product's condition, who keeps it, and whom it favours. */
export const enRevision = {
  etapa: said({
    seller_review_pending: 'Falta que lo revisemos',
    pending: 'Mercado Libre lo revisa',
    closed: 'Revisión terminada',
    timeout: 'Se acabó el tiempo para revisarlo',
  }),
  resultado: said({ success: 'Llegó bien', failed: 'Llegó con problemas' }),
  dicho: said({
    pending: 'Falta decirlo',
    success: 'Que llegó bien',
    failed: 'Que llegó con problemas',
    claimed: 'Que llegó con problemas',
  }),
  producto: said({
    saleable: 'Se puede vender',
    unsaleable: 'No se puede vender',
    discard: 'Se desecha',
    missing: 'No venía',
  }),
  queda: said({ meli: 'Mercado Libre', buyer: 'El comprador', seller: 'Nosotros' }),
  favorece: said({ both: 'Al comprador y a nosotros', buyer: 'Al comprador', seller: 'A nosotros' }),
};

/** Returns why a claim was closed. */
export const motivoDeCierre = said({
  already_shipped: 'Ya se había enviado',
  buyer_claim_opened: 'El comprador abrió otro reclamo',
  buyer_dispute_opened: 'El comprador pidió mediación',
  change_cancelled_buyer: 'El comprador canceló el cambio',
  change_cancelled_meli: 'Mercado Libre canceló el cambio',
  change_cancelled_seller: 'Cancelamos el cambio',
  change_expired: 'El cambio venció',
  cancel_installation: 'Se canceló la instalación',
  charged_back: 'Contracargo del banco',
  coverage_decision: 'Decisión de cobertura',
  found_missing_parts: 'Aparecieron las piezas que faltaban',
  item_changed: 'Se cambió el producto',
  item_returned: 'El producto se devolvió',
  low_cost: 'Costo bajo',
  no_bpp: 'Sin compra protegida',
  not_delivered: 'No se entregó',
  opened_claim_by_mistake: 'Se abrió por error',
  partial_refunded: 'Se devolvió una parte',
  payment_refunded: 'Se devolvió el pago',
  prefered_to_keep_product: 'El comprador se quedó con el producto',
  product_delivered: 'El producto se entregó',
  reimbursed: 'Reembolsado',
  rep_resolution: 'Lo resolvió Mercado Libre',
  respondent_timeout: 'No respondimos a tiempo',
  return_canceled: 'La devolución se canceló',
  return_expired: 'La devolución venció',
  seller_asked_to_close_claim: 'Pedimos cerrarlo',
  seller_did_not_help: 'No ayudamos al comprador',
  seller_explained_functions: 'Se explicó cómo funciona',
  seller_sent_product: 'Enviamos el producto',
  shipment_not_stopped: 'No se pudo detener el envío',
  timeout: 'Se acabó el tiempo',
  warehouse_decision: 'Decisión de la bodega',
  warehouse_timeout: 'Se acabó el tiempo de la bodega',
  worked_out_with_seller: 'Se arregló con nosotros',
});

/** Returns how a change or a replacement goes on. */
export const estadoDeCambio = said({
  pending: 'Pendiente',
  generated: 'Generado',
  purchase_shipped: 'El nuevo va en camino',
  purchase_delayed: 'El nuevo se retrasó',
  ready: 'Listo para entregar',
  changed: 'El comprador ya tiene el nuevo',
  return_shipped: 'El anterior viene de regreso',
  change_return_delivered: 'El anterior ya regresó',
  failed: 'Falló',
  change_failed: 'Falló el cambio',
  purchase_pay_failed: 'Falló el pago del nuevo',
});

/** Returns what a change or a replacement waits for, or why it failed. */
export const detalleDeCambio = said({
  return_pending: 'falta la devolución',
  return_created: 'la devolución ya se creó',
  payment_required: 'falta que el comprador pague la diferencia',
  money_granted: 'Mercado Libre prestó el dinero',
  purchase_payment_done: 'el nuevo ya se pagó',
  by_expiration: 'venció su plazo',
  by_notification: 'así lo avisó la paquetería',
  return_triage_success: 'la bodega lo aceptó',
  coverage_not_aplied: 'no lo cubre Mercado Libre',
  mediator_closed: 'lo cerró Mercado Libre',
  purchase_failed: 'no se pudo comprar el nuevo',
  purchase_returning: 'el nuevo viene de regreso',
  purchase_return_lost: 'el nuevo se perdió de regreso',
  return_failed: 'falló la devolución',
  return_no_label_generated: 'la devolución no tuvo etiqueta',
  shipment_return_stole: 'robaron el paquete de regreso',
  shipment_returned: 'el paquete regresó',
  shipment_fw_cancel_seller: 'cancelamos el envío',
  shipment_fw_cancelled: 'se canceló el envío',
  shipment_fw_fraudulent: 'el envío fue fraudulento',
  shipment_fw_lost: 'se perdió el envío',
  shipment_fw_stolen: 'robaron el envío',
  shipment_fw_unfulfillable: 'no hubo con qué surtirlo',
});

/** Words of a change that failed. Which of them are states and which are details nobody tells, so both fields are compared. */
const FALLA =
  /^(?:failed|change_failed|coverage_|mediator_|purchase_(?:pay_)?failed|purchase_return|return_failed|return_no_|shipment_)/;
/** Tells whether a change or a replacement failed. */
export const isCambioFallido = ({ estado, detalle }: { estado: string | null; detalle: string | null }): boolean =>
  [estado, detalle].some((word) => FALLA.test(word ?? ''));
