import { beforeAll } from 'vitest';
import { Money } from '~/core/money';
import { createMercadoMl } from '~/domain/mercados/ml/internal/mercadoMl.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { testDatabase } from '../../support/db';
import { linkSandbox, type OrderFacts } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';
import { mercadoSuite } from './suite';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let ml: Mercadolibre;

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
}, 60_000);

mercadoSuite({
  mercado: () => createMercadoMl(ml),
  window: () => ({ from: new Date(Date.now() - 365 * 86_400_000), to: new Date() }),
  hechos: async () =>
    (await sandbox.mercadolibre.get<OrderFacts[]>('/ordenes')).map(({ id, numOrden, total, status }) => ({
      marketId: id,
      numOrden,
      total: Money.ofJsonNumber(total).toString(),
      cancelada: status === 'cancelled',
    })),
});
