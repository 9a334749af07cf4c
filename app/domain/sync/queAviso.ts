import { tableOf } from '~/core/table';

/** Words for the topic of a notice. The topics are Mercado Libre's, and `venta` is ours, for a sale that a marketplace without notices listed. */
export const QUE_AVISO: Readonly<Record<string, string>> = tableOf({
  orders_v2: 'Venta',
  venta: 'Venta',
  shipments: 'Envío',
  questions: 'Pregunta',
  post_purchase: 'Reclamo',
  items: 'Publicación',
  items_prices: 'Precio',
  'stock-location': 'Piezas por lugar',
});

/** Returns the word for a topic; a topic without a word is shown as it came. */
export const queAviso = (topic: string): string => (Object.hasOwn(QUE_AVISO, topic) ? QUE_AVISO[topic]! : topic);
