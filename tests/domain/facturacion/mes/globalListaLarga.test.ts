import { expect, test } from 'vitest';
import { civilDay } from '~/core/time';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { buildOrden } from '../../../support/builders/mes';
import { acceptFacturas } from '../../../faults/support/scene';
import { runUntilSettled } from '../../../support/jobs';
import { openPac } from '../../../support/pac';

/** Of an account that stamped more to customers than can be read in the time, as here where there is none. */
process.env.GLOBAL_MIRADA_MS = '0';
const { db, sandbox, sa } = await openPac({ publicoGeneral: true });

const mes = civilDay(new Date()).slice(0, 7);
const globales = () => db.selectFrom('effect').select(['state', 'reason']).where('type', '=', 'cfdi.global').execute();

test(
  'a list of customers too long to be read keeps no month open; what was stamped to the public is read to its end',
  { timeout: 60_000 },
  async () => {
    await acceptFacturas(db, sa, 3);
    await runUntilSettled();
    await buildOrden(db, { fecha: `${mes}-01T18:00:00Z`, precio: '116.00' });
    await generateGlobal(db, { mes, usuarioId: sa.id, now: new Date() });
    await runUntilSettled();
    expect(await globales()).toMatchObject([{ state: 'done' }]);

    // One that somebody lost: the same request under another number of the month.
    const { request } = await db
      .selectFrom('effect')
      .select('request')
      .where('type', '=', 'cfdi.global')
      .executeTakeFirstOrThrow();
    const { numOrden } = await buildOrden(db, { fecha: `${mes}-01T19:00:00Z`, precio: '116.00' });
    const cfdi = structuredClone((request as { cfdi: { conceptos: { noIdentificacion: string }[] } }).cfdi);
    cfdi.conceptos[0]!.noIdentificacion = numOrden;
    const { apiKey, secretKey } = await sandbox.facturacom.keys();
    await createFacturacomWriter({ baseUrl: process.env.FACTURACOM_URL!, apiKey, secret: secretKey }).createCfdi(
      cfdi as never,
      `GLOBAL-${mes}-9`,
    );
    await db
      .updateTable('batch')
      .set({ createdAt: new Date(Date.now() - 600_000) })
      .execute();
    await generateGlobal(db, { mes, usuarioId: sa.id, now: new Date() });
    await runUntilSettled();
    expect((await globales()).at(-1)).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining(`GLOBAL-${mes}-9`),
    });
  },
);
