import type { FilaDeRechazo } from '~/core/rechazo';

const LLAVES = 'Revisa en Activación de API las llaves y el permiso, y vincula la cuenta otra vez.';
const ROL =
  'La aplicación no tiene el rol que hace falta. Agrégalo en Seller Central, en «Desarrollar aplicaciones», y vincula la cuenta otra vez.';
const NO_ESTA = 'Amazon no lo tiene con esta cuenta. Actualiza el registro y revisa la cuenta vinculada.';
const SOPORTE = 'Amazon no entendió lo que se le mandó. Avisa a soporte con la respuesta.';
const OTRA_VEZ = 'Cambió mientras tanto. Actualízalo e inténtalo otra vez.';

/** The refusals of Amazon. Sentences come before codes: one code stands for many reasons. The reasons of a draft are read by `problemas`. */
export const RECHAZOS_AMZ: readonly FilaDeRechazo[] = [
  {
    de: /not eligible for Merchant Fulfillment/i,
    campo: 'Guía',
    remedio: 'Amazon no vende guía para esta venta. Envíala con otra paquetería y captura su guía.',
  },
  {
    de: /ShippingServiceId is not available/i,
    campo: 'Servicio de envío',
    remedio: 'Ese servicio ya no se ofrece. Cotiza otra vez y elige otro.',
  },
  {
    de: /Additional seller inputs/i,
    campo: 'Servicio de envío',
    remedio: 'Ese servicio pide datos que solo se capturan en Seller Central. Elige otro servicio.',
  },
  {
    de: /ShipFromAddress/i,
    campo: 'Dirección de salida',
    remedio: 'Completa la dirección de salida en Configuración de tiendas y cotiza otra vez.',
  },
  {
    de: /PackageDimensions|Weight is invalid/i,
    campo: 'Medidas y peso',
    remedio: 'Corrige las medidas y el peso del paquete y cotiza otra vez.',
  },
  { de: /already cancelled/i, campo: 'Guía', remedio: 'Ya estaba cancelada: no hace falta hacer nada más.' },
  {
    de: /message is not allowed for this order/i,
    campo: 'Mensaje',
    remedio: 'Amazon no admite ese mensaje para esta venta. Escríbelo desde Seller Central.',
  },
  {
    de: /AccessDenied\w*, cola /,
    campo: 'Llaves de la cola',
    remedio: 'Esa llave no puede leer la cola. Dale en AWS los permisos sqs:ReceiveMessage y sqs:DeleteMessage.',
  },
  { de: 'invalid_client', campo: 'Llaves de la aplicación', remedio: LLAVES },
  {
    de: 'invalid_grant',
    campo: 'Refresh token',
    remedio: 'El permiso venció o se retiró. Autoriza otra vez la aplicación y guarda el nuevo.',
  },
  { de: 'unauthorized_client', campo: 'Llaves de la aplicación', remedio: LLAVES },
  { de: 'invalid_scope', campo: 'Permiso', remedio: ROL },
  { de: 'unsupported_grant_type', campo: null, remedio: SOPORTE },
  {
    de: 'QueueDoesNotExist',
    campo: 'Cola',
    remedio: 'AWS no tiene esa cola. Revisa AMAZON_SQS_COLA y AMAZON_SQS_REGION.',
  },
  {
    de: 'InvalidClientTokenId',
    campo: 'Llaves de la cola',
    remedio: 'AWS no conoce esa llave. Revisa AMAZON_SQS_LLAVE.',
  },
  {
    de: 'SignatureDoesNotMatch',
    campo: 'Llaves de la cola',
    remedio: 'La llave no va con su secreto. Revisa AMAZON_SQS_SECRETO y AMAZON_SQS_REGION.',
  },
  { de: 'AccessDeniedException', campo: 'Permiso', remedio: ROL },
  { de: 'Unauthorized', campo: 'Permiso', remedio: ROL },
  { de: 'NotFound', campo: null, remedio: NO_ESTA },
  { de: 'NOT_FOUND', campo: null, remedio: NO_ESTA },
  { de: 'StateConflict', campo: null, remedio: OTRA_VEZ },
  { de: 'Conflict', campo: null, remedio: OTRA_VEZ },
];
