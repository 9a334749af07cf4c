import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { countInDoubt, mayHaveArrived } from '~/platform/effects/attempts.server';
import { createBatch, failedRequests } from '~/platform/batches/batches.server';
import { defineEffect, each, type EffectDefinition, type Subject } from '~/platform/effects/definition';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import { acceptEffects, acceptEffect } from '~/platform/effects/effects.server';
import { summariesOf } from '~/platform/effects/resolve.server';
import {
  askedAgain,
  effectsAbout,
  idsAboutAny,
  lastDone,
  livingAbout,
  lockLiving,
} from '~/platform/effects/subjects.server';
import type { AttemptOutcome } from '~db/columns';
import { migrateDatabase } from '~db/migrate';
import * as migration from '~db/migrations/20261122_1330_effect_subjects';
import { ownerDatabase, ownerUrl, testDatabase } from '../../support/db';

const { db } = testDatabase();

const definition = defineEffect({
  type: 'test.asunto',
  label: 'Prueba',
  connection: 'facturacom',
  request: z.object({ thing: z.string(), ordenes: z.array(z.string()), nota: z.string().default('') }),
  evidence: z.object({}),
  key: ({ thing }) => thing,
  subjects: ({ thing, ordenes }) => [['mes', thing], ...each('orden', ordenes)],
  unclear: 'repeat',
  send: () => Promise.resolve({}),
  confirm: () => Promise.resolve({}),
  settle: () => Promise.resolve(),
});
type Asked = z.input<typeof definition.request>;

const accept = (asked: Partial<Asked> = {}) =>
  db.transaction().execute((trx) =>
    acceptEffect(trx, definition, {
      request: definition.request.parse({ thing: randomUUID(), ordenes: [randomUUID()], ...asked }),
    }),
  );
const subjectsOf = async (effectId: string) =>
  (
    await db
      .selectFrom('effectSubject')
      .select(['entidad', 'entidadId'])
      .where('effectId', '=', effectId)
      .orderBy('entidad')
      .orderBy('entidadId')
      .execute()
  ).map(({ entidad, entidadId }) => [entidad, entidadId]);
const end = (id: string, state: 'done' | 'refused') =>
  db.updateTable('effect').set({ state, settledAt: new Date() }).where('id', '=', id).execute();

test('an effect and its subjects are written together or not at all, and a second press adds none', async () => {
  const thing = randomUUID();
  const ordenes = [randomUUID(), randomUUID()].sort();
  const { id } = await accept({ thing, ordenes: [...ordenes, ordenes[0]!] });
  const wanted = [['mes', thing], ...ordenes.map((orden) => ['orden', orden])];
  expect(await subjectsOf(id)).toEqual(wanted);
  expect(await accept({ thing, ordenes: [randomUUID()] })).toEqual({ id, created: false });
  expect(await subjectsOf(id)).toEqual(wanted);
  const before = await db.selectFrom('effectSubject').select('effectId').execute();
  await expect(
    db.transaction().execute(async (trx) => {
      await acceptEffect(trx, definition, { request: { thing: randomUUID(), ordenes, nota: '' } });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await db.selectFrom('effectSubject').select('effectId').execute()).toHaveLength(before.length);
});

test('of many accepted at once each has its own subjects, and what was alive already keeps its own', async () => {
  const alive = randomUUID();
  const { id: first } = await accept({ thing: alive, ordenes: [] });
  const requests = [randomUUID(), alive, randomUUID()].map((thing) => ({ thing, ordenes: [randomUUID()], nota: '' }));
  const accepted = await db.transaction().execute(async (trx) => {
    const batchId = await createBatch(trx, { type: 'prueba', label: 'Prueba', total: 3, usuarioId: null });
    return acceptEffects(trx, definition, requests, { batchId, usuarioId: null });
  });
  expect(accepted.map(({ request }) => request)).toEqual([requests[0], requests[2]]);
  for (const { id, request } of accepted)
    expect(await subjectsOf(id)).toEqual([
      ['mes', request.thing],
      ['orden', request.ordenes[0]],
    ]);
  expect(await subjectsOf(first)).toEqual([['mes', alive]]);
});

test('effects are found by what they are about: living, done, asked for again', async () => {
  const orden = randomUUID();
  const subject: Subject = ['orden', orden];
  const thing = randomUUID();
  const { id: first } = await accept({ thing, ordenes: [orden], nota: 'uno' });
  await accept({ ordenes: [randomUUID()] });
  expect(await livingAbout(db, subject, definition)).toEqual([
    { id: first, type: definition.type, state: 'queued', request: { thing, ordenes: [orden], nota: 'uno' } },
  ]);
  expect(await lastDone(db, subject, definition)).toBeUndefined();
  await db.transaction().execute(async (trx) => {
    expect(await lockLiving(trx, subject, definition)).toBe(true);
    expect(await lockLiving(trx, subject, { type: 'otro' })).toBe(false);
  });
  await end(first, 'done');
  expect(await livingAbout(db, subject, definition)).toEqual([]);
  const { id: second } = await accept({ thing, ordenes: [orden], nota: 'dos' });
  expect(await lastDone(db, subject, definition)).toMatchObject({ nota: 'uno' });
  const seen = await effectsAbout(db, subject)
    .select(['effect.id', askedAgain('effect').as('again'), askedAgain('effect', { inBatch: true }).as('inBatch')])
    .orderBy('effect.id')
    .execute();
  expect(seen).toEqual([
    { id: first, again: true, inBatch: false },
    { id: second, again: false, inBatch: false },
  ]);
  const { rows } = await sql<{ effectId: string }>`${idsAboutAny([subject, ['mes', 'ninguno']])} order by 1`.execute(
    db,
  );
  expect(rows.map(({ effectId }) => effectId)).toEqual([first, second]);
});

test('of a batch the last try of each item tells what failed', async () => {
  const [mended, failed] = [randomUUID(), randomUUID()].map((thing) => ({ thing, ordenes: [], nota: '' }));
  const batchId = await db.transaction().execute(async (trx) => {
    const id = await createBatch(trx, { type: 'prueba', label: 'Prueba', total: 2, usuarioId: null });
    await acceptEffects(trx, definition, [mended!, failed!], { batchId: id, usuarioId: null });
    return id;
  });
  await db
    .updateTable('effect')
    .set({ state: 'refused', settledAt: new Date() })
    .where('batchId', '=', batchId)
    .execute();
  expect(await failedRequests(db, batchId, definition.request)).toEqual([mended, failed]);
  await db.transaction().execute((trx) => acceptEffects(trx, definition, [mended!], { batchId, usuarioId: null }));
  expect(await failedRequests(db, batchId, definition.request)).toEqual([failed]);
});

test.each<[what: string, outcomes: (AttemptOutcome | null)[], doubtful: number]>([
  ['nothing left', [], 0],
  ['it stayed here', ['not-sent'], 0],
  ['the account was not taken', ['account'], 0],
  ['a clear no', ['refused'], 0],
  ['nobody answered', ['unclear'], 1],
  ['a yes that was never written', ['answered'], 1],
  ['the process died in the middle', [null], 1],
  ['a no after one that nobody answered', ['unclear', 'refused'], 1],
  ['nobody answered twice', ['unclear', null], 2],
])('whether a send may have arrived: %s', async (_what, outcomes, doubtful) => {
  const { id } = await accept();
  for (const outcome of outcomes) {
    const owner = randomUUID();
    const attempt = { effectId: id, kind: 'send' as const, owner };
    await db
      .insertInto('effectAttempt')
      .values({ ...attempt, phase: 'started' })
      .execute();
    if (outcome !== null)
      await db
        .insertInto('effectAttempt')
        .values({ ...attempt, phase: 'ended', outcome })
        .execute();
    // What a look learnt says nothing of the send that came before it.
    await db
      .insertInto('effectAttempt')
      .values({ effectId: id, kind: 'find', phase: 'ended', owner, outcome: 'not-sent' })
      .execute();
  }
  expect(await countInDoubt(db, id)).toBe(doubtful);
  const { may } = await db
    .selectFrom('effect')
    .select(mayHaveArrived('effect.id').as('may'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(may).toBe(doubtful > 0);
});

const [orden, otra, factura, sustituida] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()].sort();
const cfdi = { receptor: { uid: 'U1', rfc: 'MEGJ800101QX1' }, total: '116.00' };
const cliente = { rfc: 'MEGJ800101QX1', razonSocial: 'JUANA MÉNDEZ' };
const receptor: Subject = ['receptor', 'MEGJ800101QX1'];
/** Kinds that came after their subjects had rows. */
const pedido = { pedidoId: factura, ordenIds: [orden, otra] };
const delPedido: [unknown, Subject[]][] = [
  [
    pedido,
    [
      ['orden', orden!],
      ['orden', otra!],
      ['pedido', factura!],
    ],
  ],
];
const LATER: typeof KINDS = {
  'amz.cola': [[{ vendedor: 'A1', arn: 'arn:aws:sqs:us-east-1:111122223333:ventas' }, []]],
  'amz.eventBridge': [[{ vendedor: 'A1', cuenta: '111122223333', region: 'us-east-1' }, []]],
  'ml.guia': [[{ envioId: factura }, [['envio', factura!]]]],
  'ml.publicar': [[{ productoId: factura, sku: 'AMS|1|ct|1', tipo: 'gold_pro' }, [['producto', factura!]]]],
  'amz.publicar': [[{ productoId: factura, sku: 'AMS|1|ct|1', tipo: 'unica' }, [['producto', factura!]]]],
  'ml.publicacion': [[{ publicacionId: factura }, [['publicacion', factura!]]]],
  'amz.publicacion': [[{ publicacionId: factura }, [['publicacion', factura!]]]],
  'amz.archivo': [[{ cambios: [{ publicacionId: factura, secuencia: 1 }] }, [['publicacion', factura!]]]],
  'ml.categoria': [[{ publicacionId: factura }, [['publicacion', factura!]]]],
  'ml.excluir': [[{ publicacionId: factura }, [['publicacion', factura!]]]],
  'amz.shipment': [[{ envioId: factura, marketId: '701-1' }, [['envio', factura!]]]],
  'amz.guia': [[{ envioId: factura, marketId: '701-1' }, [['envio', factura!]]]],
  'amz.guia.cancelar': [[{ compraId: factura, envioId: factura, marketId: '701-1' }, [['envio', factura!]]]],
  'amz.invoice': [[{ facturaId: factura, numOrden: '701-1' }, [['factura', factura!]]]],
  'pedido.crear.syscom': delPedido,
  'pedido.crear.ct': delPedido,
  'pedido.crear.cva': delPedido,
  'pedido.confirmar.ct': delPedido,
  'pedido.guia.ct': delPedido,
  'pedido.guia.cva': delPedido,
  'pedido.correo': delPedido,
  'pedido.guia.correo': delPedido,
  'pregunta.responder': [[{ preguntaId: factura, market: 'ml', marketId: '5', texto: 'Sí' }, [['pregunta', factura!]]]],
  'reclamo.mensaje': [[{ reclamoId: factura }, [['reclamo', factura!]]]],
  'reclamo.resolver': [[{ reclamoId: factura }, [['reclamo', factura!]]]],
  'reclamo.mail': [[{ reclamoId: factura }, [['reclamo', factura!]]]],
  'reclamo.aviso': [[{ reclamoId: factura, emails: ['ana@ejemplo.mx'] }, [['reclamo', factura!]]]],
  'comprador.bloquear': [[{ market: 'ml', compradorId: '6', bloquear: true }, [['comprador', 'ml:6']]]],
};
/** What each kind was asked, as far as its subjects read it, and what it is about. */
const KINDS: Record<string, [request: unknown, subjects: Subject[]][]> = {
  'cfdi.stamp': [
    [
      { cfdi, market: 'ml', numOrden: '1', ordenIds: [orden, otra] },
      [['orden', orden!], ['orden', otra!], receptor, laVenta('ml', '1')],
    ],
    [
      { cfdi, market: 'amz', numOrden: '2', ordenIds: [orden], sustituye: { facturaId: sustituida, uuid: 'X' } },
      [['orden', orden!], receptor, ['sustituida', sustituida!], laVenta('amz', '2')],
    ],
  ],
  'cfdi.notaCredito': [
    [
      { cfdi, market: 'ml', numOrden: '3', facturaId: factura, folio: 'F-1', ordenIds: [orden], motivo: 'devuelta' },
      [['factura', factura!], ['orden', orden!], receptor, laVenta('ml', '3')],
    ],
  ],
  'cfdi.global': [
    [
      { cfdi, mes: '2026-10', numero: 3, ventas: [{ ordenes: [{ id: orden }] }, { ordenes: [{ id: otra }] }] },
      [['mes', '2026-10'], ['orden', orden!], ['orden', otra!], receptor],
    ],
  ],
  'cfdi.cancel': [[{ facturaId: factura, folio: 'F-1' }, [['factura', factura!]]]],
  'pac.client': [
    [
      { cliente, uid: 'U1' },
      [
        ['cliente', 'U1'],
        ['rfc', cliente.rfc],
      ],
    ],
    [{ cliente: { ...cliente, razonSocial: 'OTRA' }, uid: null }, [['rfc', cliente.rfc]]],
  ],
  'pac.publicClient': [[{ cliente }, [['rfc', cliente.rfc]]]],
  'factura.mail': [[{ facturaId: factura, emails: ['a@ejemplo.mx'] }, [['factura', factura!]]]],
  'ml.fiscalDocument': [[{ facturaId: factura, numOrden: '1' }, [['factura', factura!]]]],
  'nota.mail': [[{ notaId: factura, emails: ['a@ejemplo.mx'] }, [['notaSencilla', factura!]]]],
  'enlace.mail': [[{ enlaceId: factura, numOrden: '1', email: 'a@ejemplo.mx' }, [['enlace', factura!]]]],
  'enlace.message': [[{ enlaceId: factura, market: 'ml', numOrden: '4' }, [['enlace', factura!], laVenta('ml', '4')]]],
  'proveedor.mail': [[{ ordenId: orden, proveedor: 'syscom', emails: ['a@ejemplo.mx'] }, [['orden', orden!]]]],
  'condicion.mail': [[{ clave: 'disco', cambio: '1', emails: ['a@ejemplo.mx'] }, [['condicion', 'disco']]]],
  // A second CFDI from before its sales were kept beside it, and a probe of the account, are about no row of ours.
  'cfdi.cancelRepetida': [
    [{ effectId: factura, folio: 'F-2', uid: 'u', uuid: factura, motivo: '02', folioSustituto: null, ventas: [] }, []],
  ],
  'pac.repetidos': [[{ cuenta: 'AAA010101AAA' }, []]],
  'ml.shipment': [[{ envioId: factura, marketId: '4' }, [['envio', factura!]]]],
};

test('every kind of effect says what it is about, and those from before are given the same', async () => {
  expect(Object.keys({ ...KINDS, ...LATER }).toSorted()).toEqual([...EFFECTS.keys()].toSorted());
  const wanted = new Map<string, readonly Subject[]>();
  for (const [type, cases] of Object.entries(KINDS)) {
    const kind = EFFECTS.get(type) as unknown as EffectDefinition<unknown, unknown, unknown>;
    for (const [request, subjects] of cases) {
      const { id } = await db.transaction().execute((trx) => acceptEffect(trx, kind, { request }));
      expect(await subjectsOf(id), type).toEqual(subjects);
      wanted.set(id, subjects);
    }
  }
  for (const [type, [[request, subjects]]] of Object.entries(LATER) as [string, [[unknown, Subject[]]]][]) {
    const kind = EFFECTS.get(type) as unknown as EffectDefinition<unknown, unknown, unknown>;
    const { id } = await db.transaction().execute((trx) => acceptEffect(trx, kind, { request }));
    expect(await subjectsOf(id), type).toEqual(subjects);
  }
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`drop table effect_subject, global_numero`.execute(trx);
      await sql`alter table factura drop column origen_id, drop column motivo, drop column receptor_uid`.execute(trx);
      await sql`create index effect_sustitucion_refused on effect (created_at)`.execute(trx);
      await migration.up(trx as unknown as Kysely<unknown>);
    });
  await migrateDatabase(ownerUrl(testDatabase().url));
  for (const [id, subjects] of wanted) expect(await subjectsOf(id)).toEqual(subjects);
  expect(await db.selectFrom('globalNumero').select(['mes', 'numero']).execute()).toEqual([
    { mes: '2026-10', numero: 3 },
  ]);
});

test('a request its kind no longer reads leaves the board without a summary, not without the row', async () => {
  const { id } = await accept();
  expect(await summariesOf(db, EFFECTS, [id])).toEqual(new Map());
});
