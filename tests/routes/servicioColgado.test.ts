import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { openDraft, requireDraft } from '~/domain/facturacion/emision/draft.server';
import { beginSaveCliente } from '~/domain/facturacion/emision/draftSteps.server';
import { action as facturacionAction, loader as facturacion } from '~/routes/facturacion/emision/facturacion';
import { loader as codigosPostales } from '~/routes/files/codigosPostales';
import { loader as descargarFactura } from '~/routes/files/descargasFactura';
import { buildBorrador, buildVenta, REVISION } from '../support/builders/ventas';
import { linkSandbox } from '../support/mercadolibre';
import { openPac } from '../support/pac';

const { db, sandbox, sa } = await openPac();

/** A page opens within this whatever the services outside do. */
const LIMIT_MS = 6_000;

function args(path: string, params: Record<string, string> = {}): LoaderFunctionArgs {
  return {
    request: new Request(`http://trastienda.test/sa/${path}`),
    params,
    context: { usuario: sa } as unknown as AppLoadContext,
  };
}

async function timed<T>(verb: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const start = performance.now();
  const answer = await verb();
  return { answer, ms: performance.now() - start };
}

const open = (borrador: string, paso: string) =>
  timed(() => facturacion(args(`facturacion?borrador=${borrador}&paso=${paso}`)));

describe('while the PAC hangs', () => {
  test('every step of a draft opens with what is stored', async () => {
    const draft = await buildBorrador(db, await buildVenta(db), sa);
    await sandbox.facturacom.failNext('hang', { route: '/', times: 20, ms: 20_000 });
    for (const paso of ['1', '2', '3']) {
      const { answer, ms } = await open(draft.id, paso);
      expect(answer.vista).toMatchObject({ paso, cliente: { rfc: 'RAOF850412K20' } });
      expect(ms).toBeLessThan(LIMIT_MS);
    }
    expect(await sandbox.requests('facturacom', 1)).not.toMatchObject([{ fault: 'hang' }]);
  });

  test('the step where a customer is being saved says since when', async () => {
    const { numOrden } = await buildVenta(db);
    const draft = await requireDraft(db, await openDraft(db, numOrden, sa.id), sa);
    await beginSaveCliente(
      db,
      draft,
      { rfc: 'XIA190128J61', razonSocial: 'XENON INDUSTRIAL ARTICLES', cp: '76343', regimen: '601', email: 'a@b.mx' },
      sa.id,
    );
    const { answer, ms } = await open(draft.id, '2');
    expect(answer.vista).toMatchObject({ guardando: true, guardandoDesde: expect.stringMatching(/^\d\d:\d\d$/) });
    expect(ms).toBeLessThan(LIMIT_MS);
  });

  test('an accepted factura is shown in process, at once when it was accepted a while ago', async () => {
    const draft = await buildBorrador(db, await buildVenta(db), sa);
    await sandbox.facturacom.failNext('hang', { ms: 6_000 });
    const id = await db.transaction().execute((trx) =>
      createFactura(trx, draft, {
        revision: REVISION(),
        diferenciaAceptada: false,
        usuarioId: sa.id,
        now: new Date(),
      }),
    );
    const sending = runEffect(effectRuntime(db), id);
    const first = await open(draft.id, 'lista');
    expect(first.answer.vista?.estado).toMatchObject({ tipo: 'proceso', desde: expect.stringMatching(/^\d\d:\d\d$/) });
    expect(first.ms).toBeLessThan(LIMIT_MS);
    const later = await open(draft.id, 'lista');
    expect(later.answer.vista?.estado).toMatchObject({ tipo: 'proceso' });
    expect(later.ms).toBeLessThan(1_500);
    await sending;
  });

  test('a PDF that is slow to come is told to be late, and is there for the next click', async () => {
    const draft = await buildBorrador(db, await buildVenta(db), sa);
    const id = await db.transaction().execute((trx) =>
      createFactura(trx, draft, {
        revision: REVISION(),
        diferenciaAceptada: false,
        usuarioId: sa.id,
        now: new Date(),
      }),
    );
    await runEffect(effectRuntime(db), id);
    const factura = await db
      .selectFrom('factura')
      .select(['id', 'pdfId'])
      .where('effectId', '=', id)
      .executeTakeFirstOrThrow();
    expect(factura.pdfId).toBeNull();
    await sandbox.facturacom.failNext('slow', { route: '/pdf', ms: 3_000 });
    const click = () =>
      timed(() =>
        descargarFactura(args('descargas', { id: factura.id, formato: 'pdf' })).then(
          (file) => file.headers.get('content-type'),
          (error: unknown) => error,
        ),
      );
    const { answer, ms } = await click();
    expect(answer).toBeInstanceOf(NotAllowed);
    expect((answer as Error).message).toMatch(/^El PAC está tardando en entregar el PDF\./);
    expect(ms).toBeLessThan(LIMIT_MS);
    await expect.poll(async () => (await click()).answer, { timeout: 15_000 }).toBe('application/pdf');
    expect((await sandbox.requests('facturacom')).filter(({ path }) => path.endsWith('/pdf'))).toHaveLength(1);
  });
});

test('while Mercado Libre hangs, a sale nobody knows is told not to be found, in seconds', async () => {
  await linkSandbox(db, sandbox);
  await sandbox.mercadolibre.failNext('hang', { route: '/', times: 20, ms: 20_000 });
  const body = new URLSearchParams({ intent: 'buscar', numOrden: '2000999999999999' });
  const { answer, ms } = await timed(() =>
    facturacionAction({
      ...args('facturacion'),
      request: new Request('http://trastienda.test/sa/facturacion', { method: 'POST', body }),
    }),
  );
  expect(answer).toMatchObject({ init: { status: 422 } });
  expect(ms).toBeLessThan(6_000);
});

test('while the service of postal codes hangs, the form is told that there is no answer', async () => {
  await db.deleteFrom('codigoPostal').execute();
  await sandbox.latency('codigosPostales', 8_000);
  const { answer, ms } = await timed(() => codigosPostales(args('codigosPostales/76343', { cp: '76343' })));
  expect(await answer.json()).toEqual({ tipo: 'sinRespuesta' });
  expect(ms).toBeLessThan(LIMIT_MS);
  await sandbox.latency('codigosPostales', 0);
});
