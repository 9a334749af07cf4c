import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { unresolved } from '~/platform/effects/resolve.server';
import { retryEffect } from '~/platform/effects/retry.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { sendProveedorMail } from '~/domain/compras/directorio/mailProveedor.server';
import { buildOrdenDe } from '../support/builders/proveedores';
import { type FailOptions } from '../support/sandbox';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown } from './support/check';
import { acceptFacturas, report, seconds, times, untilSettled } from './support/scene';
import { openStage } from './support/stage';

const { db, sandbox, usuario } = await openStage({ pace: 0.02, letters: 'sent' });
beforeAll(() => WorkerProcess.start());
beforeEach(async () => {
  await sandbox.clear();
  await forgetFailures(db, 'correo');
});

/** `denied`: how often the server took it and said in the end that it had not. */
type Letter = { state: string; reason: string | null; copies: string[]; denied: number };

/** Stamps sales while the mail server does what it was told; what became of each letter, with the Message-ID of every copy that arrived. */
async function stampAndPost(sales: number): Promise<{ letters: Letter[]; ms: number }> {
  const before = await expectNothingUnknown(db, sandbox);
  const known = new Set((await sandbox.correo.inbox()).map(({ id }) => id));
  const began = performance.now();
  const accepted = await acceptFacturas(db, usuario, sales);
  await untilSettled(db, { within: 60_000 });
  await untilSettled(db, { within: times(60_000, 300_000), type: 'factura.mail' });
  const after = await expectNothingUnknown(db, sandbox);
  expect(after.facturas - before.facturas, 'facturas do not care').toBe(sales);
  const facturas = await db
    .selectFrom('factura')
    .select(['id', 'serie', 'folio'])
    .where(
      'effectId',
      'in',
      accepted.map(({ effectId }) => effectId),
    )
    .execute();
  const effects = await db
    .selectFrom('effect')
    .select(['key', 'state', 'reason'])
    .select((eb) =>
      eb
        .selectFrom('effectAttempt')
        .whereRef('effectId', '=', 'effect.id')
        .where('status', '=', 451)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('denied'),
    )
    .where('type', '=', 'factura.mail')
    .execute();
  const mails = (await sandbox.correo.inbox()).filter(({ id }) => !known.has(id));
  const letters = await Promise.all(
    facturas.map(async ({ id, serie, folio }) => {
      const { state, reason, denied } = effects.find(({ key }) => key === `factura:${id}`)!;
      const copies = mails.filter(({ subject }) => subject.includes(`${serie}-${folio} `));
      return {
        state,
        reason,
        denied: Number(denied),
        copies: await Promise.all(copies.map(({ id: mail }) => messageIdOf(mail))),
      };
    }),
  );
  return { letters, ms: performance.now() - began };
}

async function messageIdOf(id: string): Promise<string> {
  return /^Message-ID:\s+(\S+)/im.exec(await sandbox.correo.raw(id))![1]!;
}

type Mischief = [mode: string, options?: FailOptions];
const WELL: Mischief = ['slow', { ms: 1 }];
const MISCHIEF: Mischief[] = [
  ['reset-after-doing'],
  WELL,
  ['500-after-doing'],
  ['503'],
  ['429'],
  ['reset'],
  ['slow', { ms: 300 }],
  WELL,
  ['hang-after-doing', { ms: 2_500 }],
];

test(
  'a mail server that cuts the line after every letter gets each three times, always the same one, and then people see it',
  { timeout: 120_000 },
  async () => {
    await sandbox.correo.failNext('reset-after-doing', { times: 1_000 });
    const { letters } = await stampAndPost(2);
    expect(
      letters.map(({ state, copies }) => ({ state, copies: copies.length, different: new Set(copies).size })),
    ).toEqual([
      { state: 'manual', copies: 3, different: 1 },
      { state: 'manual', copies: 3, different: 1 },
    ]);
    expect(letters[0]!.copies[0]).toMatch(/^<factura\.mail-.+@trastienda>$/);
    expect((await unresolved(db).selectAll().execute()).filter(({ type }) => type === 'factura.mail')).toHaveLength(2);
  },
);

test(
  'tries while the mail server was away do not count: the one doubt after them is sent again',
  { timeout: 120_000 },
  async () => {
    await sandbox.correo.failNext('503', { times: 5 });
    await sandbox.correo.failNext('reset-after-doing');
    const { letters } = await stampAndPost(1);
    expect(letters).toMatchObject([{ state: 'done', copies: { length: 2 } }]);
  },
);

test(
  'an address nobody knows ends the letter with the server’s reason and leaves the factura alone',
  { timeout: 120_000 },
  async () => {
    await sandbox.correo.failNext('refuse', { times: 1, message: '5.1.1 No such user' });
    const { letters } = await stampAndPost(1);
    expect(letters).toMatchObject([{ state: 'refused', copies: { length: 0 } }]);
  },
);

test(
  'a mail server that fails in every way: each letter at least once and at most three times where it did not deny it, with one Message-ID',
  { timeout: 400_000 },
  async () => {
    const sales = times(9, 60);
    for (let at = 0; at < sales; at++) {
      const [mode, options] = MISCHIEF[at % MISCHIEF.length]!;
      await sandbox.correo.failNext(mode, options);
    }
    const { letters, ms } = await stampAndPost(sales);
    const counts = letters.map(({ copies }) => copies.length);
    expect(letters.filter(({ state }) => state !== 'done' && state !== 'manual')).toEqual([]);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(letters.filter(({ copies, denied }) => copies.length - denied > 3)).toEqual([]);
    expect(letters.filter(({ copies }) => new Set(copies).size !== 1)).toEqual([]);
    report('correo que falla de todas las formas', {
      cartas: sales,
      copias: counts.reduce((sum, n) => sum + n, 0),
      'más copias de una': Math.max(...counts),
      tiempo: seconds(ms),
    });
  },
);

describe('the letter to a supplier', () => {
  const WITHIN = { within: 60_000, type: 'proveedor.mail' };
  let sales = 0;

  /** A sale with a shipment whose supplier is written to while the mail server does what it was told. */
  async function write(): Promise<{ id: string; numOrden: string }> {
    await db.updateTable('proveedor').set({ email: 'pedidos@syscom.test' }).where('value', '=', 'syscom').execute();
    const orden = await buildOrdenDe(db, [{ modelo: 'DS-1' }], { envio: `4390${++sales}`, guia: `GUIA-${sales}` });
    await db.transaction().execute((trx) => sendProveedorMail(trx, orden.id, usuario.id));
    return orden;
  }
  const story = async ({ id }: { id: string }) => readCronologia(db, (await readOrden(db, id))!, EFFECTS);
  const lines = async (orden: { id: string }) => (await story(orden)).map(({ titulo }) => titulo);
  const letters = async (numOrden: string) =>
    Promise.all(
      (await sandbox.correo.inbox())
        .filter(({ subject }) => subject.includes(numOrden))
        .map(({ id }) => messageIdOf(id)),
    );
  const retry = (effectId: string) =>
    db.transaction().execute((trx) => retryEffect(trx, EFFECTS, effectId, usuario.id));

  test(
    'refused by the mail server: the story of the sale says so in its words, and it is asked for again from there',
    { timeout: 120_000 },
    async () => {
      await sandbox.correo.failNext('refuse', { times: 1, message: '5.1.1 No such user' });
      const orden = await write();
      await untilSettled(db, WITHIN);
      const told = (await story(orden)).find(({ titulo }) => titulo === 'Correo al proveedor: rechazado')!;
      expect(told).toMatchObject({
        detalle: expect.stringContaining('5.1.1 No such user'),
        tono: 'mal',
        reintentar: expect.any(String),
      });
      expect(await letters(orden.numOrden)).toEqual([]);

      await retry(told.reintentar!);
      await untilSettled(db, WITHIN);
      expect(await lines(orden)).toEqual(
        expect.arrayContaining([
          'Se pidió intentar otra vez',
          'Correo al proveedor: hecho',
          'Se envió el correo al proveedor',
        ]),
      );
      expect((await story(orden)).filter(({ reintentar }) => reintentar !== null)).toEqual([]);
      expect(await letters(orden.numOrden)).toHaveLength(1);
    },
  );

  test(
    'cut off after it was taken: sent again by itself, the same letter, and the doubt is told',
    { timeout: 120_000 },
    async () => {
      await sandbox.correo.failNext('reset-after-doing');
      const orden = await write();
      await untilSettled(db, WITHIN);
      expect(await lines(orden)).toEqual(
        expect.arrayContaining(['Correo al proveedor: la respuesta no fue clara', 'Correo al proveedor: hecho']),
      );
      const copies = await letters(orden.numOrden);
      expect([copies.length, new Set(copies).size]).toEqual([2, 1]);
    },
  );

  test('cut off every time: it waits for people, whom the story leads to the board', { timeout: 120_000 }, async () => {
    await sandbox.correo.failNext('reset-after-doing', { times: 1_000 });
    const orden = await write();
    await untilSettled(db, WITHIN);
    expect((await story(orden)).find(({ decidir }) => decidir !== null)).toMatchObject({
      titulo: 'Correo al proveedor: espera una decisión en Pendientes',
      tono: 'mal',
      reintentar: null,
    });
    expect(new Set(await letters(orden.numOrden)).size).toBe(1);
  });

  test(
    'with no mail server at all: the story says when it is tried next, and trying at once works as soon as there is one',
    { timeout: 120_000 },
    async () => {
      await sandbox.correo.failNext('reset', { times: 1_000 });
      const orden = await write();
      let waiting: string | null = null;
      for (
        const until = Date.now() + 60_000;
        waiting === null && Date.now() < until;
        await new Promise((resolve) => setTimeout(resolve, 100))
      ) {
        waiting =
          (await story(orden)).find(({ reintentar, proximo }) => reintentar !== null && proximo !== null)?.reintentar ??
          null;
      }
      expect(waiting).not.toBeNull();
      expect(await lines(orden)).toContain('Correo al proveedor: no se pudo enviar');
      // Its own next try is an hour away: what sends it now is the press.
      await expect
        .poll(
          async () =>
            (
              await db
                .updateTable('effect')
                .set({ nextAt: new Date(Date.now() + 3_600_000) })
                .where('id', '=', waiting)
                .where('state', '=', 'queued')
                .executeTakeFirst()
            ).numUpdatedRows,
        )
        .toBe(1n);
      await sandbox.clear();
      await forgetFailures(db, 'correo');
      // A try that had just begun ends first.
      await expect
        .poll(
          () =>
            retry(waiting!).then(
              () => 'asked',
              (error: Error) => error.message,
            ),
          { timeout: 20_000 },
        )
        .toBe('asked');
      await untilSettled(db, WITHIN);
      expect(await lines(orden)).toEqual(
        expect.arrayContaining(['Se pidió intentar otra vez', 'Se envió el correo al proveedor']),
      );
      expect(await letters(orden.numOrden)).toHaveLength(1);
    },
  );
});
