import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Rol } from '~/access/screens';
import type { Usuario } from '~/core/usuario';
import { ordenOf } from '~/routes/ventas/ordenes/record';
import { action } from '~/routes/ventas/ordenes/lista';
import { action as ajusta, loader as ajustes } from '~/routes/operacion/conexiones/conexiones';
import { loader as imprime } from '~/routes/files/descargasGuia';
import { linkSandboxAmazon } from '../support/amazon';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { type GuiaFacts, PAQUETE, REMITENTE, sellPorEnviar } from '../support/guiasAmz';
import { runJobs, runUntilSettled } from '../support/jobs';
import { startTestSandbox } from '../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 0, ritmo: 100_000 },
});
const amz = sandbox.proveedor('amazon');
const { db } = testDatabase();
const personas = new Map<Rol, Usuario>();
const como = (rol: Rol) => personas.get(rol)!;

beforeAll(async () => {
  await amz.post('/interruptores', { limite: 'conEncabezado' });
  for (const rol of ['sa', 'user', 'cont'] as const) personas.set(rol, await buildPersona(db, rol));
  await linkSandboxAmazon(db, sandbox);
});
beforeEach(async () => {
  await sandbox.clear();
  await sql`delete from connection`.execute(db);
});

function args(body: Record<string, string> | undefined, rol: Rol = 'user', path = 'ordenes'): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body ? { method: 'POST', body: new URLSearchParams(body) } : undefined,
  );
  return { request, params: {}, context: { usuario: como(rol), ip: '::1' } as unknown as AppLoadContext };
}
type Dicho = {
  data: { error?: Record<string, string[]>; confirmar?: { texto: string; hechos?: string }; resultado?: unknown };
};
const press = (body: Record<string, string>, rol?: Rol) => action(args(body, rol)) as Promise<Response & Dicho>;
const panel = async (id: string, rol: Rol = 'user') => (await ordenOf(id, new URLSearchParams(), como(rol)))!;

test('from the settings to the printed label and back: cotizar, comprar, imprimir, cancelar', async () => {
  const venta = await sellPorEnviar(db, sandbox);
  expect(await panel(venta.id)).toMatchObject({ guia: { remitente: false, impide: null, compras: [] } });
  const settings = await ajustes(args(undefined, 'sa', 'tokens'));
  expect(settings.remitente).toEqual({ suyo: null });
  const saved = await ajusta(args({ intent: 'remitente', version: '0', ...REMITENTE }, 'sa', 'tokens'));
  expect(saved).toMatchObject({ status: 302 });
  // Another window that still shows it empty changes nothing.
  const old = await ajusta(args({ intent: 'remitente', version: '0', ...REMITENTE, nombre: 'Otra' }, 'sa', 'tokens'));
  expect(old).toMatchObject({ init: { status: 422 } });
  expect((await ajustes(args(undefined, 'sa', 'tokens'))).remitente?.suyo).toMatchObject({ nombre: 'Demo Tienda' });

  const { envio } = await panel(venta.id);
  const visto = { orden: venta.id, huella: envio!.huella };
  const cotizado = await press({ intent: 'cotizarGuia', ...visto, ...PAQUETE });
  const { cotizacion } = cotizado.data.resultado as { cotizacion: { servicios: { id: string; precio: string }[] } };
  expect(cotizacion.servicios.map(({ id, precio }) => [id, Number(precio)])).toEqual([
    ['ESTAFETA_TERRESTRE', 149],
    ['FEDEX_ECONOMICO', 174.5],
    ['DHL_EXPRESS', 261],
  ]);

  const elegido = { servicio: 'ESTAFETA_TERRESTRE', nombre: 'Terrestre', paqueteria: 'Estafeta', precio: '149.00' };
  const compra = { intent: 'comprarGuia', ...visto, ...PAQUETE, ...elegido };
  const asked = await press(compra);
  expect(asked.data.confirmar?.hechos ?? '').toContain('Estafeta Terrestre · $149.00');
  expect(await amz.get('/guias')).toEqual([]);
  const [bought] = await Promise.all([
    press({ ...compra, confirmado: '1' }),
    runUntilSettled({ connection: 'amazon' }),
  ]);
  expect(bought.status).toBe(302);
  await runJobs();
  const { guia, porImprimir } = await panel(venta.id);
  expect(guia).toMatchObject({ compras: [{ estado: 'comprada', paqueteria: 'Estafeta' }], medidas: { peso: 1500 } });
  const label = await imprime({ ...args(undefined), params: { id: porImprimir!.id } });
  expect([label.headers.get('content-type'), label.headers.get('content-disposition')]).toEqual([
    'application/pdf',
    expect.stringContaining('inline'),
  ]);

  const { huella } = (await panel(venta.id)).envio!;
  const vuelta = { intent: 'cancelarGuia', orden: venta.id, huella };
  expect((await press(vuelta)).data.confirmar?.hechos).toContain('el reembolso lo decide la paquetería');
  await Promise.all([press({ ...vuelta, confirmado: '1' }), runUntilSettled({ connection: 'amazon' })]);
  await runJobs();
  expect((await panel(venta.id)).guia?.compras).toMatchObject([{ estado: 'reembolsoPedido' }]);
  await expect(imprime({ ...args(undefined), params: { id: porImprimir!.id } })).rejects.toMatchObject({ status: 404 });
  const [sold] = await amz.get<GuiaFacts[]>('/guias');
  await amz.post(`/guias/${sold!.id}/reembolso`, { estado: 'RefundApplied' });
  expect(await press({ intent: 'revisarReembolso', orden: venta.id })).toMatchObject({ status: 302 });
  expect((await panel(venta.id)).guia?.compras).toMatchObject([{ estado: 'reembolsada' }]);
});

test('who only looks buys nothing, and what was typed wrong is told at its field', async () => {
  const venta = await sellPorEnviar(db, sandbox);
  const { envio } = await panel(venta.id);
  const visto = { orden: venta.id, huella: envio!.huella };
  for (const intent of ['cotizarGuia', 'comprarGuia', 'cancelarGuia', 'revisarReembolso'])
    expect(await press({ intent, ...visto, ...PAQUETE }, 'cont').catch((error: unknown) => error)).not.toMatchObject({
      status: 302,
    });
  const wrong = await press({ intent: 'cotizarGuia', ...visto, peso: '0', largo: '12.5', ancho: '', alto: '301' });
  expect(wrong.data.error).toMatchObject({
    peso: ['De 0.01 a 70 kg'],
    largo: ['De 1 a 300 cm, sin decimales'],
    ancho: ['Este dato es requerido'],
    alto: ['De 1 a 300 cm, sin decimales'],
  });
  expect((await amz.get<GuiaFacts[]>('/guias')).filter((one) => one.venta === venta.numOrden)).toEqual([]);
});
