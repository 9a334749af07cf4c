import { beforeAll } from 'vitest';
import { Money } from '~/core/money';
import { createMercadoAmz } from '~/domain/mercados/amz/internal/mercadoAmz.server';
import type { Amazon } from '~/integrations/amazon/client.server';
import { type AmazonFacts, openSandboxAmazon } from '../../support/amazon';
import { startTestSandbox } from '../../support/sandbox';
import { mercadoSuite } from './suite';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 130, ritmo: 100_000 } });
let amazon: Amazon;

beforeAll(async () => {
  amazon = await openSandboxAmazon(sandbox);
});

mercadoSuite({
  mercado: () => createMercadoAmz(amazon, { lectura: 'neto', readIsr: () => Promise.resolve(null) }),
  window: () => ({ from: new Date(Date.now() - 365 * 86_400_000), to: new Date() }),
  hechos: async () =>
    (await sandbox.proveedor('amazon').get<AmazonFacts[]>('/ventas')).map(({ id, productos, estado }) => ({
      marketId: id,
      numOrden: id,
      // What is pending or was cancelled is told without prices.
      total: Money.ofJsonNumber(['PENDING', 'CANCELLED'].includes(estado) ? 0 : productos).toString(),
      cancelada: estado === 'CANCELLED',
    })),
});
