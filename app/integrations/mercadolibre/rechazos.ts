import type { FilaDeRechazo } from '~/core/rechazo';

/** The remedy of a category that can no longer change. */
export const CATEGORIA_CON_VENTAS = 'Ya tiene ventas: Mercado Libre no deja cambiar su categoría.';

const ABRIR = 'Ábrela en Mercado Libre para ver qué tiene, y actualízala aquí.';
const NO_ESTA =
  'Mercado Libre ya no lo tiene, o es de otra cuenta. Actualiza el registro y revisa la cuenta vinculada.';
const LLAVES = 'Revisa en Activación de API que la aplicación y la cuenta sean las correctas, y vincúlala otra vez.';
const SOPORTE = 'Mercado Libre no entendió lo que se le mandó. Avisa a soporte con la respuesta.';
const CONVERSACION = 'La conversación está cerrada para el vendedor. Espera a que el comprador escriba.';

/** The refusals of Mercado Libre, by its words for machines. A draft's reasons by number are in `rechazosMl`. */
export const RECHAZOS_ML: readonly FilaDeRechazo[] = [
  {
    de: 'item.price.not_modifiable',
    campo: 'Precio',
    remedio:
      'El precio lo mueve una regla puesta en Mercado Libre. Quita la regla allá, en Automatización de precios, y cambia el precio otra vez.',
  },
  {
    de: 'item.price.invalid',
    campo: 'Precio',
    remedio: 'Escribe un precio que la categoría admita. Con variantes va en cada una.',
  },
  {
    de: 'item.available_quantity.not_modifiable',
    campo: 'Stock',
    remedio: 'Las piezas están en Full y las cuenta Mercado Libre. Aquí no se cambian.',
  },
  {
    de: 'item.available_quantity.invalid',
    campo: 'Stock',
    remedio: 'El stock es un número entero desde 0. Con variantes, o en varios almacenes, va en cada uno.',
  },
  {
    de: /\[(?:available_quantity|stock_locations)\] are (?:invalid|required)/,
    campo: 'Stock',
    remedio:
      'La cuenta cambió la forma de contar sus piezas. Lee los almacenes en Configuración de tiendas y hazlo otra vez.',
  },
  {
    de: /store (?:does not belong to seller|not found|cannot be null)/,
    campo: 'Almacén',
    remedio: 'El almacén ya no está en la cuenta. Lee los almacenes en Configuración de tiendas y elige otro.',
  },
  {
    de: /store is not configured to be a stock location/,
    campo: 'Almacén',
    remedio:
      'El almacén no guarda piezas en Mercado Libre. Actívalo allá, en Ventas, Preferencias de venta, Mis depósitos.',
  },
  {
    de: /single warehouse cannot update stock/,
    campo: 'Almacén',
    remedio:
      'La cuenta tiene un solo almacén, y el producto tiene piezas en otro lugar. Deja uno solo en Mis depósitos y hazlo otra vez.',
  },
  { de: 'item.variations.invalid', campo: 'Variantes', remedio: ABRIR },
  {
    de: 'item.title.not_modifiable',
    campo: 'Título',
    remedio: 'Ya tiene ventas: Mercado Libre no deja cambiar su título.',
  },
  { de: 'item.category_id.not_modifiable', campo: 'Categoría', remedio: CATEGORIA_CON_VENTAS },
  {
    de: 'item.status.invalid',
    campo: 'Estatus',
    remedio: `No puede pasar a ese estatus: está cerrada o en revisión. ${ABRIR}`,
  },
  {
    de: 'item.description.type.invalid',
    campo: 'Descripción',
    remedio: 'La descripción lleva solo texto: sin HTML ni emojis.',
  },
  {
    de: 'unauthorized_scopes',
    campo: null,
    remedio:
      'Mercado Libre bloqueó la aplicación. El motivo y la salida están en developers.mercadolibre.com.mx, en «Mis aplicaciones».',
  },
  { de: 'validation_error', campo: null, remedio: 'Corrige en el borrador los datos que señala y publica otra vez.' },
  { de: 'body.invalid', campo: null, remedio: SOPORTE },
  {
    de: 'invalid_grant',
    campo: 'Permiso',
    remedio: 'El permiso venció o ya se usó. Vincula la cuenta otra vez en Activación de API.',
  },
  {
    de: 'invalid_operator_user_id',
    campo: 'Usuario',
    remedio: 'Entró un colaborador. Vincula con el usuario principal de la cuenta.',
  },
  { de: 'access_denied', campo: 'Permiso', remedio: 'No se dio el permiso. Vincula la cuenta otra vez y acepta.' },
  { de: 'invalid_client', campo: 'Llaves de la aplicación', remedio: LLAVES },
  { de: 'unsupported_grant_type', campo: null, remedio: SOPORTE },
  { de: 'invalid_request', campo: null, remedio: SOPORTE },
  {
    de: 'invalid_question',
    campo: 'Pregunta',
    remedio: 'Ya está contestada, o se borró. Actualiza la lista de preguntas.',
  },
  {
    de: 'invalid_post_body',
    campo: 'Respuesta',
    remedio: 'El texto está vacío o lleva algo que no se admite. Corrígelo y envíalo otra vez.',
  },
  { de: /Invalid mime_type/, campo: 'Evidencia', remedio: 'Manda fotos JPG o PNG, o archivos PDF.' },
  { de: /Not valid action/, campo: 'Reclamo', remedio: 'El reclamo ya no admite ese paso. Actualízalo y elige otro.' },
  { de: 'bad_request_error', campo: null, remedio: 'El reclamo ya no admite ese paso. Actualízalo y elige otro.' },
  { de: 'business_logic_error', campo: 'Reclamo', remedio: NO_ESTA },
  {
    de: /receiver does not belong/i,
    campo: 'Destinatario',
    remedio: 'Mercado Libre cambió quién recibe los mensajes de la venta. Espera a que conteste y envíalo otra vez.',
  },
  {
    de: /blocked_by_ai_assistant/,
    campo: 'Mensaje',
    remedio: 'El asistente de Mercado Libre cerró la conversación. Lo que falte se trata en un reclamo o por correo.',
  },
  { de: 'blocked_conversation_send_message_forbidden', campo: 'Mensaje', remedio: CONVERSACION },
  { de: 'not_owned_order', campo: 'Orden', remedio: NO_ESTA },
  { de: 'order_not_found', campo: 'Orden', remedio: NO_ESTA },
  { de: 'not_found', campo: null, remedio: NO_ESTA },
  { de: 'gone', campo: null, remedio: NO_ESTA },
  { de: 'forbidden', campo: 'Permiso', remedio: LLAVES },
  { de: 'unauthorized', campo: 'Permiso', remedio: LLAVES },
  {
    de: 'locked',
    campo: null,
    remedio: 'Mercado Libre está cambiando la publicación. Espera un momento y hazlo otra vez.',
  },
  { de: 'conflict', campo: null, remedio: 'Cambió mientras tanto. Actualízalo e inténtalo otra vez.' },
];
