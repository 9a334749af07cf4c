import { sql } from 'kysely';
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { afterEach, expect, test } from 'vitest';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { DIAS_SIN_RESPUESTA } from '~/domain/facturacion/cancelacion/cancelacion';
import { requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { followCancelacion } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { facturasPorAtender } from '~/domain/facturacion/cancelacion/porAtender.server';
import { openSustitucion } from '~/domain/facturacion/emision/substituteFactura.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { discardDraft, reopenDraft, requireDraft } from '~/domain/facturacion/emision/draft.server';
import { countPendientes } from '~/domain/operacion/mantenimiento/tablero.server';
import { loader as hoy } from '~/routes/inicio/hoy/hoy';
import { loader as pendientes } from '~/routes/operacion/pendientes/pendientes';
import { buildBorrador, buildVenta, REVISION } from '../../../support/builders/ventas';
import { ownerDatabase } from '../../../support/db';
import { runJobsUntil } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';
import { PROBADA } from '../../../support/sesion';

/** A correction that is left half done is told where staff look, with its next step, until it is whole. */
const { db, sandbox, sa } = await openPac();
const now = () => new Date();

afterEach(() => resume());

const pause = () => db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
const resume = () => db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
type Draft = Awaited<ReturnType<typeof requireDraft>>;
const create = (draft: Draft) =>
  db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: draft.revision ?? REVISION(),
      diferenciaAceptada: true,
      usuarioId: sa.id,
      now: now(),
    }),
  );
const facturaOf = (effectId: string) =>
  db
    .selectFrom('factura')
    .select(['id', 'uuid', sql<string>`serie || '-' || folio`.as('folio')])
    .where('effectId', '=', effectId)
    .executeTakeFirstOrThrow();
async function facturar(precio: string) {
  const venta = await buildVenta(db, { precios: [precio] });
  const effectId = await create(await buildBorrador(db, venta, sa));
  await settle();
  return { ...(await facturaOf(effectId)), venta };
}
const sustituir = async (viejaId: string) => requireDraft(db, await openSustitucion(db, viejaId, sa.id, now()), sa);
const cancelar = (facturaId: string) =>
  requestCancelacion(db, { facturaId, motivo: '02', usuarioId: sa.id, now: now() });
const de = async (facturaId: string) => (await facturasPorAtender(db)).filter(({ id }) => id === facturaId);
const age = (facturaId: string, what: string) =>
  sql`update cancelacion set pedida_en = pedida_en - ${what}::interval where factura_id = ${facturaId}`.execute(db);
const args = () =>
  ({
    request: new Request('http://trastienda.test/sa/pendientes'),
    params: {},
    context: { usuario: sa, sesion: PROBADA } as unknown as AppLoadContext,
  }) as LoaderFunctionArgs;

/** A substitution that the PAC refuses. */
async function rechazada(precio: string) {
  const vieja = await facturar(precio);
  const draft = await sustituir(vieja.id);
  await sandbox.facturacom.failNext('refuse', { route: '/create', message: 'CFDI40147 - El nombre no corresponde' });
  await create(draft);
  await settle();
  await sandbox.clear();
  return { vieja, draft: await requireDraft(db, draft.id, sa) };
}

test('a substitute that the PAC refused: on the board, on the home and in the badge, with the draft where it is mended', async () => {
  const before = await countPendientes(db);
  const { vieja, draft } = await rechazada('701.00');
  const told = {
    id: vieja.id,
    folio: vieja.folio,
    motivo: 'sinCorregir',
    borrador: draft.id,
    detalle: expect.stringContaining('El nombre no corresponde'),
  };
  expect(await de(vieja.id)).toEqual([expect.objectContaining(told)]);
  expect(await countPendientes(db)).toBe(before + 1);
  expect((await pendientes(args())).correcciones).toContainEqual(expect.objectContaining({ folio: vieja.folio }));
  const timbres = (await hoy(args())).cartas.find(({ clave }) => clave === 'timbresPorAtender')!;
  expect(timbres.lineas).toContainEqual(
    expect.objectContaining({
      titulo: `La ${vieja.folio} sigue vigente sin corregir`,
      a: `facturacion?borrador=${draft.id}`,
    }),
  );

  // Opened again and left: still told. Asked for again and stamped: whole.
  await reopenDraft(db, draft);
  expect(await de(vieja.id)).toMatchObject([{ motivo: 'sinCorregir', borrador: draft.id }]);
  await create(await requireDraft(db, draft.id, sa));
  await settle();
  expect(await de(vieja.id)).toEqual([]);
  expect(await countPendientes(db)).toBe(before);
});

test('one that nobody wants any more is put aside with its draft', async () => {
  const { vieja, draft } = await rechazada('702.00');
  await reopenDraft(db, draft);
  await discardDraft(db, await requireDraft(db, draft.id, sa));
  expect(await de(vieja.id)).toEqual([]);
});

test('a factura that was cancelled, whose substitute the PAC refused: the sale is without one, until it has another or is no sale', async () => {
  const { vieja, draft } = await rechazada('703.00');
  await cancelar(vieja.id);
  await settle();
  expect(await de(vieja.id)).toMatchObject([{ motivo: 'sinFactura', borrador: draft.id }]);
  await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', vieja.venta.ordenIds).execute();
  expect(await de(vieja.id)).toEqual([]);
  await db.updateTable('orden').set({ clase: 'normal' }).where('id', 'in', vieja.venta.ordenIds).execute();
  await reopenDraft(db, draft);
  await create(await requireDraft(db, draft.id, sa));
  await settle();
  expect(await de(vieja.id)).toEqual([]);
});

test('a substitute is stamped and the cancellation of the old one does not leave: told after an hour, with what detains it', async () => {
  await sandbox.facturacom.failNext('503', { times: 1_000, route: '/cancel' });
  const vieja = await facturar('704.00');
  const effectId = await create(await sustituir(vieja.id));
  await runJobsUntil(
    async () =>
      (await db.selectFrom('cancelacion').select('id').where('facturaId', '=', vieja.id).executeTakeFirst()) !==
      undefined,
  );
  await pause();
  const nueva = await facturaOf(effectId);
  expect(await de(vieja.id)).toEqual([]);
  await age(vieja.id, '2 hours');
  await db
    .updateTable('effect')
    .set({ state: 'queued', reason: 'factura.com no contesta.' })
    .where('key', '=', `cancelar:${vieja.id}`)
    .execute();
  expect(await de(vieja.id)).toMatchObject([
    { motivo: 'sinEnviar', otra: nueva.folio, detalle: 'factura.com no contesta.' },
  ]);
  await sandbox.clear();
  await resume();
  await settle();
  expect(await de(vieja.id)).toEqual([]);
});

test('a receiver who does not answer is told after a week, and one who said no at once', async () => {
  await sandbox.facturacom.cancelMode('in-process');
  const vieja = await facturar('705.00');
  const effectId = await create(await sustituir(vieja.id));
  await settle();
  const nueva = await facturaOf(effectId);
  expect(await de(vieja.id)).toEqual([]);
  await age(vieja.id, `${DIAS_SIN_RESPUESTA + 1} days`);
  expect(await de(vieja.id)).toMatchObject([{ motivo: 'sinRespuesta', otra: nueva.folio }]);
  await sandbox.facturacom.settleCancel(vieja.uuid, 'rejected');
  await followCancelacion(db, vieja.id);
  expect(await de(vieja.id)).toMatchObject([
    { motivo: 'dosVigentes', otra: nueva.folio, detalle: expect.stringMatching(/rechaz/i) },
  ]);
});

test('however many facturas were replaced, only those left half done are read', async () => {
  await sql`insert into effect (type, key, ref, connection, request, request_hash, state, settled_at)
    select 'cfdi.stamp', 'mil:' || n, 'mil:' || n, 'facturacom', '{}', '\\x00', 'done', now() from generate_series(1, 6000) n`.execute(
    db,
  );
  await sql`insert into factura (tipo, estatus, effect_id, uuid, uid, serie, folio, fecha, fecha_timbrado, rfc, razon_social, cp, regimen, uso_cfdi, forma_pago, subtotal, iva, total, xml_id)
    select 'individual', 'vigente', e.id, e.key, e.key, 'M', substr(e.key, 5)::int, now(), now(), 'XAXX010101000', 'UNO', '06600', '612', 'G03', '04', 100, 16, 116, (select min(id::text)::uuid from archivo)
    from effect e where e.key like 'mil:%'`.execute(db);
  await sql`update factura nueva set sustituye_id = vieja.id from factura vieja where nueva.serie = 'M' and vieja.serie = 'M' and nueva.folio > 3000 and vieja.folio = nueva.folio - 3000`.execute(
    db,
  );
  const { db: owner } = ownerDatabase();
  await owner.transaction().execute(async (trx) => {
    // Their ordenes are not read.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`insert into factura_orden (factura_id, orden_id) select id, md5('orden' || folio % 3000)::uuid from factura where serie = 'M'`.execute(
      trx,
    );
  });
  // Stamps of this month that were refused and were to replace nothing, and those of long ago that were.
  await sql`insert into effect (type, key, ref, connection, request, request_hash, state, settled_at)
    select 'cfdi.stamp', 'no:' || n, 'no:' || n, 'facturacom', '{}', '\\x00', 'refused', now() from generate_series(1, 3000) n`.execute(
    db,
  );
  await sql`insert into effect_subject (effect_id, entidad, entidad_id) select id, 'orden', ref from effect where key like 'no:%'`.execute(
    db,
  );
  await sql`with antes as (
      insert into effect (id, type, key, ref, connection, request, request_hash, state, settled_at)
      select uuidv7(interval '-90 days'), 'cfdi.stamp', 'antes:' || n, 'antes:' || n, 'facturacom', '{}', '\\x00', 'refused', now() from generate_series(1, 1000) n returning id)
    insert into effect_subject (effect_id, entidad, entidad_id) select antes.id, 'sustituida', f.id::text from antes, (select id from factura limit 1) f`.execute(
    db,
  );
  await sql`analyze factura, factura_orden, effect, effect_subject, cancelacion, factura_draft`.execute(owner);
  const read = await db.transaction().execute(async (trx) => {
    const count = async () =>
      (
        await sql<{ n: number }>`
      select sum(seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname in ('factura', 'factura_orden', 'effect', 'effect_subject')`.execute(
          trx,
        )
      ).rows[0]!.n;
    const before = await count();
    await facturasPorAtender(trx);
    return (await count()) - before;
  });
  expect(read).toBeLessThan(100);
});
