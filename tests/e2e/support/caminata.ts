import { join } from 'node:path';
import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test';
import { ROLES, screensOf, type Rol } from '../../../app/access/screens';
import { DEMO_PASSWORD, expect, watch } from './test';
import { expectAccessible, expectNoSideways, expectWholeTitle, noteMirada } from './fits';

export const ANCHOS = [1440, 390] as const;
export type Tema = 'claro' | 'oscuro';
export type Ancho = (typeof ANCHOS)[number];

/** What anyone may open without a session, and that is about nothing of their own. */
export const PUBLICAS = ['/', '/login', '/terminosYCondiciones', '/no-existe'];

/** Every screen that a rol may open, by its address. */
export const direccionesDe = (rol: Rol): string[] => [
  `/${rol}`,
  ...screensOf(rol)
    .filter(([, { homeOnly }]) => !homeOnly)
    .map(([key]) => `/${rol}/${key}`),
];

export { ROLES };

/** The screens that people are in all day, and one of each other kind: every run walks these, and the long form all. */
export const PRINCIPALES: ReadonlySet<string> = new Set([
  'hoy',
  'facturacion',
  'facturacionGeneral',
  'ordenes',
  'envios',
  'responderPreguntas',
  'pagosProveedores',
  'grafica',
  'tiendasConfiguracion',
]);

/** Each screen once, as the first rol that has it: the main ones, or all. A new screen is walked without a line here. */
export function pantallasUnaVez({ todas }: { todas: boolean }): { rol: Rol; path: string; pantalla: string }[] {
  const known = new Set<string>();
  return ROLES.flatMap((rol) =>
    direccionesDe(rol).flatMap((path) => {
      const pantalla = path.split('/')[2];
      if (pantalla === undefined || known.has(pantalla) || !(todas || PRINCIPALES.has(pantalla))) return [];
      known.add(pantalla);
      return [{ rol, path, pantalla }];
    }),
  );
}

/** The other lists of a screen, which its address opens. */
const OTRAS_LISTAS: Readonly<Record<string, readonly string[]>> = {
  conciliacion: ['por=ventas', 'por=liberar', 'por=sueltos', 'por=ajustes', 'por=mes'],
  datosFiscales: ['tabla=ventas'],
  facturacionGeneral: ['tabla=refacturacion', 'tabla=devueltas', 'tabla=parciales'],
  facturasClientes: ['tabla=notas'],
  pagosProveedores: ['tabla=porPagar', 'tabla=ordenes'],
};

/** Each list once: the screens of `pantallasUnaVez`, and the other lists of those that have some. */
export const listasUnaVez = (cuales: { todas: boolean }) =>
  pantallasUnaVez(cuales).flatMap(({ path, pantalla, ...una }) => [
    { ...una, path, pantalla },
    ...(OTRAS_LISTAS[pantalla] ?? []).map((query) => ({ ...una, path: `${path}?${query}`, pantalla })),
  ]);

/** A window of somebody, signed in, who looks at things in this theme. */
export async function ventanaDe(browser: Browser, rol: Rol, tema: Tema): Promise<BrowserContext> {
  const context = await browser.newContext();
  watch(context);
  const { request } = context;
  const origin = new URL((await request.get('/login')).url()).origin;
  const headers = { origin };
  const entered = await request.post('/login', {
    headers,
    form: { intent: 'entrar', usuario: rol, password: DEMO_PASSWORD },
    maxRedirects: 0,
  });
  expect(entered.status(), `${rol} signs in`).toBe(302);
  await vestir(request, rol, tema);
  return context;
}

/** The theme is kept with the person: who walks in one leaves the next story another. */
export async function vestir(request: APIRequestContext, rol: Rol, apariencia: Tema | 'sistema') {
  const origin = new URL((await request.get('/login', { maxRedirects: 0 })).url()).origin;
  await request.post(`/${rol}/preferencias`, {
    headers: { origin },
    form: { intent: 'apariencia', apariencia, volver: `/${rol}` },
    maxRedirects: 0,
  });
}

/** One screen as it comes to somebody who looks at things in this theme. */
export async function abrir(page: Page, path: string, tema: Tema, ancho: Ancho = 1440) {
  await page.setViewportSize(medidas(ancho));
  await page.goto(path, { waitUntil: 'load' });
  // Public pages are light, whoever looks.
  if (ROLES.some((rol) => `${path}/`.startsWith(`/${rol}/`)))
    await expect(page.locator('html'), `${path} · ${tema}`).toHaveAttribute(ESQUEMA, esquema(tema));
}

async function retratar(page: Page, path: string, tema: Tema, ancho: Ancho, carpeta: string | undefined) {
  if (!carpeta) return;
  const file = `${path.replace(/^\//, '').replaceAll('/', '-') || 'publica'}-${tema}-${ancho}.png`;
  await page.screenshot({ path: join(carpeta, file) });
}

/**
 * The screen that is open, as a theme and a width have it: nothing for assistive technology to stumble on, nothing sideways, and its picture where there is a folder
 * for it. Theme and width hang from the root and the window, so that it is not fetched again.
 */
export async function mirar(page: Page, path: string, tema: Tema, ancho: Ancho, carpeta?: string) {
  await page.setViewportSize(medidas(ancho));
  await page
    .locator('html')
    .evaluate((root, [name, value]) => root.setAttribute(name, value), [ESQUEMA, esquema(tema)] as const);
  await retratar(page, path, tema, ancho, carpeta);
  await juzgar(page, path, tema, ancho);
}

const ESQUEMA = 'data-mantine-color-scheme';
const esquema = (tema: Tema) => (tema === 'oscuro' ? 'dark' : 'light');
const medidas = (ancho: Ancho) => ({ width: ancho, height: ancho === 390 ? 844 : 900 });

async function juzgar(page: Page, path: string, tema: Tema, ancho: Ancho) {
  const name = `${path} · ${tema} · ${ancho} px`;
  noteMirada(name);
  await expectNoSideways(page, name);
  await expectWholeTitle(page, name);
  await expectAccessible(page, name);
}
