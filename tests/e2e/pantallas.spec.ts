import {
  ANCHOS,
  direccionesDe,
  mirar,
  PUBLICAS,
  ROLES,
  TEMAS,
  ventanaDe,
  type Ancho,
  type Tema,
} from './support/caminata';
import { expectAccessible } from './support/fits';
import { expect, test } from './support/test';

/** `npm run pantallas` names a folder, and then all of it is walked: each screen of each rol, in both themes and widths. The suite walks some of it. */
const CARPETA = process.env.PANTALLAS_DIR;
const TODO = CARPETA !== undefined;

/** Each screen once in each theme, on a desk and on a phone. */
const UNA_VEZ: [Tema, Ancho][] = [
  ['claro', 1440],
  ['oscuro', 390],
];
const combinaciones = TODO ? TEMAS.flatMap((tema) => ANCHOS.map((ancho) => [tema, ancho] as [Tema, Ancho])) : UNA_VEZ;

/** Without the whole walk a screen is looked at as the first rol that has it. */
const vistas = new Set<string>();
const porRol = ROLES.map((rol) => {
  const paths = direccionesDe(rol).filter((path) => {
    const screen = path.split('/')[2];
    const known = screen !== undefined && vistas.has(screen);
    if (screen !== undefined) vistas.add(screen);
    return TODO || !known;
  });
  return [rol, paths] as const;
});

for (const [tema, ancho] of combinaciones)
  for (const [rol, paths] of porRol)
    test(`nothing serious stands in the way on the screens of ${rol}, ${tema}, at ${ancho} px`, async ({ browser }) => {
      test.setTimeout(600_000);
      const context = await ventanaDe(browser, rol, tema);
      const page = await context.newPage();
      for (const path of paths) await test.step(path, () => mirar(page, path, tema, ancho, CARPETA));
      await context.close();
    });

for (const ancho of ANCHOS)
  test(`nothing serious stands in the way on public pages at ${ancho} px`, async ({ page, allowConsole }) => {
    // One of them is of an address that there is not.
    allowConsole(/status of 404/);
    for (const path of PUBLICAS) await test.step(path, () => mirar(page, path, 'claro', ancho, CARPETA));
  });

/** What tells states apart where colours are the system's, or where people ask for more contrast. */
for (const [how, media] of [
  ['forced colours', { forcedColors: 'active' }],
  ['more contrast', { contrast: 'more' }],
] as const)
  test(`with ${how} a list keeps its edges and the focus its ring`, async ({ as }) => {
    const page = await as('sa');
    await page.emulateMedia(media);
    await page.goto('/sa/ordenes');
    const box = page.getByRole('searchbox').or(page.locator('.lista input[name="q"]')).first();
    await box.focus();
    const seen = await box.evaluate((input) => {
      const own = getComputedStyle(input);
      return {
        border: parseFloat(own.borderTopWidth),
        same: own.borderTopColor === own.backgroundColor,
        ring: Math.max(parseFloat(own.outlineWidth) || 0, parseFloat(own.borderTopWidth)),
      };
    });
    expect(seen.border).toBeGreaterThanOrEqual(1);
    expect(seen.same, 'an edge of its ground’s own colour').toBe(false);
    expect(seen.ring).toBeGreaterThanOrEqual(1);
    const chips = await page
      .locator('.estatus')
      .evaluateAll((all) => all.filter((chip) => chip.textContent.trim() === ''));
    expect(chips, 'a state told by its colour alone').toEqual([]);
    await expectAccessible(page, `/sa/ordenes, ${how}`);
    await page.emulateMedia({ forcedColors: null, contrast: null });
  });
