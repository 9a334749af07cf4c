import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { expect, test } from 'vitest';
import type { Answer } from '~/core/submission';
import { Steps } from '~/ui/Steps';

const PASOS = [
  { titulo: 'Categoría', href: '?paso=1', hecho: true, actual: false },
  { titulo: 'Características', href: '?paso=2', hecho: true, actual: true },
  { titulo: 'Precio', href: '?paso=3', hecho: true, actual: false },
];

/** The steps with a tick, after the form of the open step was answered. */
async function ticked(answer: Partial<Answer>): Promise<string[]> {
  const routes = [
    { id: 'pagina', path: '*', action: () => answer, element: <Steps pasos={PASOS} formulario="caracteristicas" /> },
  ];
  const context = await createStaticHandler(routes).query(
    new Request('http://trastienda.test/sa/x', { method: 'POST', body: new URLSearchParams({ a: '1' }) }),
  );
  if (context instanceof Response) throw context;
  const html = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
  return html
    .split('<li')
    .flatMap((step) => (step.includes('✓') ? [PASOS.find(({ titulo }) => step.includes(titulo))!.titulo] : []));
}

test('a step that was saved before and is refused now is not ticked; the others stay', async () => {
  const base = { id: 'uno', formId: 'caracteristicas' };
  expect(await ticked({ ...base, status: 'success' })).toEqual(['Categoría', 'Características', 'Precio']);
  expect(await ticked({ ...base, status: 'error', error: { marca: ['Falta.'] } })).toEqual(['Categoría', 'Precio']);
});
