import { expect, test } from 'vitest';
import { searchVenta } from '~/domain/facturacion/emision/invoiceVenta.server';
import { requireDraft } from '~/domain/facturacion/emision/draft.server';
import { buildUsuario, linkSandbox } from '../../../support/mercadolibre';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();

test('a sale whose notice has not come is asked of the marketplace when somebody types its number', async () => {
  const usuario = await buildUsuario(db);
  await linkSandbox(db, sandbox);
  const sale = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('pack', { sinAviso: true });
  const draft = await requireDraft(db, await searchVenta(db, sale.numOrden, usuario.id), {
    id: usuario.id,
    rol: 'user',
  });
  expect(draft.numOrden).toBe(sale.numOrden);
  await sandbox.mercadolibre.failNext('503', { times: 20 });
  await expect(searchVenta(db, '2000099999999999', usuario.id)).rejects.toThrow(
    'Mercado Libre no contesta en este momento.',
  );
});
