/** The comparison of two periods as people and programs read it. */
import { MantineProvider } from '@mantine/core';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '~/domain/personal/sesiones.server';
import { loader } from '~/routes/cierre/reportes/grafica';
import { PorQueCambio } from '~/routes/cierre/reportes/PorQueCambio';
import { ask, get } from '../support/api';
import { buildOrden } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { buildUsuarios } from '../support/web';

const { db } = testDatabase();
let sa: string;
let aux: string;

const TITULO = 'Cámara IP de dos megapíxeles con un título de más de seis palabras';

beforeAll(async () => {
  const ids = await buildUsuarios(db);
  [sa, aux] = (await Promise.all(
    [ids.sa, ids.aux].map((id) => db.transaction().execute((trx) => openSession(trx, { id }, true))),
  )) as [string, string];
  const venta = async (day: string, pagado: string, monto: string | null) => {
    const { id } = await buildOrden(db, {
      pagado,
      titulo: TITULO,
      envio: null,
      fechaCreacion: new Date(`${day}T18:00:00Z`),
    });
    if (monto !== null)
      await db.insertInto('proveedorFactura').values({ ordenId: id, proveedor: 'syscom', folio: id, monto }).execute();
  };
  // 400.00 left in September, and 500.00 of one of two sales in October.
  await venta('2026-09-15', '1000.00', '500.00');
  await venta('2026-10-15', '1100.00', '500.00');
  await venta('2026-10-16', '1100.00', null);
  // Of August nobody knows anything.
  await venta('2026-08-15', '900.00', null);
});

const load = (query: string) =>
  loader({
    request: new Request(`http://trastienda.test/sa/grafica?${query}`),
    params: {},
    context: {},
  } as LoaderFunctionArgs);

async function page(query: string): Promise<string> {
  const { cambio, hoy } = await load(query);
  const element = <PorQueCambio cambio={cambio} hoy={hoy} />;
  const { query: ask, dataRoutes } = createStaticHandler([{ path: '*', element }]);
  const context = await ask(new Request(`http://trastienda.test/sa/grafica?${query}`));
  if (context instanceof Response) throw new Error('a page was expected');
  return renderToStaticMarkup(
    <MantineProvider>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
    </MantineProvider>,
  );
}
const text = (html: string) => html.replace(/<[^<>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the screen', () => {
  test('says both periods, of how many sales, and five causes', async () => {
    const dicho = text(await page('cambio=mes&el=2026-10-20'));
    expect(dicho).toContain('Antes: 01/09/2026 al 30/09/2026 $400.00 de 1 de 1 venta');
    expect(dicho).toContain(
      'Ahora: 01/10/2026 al 31/10/2026 $500.00 de 1 de 2 ventas · 1 queda fuera: no se sabe su utilidad',
    );
    expect(dicho).toContain('Cambio +$100.00');
    for (const nombre of ['Precio', 'Mezcla y cantidad', 'Comisión', 'Costo', 'Envío y devoluciones'])
      expect(dicho).toContain(nombre);
    // The price rose by 100.00 of which a tenth is commission's share; the commission stayed 100.00, which is a smaller one.
    expect(dicho).toMatch(/Precio \+\$90\.00 .* Comisión \+\$10\.00 /);
    expect(dicho).not.toContain('El periodo sigue');
  });

  test('opens the sales of each cause by their days, with words that a list can search', async () => {
    const html = (await page('cambio=mes&el=2026-10-20')).replaceAll('&amp;', '&');
    const links = [...html.matchAll(/href="(\/sa\/(?:llenarReporte|ordenesCanceladas)\?[^"]+)"/g)].map(
      ([, href]) => href!,
    );
    expect(links).toContain('/sa/llenarReporte?desde=2026-10-01&hasta=2026-10-31&orden=-comision');
    expect(links).toContain('/sa/llenarReporte?desde=2026-09-01&hasta=2026-09-30&orden=-factura');
    expect(links).toContain('/sa/ordenesCanceladas?desde=2026-10-01&hasta=2026-10-31');
    const deProducto = links.map((link) => new URL(link, 'http://x').searchParams.get('q')).find(Boolean);
    expect(deProducto).toBe('Cámara IP de dos megapíxeles con');
    for (const causa of ['pagado', 'utilidad', 'comision', 'factura', 'envio'])
      expect(links.filter((link) => link.endsWith(`orden=-${causa}`))).toHaveLength(2);
  });

  test('says where there is nothing, nothing known, and nothing to compare', async () => {
    expect(text(await page('cambio=dia&el=2019-05-05'))).toContain('Sin ventas en ninguno de los dos periodos.');
    const sinSaber = text(await page('cambio=mes&el=2026-09-20'));
    expect(sinSaber).toContain('$400.00');
    expect(sinSaber).toContain('Antes: 01/08/2026 al 31/08/2026 — de 0 de 1 venta');
    expect(sinSaber).toContain('De ninguna venta de antes se sabe la utilidad');
    expect(sinSaber).not.toContain('Mezcla');
    const sinAntes = text(await page('cambio=mes&el=2026-09-20&contra=anio'));
    expect(sinAntes).toContain('Antes: 01/09/2025 al 30/09/2025 $0.00 sin ventas');
    expect(sinAntes).toContain('Ningún producto se vendió en los dos periodos');
  });

  test('a period that runs says until when it is read', async () => {
    expect(text(await page('cambio=mes'))).toContain('El periodo sigue: se lee hasta las');
  });

  test('what an address gets wrong falls back, and a day that has not come is today', async () => {
    const { cambio, hoy } = await load('cambio=siglo&contra=nadie&el=2026-02-30');
    expect(cambio.pedido).toEqual({ paso: 'mes', contra: 'anterior', el: hoy });
    expect((await load('cambio=dia&el=2099-01-01')).cambio.pedido).toEqual({
      paso: 'dia',
      contra: 'mismoDia',
      el: hoy,
    });
    expect((await load('cambio=semana&contra=mismoDia')).cambio.pedido.contra).toBe('anterior');
  });
});

describe('the call', () => {
  const path = '/api/v1/reportes/cambio';

  test('says the same as the screen', async () => {
    const { status, body } = await get(`${path}?paso=mes&el=2026-10-20`, sa);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ahora: { desde: '2026-10-01', hasta: '2026-10-31', ventas: 2, conUtilidad: 1, queda: '500.00' },
      antes: { desde: '2026-09-01', hasta: '2026-09-30', queda: '400.00' },
      diferencia: '100.00',
      causas: [
        { causa: 'precio', importe: '90.00', estimada: false, productos: [{ titulo: TITULO, importe: '90.00' }] },
        { causa: 'mezcla', importe: '0.00' },
        { causa: 'comision', importe: '10.00' },
        { causa: 'costo', importe: '0.00' },
        { causa: 'envio', importe: '0.00' },
      ],
    });
    expect((await get(`${path}?paso=mes&el=2026-09-20`, sa)).body).toMatchObject({
      antes: { queda: null },
      diferencia: null,
      causas: [],
    });
  });

  test('refuses what it does not know, and whoever may not open the graph', async () => {
    expect((await get(`${path}?paso=siglo`, sa)).status).toBe(400);
    expect((await get(`${path}?el=2026-02-30`, sa)).status).toBe(400);
    expect(((await get(path, sa)).body as { causas: unknown[] }).causas).toHaveLength(5);
    expect((await ask('GET', path, { token: aux })).status).toBe(403);
  });
});
