import { beforeAll } from 'vitest';
import { Money } from '~/core/money';
import { addDays, civilDay, dayRange } from '~/core/time';
import { liquidacionesMl } from '~/domain/mercados/ml/internal/liquidaciones.server';
import { testDatabase } from '../../support/db';
import { linkSandbox } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';
import { liquidacionesSuite } from './liquidacionesSuite';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const ml = sandbox.mercadolibre;

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  // The demo's own refunds may all lie before the stretch that is read, or in its last two weeks.
  await ml.post('/ordenes', { scenario: 'reembolsoParcial', fecha: dayRange(addDays(today, -40)).from.toISOString() });
});

type Movimiento = { at: number; description: string; net: number; ordenId: string | null; deEnvio?: true };
const today = civilDay(new Date());
const tramo = {
  desde: dayRange(addDays(today, -59)).from,
  hasta: new Date(dayRange(today).from.getTime() - 1_000),
};

liquidacionesSuite({
  liquidaciones: () => liquidacionesMl.open(db),
  tramo: () => tramo,
  async hechos() {
    const all = await ml.get<Movimiento[]>('/reportes/movimientos');
    const inside = all.filter(({ at }) => at >= tramo.desde.getTime() && at <= tramo.hasta.getTime() + 999);
    const cents = (pesos: number) => Money.ofJsonNumber(pesos).cents().toString();
    return {
      depositos: inside.filter(({ description }) => description === 'payout').map(({ net }) => cents(-net)),
      movimientos: inside
        .filter(({ description }) => description !== 'payout')
        .map(({ net, ordenId, deEnvio }) => ({ ventaId: deEnvio ? null : ordenId, importe: cents(net) })),
    };
  },
  ponga: (como) => ml.post('/reportes/interruptores', como),
  deFabrica: {
    separador: ',',
    cabeceras: 'en',
    impuestos: 'sinEscapar',
    signos: 'conSigno',
    estado: 'falta',
    orden: 'ORDER_ID',
    saldo: 'falta',
    zona: '-04:00',
  },
  maneras: [
    { separador: ';', impuestos: 'escapados', estado: 'llega', orden: 'soloPago' },
    { cabeceras: 'es', signos: 'absolutos', zona: '-06:00', saldo: 'llega', orden: 'envio' },
  ],
  tarda: (si) => ml.post('/reportes/segundos', { segundos: si ? 3_600 : 0 }),
});
