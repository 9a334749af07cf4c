/** A second marketplace: an adapter over an array, registered here and known nowhere else. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { monthOf } from '~/core/time';
import { requireDraft } from '~/domain/facturacion/emision/draft.server';
import { searchVenta } from '~/domain/facturacion/emision/invoiceVenta.server';
import { registerFuente } from '~/domain/mercados/registro.server';
import type { Fuente, Ventana } from '~/domain/mercados/mercado';
import type { VentaLeida } from '~/domain/mercados/venta';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { listUltimasVentas } from '~/domain/ventas/ordenes/ultimasVentas.server';
import { listFreshness } from '~/domain/sync/freshness.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { enqueue } from '~db/queue/catalog.server';
import { buildPersona } from '../../support/builders/ventas';
import { lastDays } from '../../support/dias';
import { testDatabase } from '../../support/db';
import { runJobs } from '../../support/jobs';
import { fuenteDeLista, mercadoDeLista, ventaLeida } from '../../support/mercadoDeLista';

const { db } = testDatabase();
const NUMEROS = ['701-0000001-0000001', '701-0000001-0000002', '701-0000001-0000003'];
const ventas: VentaLeida[] = [
  ventaLeida(NUMEROS[0]!, '116.00'),
  ventaLeida(NUMEROS[1]!, '232.00'),
  ventaLeida(NUMEROS[2]!, '348.00', { situacion: 'cobroPendiente' }),
];
let undo: () => void;

beforeAll(() => {
  undo = registerFuente(fuenteDeLista(ventas));
});
afterAll(() => undo());
beforeEach(async () => {
  for (const table of ['facturaDraft', 'inbox', 'articulo', 'orden', 'syncCursor', 'syncRun'] as const)
    await db.deleteFrom(table).execute();
});

const sync = async () => {
  await enqueue(db, 'ventas.sync', { kind: 'sweep' });
  await runJobs();
};

test('its sales are listed, counted in their month and can be invoiced', async () => {
  await sync();
  const mes = monthOf(ventas[0]!.fechaCreacion).month;
  const lista = await ordenesList.window(db, ordenesList.parse(new URLSearchParams(lastDays())), {
    indice: 0,
    total: NUMEROS.length,
    corte: null,
  });
  expect(new Set(lista.map(({ numOrden }) => numOrden))).toEqual(new Set(NUMEROS));
  expect(
    (await listUltimasVentas(db, 10))
      .map(({ market, numOrden, pagado, facturable }) => [market, numOrden, String(pagado), facturable])
      .sort(),
  ).toEqual([
    ['amz', NUMEROS[0], '116.00', true],
    ['amz', NUMEROS[1], '232.00', true],
    ['amz', NUMEROS[2], '348.00', false],
  ]);
  expect(await listasDelMes.ordenes.totals(db, listasDelMes.ordenes.parse(new URLSearchParams({ mes })))).toMatchObject(
    {
      registros: 2,
      total: Money.of('348.00'),
    },
  );
  const persona = await buildPersona(db);
  const draft = await requireDraft(db, await searchVenta(db, NUMEROS[0]!, persona.id), persona);
  expect(draft).toMatchObject({ market: 'amz', numOrden: NUMEROS[0] });
  await expect(searchVenta(db, NUMEROS[2]!, persona.id)).rejects.toThrow('todavía no está confirmado');
});

test('it tells how up to date it is, and reads a sale again only when it changed', async () => {
  await sync();
  const [, amazon] = await listFreshness(db);
  expect(amazon).toMatchObject({ source: 'amazon', label: 'Amazon', state: 'alDia', error: null });
  let read = 0;
  const counting = {
    ...fuenteDeLista(ventas),
    open: () => {
      const mercado = mercadoDeLista(ventas);
      return {
        ...mercado,
        readVenta: (...asked: Parameters<typeof mercado.readVenta>) => (read++, mercado.readVenta(...asked)),
      };
    },
  };
  expect(await syncVentas(db, counting, { kind: 'sweep' })).toMatchObject({ seen: 3, written: 0, error: null });
  expect(read).toBe(0);
});

test('a number that has not arrived yet is asked of it, and one that fails waits in the inbox under its name', async () => {
  const persona = await buildPersona(db);
  await searchVenta(db, NUMEROS[1]!, persona.id);
  expect((await db.selectFrom('orden').select('marketId').execute()).map(({ marketId }) => marketId)).toEqual([
    NUMEROS[1],
  ]);
  const broken = registerFuente({
    ...fuenteDeLista(ventas),
    open: () => ({ ...mercadoDeLista(ventas), readVenta: () => Promise.reject(new Error('contestó otra forma')) }),
  });
  await sync();
  broken();
  const notices = () => db.selectFrom('inbox').select(['source', 'state']).orderBy('id').execute();
  // The one that was asked for too: no row of the listing announced it yet.
  expect(await notices()).toEqual(Array.from({ length: 3 }, () => ({ source: 'amazon', state: 'pending' })));
  await db
    .updateTable('inbox')
    .set({ nextAt: new Date(0) })
    .execute();
  await enqueue(db, 'inbox.sweep', {});
  await runJobs();
  expect(new Set((await notices()).map(({ state }) => state))).toEqual(new Set(['done']));
  expect(await db.selectFrom('orden').select('id').execute()).toHaveLength(3);
});

test('a marketplace sets how much is looked at again and how much a run reviews; a long run goes on where it was', async () => {
  const windows: Ventana[] = [];
  let read = 0;
  const slow: Fuente = {
    ...fuenteDeLista(ventas),
    ritmo: { solapeMs: 60_000, repasos: 1, porVentana: 1_000 },
    open: () => ({
      ...mercadoDeLista(ventas),
      changed: (window, ...rest) => (windows.push(window), mercadoDeLista(ventas).changed(window, ...rest)),
      readVenta: (...asked) => (read++, mercadoDeLista(ventas).readVenta(...asked)),
    }),
  };
  await syncVentas(db, slow, { kind: 'sweep', runMs: 0 });
  await syncVentas(db, slow, { kind: 'sweep', runMs: 0 });
  expect(windows).toHaveLength(2);
  expect(windows[0]!.to.getTime() - windows[1]!.from.getTime()).toBe(60_000);
  await syncVentas(db, slow, { kind: 'sweep' });
  expect(await db.selectFrom('orden').select('id').execute()).toHaveLength(3);
  await db
    .updateTable('orden')
    .set({ revisarEn: new Date(0) })
    .execute();
  read = 0;
  await syncVentas(db, slow, { kind: 'sweep' });
  expect(read).toBe(1);
});

test('a job under the name it had before is worked', async () => {
  await enqueue(db, 'ordenes.syncMl', { kind: 'sweep' });
  await runJobs();
  expect(await db.selectFrom('syncRun').select(['source', 'kind', 'error']).execute()).toEqual([
    { source: 'amazon', kind: 'sweep', error: null },
  ]);
});
