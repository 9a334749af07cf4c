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
