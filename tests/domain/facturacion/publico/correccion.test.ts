import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { buildEnlace, post, visit } from '../../../support/builders/enlaces';
import { buildVenta, CLIENTES, type Venta } from '../../../support/builders/ventas';
import { runUntilSettled } from '../../../support/jobs';
import { crear, datos, fetchFile, NUEVO, openPublico, pasoOf, working } from '../../../support/publico';

const { db, sandbox, ana } = await openPublico();
const [MARIA] = CLIENTES;
const SUYOS = { rfc: MARIA.rfc, razonSocial: MARIA.razonSocial, cp: MARIA.cp, regimen: MARIA.regimen };
beforeEach(() => sandbox.facturacom.cancelMode('at-once'));

/** A sale that its customer invoiced through their link. */
async function facturada() {
  const venta = await buildVenta(db);
  const { id, token } = await buildEnlace(db, venta);
  await working(post(token, datos(SUYOS)));
  await post(token, crear);
  await runUntilSettled();
  return { venta, enlace: id, token };
}

async function estadoDe(token: string) {
  const { pagina } = await visit(token);
  if (pagina?.vista.tipo !== 'resultado' || pagina.vista.estado.tipo !== 'lista')
    throw new Error(`no factura: ${JSON.stringify(pagina)}`);
  return pagina.vista.estado;
}

/** 'Corregir mis datos', as the page that shows it sends it. */
async function abrir(token: string) {
  const { visto } = (await estadoDe(token)).correccion!;
  return post(token, { intent: 'corregirFactura', ...visto, version: String(visto.version) });
}
/** From the first press to the new factura, with another use of the CFDI. */
async function corregir(token: string, usoCfdi: string) {
  await abrir(token);
  await working(post(token, datos(SUYOS)));
  const asked = await post(token, { ...crear, usoCfdi });
  await runUntilSettled();
  return asked;
}
const facturasDe = ({ numOrden }: Venta) =>
  db
    .selectFrom('factura')
    .select(['id', 'uuid', 'serie', 'folio', 'rfc', 'usoCfdi', 'estatus', 'sustituyeId', 'usuarioId'])
    .where('numOrden', '=', numOrden)
    .orderBy('folio')
    .execute();

test('the holder of the link corrects what their factura says: the new one replaces it, and the old one is cancelled', async () => {
  const { venta, token } = await facturada();
  const [primera] = await facturasDe(venta);
  expect((await estadoDe(token)).correccion).toMatchObject({ quedan: 2, impedimento: null });
  expect(await abrir(token)).toMatchObject({ status: 302, to: `/facturacion/${token}?paso=1` });

  // Its fields are open with what the factura says, which is still theirs to download.
  expect(await pasoOf(token)).toMatchObject({
    sustituye: `${primera!.serie}-${primera!.folio}`,
    cliente: { modo: 'edicion', rfc: MARIA.rfc, razonSocial: MARIA.razonSocial },
  });
  expect((await fetchFile(token, 'xml')).status).toBe(200);

  await working(post(token, datos()));
  expect(await post(token, { ...crear, confirmado: '' })).toMatchObject({
    confirmar: {
      hechos: expect.stringContaining(`sustituye a la factura ${primera!.serie}-${primera!.folio}`) as string,
    },
  });
  expect(await post(token, crear)).toMatchObject({ status: 302 });
  await runUntilSettled();

  const [vieja, nueva] = await facturasDe(venta);
  expect(vieja).toMatchObject({ id: primera!.id, estatus: 'cancelada' });
  expect(nueva).toMatchObject({ rfc: NUEVO.rfc, estatus: 'vigente', sustituyeId: primera!.id, usuarioId: null });
  const { motivo, sustitutoId } = await db
    .selectFrom('cancelacion')
    .select(['motivo', 'sustitutoId'])
    .where('facturaId', '=', primera!.id)
    .executeTakeFirstOrThrow();
  expect([motivo, sustitutoId]).toEqual(['01', nueva!.id]);
  const cfdis = await sandbox.facturacom.stamped();
  expect(cfdis.find(({ folio }) => String(folio) === String(nueva!.folio))).toMatchObject({
    relacionados: [{ tipo: '04', uuids: [primera!.uuid] }],
  });

  expect(await estadoDe(token)).toMatchObject({
    folio: `${nueva!.serie}-${nueva!.folio}`,
    sustituye: `${primera!.serie}-${primera!.folio}`,
    correccion: { quedan: 1, impedimento: null },
  });
  // Staff see who asked for it, and what may still be asked for.
  expect((await readCorrecciones(db, nueva!.id))!.cliente).toMatchObject({
    pedida: true,
    quedan: 1,
    impedimento: null,
  });
  expect((await readCorrecciones(db, nueva!.id))!.sustituye).toMatchObject({ id: primera!.id });
});

test('who thinks better of it has their factura again, and what corrects nothing is not stamped', async () => {
  const { venta, token } = await facturada();
  await abrir(token);
  await working(post(token, datos(SUYOS)));
  const same = await post(token, crear);
  expect(same.status).toBe(422);
  expect(JSON.stringify(same.error)).toContain('Los datos son los mismos de la factura');
  expect(await post(token, { intent: 'dejarCorreccion' })).toMatchObject({ status: 302, to: `/facturacion/${token}` });
  expect((await estadoDe(token)).correccion).toMatchObject({ quedan: 2 });
  expect(await facturasDe(venta)).toMatchObject([{ estatus: 'vigente' }]);
});

test('twice in thirty days, through whatever links, and a refused stamp is none of them', async () => {
  const { venta, token } = await facturada();
  await sandbox.facturacom.failNext('refuse');
  await corregir(token, 'G01');
  expect(await facturasDe(venta)).toHaveLength(1);
  expect((await visit(token)).pagina?.vista).toMatchObject({ estado: { tipo: 'rechazada' } });
  // The way on from there is the same correction.
  await post(token, { intent: 'corregir', paso: '2' });
  expect(await post(token, { ...crear, usoCfdi: 'G01' })).toMatchObject({ status: 302 });
  await runUntilSettled();
  expect(await corregir(token, 'G03')).toMatchObject({ status: 302 });
  expect(await facturasDe(venta)).toHaveLength(3);

  expect((await estadoDe(token)).correccion).toMatchObject({
    quedan: 0,
    impedimento: expect.stringContaining('ya se corrigieron dos veces en 30 días') as string,
  });
  const third = await abrir(token);
  expect(third.status).toBe(422);
  expect(JSON.stringify(third.error)).toContain('dos veces en 30 días');
  // Another link of the sale made none of them, and its holder may correct nothing.
  const otro = await buildEnlace(db, venta);
  expect((await post(otro.token, { intent: 'corregirFactura', version: '0' })).status).toBe(422);
  expect((await visit(otro.token)).pagina?.vista).toMatchObject({ tipo: 'ajena' });

  await sql`update correccion_cliente set pedida_en = pedida_en - interval '31 days'`.execute(db);
  expect((await estadoDe(token)).correccion).toMatchObject({ quedan: 2, impedimento: null });
});

test('only while its month is open, also for who began before it closed', async () => {
  const { venta, token } = await facturada();
  await abrir(token);
  await working(post(token, datos()));
  await sql`update factura set fecha = fecha - interval '40 days' where num_orden = ${venta.numOrden}`.execute(db);
  const late = await post(token, crear);
  expect(late.status).toBe(422);
  expect(JSON.stringify(late.error)).toContain('ya cerró');
  await post(token, { intent: 'dejarCorreccion' });
  expect((await estadoDe(token)).correccion?.impedimento).toContain('ya cerró');
  expect((await abrir(token)).status).toBe(422);
  expect(await facturasDe(venta)).toHaveLength(1);
});

test('pressed by many at once it is one correction', async () => {
  const { venta, token } = await facturada();
  const { visto } = (await estadoDe(token)).correccion!;
  const press = { intent: 'corregirFactura', ...visto, version: String(visto.version) };
  const opened = await Promise.all([1, 2, 3, 4].map(() => post(token, press)));
  expect(opened.map(({ status }) => status)).toEqual([302, 302, 302, 302]);
  await working(post(token, datos()));
  const { visto: revisado } = await pasoOf(token, '2');
  const create = { ...crear, ...revisado, version: String(revisado.version) };
  await Promise.all([1, 2, 3, 4].map(() => post(token, create)));
  await runUntilSettled();
  expect(await facturasDe(venta)).toMatchObject([{ estatus: 'cancelada' }, { estatus: 'vigente' }]);
  expect(
    await db
      .selectFrom('correccionCliente')
      .selectAll()
      .where('factura_id' as never, 'is not', null)
      .execute(),
  ).not.toEqual([]);
  expect((await estadoDe(token)).correccion).toMatchObject({ quedan: 1 });
});

test('a link that ended, and a factura that is being cancelled, correct nothing', async () => {
  const { venta, token } = await facturada();
  await abrir(token);
  await working(post(token, datos()));
  const [factura] = await facturasDe(venta);
  await sandbox.facturacom.cancelMode('in-process');
  await requestCancelacion(db, { facturaId: factura!.id, motivo: '02', usuarioId: ana.id, now: new Date() });
  await runUntilSettled();
  const refused = await post(token, crear);
  expect(refused.status).toBe(422);
  // Why is the company's business.
  expect(JSON.stringify(refused.error)).toContain('ya no se pueden corregir aquí');

  const { token: ended, enlace: id } = await facturada();
  const { visto } = (await estadoDe(ended)).correccion!;
  await sql`update enlace set vence_en = now() - interval '1 minute' where id = ${id}`.execute(db);
  expect(await post(ended, { intent: 'corregirFactura', ...visto, version: String(visto.version) })).toMatchObject({
    status: 302,
    to: `/facturacion/${ended}`,
  });
  expect((await visit(ended)).status).toBe(404);
});
