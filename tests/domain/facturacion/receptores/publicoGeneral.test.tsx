import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { expect, test } from 'vitest';
import { loader } from '~/routes/facturacion/receptores/lista';
import { ClienteFicha, type ClienteAbierto } from '~/routes/facturacion/receptores/ClienteFicha';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

/** The record of an RFC under that name, opened to be edited: what its screen knows of it, and the panel that shows it. */
async function opened(razonSocial: string) {
  const { id } = await db
    .insertInto('clienteFiscal')
    .values({ rfc: 'XAXX010101000', razonSocial, cp: '42501', regimen: '616', usoCfdi: 'S01', emails: [] })
    .returning('id')
    .executeTakeFirstOrThrow();
  const usuario = await buildPersona(db, 'admin');
  const { abierto } = await loader({
    request: new Request(`http://trastienda.test/admin/datosFiscales?ver=${id}&editar=1`),
    params: {},
    context: { usuario } as unknown as AppLoadContext,
  } as LoaderFunctionArgs);
  const ficha = abierto as ClienteAbierto;
  const panel = <ClienteFicha ficha={{ ...ficha, editar: false }} area="/admin" cambio={false} />;
  const routes = [{ path: '*', element: panel }];
  const context = await createStaticHandler(routes).query(new Request('http://trastienda.test/admin/datosFiscales'));
  if (context instanceof Response) throw context;
  const html = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
  return { editar: ficha.editar, html };
}

test('PUBLICO EN GENERAL is shown and offered to nobody to edit, whatever the address asks', async () => {
  const publico = await opened('PUBLICO EN GENERAL');
  expect([publico.editar, publico.html.includes('>Editar<')]).toEqual([false, false]);
  expect(publico.html).toContain('no se modifica');
  const pedro = await opened('PEDRO LOPEZ');
  expect([pedro.editar, pedro.html.includes('>Editar<')]).toEqual([true, true]);
});
