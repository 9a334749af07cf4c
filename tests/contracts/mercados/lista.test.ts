import { mercadoDeLista, ventaLeida } from '../../support/mercadoDeLista';
import { mercadoSuite } from './suite';

const ventas = [
  ventaLeida('701-1', '116.00'),
  ventaLeida('701-2', '232.00', { situacion: 'cancelada' }),
  ventaLeida('701-3', '348.00', { numOrden: '701-CARRITO', packId: '701-CARRITO' }),
];

mercadoSuite({
  mercado: () => mercadoDeLista(ventas),
  window: () => ({ from: new Date(Date.now() - 86_400_000), to: new Date() }),
  hechos: () =>
    Promise.resolve(
      ventas.map(({ marketId, numOrden, articulos, situacion }) => ({
        marketId,
        numOrden,
        total: articulos[0]!.importe.toString(),
        cancelada: situacion === 'cancelada',
      })),
    ),
});
