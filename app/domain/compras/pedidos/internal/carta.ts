import type { Money } from '~/core/money';

export type ParaCarta = {
  folio: string;
  proveedor: string;
  empresa: string;
  numeroCliente: string | null;
  facturarA: string | null;
  usoCfdi: string;
  almacen: string | null;
  guia: string | null;
  folioProveedor: string | null;
  lineas: readonly {
    idProveedor: string;
    modelo: string | null;
    descripcion: string;
    cantidad: number;
    precio: Money | null;
    moneda: string | null;
  }[];
};

/** Returns the subject of a letter: 'Pedido TR-000485 - TVC - guía 43210987654'. */
export const asuntoOf = ({ folio, proveedor, guia }: Pick<ParaCarta, 'folio' | 'proveedor' | 'guia'>) =>
  [`Pedido ${folio}`, proveedor, guia && `guía ${guia}`].filter(Boolean).join(' - ');

/** Returns the order as a letter. The buyer's address stands on the label alone and is not written here. */
export function cartaOfPedido(pedido: ParaCarta): string {
  const { folio, empresa, numeroCliente, facturarA, usoCfdi, almacen, guia, lineas } = pedido;
  return [
    'Hola:',
    '',
    `Somos ${empresa}${numeroCliente ? `, cliente ${numeroCliente}` : ''}. Este es nuestro pedido ${folio}:`,
    '',
    ...lineas.map(renglon),
    '',
    ...(almacen ? [`Almacén: ${almacen}.`] : []),
    ...conGuia(guia),
    `CFDI${facturarA ? ` a nombre de ${facturarA},` : ''} con uso ${usoCfdi}.`,
    `Por favor responde con el folio del pedido, el folio de la factura y sus archivos XML y PDF, y menciona ${folio}.`,
    '',
    'Si ya recibiste este mismo mensaje, no es un pedido nuevo.',
    '',
    empresa,
  ].join('\n');
}

/** Returns the letter that brings the label of an order that the supplier has. */
export function cartaOfGuia({ folio, folioProveedor, empresa, numeroCliente, guia }: ParaCarta): string {
  return [
    'Hola:',
    '',
    `Somos ${empresa}${numeroCliente ? `, cliente ${numeroCliente}` : ''}. Esta es la guía de nuestro pedido ${[folioProveedor, `(${folio})`].filter(Boolean).join(' ')}.`,
    '',
    ...conGuia(guia),
    '',
    'Si ya recibiste este mismo mensaje, es la misma guía.',
    '',
    empresa,
  ].join('\n');
}

const conGuia = (guia: string | null) =>
  guia
    ? [`Embárcalo con la guía adjunta (${guia}), sin flete propio y sin papeles con precio en el paquete.`]
    : ['La guía se envía aparte: no lo embarques con flete propio ni con papeles con precio.'];

function renglon({ idProveedor, modelo, descripcion, cantidad, precio, moneda }: ParaCarta['lineas'][number]): string {
  const esperado = precio && moneda ? `, precio esperado ${precio.toShort()} ${moneda} sin IVA` : '';
  const que = [idProveedor, modelo !== idProveedor && modelo, descripcion].filter(Boolean).join(' · ');
  return `- ${cantidad} x ${que}${esperado}`;
}
