import type { ActionFunctionArgs } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { requireDraft, type FacturaDraft } from '~/domain/facturacion/emision/draft.server';
import { marcasOf, mostradoOf } from '~/domain/facturacion/emision/draft';
import { waitForEffect } from '~/platform/effects/effects.server';
import type { Usuario } from '~/core/usuario';
import { action } from '~/routes/facturacion/emision/facturacion';
import { buildBorrador, buildPersona, buildVenta, REVISION } from '../support/builders/ventas';
import { openTestDatabase } from '../support/db';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown } from './support/check';
import { preciosDe, report, seconds, times, untilSettled } from './support/scene';
import { openStage } from './support/stage';

const { db, sandbox, usuario: ana } = await openStage({ pace: 0.05 });
const beto = await buildPersona(db, 'user');
beforeAll(() => WorkerProcess.start());

type Pressed = 'lista' | string;

const asText = (marcas: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(marcas).map(([name, mark]) => [name, String(mark)]));
/** What the screen says was paid. */
async function pagadoDe(numOrden: string): Promise<string> {
  const ordenes = await db.selectFrom('orden').select('pagadoAbs').where('numOrden', '=', numOrden).execute();
  return Money.sum(ordenes.map(({ pagadoAbs }) => pagadoAbs)).toString();
}

/** 'Crear Factura' as a browser sends it once the person said yes: 'lista' when it leads to the result, else what the page says. */
async function press(usuario: Usuario, borrador: FacturaDraft): Promise<Pressed> {
  const request = new Request(`http://trastienda.test/${usuario.rol}/facturacion?borrador=${borrador.id}&paso=3`, {
    method: 'POST',
    body: new URLSearchParams({
      intent: 'crear',
      confirmado: '1',
      diferencia: '',
      ...asText(marcasOf(borrador.version, mostradoOf(borrador))),
      pagado: await pagadoDe(borrador.numOrden),
      ...REVISION(),
    }),
  });
  const answer: unknown = await action({ request, params: {}, context: { usuario } } as unknown as ActionFunctionArgs);
  if (answer instanceof Response) {
    expect(answer.status).toBe(302);
    return new URL(answer.headers.get('Location')!, request.url).searchParams.get('paso')!;
  }
  const { data, init } = answer as { data: { error?: Record<string, string[]> }; init: { status: number } };
  expect(init.status).toBe(422);
  return Object.values(data.error ?? {})
    .flat()
    .join(' ');
}

const OTHER =
  /^(Otra persona ya está generando la factura de esta orden\.|La orden ya está facturada con el folio F-\d+\.)$/;
const stampsOf = (numOrden: string) =>
  db
    .selectFrom('effect')
    .select(['id', 'state'])
    .where('type', '=', 'cfdi.stamp')
    .where('key', '=', `orden:ml:${numOrden}`)
    .execute();

test(
  'two browsers press «Crear Factura» at once: one factura, and both on the same draft see it',
  { timeout: 300_000 },
  async () => {
    const began = performance.now();
    const runs = times(10, 50);
    for (let at = 0; at < runs; at++) {
      const venta = await buildVenta(db, { precios: preciosDe(at) });
      const draft = await buildBorrador(db, venta, ana);
      expect(await Promise.all([press(ana, draft), press(ana, draft)]), `run ${at}`).toEqual(['lista', 'lista']);
      expect(await stampsOf(venta.numOrden)).toHaveLength(1);
    }
    const ms = await untilSettled(db, { within: 60_000 });
    const known = await expectNothingUnknown(db, sandbox);
    expect(known).toMatchObject({ timbres: runs, facturas: runs, tablero: 0 });
    report('dos navegadores, un borrador', {
      veces: runs,
      timbres: known.timbres,
      tiempo: seconds(performance.now() - began),
      espera: seconds(ms),
    });
  },
);

test(
  'two people with a draft each of the same sale: one factura, the other is told',
  { timeout: 300_000 },
  async () => {
    const began = performance.now();
    const before = (await sandbox.facturacom.stamped()).length;
    const runs = times(10, 50);
    for (let at = 0; at < runs; at++) {
      const venta = await buildVenta(db, { precios: preciosDe(at) });
      const [first, second] = await Promise.all([buildBorrador(db, venta, ana), buildBorrador(db, venta, beto)]);
      const answers = await Promise.all([press(ana, first), press(beto, second)]);
      expect(
        answers.filter((answer) => answer === 'lista'),
        answers.join(' | '),
      ).toHaveLength(1);
      expect(answers.find((answer) => answer !== 'lista')).toMatch(OTHER);
      expect(await stampsOf(venta.numOrden)).toHaveLength(1);
    }
    await untilSettled(db, { within: 60_000 });
    const known = await expectNothingUnknown(db, sandbox);
    expect(known.timbres - before).toBe(runs);
    report('dos personas, dos borradores de una orden', {
      veces: runs,
      timbres: known.timbres - before,
      tiempo: seconds(performance.now() - began),
    });
  },
);

test('several processes accept the same sale in the same instant: one effect', { timeout: 300_000 }, async () => {
  const processes = Array.from({ length: 6 }, () => openTestDatabase(undefined, { max: 1 }).db);
  const runs = times(5, 25);
  for (let at = 0; at < runs; at++) {
    const venta = await buildVenta(db, { precios: preciosDe(at + 4) });
    const draft = await buildBorrador(db, venta, ana);
    const ids = await Promise.all(
      processes.map((own) =>
        own.transaction().execute((trx) =>
          createFactura(trx, draft, {
            revision: REVISION(),
            diferenciaAceptada: false,
            usuarioId: ana.id,
            now: new Date(),
          }),
        ),
      ),
    );
    expect(new Set(ids).size).toBe(1);
  }
  await untilSettled(db, { within: 60_000 });
  await expectNothingUnknown(db, sandbox);
});

test(
  'pressed three times, and sent again from the history after it was done: the same factura',
  { timeout: 120_000 },
  async () => {
    const runs = times(4, 20);
    for (let at = 0; at < runs; at++) {
      const venta = await buildVenta(db, { precios: preciosDe(at) });
      const draft = await buildBorrador(db, venta, ana);
      const late = await buildBorrador(db, venta, beto);
      expect(await Promise.all([press(ana, draft), press(ana, draft), press(ana, draft)])).toEqual([
        'lista',
        'lista',
        'lista',
      ]);
      const { effectId } = await requireDraft(db, draft.id, ana);
      expect(await waitForEffect(db, effectId!, 10_000)).toMatchObject({ state: 'done' });
      expect(await press(ana, draft)).toBe('lista');
      expect(await press(beto, late)).toMatch(/^La orden ya está facturada con el folio F-\d+\.$/);
      expect(await stampsOf(venta.numOrden)).toEqual([{ id: effectId, state: 'done' }]);
      expect(await sandbox.facturacom.stamped(venta.numOrden)).toHaveLength(1);
    }
    await expectNothingUnknown(db, sandbox);
  },
);
