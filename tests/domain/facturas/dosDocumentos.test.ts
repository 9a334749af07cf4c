import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { NotAllowed } from '~/core/errors';
import { pauseConnection, resumeConnection } from '~/domain/effects/pause.server';
import { pedirCancelacion, pedirOtraVez } from '~/domain/facturas/cancelacion/cancelar.server';
import type { Motivo } from '~/domain/facturas/cancelacion/cancelacion';
import { readCorrecciones } from '~/domain/facturas/cancelacion/correccionesView.server';
import { createFactura } from '~/domain/facturas/createFactura.server';
import { facturasPorAtender } from '~/domain/facturas/cancelacion/porAtender.server';
import { requireDraft } from '~/domain/facturas/draft.server';
import { followCancelacion, followCancelaciones } from '~/domain/facturas/cancelacion/followCancelaciones.server';
import { generarGlobal } from '~/domain/facturas/mes/global.server';
import { lineaDeFactura } from '~/domain/facturas/lineaFactura.server';
import { facturasList } from '~/domain/facturas/listFacturas.server';
import { mesDe } from '~/domain/facturas/mes/mes';
import { porFacturar } from '~/domain/facturas/mes/mes.server';
import { devueltasList } from '~/domain/facturas/mes/mesLists.server';
import { readMes } from '~/domain/facturas/mes/mesView.server';
import { emitirNotas } from '~/domain/facturas/notasCredito/notasCredito.server';
import { abrirSustitucion } from '~/domain/facturas/cancelacion/sustituir.server';
import { buildOrden } from '../../support/builders/mes';
import { buildBorrador, buildVenta, REVISION, type Venta } from '../../support/builders/ventas';
import { runJobsUntil } from '../../support/jobs';
import { openPac, settle } from '../../support/pac';

const { db, sandbox, sa } = await openPac();
const now = () => new Date();
const mes = mesDe(now());

const facturaOf = (effectId: string) => db.selectFrom('factura').selectAll().where('effectId', '=', effectId).executeTakeFirstOrThrow();
const create = async (draft: Awaited<ReturnType<typeof requireDraft>>) => {
  const effectId = await db.transaction().execute((trx) => createFactura(trx, draft, { revision: draft.revision ?? REVISION(), diferenciaAceptada: true, usuarioId: sa.id, now: now() }));
  await settle();
  return facturaOf(effectId);
};
const facturar = async (venta: Venta) => create(await buildBorrador(db, venta, sa));
const sustituir = async (viejaId: string) => create(await requireDraft(db, await abrirSustitucion(db, viejaId, sa.id, now()), sa));
const cancelar = async (facturaId: string, motivo: Motivo = '02') => {
  await pedirCancelacion(db, { facturaId, motivo, usuarioId: sa.id, now: now() });
  await settle();
};
async function global() {
  const asked = generarGlobal(db, { mes, usuarioId: sa.id, now: now() });
  asked.catch(() => undefined);
  await runJobsUntil(() => Promise.race([asked.then(() => true, () => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20))]));
  await settle();
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
}
async function notas(tabla: 'refacturacion' | 'devueltas', { wait = true } = {}) {
  await emitirNotas(db, { mes, tabla, usuarioId: sa.id, now: now() });
  if (wait) await settle();
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
}
const ventaDe = ({ id, numOrden }: { id: string; numOrden: string }): Venta => ({ numOrden, ordenIds: [id], total: '' });
const unaVenta = async (precio: string) => ventaDe(await buildOrden(db, { fecha: new Date(Date.now() - 60_000), precio }));
const estatus = async (id: string) => (await db.selectFrom('factura').select('estatus').where('id', '=', id).executeTakeFirstOrThrow()).estatus;
const claimsOf = (venta: Venta) => db.selectFrom('fiscalClaim').select(['kind', 'facturaId']).where('ordenId', 'in', venta.ordenIds).execute();
const isFree = async (venta: Venta) => (await sql<{ id: string }>`select id from orden where ${porFacturar(mes)}`.execute(db)).rows.some(({ id }) => venta.ordenIds.includes(id));
const vivos = async (venta: Venta) => (await db.selectFrom('factura').innerJoin('facturaOrden', 'facturaOrden.facturaId', 'factura.id').select('factura.id')
  .where('ordenId', 'in', venta.ordenIds).where('estatus', '<>', 'cancelada').orderBy('factura.id').execute()).map(({ id }) => id);
const notaOf = (venta: Venta) => db.selectFrom('factura').selectAll().where('tipo', '=', 'notaCredito').where('numOrden', '=', venta.numOrden).orderBy('id', 'desc').executeTakeFirstOrThrow();
const says = (promise: Promise<unknown>) => promise.then(() => '', (error: NotAllowed) => error.message);
const texts = async (id: string) => (await lineaDeFactura(db, id)).map(({ texto }) => texto);
const age = (facturaId: string, days: number) => sql`update cancelacion set pedida_en = pedida_en - make_interval(days => ${days}),
  resuelta_en = resuelta_en - make_interval(days => ${days}) where factura_id = ${facturaId}`.execute(db);
const due = () => sql`update cancelacion set revisada_en = now() - interval '2 hours'`.execute(db);

/** A factura whose substitute was stamped and that the receiver did not let go. */
async function rechazada(venta: Venta) {
  await sandbox.facturacom.cancelMode('in-process');
  const vieja = await facturar(venta);
  const nueva = await sustituir(vieja.id);
  await sandbox.facturacom.settleCancel(vieja.uuid, 'rejected');
  expect(await followCancelacion(db, vieja.id)).toBe(true);
  await sandbox.facturacom.cancelMode('at-once');
  return { vieja, nueva };
}

describe('a substitute that is cancelled', () => {
  test('while the one it replaced stands: the sale is the old one’s, and no global takes it', async () => {
    const venta = await buildVenta(db, { precios: ['2320.00'] });
    const { vieja, nueva } = await rechazada(venta);
    await cancelar(nueva.id);
    expect([await estatus(vieja.id), await estatus(nueva.id)]).toEqual(['vigente', 'cancelada']);
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
    expect(await isFree(venta)).toBe(false);
    await global();
    expect(await vivos(venta)).toEqual([vieja.id]);
    expect(await texts(vieja.id)).toContain('Las ventas vuelven a esta factura');
    await cancelar(vieja.id);
    expect(await claimsOf(venta)).toEqual([]);
  });

  test('while the old one is still being cancelled: it holds the sale until that is known', async () => {
    await sandbox.facturacom.cancelMode('in-process');
    const venta = await buildVenta(db, { precios: ['2320.00'] });
    const vieja = await facturar(venta);
    const nueva = await sustituir(vieja.id);
    await sandbox.facturacom.cancelMode('at-once');
    await cancelar(nueva.id);
    expect(await estatus(vieja.id)).toBe('cancelando');
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
    await sandbox.facturacom.settleCancel(vieja.uuid, 'accepted');
    await followCancelacion(db, vieja.id);
    expect(await estatus(vieja.id)).toBe('cancelada');
    expect(await claimsOf(venta)).toEqual([]);
  });

  test('of a sale that a global still owes a note for: the note is owed because of the old one', async () => {
    const venta = await unaVenta('2330.00');
    await global();
    const { vieja, nueva } = await rechazada(venta);
    await cancelar(nueva.id);
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
    expect(await db.selectFrom('refacturacion').select('facturaId').where('ordenId', 'in', venta.ordenIds).execute()).toEqual([{ facturaId: vieja.id }]);
    await notas('refacturacion');
    expect((await notaOf(venta)).estatus).toBe('vigente');
  });

  test('after two rejections in a row the sale goes back to the first, past the one that was cancelled', async () => {
    const venta = await buildVenta(db, { precios: ['2340.00'] });
    const { vieja, nueva } = await rechazada(venta);
    const ultima = await sustituir(nueva.id);
    expect(await estatus(nueva.id)).toBe('cancelada');
    expect((await readCorrecciones(db, ultima.id))!.otraVigente).toMatchObject({ id: vieja.id, sobra: false });
    await cancelar(ultima.id);
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
  });
});

describe('two that stand', () => {
  test('are told in both, on the list and above it, until one is cancelled', async () => {
    const venta = await buildVenta(db, { precios: ['2350.00'] });
    const { vieja, nueva } = await rechazada(venta);
    const [folioViejo, folioNuevo] = [vieja, nueva].map(({ serie, folio }) => `${serie}-${folio}`);
    const marks = async () => (await facturasList.window(db, facturasList.parse(new URLSearchParams({ q: venta.numOrden })), { indice: 0, total: 2, corte: null }))
      .map(({ folio, otraVigente }) => [folio, otraVigente]).toSorted();
    expect((await readCorrecciones(db, vieja.id))).toMatchObject({ otraVigente: { id: nueva.id, folio: folioNuevo, sobra: true }, cancelable: { motivos: ['01'], impedimento: null } });
    expect((await readCorrecciones(db, nueva.id))!.otraVigente).toEqual({ id: vieja.id, folio: folioViejo, sobra: false });
    expect(await texts(nueva.id)).toContain('Dos facturas vigentes de la misma venta');
    expect(await marks()).toEqual([[folioViejo, folioNuevo], [folioNuevo, folioViejo]].toSorted());
    expect(await facturasPorAtender(db)).toContainEqual(expect.objectContaining({ id: vieja.id, folio: folioViejo, motivo: 'dosVigentes', otra: folioNuevo, borrador: null }));
    await cancelar(vieja.id, '01');
    expect(await estatus(vieja.id)).toBe('cancelada');
    expect(await marks()).toEqual([[folioViejo, null], [folioNuevo, null]].toSorted());
    expect((await facturasPorAtender(db)).map(({ id }) => id)).not.toContain(vieja.id);
  });

  test('of a sale that came back are credited each, once', async () => {
    const venta = await unaVenta('2900.00');
    const { vieja, nueva } = await rechazada(venta);
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', venta.ordenIds).execute();
    const filtro = devueltasList.parse(new URLSearchParams({ mes, q: venta.numOrden }));
    expect(await devueltasList.totals(db, filtro)).toMatchObject({ registros: 1, total: expect.objectContaining({}) });
    expect(String((await devueltasList.totals(db, filtro)).total)).toBe('5800.00');
    expect(await devueltasList.window(db, filtro, { indice: 0, total: 1, corte: null })).toMatchObject([{ folio: `${vieja.serie}-${vieja.folio}, ${nueva.serie}-${nueva.folio}` }]);
    await notas('devueltas');
    const credited = await db.selectFrom('notaCreditoOrden').select(['facturaId', 'importe']).where('ordenId', 'in', venta.ordenIds).orderBy('facturaId').execute();
    expect(credited.map(({ facturaId, importe }) => [facturaId, importe.toFixed(2)])).toEqual([[vieja.id, '2900.00'], [nueva.id, '2900.00']]);
    expect((await readCorrecciones(db, nueva.id))!.otraVigente).toBeNull();
    expect((await devueltasList.totals(db, filtro)).registros).toBe(0);
  });

  test('a global that owes a note because its customer has a factura is not credited by the list of returns too', async () => {
    const venta = await unaVenta('2910.00');
    await global();
    const propia = await facturar(venta);
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', venta.ordenIds).execute();
    await notas('devueltas');
    expect(await db.selectFrom('notaCreditoOrden').select('facturaId').where('ordenId', 'in', venta.ordenIds).execute()).toEqual([{ facturaId: propia.id }]);
    await notas('refacturacion');
    expect(await db.selectFrom('notaCreditoOrden').select('facturaId').where('ordenId', 'in', venta.ordenIds).execute()).toHaveLength(2);
  });
});

describe('a credit note that stops standing after its customer’s factura was cancelled', () => {
  async function credited(precio: string) {
    const venta = await unaVenta(precio);
    await global();
    const [enGlobal] = await claimsOf(venta);
    const propia = await facturar(venta);
    return { venta, enGlobal: enGlobal!, propia };
  }

  test('cancelled: the sale is the global’s again', async () => {
    const { venta, enGlobal, propia } = await credited('480.00');
    await notas('refacturacion');
    await cancelar(propia.id);
    expect(await isFree(venta)).toBe(true);
    await cancelar((await notaOf(venta)).id);
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    expect(await db.selectFrom('refacturacion').selectAll().where('ordenId', 'in', venta.ordenIds).execute()).toEqual([]);
    expect(await vivos(venta)).toEqual([enGlobal.facturaId]);
    // Its customer may ask for a factura once more, and the global owes once more.
    const otra = await facturar(venta);
    await notas('refacturacion');
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: otra.id }]);
    expect((await notaOf(venta)).estatus).toBe('vigente');
  });

  test('refused by the PAC while that happened: the sale was never free', async () => {
    const { venta, enGlobal, propia } = await credited('481.00');
    await sandbox.facturacom.failNext('503', { times: 500, route: 'POST /v4/cfdi40/create' });
    await notas('refacturacion', { wait: false });
    await pedirCancelacion(db, { facturaId: propia.id, motivo: '02', usuarioId: sa.id, now: now() });
    await runJobsUntil(async () => (await estatus(propia.id)) === 'cancelada');
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    await sandbox.clear();
    await sandbox.facturacom.failNext('refuse', { times: 1, route: 'POST /v4/cfdi40/create' });
    await settle();
    expect(await db.selectFrom('notaCreditoOrden').selectAll().where('ordenId', 'in', venta.ordenIds).execute()).toEqual([]);
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    expect(await db.selectFrom('refacturacion').selectAll().where('ordenId', 'in', venta.ordenIds).execute()).toEqual([]);
  });

  test('stamped after that happened: only now the sale is free', async () => {
    const { venta, enGlobal, propia } = await credited('482.00');
    await sandbox.facturacom.failNext('503', { times: 500, route: 'POST /v4/cfdi40/create' });
    await notas('refacturacion', { wait: false });
    await pedirCancelacion(db, { facturaId: propia.id, motivo: '02', usuarioId: sa.id, now: now() });
    await runJobsUntil(async () => (await estatus(propia.id)) === 'cancelada');
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    await sandbox.clear();
    await settle();
    expect((await notaOf(venta)).estatus).toBe('vigente');
    expect(await isFree(venta)).toBe(true);
  });

  test('while its cancellation is in process the global holds the sale; rejected, the sale is free again', async () => {
    const { venta, enGlobal, propia } = await credited('483.00');
    await notas('refacturacion');
    await cancelar(propia.id);
    await sandbox.facturacom.cancelMode('in-process');
    const nota = await notaOf(venta);
    await cancelar(nota.id);
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    await sandbox.facturacom.settleCancel(nota.uuid, 'rejected');
    await followCancelacion(db, nota.id);
    expect(await estatus(nota.id)).toBe('vigente');
    expect(await isFree(venta)).toBe(true);
  });

  test('while its cancellation is in process its customer may ask for a factura again; that of a sale nobody holds is the global’s at the end', async () => {
    const [suya, suelta] = [await credited('486.00'), await credited('487.00')];
    await notas('refacturacion');
    for (const { propia } of [suya, suelta]) await cancelar(propia.id);
    await sandbox.facturacom.cancelMode('in-process');
    const enCamino = [await notaOf(suya.venta), await notaOf(suelta.venta)];
    for (const { id } of enCamino) await cancelar(id);
    const nueva = await facturar(suya.venta);
    await db.deleteFrom('fiscalClaim').where('ordenId', 'in', suelta.venta.ordenIds).execute();
    for (const { id, uuid } of enCamino) {
      await sandbox.facturacom.settleCancel(uuid, 'accepted');
      await followCancelacion(db, id);
    }
    expect(await claimsOf(suya.venta)).toEqual([{ kind: 'individual', facturaId: nueva.id }]);
    expect(await db.selectFrom('refacturacion').select('facturaId').where('ordenId', 'in', suya.venta.ordenIds).execute()).toEqual([{ facturaId: nueva.id }]);
    expect(await claimsOf(suelta.venta)).toEqual([suelta.enGlobal]);
  });

  test('is not cancelled while another global has the sale; for a new factura of the customer the first global owes a note', async () => {
    const { venta, propia } = await credited('484.00');
    await notas('refacturacion');
    await cancelar(propia.id);
    await global();
    const nota = await notaOf(venta);
    expect(await says(cancelar(nota.id))).toMatch(/^La venta \d+ de esta nota ya está en la factura global F-\d+: sin la nota quedaría facturada dos veces\./);
    expect(await estatus(nota.id)).toBe('vigente');

    const suya = await credited('485.00');
    await notas('refacturacion');
    await cancelar(suya.propia.id);
    const nueva = await facturar(suya.venta);
    await cancelar((await notaOf(suya.venta)).id);
    expect(await claimsOf(suya.venta)).toEqual([{ kind: 'individual', facturaId: nueva.id }]);
    expect(await db.selectFrom('refacturacion').select(['globalId', 'facturaId']).where('ordenId', 'in', suya.venta.ordenIds).execute()).toEqual([{ globalId: suya.enGlobal.facturaId, facturaId: nueva.id }]);
  });
});

describe('what the SAT says late', () => {
  async function enProceso() {
    await sandbox.facturacom.cancelMode('in-process');
    const factura = await facturar(await buildVenta(db, { precios: ['2360.00'] }));
    await cancelar(factura.id);
    return factura;
  }

  test('a rejection of the first request is not that of the second', async () => {
    const factura = await enProceso();
    await sandbox.facturacom.settleCancel(factura.uuid, 'rejected');
    await followCancelacion(db, factura.id);
    await sandbox.facturacom.satDice(factura.uuid, 'Solicitud rechazada');
    await cancelar(factura.id);
    expect(await followCancelacion(db, factura.id)).toBe(false);
    expect(await estatus(factura.id)).toBe('cancelando');
    await sandbox.facturacom.satDice(factura.uuid, null);
    expect(await followCancelacion(db, factura.id)).toBe(false);
    await sandbox.facturacom.settleCancel(factura.uuid, 'accepted');
    expect(await followCancelacion(db, factura.id)).toBe(true);
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('a rejection that goes on for more than a day is believed, and a late yes is still learnt for some days', async () => {
    const factura = await enProceso();
    await sandbox.facturacom.settleCancel(factura.uuid, 'rejected');
    await followCancelacion(db, factura.id);
    await sandbox.facturacom.satDice(factura.uuid, 'Solicitud rechazada');
    await cancelar(factura.id);
    await age(factura.id, 2);
    await due();
    expect(await followCancelaciones(db)).toBeGreaterThan(0);
    expect(await estatus(factura.id)).toBe('vigente');
    // It was taken for rejected, and the SAT has it after all.
    await sandbox.facturacom.satDice(factura.uuid, null);
    await due();
    await followCancelaciones(db);
    expect(await estatus(factura.id)).toBe('cancelando');
    await sandbox.facturacom.settleCancel(factura.uuid, 'accepted');
    await due();
    await followCancelaciones(db);
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('after those days nobody asks any more', async () => {
    const factura = await enProceso();
    await sandbox.facturacom.settleCancel(factura.uuid, 'rejected');
    await followCancelacion(db, factura.id);
    await age(factura.id, 6);
    await due();
    const before = await db.selectFrom('cancelacion').select('revisadaEn').where('facturaId', '=', factura.id).executeTakeFirstOrThrow();
    await followCancelaciones(db);
    expect(await db.selectFrom('cancelacion').select('revisadaEn').where('facturaId', '=', factura.id).executeTakeFirstOrThrow()).toEqual(before);
  });

  test('a request that the SAT never got is shown after two days, and asked again by a person whose name stays', async () => {
    const factura = await enProceso();
    await sql`update cancelacion set vista_en = null where factura_id = ${factura.id}`.execute(db);
    await sandbox.facturacom.satDice(factura.uuid, '');
    await followCancelacion(db, factura.id);
    const otraVez = () => pedirOtraVez(db, { facturaId: factura.id, usuarioId: sa.id, now: now() });
    expect(await says(otraVez())).toMatch(/ya no espera/);
    expect((await readCorrecciones(db, factura.id))!.cancelacion).toMatchObject({ estado: 'enProceso', sinNoticia: false });
    await age(factura.id, 3);
    await followCancelacion(db, factura.id);
    expect((await readCorrecciones(db, factura.id))!.cancelacion).toMatchObject({ estado: 'enProceso', sinNoticia: true });
    expect(await facturasPorAtender(db)).toContainEqual(expect.objectContaining({ id: factura.id, folio: `${factura.serie}-${factura.folio}`, motivo: 'sinNoticia', otra: null }));
    expect(await otraVez()).toEqual({ effectId: expect.any(String) });
    await sandbox.facturacom.satDice(factura.uuid, null);
    await settle();
    expect(await estatus(factura.id)).toBe('cancelando');
    const linea = await lineaDeFactura(db, factura.id);
    expect(linea.find(({ texto }) => texto === 'El SAT no tiene la solicitud de cancelación')).toMatchObject({ quien: 'Quien Factura' });
    expect(linea.filter(({ texto }) => texto === 'Cancelación solicitada')).toHaveLength(2);
    await sandbox.facturacom.settleCancel(factura.uuid, 'accepted');
    await followCancelacion(db, factura.id);
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('what can no longer be asked goes back to standing, with the reason', async () => {
    const factura = await enProceso();
    await sql`update cancelacion set vista_en = null where factura_id = ${factura.id}`.execute(db);
    await sandbox.facturacom.satDice(factura.uuid, '');
    await age(factura.id, 3);
    await followCancelacion(db, factura.id);
    expect(await pedirOtraVez(db, { facturaId: factura.id, usuarioId: sa.id, now: new Date('2030-01-01T00:00:00Z') })).toEqual({ impedimento: expect.stringMatching(/^El plazo para cancelar/) });
    expect(await estatus(factura.id)).toBe('vigente');
  });
});

describe('a sale whose number became that of a cart after its global', () => {
  const rename = (id: string, pack: string) => db.updateTable('orden').set({ numOrden: pack, packId: pack }).where('id', '=', id).execute();
  let packs = 0;
  const newPack = () => `2000${Date.now()}${++packs}`;

  test('gets the note its global owes', async () => {
    const venta = await unaVenta('480.00');
    await global();
    const pack = newPack();
    await rename(venta.ordenIds[0]!, pack);
    await facturar({ ...venta, numOrden: pack });
    await notas('refacturacion');
    const credited = await db.selectFrom('notaCreditoOrden').select('importe').where('ordenId', 'in', venta.ordenIds).execute();
    expect(credited.map(({ importe }) => importe.toFixed(2))).toEqual(['480.00']);
  });

  test('and that has a sister of the same global under another number: each gives back its own', async () => {
    const [una, otra] = [await unaVenta('100.00'), await unaVenta('250.50')];
    await global();
    const pack = newPack();
    await rename(una.ordenIds[0]!, pack);
    await rename(otra.ordenIds[0]!, pack);
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', otra.ordenIds).execute();
    await notas('devueltas');
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', una.ordenIds).execute();
    await notas('devueltas');
    const credited = await db.selectFrom('notaCreditoOrden').select('importe').where('ordenId', 'in', [...una.ordenIds, ...otra.ordenIds]).execute();
    expect(credited.map(({ importe }) => importe.toFixed(2)).toSorted()).toEqual(['100.00', '250.50']);
  });

  test('and whose concept nobody recognises is told aloud, not left out in silence', async () => {
    const fecha = new Date(Date.now() - 60_000);
    const pack = newPack();
    const [primera, segunda] = [await buildOrden(db, { fecha, precio: '300.00', packId: pack }), await buildOrden(db, { fecha, precio: '200.00', packId: pack })];
    await global();
    // The second is in the concept of the first, under a number that it has no longer.
    await rename(segunda.id, newPack());
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', segunda.id).execute();
    expect(await says(notas('devueltas'))).toMatch(/ningún renglón de su factura global es de esta venta/);
    expect((await readMes(db, mes)).sinNota).toContainEqual(expect.objectContaining({ motivo: 'sinConcepto' }));
    expect(await vivos(ventaDe(primera))).toHaveLength(1);
  });
});

test('while the PAC is paused a lost request is not taken for one', async () => {
  await sandbox.facturacom.cancelMode('in-process');
  const factura = await facturar(await buildVenta(db, { precios: ['2370.00'] }));
  await cancelar(factura.id);
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  await age(factura.id, 9);
  expect((await readCorrecciones(db, factura.id))!.cancelacion!.sinNoticia).toBe(false);
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
});
