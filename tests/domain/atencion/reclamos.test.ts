import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { enPesos } from '~/core/importe';
import { destinatariosOfReclamo } from '~/domain/atencion/reclamos/mailReclamo.server';
import { askCorreo, askResolve, type Resolucion } from '~/domain/atencion/reclamos/reclamo';
import { acceptMensaje, acceptResolucion, pesosOf } from '~/domain/atencion/reclamos/actuarEnReclamo.server';
import { tellPlazos } from '~/domain/atencion/reclamos/tellPlazos.server';
import { objecionDe, PLAZOS_DE_RECLAMO, tipoDe } from '~/domain/atencion/reclamos/reclamo';
import { esperanReclamos } from '~/domain/atencion/reclamos/esperanReclamos.server';
import { reclamosPorAtender } from '~/domain/atencion/reclamos/internal/colaReclamos.server';
import { reclamosList } from '~/domain/atencion/reclamos/listReclamos.server';
import { bringReclamo } from '~/domain/atencion/reclamos/reclamos.server';
import { isCambioFallido } from '~/domain/atencion/reclamos/palabrasDeReclamo';
import { fetchMotivosDeObjecion, openReclamo } from '~/domain/atencion/reclamos/reclamoAbierto.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { relojOf } from '~/platform/hoy/reloj';
import { effectView } from '~/platform/effects/effects.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { drainInbox, receiveNotice } from '~/domain/sync/inbox.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { buildOrden } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';
import { runUntilSettled } from '../../support/jobs';
import { buildUsuario, fuenteDe, linkSandbox, type SaleFacts } from '../../support/mercadolibre';
import { setPace } from '../../support/pac';
import { startTestSandbox } from '../../support/sandbox';

setPace(0.02);
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let ml: Mercadolibre;
let usuarioId: string;

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
  usuarioId = (await buildUsuario(db)).id;
});
beforeEach(async () => {
  await sandbox.clear();
  await forgetFailures(db, 'mercadolibre');
});

const there = (id: string) =>
  sandbox.mercadolibre.get<{
    status: string;
    stage: string;
    reviewed?: unknown;
    asked: { resolution: string }[];
    messages: { from: string; text: string }[];
  }>(`/reclamos/${id}`);
const atencion = () => fuenteDe(ml).open(db).atencion!;
async function claim(more: Record<string, unknown> = {}) {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await bringNumero(db, fuenteDe(ml), sale.numOrden);
  const { id } = await sandbox.mercadolibre.post<{ id: string }>('/reclamos', {
    orden: sale.ordenes[0],
    sinAviso: true,
    ...more,
  });
  return { marketId: id, sale };
}
const row = (marketId: string) =>
  db.selectFrom('reclamo').selectAll().where('marketId', '=', marketId).executeTakeFirstOrThrow();
async function opened(more: Record<string, unknown> = {}) {
  const { marketId, sale } = await claim(more);
  await bringReclamo(db, 'ml', atencion(), marketId);
  return { ...(await row(marketId)), sale };
}
const write = (reclamo: { id: string; version: number }, texto: string, archivos: File[] = []) =>
  db
    .transaction()
    .execute((trx) =>
      acceptMensaje(
        trx,
        { reclamo: reclamo.id, version: reclamo.version, para: 'complainant', texto, archivos },
        usuarioId,
      ),
    );
const resolve = (
  reclamo: { id: string; version: number },
  resolucion: Resolucion,
  porcentaje?: number,
  objecion: { motivo?: string; texto?: string; archivos?: File[] } = {},
) =>
  db
    .transaction()
    .execute((trx) =>
      acceptResolucion(
        trx,
        { reclamo: reclamo.id, version: reclamo.version, resolucion, porcentaje, archivos: [], ...objecion },
        usuarioId,
      ),
    );

test('a change and a replacement are read as what they are, in both spellings', async () => {
  const spelled = async (more: Record<string, unknown>) => tipoDe((await opened(more)).tipo);
  expect(await spelled({ tipo: 'change', cambio: 'changes', conDevolucion: true })).toBe('Cambio');
  expect(await spelled({ cambio: 'changes', conDevolucion: true })).toBe('Reemplazo');
  expect(await spelled({ cambio: 'change' })).toBe('Reemplazo');
  expect(await spelled({ conDevolucion: true })).toBe('Reclamo');
});

test('what is swapped, how far it is, and the sale that it made stand in the claim', async () => {
  const { id, marketId } = await opened({ tipo: 'change', cambio: 'changes', conDevolucion: true });
  const item = { publicacionId: expect.stringMatching(/^MLM/), cantidad: 1 };
  const antes = { tipo: 'change', estado: 'pending', detalle: 'return_pending', ordenes: [], envios: [] };
  expect((await openReclamo(db, id))!.cambios).toMatchObject([{ ...antes, articulos: [item] }]);

  // The new sale is a real order of its own: only the claim ties both.
  const nueva = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await bringNumero(db, fuenteDe(ml), nueva.numOrden);
  await sandbox.mercadolibre.post(`/reclamos/${marketId}`, {
    cambio: { status: 'purchase_delayed', detail: 'by_expiration', orderId: Number(nueva.ordenes[0]) },
  });
  await bringReclamo(db, 'ml', atencion(), marketId);
  const [cambio] = (await openReclamo(db, id))!.cambios;
  expect(cambio).toMatchObject({
    estado: 'purchase_delayed',
    devolucionId: expect.any(String),
    ordenes: [{ marketId: nueva.ordenes[0], id: expect.any(String) }],
    envios: [expect.any(String)],
  });
  expect(isCambioFallido(cambio!)).toBe(false);
  for (const fallido of [
    { estado: 'failed', detalle: null },
    { estado: 'change_failed', detalle: null },
    { estado: 'pending', detalle: 'shipment_fw_lost' },
    { estado: 'algo', detalle: 'purchase_return_lost' },
  ])
    expect(isCambioFallido(fallido)).toBe(true);
  expect(isCambioFallido({ estado: 'return_shipped', detalle: 'return_created' })).toBe(false);

  // What cannot be read now stays as it was.
  await sandbox.mercadolibre.failNext('refuse', { route: `/claims/${marketId}/changes` });
  await bringReclamo(db, 'ml', atencion(), marketId);
  expect((await openReclamo(db, id))!).toMatchObject({ cambios: [{ estado: 'purchase_delayed' }] });
  expect((await row(marketId)).sinLeer.join()).toMatch(/cambio/);
});

test('what a return costs us is told before the decision, and unknown is no zero', async () => {
  const { id, marketId, version } = await opened({ conDevolucion: true, tipo: 'returns' });
  const asked = { reclamo: id, version, resolucion: 'allow-return' as const };
  const question = async () =>
    askResolve({ ...(await pesosOf(db, asked))!, resolucion: 'allow-return', monto: null }).hechos;
  expect((await openReclamo(db, id))!.costoDevolucion).toBeNull();
  expect(await question()).toContain('todavía no dice lo que nos cuesta la devolución');
  await sandbox.mercadolibre.post(`/reclamos/${marketId}`, { costo: 89.5 });
  await bringReclamo(db, 'ml', atencion(), marketId);
  expect(String((await openReclamo(db, id))!.costoDevolucion)).toBe('89.50');
  expect(await question()).toContain('La devolución nos cuesta $89.50.');
  await sandbox.mercadolibre.failNext('503', { route: 'return-cost', times: 5 });
  await bringReclamo(db, 'ml', atencion(), marketId).catch(() => undefined);
  expect(String((await row(marketId)).costoDevolucion)).toBe('89.50');
});

test.each(['reset-after-doing', 'reset'] as const)(
  'a replacement is offered once, only where the claim names it, and is one once the buyer takes it (%s)',
  async (mode) => {
    await expect(resolve(await opened(), 'allow-replace')).rejects.toThrow('ya no ofrece «Ofrecer otro igual»');
    const reclamo = await offered('allow_replace');
    expect(
      askResolve({
        ...(await pesosOf(db, { reclamo: reclamo.id, resolucion: 'allow-replace' }))!,
        resolucion: 'allow-replace',
        monto: null,
      }).hechos,
    ).toContain('le ofrece al comprador otro igual');
    await sandbox.mercadolibre.failNext(mode, { route: 'expected-resolutions/allow-replace' });
    const effectId = await resolve(reclamo, 'allow-replace');
    await runUntilSettled();
    const { asked } = await there(reclamo.marketId);
    expect(asked).toHaveLength(mode === 'reset' ? 0 : 1);
    // The list of what was asked for is told by every second claim; elsewhere people decide.
    const told = Number(reclamo.marketId) % 2 === 0;
    expect((await effectView(db, effectId))?.state).toBe(mode !== 'reset' && told ? 'done' : 'manual');
    if (mode === 'reset') return;
    await sandbox.mercadolibre.post(`/reclamos/${reclamo.marketId}`, { acepta: 'change' });
    await bringReclamo(db, 'ml', atencion(), reclamo.marketId);
    expect(await row(reclamo.marketId)).toMatchObject({ tipo: 'replace', estatus: 'abierto' });
    expect((await openReclamo(db, reclamo.id))!.cambios).toMatchObject([{ tipo: 'replace' }]);
  },
);

test('a claim comes by its notice with its day, its order, its messages and its return', async () => {
  const { marketId, sale } = await claim({ deEnvio: true, conDevolucion: true, tipo: 'returns', horas: 30 });
  await receiveNotice(db, 'mercadolibre', { topic: 'post_purchase', resource: `/claims/${marketId}` });
  await drainInbox(db, { fuenteOf: () => fuenteDe(ml) });
  const { id } = await row(marketId);
  const reclamo = (await openReclamo(db, id))!;
  expect(reclamo).toMatchObject({
    numOrden: sale.numOrden,
    recurso: 'shipment',
    tipo: 'returns',
    responsable: 'vendedor',
    sinLeer: [],
  });
  expect(Math.round((reclamo.venceEn!.getTime() - Date.now()) / 3_600_000)).toBe(30);
  expect(reclamo.mensajes).toMatchObject([
    { de: 'comprador', texto: 'Llegó con el lente roto.', adjuntos: ['foto.jpg'] },
  ]);
  expect(reclamo.devoluciones).toMatchObject([{ estatus: 'label_generated', envios: [{ guia: 'DEV123' }] }]);
  expect(reclamo.acciones[0]).toMatchObject({ accion: 'send_message_to_complainant', obligatoria: true });
});

test('what no notice told is swept in, and what is not new is not asked for again', async () => {
  const { marketId } = await claim();
  const run = () => syncVentas(db, fuenteDe(ml), { kind: 'atencion' });
  await sandbox.mercadolibre.failNext('refuse', { route: `/claims/${marketId}` });
  expect(await run()).toMatchObject({ failed: 1 });
  await run();
  expect(await row(marketId)).toMatchObject({ estatus: 'abierto' });
  expect(await run()).toMatchObject({ written: 0, failed: 0 });
});

test('a detail that cannot be read keeps what we held, and says so', async () => {
  const reclamo = await opened();
  await sandbox.mercadolibre.failNext('refuse', { route: `/claims/${reclamo.marketId}/messages` });
  await bringReclamo(db, 'ml', atencion(), reclamo.marketId);
  const after = await row(reclamo.marketId);
  expect(after.mensajes).toEqual(reclamo.mensajes);
  expect(after.sinLeer.join()).toMatch(/mensajes/);
});

test.each(['reset-after-doing', '500-after-doing'])(
  'a message whose answer was lost (%s) is found there',
  async (mode) => {
    const reclamo = await opened();
    await sandbox.mercadolibre.failNext(mode, { route: 'actions/send-message' });
    const effectId = await write(reclamo, 'Lo sentimos,\nte mandamos otro.');
    await expect(write(reclamo, 'Otra')).rejects.toThrow('Otro mensaje va en camino');
    expect((await openReclamo(db, reclamo.id))!.enCamino).toMatchObject([
      { texto: 'Lo sentimos,\nte mandamos otro.', quien: expect.any(String) as string },
    ]);
    await runUntilSettled();
    expect((await effectView(db, effectId))?.state).toBe('done');
    expect((await there(reclamo.marketId)).messages.filter(({ from }) => from === 'respondent')).toHaveLength(1);
  },
);

const JPG = Buffer.from('\xff\xd8\xff\xe0 una foto', 'latin1');
const file = (name: string, bytes = JPG) => new File([new Uint8Array(bytes)], name, { type: 'text/html' });

test('evidence goes with its message once, as what it is, and stands in the claim at once', async () => {
  const reclamo = await opened();
  // A file that may not have arrived changes nothing there: it is sent again.
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: '/attachments' });
  await write(reclamo, 'Así salió de aquí.', [file('caja.jpg'), file('guía', Buffer.from('%PDF-1.7'))]);
  await runUntilSettled();
  const { mensajes } = (await openReclamo(db, reclamo.id))!;
  const nuestros = mensajes.filter(({ de }) => de === 'vendedor');
  expect(nuestros).toMatchObject([{ texto: 'Así salió de aquí.' }]);
  expect(nuestros[0]!.adjuntos).toEqual([expect.stringMatching(/caja\.jpg$/), expect.stringMatching(/gu.+a\.pdf$/)]);
  const again = await row(reclamo.marketId);
  await expect(write(again, 'Otra', [file('virus.exe', Buffer.from('MZ'))])).rejects.toThrow('fotos JPG o PNG');
  expect((await sql`select 1 from archivo where nombre like 'virus%'`.execute(db)).rows).toEqual([]);
});

test('a claim that cannot be read after a message keeps what we held, and the message is done', async () => {
  const reclamo = await opened();
  await sandbox.mercadolibre.failNext('refuse', {
    route: `GET /post-purchase/v1/claims/${reclamo.marketId}`,
    times: 6,
  });
  const effectId = await write(reclamo, 'Va otro.');
  await runUntilSettled();
  expect((await effectView(db, effectId))?.state).toBe('done');
  expect((await row(reclamo.marketId)).mensajes).toEqual(reclamo.mensajes);
});

test('a refund says what it does in pesos, is made once, and an unclear one is found', async () => {
  const reclamo = await opened();
  const asked = { reclamo: reclamo.id, version: reclamo.version };
  const part = await pesosOf(db, { ...asked, resolucion: 'partial-refund', porcentaje: 25 });
  expect(Number(part!.monto)).toBeCloseTo(reclamo.sale.productos / 4, 2);
  expect(String((await pesosOf(db, { ...asked, resolucion: 'refund' }))!.pagado)).toBe(reclamo.sale.total.toFixed(2));
  await expect(resolve(reclamo, 'partial-refund', 33)).rejects.toThrow('Elige una de las partes');
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: 'expected-resolutions/refund' });
  const effectId = await resolve(reclamo, 'refund');
  await expect(resolve(reclamo, 'allow-return')).rejects.toThrow('Otra resolución va en camino.');
  await runUntilSettled();
  expect((await effectView(db, effectId))?.state).toBe('done');
  expect((await there(reclamo.marketId)).asked).toHaveLength(1);
  // What it became is known at once, before any notice of it.
  expect(await row(reclamo.marketId)).toMatchObject({ estatus: 'cerrado', acciones: [] });
  await expect(resolve(reclamo, 'refund')).rejects.toThrow();
  await expect(resolve(await row(reclamo.marketId), 'refund')).rejects.toThrow('ya no ofrece «Devolver el dinero»');
});

/** What the marketplace offers of it from now on. */
async function offered(accion: string, more: Record<string, unknown> = {}) {
  const { marketId } = await claim(more);
  await sandbox.mercadolibre.post(`/reclamos/${marketId}`, { ofrece: [accion], sinAviso: true });
  await bringReclamo(db, 'ml', atencion(), marketId);
  return row(marketId);
}

test.each(['reset-after-doing', 'reset'] as const)(
  'a mediation is asked for once and says what is at stake (%s)',
  async (mode) => {
    const reclamo = await offered('open_dispute');
    const asked = { reclamo: reclamo.id, version: reclamo.version, resolucion: 'open-dispute' as const };
    const { marketId, pagado } = (await pesosOf(db, asked))!;
    const { hechos } = askResolve({ resolucion: 'open-dispute', marketId, pagado, monto: null, costoDevolucion: null });
    expect(hechos).toContain(`los ${enPesos(pagado!.toFixed(2))} que pagó el comprador`);
    await sandbox.mercadolibre.failNext(mode, { route: 'actions/open-dispute' });
    const effectId = await resolve(reclamo, 'open-dispute');
    await runUntilSettled();
    const { stage } = await there(reclamo.marketId);
    // One that provably is not there goes to people: nobody else asks twice.
    expect([(await effectView(db, effectId))?.state, stage]).toEqual(
      mode === 'reset' ? ['manual', 'claim'] : ['done', 'dispute'],
    );
    if (mode === 'reset') return;
    expect(await row(reclamo.marketId)).toMatchObject({ etapa: 'dispute' });
    await expect(resolve(await row(reclamo.marketId), 'open-dispute')).rejects.toThrow(
      'ya no ofrece «Pedir mediación»',
    );
  },
);

test('what came back is said to be all right once, and only where it is known what came back', async () => {
  const reclamo = await offered('return_review_ok', { conDevolucion: true, tipo: 'returns', deEnvio: true });
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: 'return-review' });
  const effectId = await resolve(reclamo, 'return-review');
  await runUntilSettled();
  expect((await effectView(db, effectId))?.state).toBe('done');
  expect((await there(reclamo.marketId)).reviewed).toEqual({});
  expect(await row(reclamo.marketId)).toMatchObject({ estatus: 'cerrado' });
  const sinDevolucion = await offered('return_review_ok');
  await expect(resolve(sinDevolucion, 'return-review')).rejects.toThrow('Revísala en la tienda');
});

test('what came back is objected to once, with its reason and the evidence that the reason asks for', async () => {
  const reclamo = await offered('return_review_fail', { conDevolucion: true, tipo: 'returns', deEnvio: true });
  const { motivos, fallo } = await fetchMotivosDeObjecion(db, reclamo);
  expect([fallo, motivos.map(objecionDe)]).toEqual([
    null,
    expect.arrayContaining(['Llegó dañado', 'Llegó incompleto']),
  ]);
  const foto = new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'roto.png');
  const object = (objecion: Parameters<typeof resolve>[3]) =>
    resolve(reclamo, 'return-review-fail', undefined, objecion);
  await expect(object({ texto: 'Roto.' })).rejects.toThrow('Elige qué tiene de malo');
  await expect(object({ motivo: 'SRF2' })).rejects.toThrow('Escribe qué tiene de malo');
  await expect(object({ motivo: 'SRF2', texto: 'Roto.' })).rejects.toThrow('pide fotos');
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: 'return-review' });
  const effectId = await object({ motivo: 'SRF2', texto: 'Roto.', archivos: [foto] });
  await runUntilSettled();
  expect((await effectView(db, effectId))?.state).toBe('done');
  expect((await there(reclamo.marketId)).reviewed).toEqual([
    { reason: 'SRF2', message: 'Roto.', attachments: [expect.stringContaining('roto.png')] },
  ]);
  expect(await row(reclamo.marketId)).toMatchObject({ estatus: 'abierto' });
  await expect(resolve(await opened(), 'return-review-fail')).rejects.toThrow('ya no ofrece «Objetar lo devuelto»');

  // The outcome of the objection is told in the claim.
  const revisiones = async () => (await openReclamo(db, reclamo.id))!.devoluciones[0]!.revisiones!;
  const vacia = { producto: null, destino: null, favorece: null, faltan: null };
  expect(await revisiones()).toEqual([
    { ...vacia, etapa: 'pending', resultado: null, deNosotros: 'failed', motivo: 'SRF2' },
  ]);
  const decided = {
    stage: 'closed',
    status: 'failed',
    product_condition: 'unsaleable',
    product_destination: 'seller',
    benefited: 'seller',
  };
  await sandbox.mercadolibre.post(`/reclamos/${reclamo.marketId}`, { revision: decided, sinAviso: true });
  // A review that cannot be read leaves the one that is known, and the claim is read again.
  await sandbox.mercadolibre.failNext('503', { route: '/reviews', times: 5 });
  await bringReclamo(db, 'ml', atencion(), reclamo.marketId);
  expect((await revisiones())[0]!.resultado).toBeNull();
  expect((await row(reclamo.marketId)).sinLeer).not.toEqual([]);
  await sandbox.clear();
  await forgetFailures(db, 'mercadolibre');
  await bringReclamo(db, 'ml', atencion(), reclamo.marketId);
  expect(await revisiones()).toEqual([
    {
      ...{ etapa: 'closed', resultado: 'failed', deNosotros: 'failed', motivo: 'SRF2', faltan: null },
      ...{ producto: 'unsaleable', destino: 'seller', favorece: 'seller' },
    },
  ]);
});

test('a return that nobody reviews yet has no outcome, and is read whole', async () => {
  const { id, sinLeer } = await opened({ conDevolucion: true, tipo: 'returns' });
  expect([(await openReclamo(db, id))!.devoluciones[0]!.revisiones, sinLeer]).toEqual([[], []]);
});

test('the question before a letter names whom it goes to', async () => {
  const reclamo = await opened();
  const { proveedor } = await db
    .selectFrom('articulo')
    .innerJoin('orden', 'orden.id', 'articulo.ordenId')
    .select('articulo.proveedor')
    .where('orden.marketId', '=', reclamo.ordenMarketId!)
    .executeTakeFirstOrThrow();
  await db.updateTable('proveedor').set({ email: 'ventas@suyo.mx' }).where('value', '=', proveedor!).execute();
  const { hechos } = askCorreo(await destinatariosOfReclamo(db, reclamo.id));
  expect(hechos).toMatch(/^Se envía a .+ \(ventas@suyo\.mx\)\. Dice lo que el comprador reclama\.$/);
});

test('what is proven absent is sent again by a person alone: money goes back once', async () => {
  const reclamo = await opened();
  await sandbox.mercadolibre.failNext('reset', { route: 'expected-resolutions/partial-refund' });
  const effectId = await resolve(reclamo, 'partial-refund', 10);
  await runUntilSettled();
  expect((await effectView(db, effectId))?.state).toBe('manual');
  expect((await there(reclamo.marketId)).asked).toEqual([]);
});

test('the panel of a sale says which claims of it wait for us, and no other', async () => {
  const [espera, cerrado, ajeno] = [await opened({ horas: 30 }), await opened(), await opened()];
  const venta = await buildOrden(db);
  const { marketId } = await db
    .selectFrom('orden')
    .select('marketId')
    .where('id', '=', venta.id)
    .executeTakeFirstOrThrow();
  const de = (id: string) => db.updateTable('reclamo').where('id', '=', id);
  await de(espera.id).set({ ordenMarketId: marketId, responsable: 'vendedor' }).execute();
  await de(cerrado.id).set({ ordenMarketId: marketId, estatus: 'cerrado' }).execute();
  await de(ajeno.id).set({ ordenMarketId: 'otra' }).execute();
  expect(await esperanReclamos(db, { market: 'ml', numOrden: venta.numOrden })).toMatchObject([
    { paso: 'reclamo', de: espera.id, plazo: { vence: espera.venceEn }, pantalla: `reclamos?ver=${espera.id}` },
  ]);
});

test('a day that comes near is written about once per warning, to its owner, and again when the day moves', async () => {
  await db.deleteFrom('reclamo').execute();
  await sql`update usuario set email = 'duena@trastienda.test' where id = ${usuarioId}`.execute(db);
  await db.updateTable('usuario').set({ activo: false }).where('id', '<>', usuarioId).execute();
  const otro = await buildUsuario(db, 'admin');
  const reclamo = await opened({ horas: 60 });
  const letters = async () =>
    (await db.selectFrom('effect').select(['request']).where('type', '=', 'reclamo.aviso').orderBy('id').execute()).map(
      ({ request }) => request as { horas: number; emails: string[]; texto: string },
    );
  const vence = async (cuando: string) => {
    await sql`update reclamo set vence_en = now() + ${cuando}::interval where id = ${reclamo.id}`.execute(db);
    return tellPlazos(db);
  };
  expect(await tellPlazos(db)).toBe(0);
  expect(await vence('47 hours')).toBe(1);
  // Nobody's: everybody who sees to claims is told, each with an address that opens for them.
  const [uno, dos] = (await letters()).sort(
    (a, b) => Number(b.texto.includes('/sa/')) - Number(a.texto.includes('/sa/')),
  );
  expect(uno).toMatchObject({ horas: 48, emails: ['duena@trastienda.test'] });
  expect(uno!.texto).toContain(`/sa/reclamos?ver=${reclamo.id}`);
  expect(uno!.texto).toMatch(/Vence el \d\d\/\d\d\/\d{4} a las \d\d:\d\d\./);
  expect(dos!.texto).toContain('/admin/reclamos?ver=');
  await db.updateTable('usuario').set({ activo: false }).where('id', '=', otro.id).execute();
  const { cosas } = await reclamosPorAtender.mira(db, {
    ahora: new Date(),
    limite: 4,
    aparte: [],
    quien: { id: usuarioId, rol: 'sa' },
  });
  expect(cosas).toHaveLength(1);
  await db.insertInto('encargo').values({ cola: 'reclamos', cosa: cosas[0]!.id, duenoId: usuarioId }).execute();
  // Two are due at once: the most urgent is told, and neither again.
  expect(await vence('23 hours')).toBe(1);
  expect(await tellPlazos(db)).toBe(0);
  await vence('3 hours');
  await vence('-1 minute');
  expect((await letters()).slice(2).map(({ horas }) => horas)).toEqual([24, 4, 0]);
  expect((await letters()).at(-1)!.emails).toEqual(['duena@trastienda.test']);
  await sql`update reclamo set estatus = 'cerrado', vence_en = now() - interval '2 minutes' where id = ${reclamo.id}`.execute(
    db,
  );
  expect(await tellPlazos(db)).toBe(0);

  await sql`delete from aviso_plazo where vence_en > now()`.execute(db);
  // It went by between two looks, and the marketplace has ended it by then: that it was lost is told all the same.
  await sql`update reclamo set estatus = 'abierto', vence_en = now() + interval '4 minutes' where id = ${reclamo.id}`.execute(
    db,
  );
  await tellPlazos(db);
  await sql`update aviso_plazo set vence_en = now() - interval '1 minute' where vence_en > now()`.execute(db);
  const ended = (motivo: string) =>
    sql`update reclamo set estatus = 'cerrado', vence_en = null, resolucion = ${JSON.stringify({ motivo })} where id = ${reclamo.id}`.execute(
      db,
    );
  await ended('payment_refunded');
  expect(await tellPlazos(db)).toBe(0);
  await ended('respondent_timeout');
  expect(await tellPlazos(db)).toBe(1);
  expect(await tellPlazos(db)).toBe(0);
  expect((await letters()).at(-1)!.texto).toMatch(/Venció el /);
});

test('the clock of a claim is looked at two days before its day, however lately it was told of', () => {
  const ahora = new Date('2026-11-23T12:00:00Z');
  const at = (horas: number) =>
    relojOf(
      { desde: new Date(ahora.getTime() - 60_000), vence: new Date(ahora.getTime() + horas * 3_600_000) },
      PLAZOS_DE_RECLAMO,
      ahora,
    );
  expect([at(60).tono, at(47).tono, at(3).tono, at(-1).tono]).toEqual(['neutro', 'aviso', 'aviso', 'mal']);
  expect(at(3).texto).toBe('quedan 3 h');
  expect(at(-1).texto).toBe('Vencido hace 1 h');
});

test('what we decided is no work while it is on its way; a lost answer is', async () => {
  const reclamo = await opened();
  const listed = async () => {
    const filtro = reclamosList.parse(new URLSearchParams('cuales=nuestros'));
    return (await reclamosList.first(db, filtro)).filas.some(({ id }) => id === reclamo.id);
  };
  const onHoy = async () => {
    const { cosas } = await reclamosPorAtender.mira(db, {
      ahora: new Date(),
      limite: 99,
      aparte: [],
      quien: { id: usuarioId, rol: 'sa' },
    });
    return cosas.some(({ a }) => a.endsWith(reclamo.id));
  };
  expect([await listed(), await onHoy()]).toEqual([true, true]);
  const effectId = await write(reclamo, 'Ya va en camino.');
  expect([await listed(), await onHoy()]).toEqual([false, false]);
  await sql`update effect set state = 'unknown' where id = ${effectId}`.execute(db);
  expect([await listed(), await onHoy()]).toEqual([true, true]);
});
