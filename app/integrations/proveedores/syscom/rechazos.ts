import type { FilaDeRechazo } from '~/core/rechazo';
import { COMO_SE_COMPRA, DATOS_DEL_ENVIO } from '../remedios';

/** The refusals of Syscom, most of them sentences. */
export const RECHAZOS_SYSCOM: readonly FilaDeRechazo[] = [
  {
    de: 'invalid_client',
    campo: 'idUsuario y secret',
    remedio: 'Copia otra vez las llaves de tu aplicación en developers.syscom.mx y guárdalas.',
  },
  {
    de: /direcci[oó]n\.estado|estado o pa[ií]s|campo estado/i,
    campo: 'Estado del envío',
    remedio:
      'Syscom lleva el estado con su clave de hasta cuatro letras (CHIH, BC). La clave sale del código postal: corrígelo en la orden y haz otro pedido.',
  },
  { de: /m[eé]todo de pago no v[aá]lid/i, campo: 'Forma de pago', remedio: COMO_SE_COMPRA },
  { de: /fletera no v[aá]lid/i, campo: 'Fletera', remedio: COMO_SE_COMPRA },
  {
    de: /pdf_guia/i,
    campo: 'Guía',
    remedio: 'Syscom recibe guías en PDF de hasta 6 MB. Trae otra vez la guía de la venta y haz otro pedido.',
  },
  { de: /no se encontr[oó] el campo|direcci[oó]n\.|"direccion"/i, campo: 'Datos del envío', remedio: DATOS_DEL_ENVIO },
  {
    de: /no cuenta con existencia/i,
    campo: 'Existencia',
    remedio: 'Ya no tiene las piezas. Pide a otro proveedor, o espera a que vuelva a tener.',
  },
  {
    de: /el producto .* no existe|product_not_available/i,
    campo: 'Producto',
    remedio: 'Syscom ya no vende ese producto. Cámbialo en la orden o pide a otro proveedor.',
  },
  {
    de: /orden de compra ya existe/i,
    campo: 'Folio del pedido',
    remedio: 'Syscom ya tiene un pedido con este folio. Búscalo en su página antes de pedir otra vez.',
  },
  {
    de: /tipo_entrega/i,
    campo: null,
    remedio: 'Syscom no leyó el pedido como se le mandó. Avisa a soporte con la respuesta.',
  },
];
