import { beforeAll } from 'vitest';
import { Money } from '~/core/money';
import { liquidacionesAmz } from '~/domain/mercados/amz/internal/liquidaciones.server';
import { linkSandboxAmazon } from '../../support/amazon';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';
import { liquidacionesSuite } from './liquidacionesSuite';

// Two settlements have ended on every day of the year only where the sales begin 28 days ago or before.
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 120, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');

beforeAll(() => linkSandboxAmazon(db, sandbox));

type Liquidacion = { total: number; movimientos: { ordenId: string | null; importe: number }[] };

liquidacionesSuite({
  liquidaciones: () => liquidacionesAmz.open(db),
  tramo: () => ({ desde: new Date(Date.now() - 60 * 86_400_000), hasta: new Date() }),
  async hechos() {
    const all = await amz.get<Liquidacion[]>('/liquidaciones');
    return {
      depositos: all.map(({ total }) => Money.ofJsonNumber(total).cents().toString()),
      movimientos: all.flatMap(({ movimientos }) =>
        movimientos.map(({ ordenId, importe }) => ({
          ventaId: ordenId,
          importe: Money.ofJsonNumber(importe).cents().toString(),
        })),
      ),
    };
  },
  ponga: (como) => amz.post('/interruptores', como),
  deFabrica: {
    liquidacionCuantas: 'una',
    liquidacionFechas: 'iso',
    liquidacionRepite: 'no',
    liquidacionHora: 'llega',
    liquidacion: 'lista',
    decimales: 'punto',
    codificacion: 'utf8',
    empaque: 'gzip',
    encabezados: 'documentados',
  },
  maneras: [
    { liquidacionCuantas: 'variasYRepetidas', liquidacionFechas: 'puntos', decimales: 'coma', empaque: 'plano' },
    { liquidacionFechas: 'espacio', liquidacionRepite: 'si', decimales: 'comaYMiles', codificacion: 'latin1' },
    { liquidacionHora: 'falta', codificacion: 'latin1SinDecirlo', empaque: 'plano' },
    { encabezados: 'traducidos', liquidacionCuantas: 'variasYRepetidas', liquidacionRepite: 'si' },
  ],
  tarda: (si) => amz.post('/interruptores', { liquidacion: si ? 'enCola' : 'lista' }),
});
