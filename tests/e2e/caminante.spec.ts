import type { Page } from '@playwright/test';
import { listasUnaVez, pantallasUnaVez, ROLES } from './support/caminata';
import { withDatabase } from './support/database';
import { seedOrden } from './support/ordenes';
import { AT_LENGTH, expect, listTakenOver, LONG, test } from './support/test';

/** Letters that are keys of the list: over a field each would go somewhere, choose a row or step on. */
const TECLAS = 'jkx.]';

/** A look that is not right yet is taken again soon. */
const RAPIDO = { timeout: 10_000, intervals: [50, 100] };

/** What the screen says is open, in its four places. Places are counted from 0. */
type Visto = {
  /** The key that the address names. */ ver: string | null;
  /** The keys of the outlined rows, as their links name them. */ marcadas: (string | null)[];
  /** The row that is read aloud, as the table points at it. */ leida: string | null;
  /** The place of the outlined row, and of how many. */ lugar: string | null;
  /** The same, as the panel says it. */ posicion: string | null;
  /** The record of the panel, as its title names it. */ titulo: string | null;
  /** Where the steps of the panel lead, and the keys of the rows beside the outlined one; null where there is none, undefined where it is not drawn. */
  pasos: [string | null, string | null];
  vecinas: [string | null | undefined, string | null | undefined];
  /** True for an outlined row that something lies over, or that is out of its box. */
  tapada: boolean;
};

const vistoIn = (page: Page): Promise<Visto> =>
  page.evaluate(() => {
    const plain = (text: string | null | undefined) => text?.replace(/\s+/g, ' ').trim() ?? null;
    const verOf = (link: Element | null | undefined) =>
      link ? new URL((link as HTMLAnchorElement).href).searchParams.get('ver') : null;
    const keyOf = (fila: Element | null | undefined) => verOf(fila?.querySelector('a.abre'));
    const grid = document.querySelector('[role="grid"]')!;
    const total = Number(grid.getAttribute('aria-rowcount')) - 1;
    const marcadas = [...document.querySelectorAll<HTMLElement>('tr[data-activa]')];
    const [marcada] = marcadas;
    const at = marcada ? Number(marcada.dataset.i) : null;
    const beside = (by: number) => {
      if (at === null || at + by < 0 || at + by >= total) return null;
      const fila = document.querySelector(`tr[data-i="${at + by}"]`);
      return fila ? keyOf(fila) : undefined;
    };
    const lado = document.querySelector('aside.lado');
    const tapada = (fila: Element) => {
      const { top, bottom, height } = fila.getBoundingClientRect();
      const { left, right } = document.querySelector('.lista-caja')!.getBoundingClientRect();
      // Where the panel lies over the list, the row is looked at beside it.
      const end = Math.min(right, lado ? lado.getBoundingClientRect().left : right);
      return [top + height * 0.1, bottom - height * 0.1].some((y) => {
        const seen = document.elementFromPoint((left + end) / 2, y);
        return seen?.closest('tr') !== fila;
      });
    };
    return {
      ver: new URL(location.href).searchParams.get('ver'),
      marcadas: marcadas.map(keyOf),
      leida: keyOf(document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')),
      lugar: at === null ? null : `${at + 1} de ${total}`,
      posicion: plain(lado?.querySelector('nav .nota')?.textContent)?.replaceAll(',', '') ?? null,
      titulo: plain(lado?.querySelector('h2')?.textContent),
      pasos: [
        verOf(lado?.querySelector('a[aria-label="Anterior"]')),
        verOf(lado?.querySelector('a[aria-label="Siguiente"]')),
      ],
      vecinas: [beside(-1), beside(1)],
      tapada: marcada !== undefined && tapada(marcada),
    };
  });

/** Titles that the server writes over a record that an address opens. */
const titulos = new Map<string, string>();
async function tituloOf(page: Page, path: string, key: string): Promise<string> {
  const address = `${path}${path.includes('?') ? '&' : '?'}ver=${encodeURIComponent(key)}`;
  const known = titulos.get(address);
  if (known !== undefined) return known;
  const html = await (await page.request.get(address)).text();
  const title = /<aside class="lado"[\s\S]*?<h2[^>]*>([\s\S]*?)<\/h2>/.exec(html)?.[1] ?? '';
  const plain = await page.evaluate((html) => {
    const box = document.createElement('template');
    box.innerHTML = html;
    return box.content.textContent.replace(/\s+/g, ' ').trim();
  }, title);
  titulos.set(address, plain);
  return plain;
}

/** Address, outline, what is read aloud, panel, its position and its steps are about this record. */
async function expectUno(page: Page, path: string, key: string, cuando: string): Promise<void> {
  const titulo = await tituloOf(page, path, key);
  await expect(async () => {
    const visto = await vistoIn(page);
    const { vecinas, lugar } = visto;
    expect(visto, `${path}, ${cuando}`).toEqual({
      ver: key,
      marcadas: [key],
      leida: key,
      lugar,
      posicion: lugar,
      titulo,
      // A row that is not drawn has no key to compare with.
      pasos: visto.pasos.map((paso, at) => (vecinas[at] === undefined ? paso : vecinas[at])),
      vecinas,
      tapada: false,
    });
  }).toPass(RAPIDO);
}

/** Without a panel, the keyboard is in the table, on this row. */
async function expectEnTabla(page: Page, path: string, key: string, cuando: string): Promise<void> {
  await expect(page.locator('aside.lado'), `${path}, ${cuando}`).toHaveCount(0);
  await expect(page.getByRole('grid'), `${path}, ${cuando}`).toBeFocused();
  await expect(async () => {
    const { ver, marcadas, leida, tapada } = await vistoIn(page);
    expect({ ver, marcadas, leida, tapada }, `${path}, ${cuando}`).toEqual({
      ver: null,
      marcadas: [key],
      leida: key,
      tapada: false,
    });
  }).toPass(RAPIDO);
}

/** The keys of the rows that are drawn. A row may be opened by two of its cells. */
const keysIn = (page: Page): Promise<string[]> =>
  page.locator('.lista-caja tbody tr[data-i]:not(.espera)').evaluateAll((filas) =>
    filas.flatMap((fila) => {
      const link = fila.querySelector<HTMLAnchorElement>('a.abre');
      return (link && new URL(link.href).searchParams.get('ver')) ?? [];
    }),
  );

/** What Tab and letters would do in the panel begins at its title, as after a step. */
const atTitle = (page: Page) => page.locator('aside.lado h2').focus();

/** The row's menu, and its box, by their keys. */
async function expectKeysOf(page: Page, path: string, key: string): Promise<void> {
  const marcada = page.locator('tr[data-activa]');
  const mas = marcada.locator('button.mas');
  if (await mas.isVisible()) {
    const nombre = (await mas.getAttribute('aria-label'))!.replace('Más acciones de ', '');
    await page.keyboard.press('.');
    await expect(page.getByRole('menu', { name: `Acciones de ${nombre}`, exact: true }), path).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu'), path).toHaveCount(0);
    await expectUno(page, path, key, 'tras cerrar el menú');
    await atTitle(page);
  }
  const casilla = marcada.locator('input.casilla');
  if ((await casilla.count()) === 0) return;
  await page.keyboard.press('x');
  await expect(casilla, `${path}, elegida por X`).toBeChecked();
  expect(await page.locator('tbody input.casilla:checked').count(), `${path}, elegidas por X`).toBe(1);
  await page.keyboard.press('x');
  await expect(casilla).not.toBeChecked();
}

/** Types keys of the list into the first field of the panel, or into that of its form. Returns false where the panel has neither. */
async function typeInside(page: Page, path: string, key: string): Promise<boolean> {
  const campo = page
    .locator('aside.lado .cuerpo :is(textarea, input:not([type]), input[type="text"]):not([readonly], [disabled])')
    .filter({ visible: true })
    .first();
  if ((await campo.count()) === 0) return false;
  const before = await campo.inputValue();
  await campo.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(TECLAS);
  // A field may take digits alone, or capital letters.
  await expect(campo, `${path}, ${TECLAS}`).toBeFocused();
  expect(await page.locator('tbody input.casilla:checked').count(), `${path}, ${TECLAS}`).toBe(0);
  await expect(page.getByRole('menu'), `${path}, ${TECLAS}`).toHaveCount(0);
  await expectUno(page, path, key, `con ${TECLAS} escrito en su panel`);
  await campo.fill(before);
  return true;
}

/** The head of the table is in sight over whatever is scrolled below it. */
const expectHead = async (page: Page, path: string, cuando: string) =>
  expect(
    await page.evaluate(() => {
      const caja = document.querySelector('.lista-caja')!.getBoundingClientRect();
      return [...document.querySelectorAll('.lista-tabla thead th')].flatMap((th) => {
        const { left, width, top, height } = th.getBoundingClientRect();
        const x = left + width / 2;
        if (width === 0 || x < caja.left || x > caja.right) return [];
        const seen = document.elementFromPoint(x, top + height / 2);
        // A pinned head may lie over others.
        return seen?.closest('thead') ? [] : [th.textContent];
      });
    }),
    `${path}, títulos tapados ${cuando}`,
  ).toEqual([]);

/** All of it on one list; what it has is told. A screen without a list, without rows, or whose rows lead to a page or a dialog of their own has nothing. */
async function walk(page: Page, path: string): Promise<{ panel: boolean; campo: boolean }> {
  const nada = { panel: false, campo: false };
  // Most screens of the short walk are no lists: their HTML says so sooner than their page.
  if (!(await (await page.request.get(path)).text()).includes('class="lista-caja"')) return nada;
  await page.goto(path);
  await listTakenOver(page);
  await expect(page.locator('tbody[data-servidas]')).toHaveCount(0);
  const keys = await keysIn(page);
  const panel = page.locator('aside.lado');
  if (keys.length === 0) return nada;
  const at = Math.min(2, keys.length - 1);
  const [tercera, otra] = [keys[at]!, keys[at + 1] ?? keys[at - 1]];
  await page.locator(`tbody tr[data-i="${at}"] a.abre`).first().click();
  await expect
    .poll(
      async () =>
        (await page.locator('aside.lado, dialog[open], tr.detalle').count()) > 0 ||
        (await page.locator('.lista-caja').count()) === 0,
    )
    .toBe(true);
  if ((await panel.count()) === 0) return nada;
  await expectUno(page, path, tercera, 'abierta por pulsación');

  if (otra !== undefined) {
    const [va, vuelve] = keys[at + 1] ? [']', '['] : ['[', ']'];
    await atTitle(page);
    await page.keyboard.press(va);
    await expectUno(page, path, otra, `tras ${va}`);
    await page.keyboard.press(vuelve);
    await expectUno(page, path, tercera, `tras ${vuelve}`);
  }
  await atTitle(page);
  await expectKeysOf(page, path, tercera);

  await page.reload();
  await listTakenOver(page);
  await expectUno(page, path, tercera, 'tras recargar');
  await page.goBack();
  await expectEnTabla(page, path, tercera, 'tras Atrás');
  await page.goForward();
  await expectUno(page, path, tercera, 'tras Adelante');
  await atTitle(page);
  await page.keyboard.press('Escape');
  await expectEnTabla(page, path, tercera, 'tras Escape');

  // The page was loaded again, and other stories have made rows since.
  await page.keyboard.press('Home');
  await expect(page.locator('.lista-caja tbody tr[data-i="0"]:not(.espera)')).toBeVisible();
  const [primera, siguiente] = (await keysIn(page)) as [string, string?];
  await expectEnTabla(page, path, primera, 'tras Inicio');
  if (siguiente !== undefined) await page.keyboard.press('ArrowDown');
  const segunda = siguiente ?? primera;
  await expectEnTabla(page, path, segunda, 'tras flecha');
  await page.keyboard.press('Enter');
  await expectUno(page, path, segunda, 'abierta por Enter');
  let campo = await typeInside(page, path, segunda);
  if (!campo && (await panel.locator('[data-editar]').count()) > 0) {
    await atTitle(page);
    await page.keyboard.press('e');
    await expect(page).toHaveURL(/editar=/);
    campo = await typeInside(page, path, segunda);
    await page.goBack();
    await expectUno(page, path, segunda, 'tras dejar de editar');
  }
  await panel.getByRole('link', { name: 'Cerrar', exact: true }).click();
  await expectEnTabla(page, path, segunda, 'tras Cerrar');

  for (const tecla of ['End', 'PageUp', 'PageDown']) {
    await page.keyboard.press(tecla);
    await expect(async () => {
      const { marcadas, leida, tapada } = await vistoIn(page);
      expect({ marcadas, tapada }, `tras ${tecla}`).toEqual({ marcadas: [leida], tapada: false });
    }).toPass(RAPIDO);
    await expectHead(page, path, `tras ${tecla}`);
  }
  return { panel: true, campo };
}

test('in each list, outline, panel and keys are about one record; what is marked is in sight, and is what Enter opens', async ({
  as,
}) => {
  test.setTimeout(900_000);
  const faltas: string[] = [];
  const conPanel: string[] = [];
  const conCampo: string[] = [];
  // The other lists of a screen are walked at length.
  const listas = AT_LENGTH ? listasUnaVez({ todas: true }) : pantallasUnaVez({ todas: false });
  for (const { rol, path, pantalla } of listas)
    await test.step(path, async () => {
      const page = await as(rol);
      page.setDefaultTimeout(15_000);
      page.on('dialog', (dialog) => void dialog.accept());
      try {
        const { panel, campo } = await walk(page, path);
        if (panel) conPanel.push(pantalla);
        if (campo) conCampo.push(pantalla);
      } catch (error) {
        faltas.push(`${path}: ${String(error).slice(0, 1_200)}`);
      }
      await page.close();
    });
  expect(faltas).toEqual([]);
  expect(conPanel.length, `listas con panel: ${conPanel.join(', ')}`).toBeGreaterThanOrEqual(AT_LENGTH ? 15 : 3);
  expect(conCampo.length, `paneles en que se escribe: ${conCampo.join(', ')}`).toBeGreaterThanOrEqual(
    AT_LENGTH ? 5 : 1,
  );
});

/** A row of some hours ago, found by this word. Returns the key that its list knows it by. */
type Llega = (palabra: string, hours: number) => Promise<string>;
/** Takes a row out of its list. */
type Sale = (key: string) => Promise<unknown>;

const HORA_MS = 3_600_000;
const ANTANO = new Date('2021-03-01T18:00:00Z');
const numero = () => `${Date.now()}${Math.floor(Math.random() * 1_000)}`;

const venta: Llega = async (palabra, hours) => (await seedOrden({ hours, titulo: `${palabra} ${hours}` })).id;
const envio: Llega = async (palabra, hours) =>
  (await seedOrden({ hours, envio: { nombreReceptor: `${palabra} ${hours}` } })).envioId!;
const pregunta: Llega = (palabra, hours) =>
  withDatabase(async (db) => {
    const marketId = numero();
    const { id } = await db
      .insertInto('pregunta')
      .values({
        market: 'ml',
        marketId,
        publicacionId: `MLM${marketId.slice(-10)}`,
        titulo: `${palabra} ${hours}`,
        texto: '¿Es nueva?',
        estatus: 'pendiente',
        fecha: new Date(Date.now() - hours * HORA_MS),
        leidaEn: new Date(),
        datos: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
const reclamo: Llega = (palabra, hours) =>
  withDatabase(async (db) => {
    const marketId = numero();
    const fecha = new Date(Date.now() - hours * HORA_MS);
    const { id } = await db
      .insertInto('reclamo')
      .values({
        market: 'ml',
        marketId,
        recurso: 'order',
        recursoId: marketId,
        estatus: 'abierto',
        tipo: 'mediations',
        titulo: `${palabra} ${hours}`,
        fecha,
        actualizadoEn: fecha,
        leidoEn: new Date(),
        datos: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });

const laVentaSale: Sale = (key) =>
  withDatabase((db) => db.updateTable('orden').set({ fechaCreacion: ANTANO }).where('id', '=', key).execute());
const elEnvioSale: Sale = (key) =>
  withDatabase((db) => db.updateTable('envio').set({ fechaCreacion: ANTANO }).where('id', '=', key).execute());
/** A row that is gone would be missed by a page of another story that shows it. */
const laPreguntaSale: Sale = (key) =>
  withDatabase((db) =>
    db.updateTable('pregunta').set({ fecha: ANTANO, estatus: 'cerrada' }).where('id', '=', key).execute(),
  );
const elReclamoSale: Sale = (key) =>
  withDatabase((db) =>
    db
      .updateTable('reclamo')
      .set({ fecha: ANTANO, actualizadoEn: ANTANO, estatus: 'cerrado' })
      .where('id', '=', key)
      .execute(),
  );

/** The lists in which rows come and go while somebody works. */
const VIVAS: [lista: string, Llega, Sale][] = [
  ['ordenes', venta, laVentaSale],
  ['ordenesActivas', venta, laVentaSale],
  ['envios', envio, elEnvioSale],
  ['enviosPendientes', envio, elEnvioSale],
  ['preguntas', pregunta, laPreguntaSale],
  ['responderPreguntas', pregunta, laPreguntaSale],
  ['reclamos', reclamo, elReclamoSale],
];

for (const [lista, llega, sale] of VIVAS)
  test(`in ${lista} one record stays open while rows come and go around it`, LONG, async ({ as }) => {
    const palabra = `Vaiven${String(Date.now()).slice(-7)}`;
    const sembradas: string[] = [];
    for (const hours of [2, 3, 4, 5]) sembradas.push(await llega(palabra, hours));
    const page = await as('sa');
    const path = `/sa/${lista}`;
    try {
      await page.goto(`${path}?q=${palabra}`);
      await listTakenOver(page);
      await expect(page.locator('tbody[data-servidas]')).toHaveCount(0);
      const [primera, , tercera, cuarta] = await keysIn(page);
      expect([primera, tercera, cuarta].every((key) => key !== undefined && sembradas.includes(key))).toBe(true);
      const mostrar = () => page.getByRole('button', { name: 'Mostrar', exact: true }).click({ timeout: 20_000 });
      const total = (n: number) => expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(n + 1));
      await page.locator('tbody tr[data-i="2"] a.abre').first().click();
      await expectUno(page, path, tercera!, 'abierta');

      sembradas.push(await llega(palabra, 1));
      await mostrar();
      await total(5);
      await expectUno(page, path, tercera!, 'con una que llegó');

      await sale(primera!);
      await mostrar();
      await total(4);
      await expectUno(page, path, tercera!, 'con una menos delante');

      // Its own row leaves: nothing else is marked in its place, and the way goes on from where it stood.
      await sale(tercera!);
      await mostrar();
      await total(3);
      await expect(page.locator('aside.lado h2')).toContainText(await tituloOf(page, path, tercera!));
      await expect(page.locator('tr[data-activa]')).toHaveCount(0);
      await atTitle(page);
      await page.keyboard.press(']');
      await expectUno(page, path, cuarta!, 'tras ] desde la que salió');
    } finally {
      for (const key of sembradas) await sale(key);
    }
  });

test(
  'for each rol, a card of Hoy with a number and no noun of its own opens as many as it says',
  LONG,
  async ({ as }) => {
    const iguales: string[] = [];
    for (const rol of ROLES) {
      const page = await as(rol);
      const cartas = async () => {
        await page.goto(`/${rol}/hoy`);
        return page.locator('section.carta').evaluateAll((all) =>
          all.map((carta) => ({
            titulo: carta.querySelector('h2')!.textContent,
            cuantas: carta.querySelector('.cuantas')?.textContent,
            de: carta.querySelector('header .nota')?.textContent,
            lista: carta.querySelector('footer a:not([href*="cola="])')?.getAttribute('href'),
          })),
        );
      };
      if ((await page.request.get(`/${rol}/hoy`)).status() !== 200) continue;
      for (const { titulo } of (await cartas()).filter(({ cuantas, de, lista }) => cuantas && !de && lista))
        // Other stories ask and answer meanwhile.
        await expect(async () => {
          const carta = (await cartas()).find((una) => una.titulo === titulo)!;
          if (!carta.cuantas || !carta.lista) return;
          await page.goto(carta.lista);
          const total = page.locator('.lista-cuenta [role="status"]');
          // A screen that is no list says its number in a title, or in a sentence.
          if ((await total.count()) === 0) {
            const dicho = carta.cuantas === '1' ? 'Una está lista' : `${carta.cuantas} están listas`;
            const titulo = page.getByRole('heading', { name: `(${carta.cuantas})` });
            await expect(titulo.or(page.getByText(dicho))).toBeVisible({ timeout: 1_000 });
          } else await expect(total).toHaveText(new RegExp(`^${carta.cuantas} registros?$`), { timeout: 2_000 });
          iguales.push(`${rol}: ${titulo}`);
        }, `${rol}: ${titulo}`).toPass({ timeout: 30_000 });
    }
    expect(iguales.length, iguales.join(', ')).toBeGreaterThanOrEqual(6);
  },
);
