import { linkSandboxAmazon } from '../../support/amazon';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';
import { publicacionesSuite } from './publicacionesSuite';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const amz = sandbox.proveedor('amazon');
const ruta = (clave: string) => `/publicaciones/${encodeURIComponent(clave)}`;
const nombres = (cuantas: number) => Array.from({ length: cuantas }, (_, n) => `SUELTO-${String(n).padStart(5, '0')}`);
const como =
  (cambios: object, demora = 0) =>
  async () => {
    await amz.post('/interruptores', cambios);
    await amz.post('/demoras', { cambio: demora });
  };

publicacionesSuite({
  market: 'amz',
  link: () => linkSandboxAmazon(testDatabase().db, sandbox),
  async pone(cuantas) {
    await sandbox.clear();
    await amz.post('/interruptores', { tipoGenerico: 'rechaza', cambio: 'seVe', precioRaro: 'pasa' });
    await amz.post('/demoras', { cambio: 0 });
    await amz.post('/publicaciones', { cantidad: cuantas });
    return nombres(cuantas);
  },
  async mostrada(clave) {
    const { centavos, cantidad } = await amz.get<{ centavos: number; cantidad: number }>(ruta(clave));
    return { precio: (centavos / 100).toFixed(2), stock: cantidad };
  },
  cambios: async (clave) =>
    (await amz.get<{ patches: { sku: string }[] }>('/publicaciones')).patches.filter(({ sku }) => sku === clave).length,
  falla: async (cual) =>
    void (await amz.failNext(cual === 'no' ? 'refuse' : '500-after-doing', { route: 'PATCH /listings' })),
  madura: async () => void (await amz.post('/reloj', { segundos: 60 })),
  maneras: [
    ['it shows at once', como({ tipoGenerico: 'rechaza' })],
    ['it shows a while later', como({ tipoGenerico: 'acepta' }, 45_000)],
    ['the limit is told with each answer', como({ limite: 'conEncabezado' })],
  ],
});
