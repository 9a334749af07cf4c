import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { expect, test } from 'vitest';
import { DesconectadasProvider, type Desconectada } from '~/ui/Desconectadas';
import { Vacio, type PorQueVacia } from '~/ui/lista/Vacio';
import { PantallasProvider } from '~/ui/Pantallas';

type Lista = Parameters<typeof Vacio>[0];
const NOVIEMBRE = { desde: '2026-11-01', hasta: '2026-11-30' };
const SIN_LINEA: Desconectada = { label: 'Mercado Libre', desde: '2026-11-21T14:10:00Z' };

async function shown(
  { filtro = {}, chips = [], porQue }: { filtro?: object; chips?: Lista['chips']; porQue: PorQueVacia },
  { caidas = [], activa = false }: { caidas?: Desconectada[]; activa?: boolean } = {},
): Promise<string> {
  const element = (
    <PantallasProvider value={activa ? [{ label: 'Activación de API', to: '/sa/tokens' }] : []}>
      <DesconectadasProvider value={caidas}>
        <Vacio filtro={{ q: '', orden: '-fecha', ...filtro }} chips={chips} porQue={porQue} />
      </DesconectadasProvider>
    </PantallasProvider>
  );
  const routes = [{ path: '*', element }];
  const context = await createStaticHandler(routes).query(new Request('http://trastienda.test/sa/x?q=xyz&vista=7'));
  if (context instanceof Response) throw context;
  const html = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
  expect(html).toContain('No encontre nada para ti');
  return html;
}

test('where there is nothing yet it says where things come from, and of which days it speaks', async () => {
  const html = await shown({ filtro: NOVIEMBRE, porQue: { nada: 'Todavía no hay ventas.', fuentes: true } });
  expect(html).toContain('Todavía no hay ventas. Se muestra del 01/11/2026 al 30/11/2026.');
  expect(html).toContain('rango=esteAnio');
  expect(html).not.toMatch(/Quitar filtros|conectado/);
});

test('where filters leave nothing, one press takes them away', async () => {
  const chips = [{ texto: '«xyz»', quita: ['q'] }];
  const html = await shown({ filtro: { q: 'xyz' }, chips, porQue: { nada: 'Todavía no hay ventas.', fuentes: true } });
  expect(html).toContain('Nada coincide con «xyz».');
  expect(/href="([^"]*)"[^>]*>Quitar filtros/.exec(html)?.[1]).toBe('/sa/x?vista=7');
  expect(html).not.toContain('Todavía no hay');
  expect(await shown({ chips: [{ texto: 'Activos', quita: ['activo'] }], porQue: {} })).toContain(
    'Nada cumple estos filtros.',
  );
});

test('a source that tells nothing is the reason, with the way to it for who may activate it', async () => {
  const porQue = { nada: 'Todavía no hay ventas.', fuentes: true } as const;
  const may = await shown({ porQue }, { caidas: [SIN_LINEA], activa: true });
  expect(may).toContain('Mercado Libre no está conectado desde el 21/11/2026 08:10.');
  expect(may).toMatch(/<a [^>]*href="\/sa\/tokens"[^>]*>Activación de API/);
  expect(may).not.toContain('Todavía no hay');
  const other = await shown({ porQue }, { caidas: [{ label: 'Amazon', desde: null }] });
  expect(other).toContain('Amazon no está conectado.');
  expect(other).not.toContain('<a ');
  // What is not of the sources is not to be explained by them.
  expect(await shown({ porQue: { nada: 'No hay.' } }, { caidas: [SIN_LINEA] })).not.toContain('conectado');
});

test('what a list does not show to who looks is said to who looked for something', async () => {
  const porQue = { oculta: 'Tu rol no ve las cuentas de Super Usuario.' };
  const chips = [{ texto: '«sa»', quita: ['q'] }];
  expect(await shown({ filtro: { q: 'sa' }, chips, porQue })).toContain(porQue.oculta);
  expect(await shown({ porQue })).not.toContain(porQue.oculta);
});
