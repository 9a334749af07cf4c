import { testDatabase } from '../../support/db';
import { linkSandbox } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';
import { publicacionesSuite } from './publicacionesSuite';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const ml = sandbox.mercadolibre;

publicacionesSuite({
  market: 'ml',
  link: async () => void (await linkSandbox(testDatabase().db, sandbox)),
  async pone(cuantas) {
    await sandbox.clear();
    await ml.post('/publicaciones', { cantidad: cuantas });
    return Array.from({ length: cuantas }, (_, n) => `MLM${3_000_000_000 + n}`);
  },
  async mostrada(clave) {
    const { price, quantity } = await ml.get<{ price: number; quantity: number }>(`/publicaciones/${clave}`);
    return { precio: price.toFixed(2), stock: quantity };
  },
  cambios: async (clave) =>
    (await ml.get<{ cambios: { id: string }[] }>('/publicaciones')).cambios.filter(({ id }) => id === clave).length,
  falla: async (cual) =>
    void (await ml.failNext(cual === 'no' ? 'refuse' : '500-after-doing', { route: 'PUT /items' })),
  madura: () => Promise.resolve(),
  maneras: [['it shows at once', () => Promise.resolve()]],
});
