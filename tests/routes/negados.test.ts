import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { acceptMensaje } from '~/domain/atencion/reclamos/actuarEnReclamo.server';
import { bringReclamo } from '~/domain/atencion/reclamos/reclamos.server';
import { bringPregunta } from '~/domain/atencion/preguntas/preguntas.server';
import { acceptRespuesta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { sendEnlaceByMessage } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { requestGuia } from '~/domain/ventas/envios/traerGuia.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { buildBorrador, buildClientes, buildPersona, buildVenta, REVISION } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { runJobs, runUntilSettled } from '../support/jobs';
import { fuenteDe, linkSandbox, type SaleFacts } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';
import { buildUsuarios, Web } from '../support/web';

/** A panel of something whose last call a far side refused: field, their words, our remedy, and their answer folded. */
process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let ml: Mercadolibre;
let usuarioId: string;
let sa: Usuario;
let web: Web;
let cookie: string;

beforeAll(async () => {
  await buildUsuarios(db);
  sa = await buildPersona(db);
  usuarioId = sa.id;
  ml = await linkSandbox(db, sandbox);
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId });
  await buildClientes(db);
  await runJobs();
  web = await Web.start();
  cookie = await web.session('sa');
}, 180_000);
beforeEach(async () => {
  await sandbox.clear();
  await forgetFailures(db, 'mercadolibre');
});

const page = async (path: string) => (await web.fetch(`/sa/${path}`, { cookie })).text();
/** The text of a page with its tags and React's marks taken out. */
const plain = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .split('<')
    .map((part) => part.slice(part.indexOf('>') + 1))
    .join('\n');
const atencion = () => fuenteDe(ml).open(db).atencion!;

async function sell() {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await bringNumero(db, fuenteDe(ml), sale.numOrden);
  const { id, envioId } = await db
    .selectFrom('orden')
    .select(['id', 'envioId'])
    .where('marketId', '=', sale.ordenes[0]!)
    .executeTakeFirstOrThrow();
  return { ...sale, id, envioId: envioId! };
}

/** Expects a page to show a no with its parts, the answer folded. */
function expectNegado(html: string, { campo, remedio, respuesta }: Record<'campo' | 'remedio' | 'respuesta', string>) {
  const text = plain(html);
  expect(['Campo', campo, 'Sus palabras', 'Qué hacer', remedio].filter((part) => !text.includes(part))).toEqual([]);
  const [, folded] =
    /<details class="plegable"><summary>La respuesta tal cual<\/summary><pre[^>]*>([^<]*)/.exec(html) ?? [];
  expect(folded).toContain(respuesta);
}

test('a claim shows the message that was refused, until another one leaves', { timeout: 90_000 }, async () => {
  const { ordenes } = await sell();
  const { id: marketId } = await sandbox.mercadolibre.post<{ id: string }>('/reclamos', {
    orden: ordenes[0],
    sinAviso: true,
  });
  await bringReclamo(db, 'ml', atencion(), marketId);
  const write = async () => {
    const { id, version } = await db
      .selectFrom('reclamo')
      .select(['id', 'version'])
      .where('marketId', '=', marketId)
      .executeTakeFirstOrThrow();
    const form = { reclamo: id, version, para: 'complainant' as const, texto: 'Ya va otro.', archivos: [] };
    await db.transaction().execute((trx) => acceptMensaje(trx, form, usuarioId));
    await runUntilSettled();
    return page(`reclamos?ver=${id}`);
  };
  await sandbox.mercadolibre.failNext('refuse', { route: 'actions/send-message', code: 'not_owned_order' });
  const refused = await write();
  expect(plain(refused).includes('Mensaje de un reclamo: Mercado Libre no lo aceptó.')).toBe(true);
  expectNegado(refused, { campo: 'Orden', remedio: 'Mercado Libre ya no lo tiene', respuesta: 'not_owned_order' });
  expect(plain(await write()).includes('Qué hacer')).toBe(false);
});

test(
  'the panel of a claim shows what is swapped, the cost of its return, and the forms of what may be done',
  { timeout: 90_000 },
  async () => {
    const { ordenes } = await sell();
    const { id: marketId } = await sandbox.mercadolibre.post<{ id: string }>('/reclamos', {
      orden: ordenes[0],
      tipo: 'change',
      cambio: 'change',
      conDevolucion: true,
      sinAviso: true,
    });
    const read = async (more = '') => {
      await bringReclamo(db, 'ml', atencion(), marketId);
      const { id } = await db
        .selectFrom('reclamo')
        .select('id')
        .where('marketId', '=', marketId)
        .executeTakeFirstOrThrow();
      return plain(await page(`reclamos?ver=${id}${more}`));
    };
    const missing = (text: string, parts: string[]) => parts.filter((part) => !text.includes(part));
    const before = await read();
    expect(
      missing(before, ['Qué se cambia', 'falta la devolución', 'Envío del nuevo', 'Costo de la devolución']),
    ).toEqual([]);
    expect(missing(before, ['Ofrecer otro igual', '$120.00'])).toHaveLength(2);
    await sandbox.mercadolibre.post(`/reclamos/${marketId}`, {
      costo: 120,
      ofrece: ['allow_replace', 'return_review_fail'],
    });
    expect(missing(await read(), ['Ofrecer otro igual', 'Objetar lo devuelto', '$120.00'])).toEqual([]);
    const form = await read('&editar=objetar');
    expect(missing(form, ['Qué tiene de malo', 'Llegó dañado (con evidencia)', 'Cómo llegó', 'Evidencia'])).toEqual([]);
  },
);

test('a question shows the answer that was refused, and not what was read after it', { timeout: 90_000 }, async () => {
  const asked = await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text: '¿Hay?', sinAviso: true });
  await bringPregunta(db, 'ml', atencion(), asked.id);
  const { id, version } = await db
    .selectFrom('pregunta')
    .select(['id', 'version'])
    .where('marketId', '=', asked.id)
    .executeTakeFirstOrThrow();
  await sandbox.mercadolibre.failNext('refuse', { route: 'POST /answers', code: 'invalid_post_body' });
  await db.transaction().execute((trx) => acceptRespuesta(trx, { pregunta: id, version, texto: 'Sí.' }, usuarioId));
  await runUntilSettled();
  const remedio = 'El texto está vacío o lleva algo que no se admite.';
  expectNegado(await page(`preguntas?ver=${id}`), { campo: 'Respuesta', remedio, respuesta: 'invalid_post_body' });
});

test('a sale shows a refused message in its history, and so does the board', { timeout: 90_000 }, async () => {
  const { id, numOrden } = await sell();
  await sandbox.mercadolibre.failNext('refuse', { route: 'action_guide', code: 'order_not_found' });
  await sendEnlaceByMessage(db, { numero: numOrden, usuarioId });
  await runUntilSettled();
  const dicho = { campo: 'Orden', remedio: 'Mercado Libre ya no lo tiene', respuesta: 'order_not_found' };
  expectNegado(await page(`ordenes?ver=${id}`), dicho);
  expectNegado(await page('pendientes'), dicho);
  expectNegado(await page('enlaces'), dicho);
});

test('who gets what is written in a sale is told where its messages are read', { timeout: 90_000 }, async () => {
  const { id, numOrden } = await sell();
  const titulo = 'Los mensajes van al asistente de Mercado Libre, no al comprador';
  const read = async () => plain(await page(`ordenes?ver=${id}&editar=mensajes`));
  await sandbox.mercadolibre.post('/mensajes', { numOrden, text: '¿Me facturan?' });
  const buyer = await read();
  expect([buyer.includes('¿Me facturan?'), buyer.includes(titulo)]).toEqual([true, false]);
  await sandbox.mercadolibre.post('/mensajes', { numOrden, agente: 'path', text: 'Hola.' });
  const agent = await read();
  expect([agent.includes(titulo), agent.includes('Ya puede recibir otro.')]).toEqual([true, true]);
});

test('a shipment shows the label that was refused', { timeout: 90_000 }, async () => {
  const { ordenes, envioId } = await sell();
  await sandbox.mercadolibre.post(`/ordenes/${ordenes[0]}/actualizar`, {
    status: 'ready_to_ship',
    substatus: 'ready_to_print',
    sinAviso: true,
  });
  await sql`update envio set estatus = 'ready_to_ship', subestatus = 'ready_to_print' where id = ${envioId}`.execute(
    db,
  );
  await sandbox.mercadolibre.failNext('refuse', { route: 'shipment_labels', code: 'forbidden' });
  await db.transaction().execute((trx) => requestGuia(trx, envioId, usuarioId));
  await runUntilSettled();
  expectNegado(await page(`envios?ver=${envioId}`), {
    campo: 'Permiso',
    remedio: 'Revisa en Activación de API',
    respuesta: 'forbidden',
  });
});

test('a factura shows the cancellation that was refused', { timeout: 90_000 }, async () => {
  const draft = await buildBorrador(db, await buildVenta(db), sa);
  const effectId = await db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: sa.id,
      now: new Date(),
    }),
  );
  await runUntilSettled();
  const { id } = await db.selectFrom('factura').select('id').where('effectId', '=', effectId).executeTakeFirstOrThrow();
  await sandbox.facturacom.cancelMode('reject');
  await requestCancelacion(db, { facturaId: id, motivo: '02', usuarioId: sa.id, now: new Date() });
  await runUntilSettled();
  expectNegado(await page(`facturasClientes?ver=${id}`), {
    campo: 'Cancelación',
    remedio: 'Abre la factura',
    respuesta: 'rechazó',
  });
});
