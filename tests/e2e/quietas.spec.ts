import type { Page } from '@playwright/test';
import { listasUnaVez } from './support/caminata';
import { withDatabase } from './support/database';
import { expectAccessible } from './support/fits';
import { seedOrden } from './support/ordenes';
import { BESIDE, LONG, AT_LENGTH, BOTH, expect, test } from './support/test';

/** The lowest place of the first row: the frame, the title and the bar of the list stand above it. */
const PRIMERA_FILA_PX = 200;

/** Each list once. A new list is walked without a line here. */
const LISTAS = listasUnaVez({ todas: AT_LENGTH });

/** Screens whose table is no list that they begin with, each with what they begin with instead. */
const NO_SON_LISTAS: Readonly<Record<string, string>> = {
  grafica: 'the drawings, each beside its table',
  loQueVeElSat: 'two comparisons side by side, each with what is said of it',
  etiquetasStock: 'the form that prints; its table is what was printed before',
  facturacion: 'the step that is open; its table are sales that wait',
  notaSencilla: 'the step that is open',
  enlaces: 'the form that makes the link',
  tokens: 'one card for each connection',
  estado: 'the state of the installation, in cards',
  tiendasConfiguracion: 'one card for each shop',
  subirApp: 'the form that brings a version',
  datosUsuario: 'forms about one person',
  tokensApi: 'the form that makes a token',
  ganchos: 'the form that makes a webhook',
  api: 'what the API can do, in words',
  'conciliacion?por=mes': 'what the month left, with the difference by cause',
};

/** The least room for the words beside the picture of a row, on a desk. */
const TITULO_PX = 160;

type Lugares = { filas: Record<string, number>; desborda: number; partidos: string[]; cortados: string[] };

/** Where the rows stand, how far the bar reaches over its line, and which heads take two lines or are cut. */
const lugaresIn = (page: Page): Promise<Lugares> =>
  page.evaluate(() => {
    const filas = [...document.querySelectorAll<HTMLElement>('.lista-caja tbody tr[data-i]:not(.espera)')].slice(0, 6);
    const barra = document.querySelector('.lista-barra')!;
    const partidos = [...document.querySelectorAll<HTMLElement>('.lista-tabla thead th')].filter((th) => {
      const texto = document.createRange();
      texto.selectNodeContents(th.querySelector('.linea') ?? th.firstChild ?? th);
      return new Set([...texto.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    });
    const cortados = [...document.querySelectorAll<HTMLElement>('.lista-tabla thead th')].filter((th) => {
      // The words of the column of boxes are for readers of the screen alone.
      if (th.clientWidth === 0 || th.querySelector('.oculto, input')) return false;
      const texto = th.querySelector('.linea') ?? th;
      return texto.scrollWidth > texto.clientWidth;
    });
    return {
      filas: Object.fromEntries(filas.map((fila) => [fila.dataset.i!, fila.getBoundingClientRect().y])),
      desborda: Math.max(
        barra.scrollWidth - barra.clientWidth,
        ...[...barra.querySelectorAll('.boton, input, summary')]
          .filter((mando) => mando.checkVisibility() && !mando.matches('.oculto'))
          .map((mando) => mando.getBoundingClientRect().bottom - barra.getBoundingClientRect().bottom),
      ),
      partidos: partidos.map((th) => th.textContent),
      cortados: cortados.map((th) => th.textContent),
    };
  });

/** Where the first row of a plain table stands, if the page has one outside of dialogs and what is folded. */
const primeraSueltaIn = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const filas = [...document.querySelectorAll('main tbody tr')];
    const vista = filas.find((fila) => fila.checkVisibility() && !fila.closest('dialog, aside, details'));
    return vista?.getBoundingClientRect().y ?? null;
  });

/** The width of the words beside the picture of the first row; null in a list without pictures. */
const tituloIn = (page: Page): Promise<number | null> =>
  page.evaluate(
    () =>
      document.querySelector('tr[data-i] .con-retrato-chico > :not(.retrato)')?.getBoundingClientRect().width ?? null,
  );

/** What of the open panel is cut without words that tell it whole, or reaches over its edge where nothing scrolls. */
const cortadosIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const lado = document.querySelector('aside.lado')!;
    const borde = lado.getBoundingClientRect().right;
    const rueda = (one: Element) => {
      let box = one.parentElement;
      while (box && !box.matches('.cuerpo') && !/auto|scroll/.test(getComputedStyle(box).overflowX))
        box = box.parentElement;
      return box && !box.matches('.cuerpo');
    };
    const vistos = [...lado.querySelectorAll<HTMLElement>('*')].filter(
      (one) =>
        one.clientWidth > 1 &&
        one.checkVisibility() &&
        !one.closest('.oculto, select, [popover]:not(:popover-open), dialog:not([open])') &&
        one.textContent.trim() !== '',
    );
    return vistos.flatMap((one) => {
      const { overflowX, overflowY } = getComputedStyle(one);
      const corta = /hidden|clip/.test(overflowX + overflowY);
      const sobra = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2;
      const fuera = one.childElementCount === 0 && one.getBoundingClientRect().right > borde + 1 && !rueda(one);
      return (corta && sobra && !one.closest('[title]')) || fuera ? [one.textContent.trim().slice(0, 60)] : [];
    });
  });

/** How far each row that stands in both moved, told where it is not 0. */
const movidas = (antes: Lugares, ahora: Lugares) =>
  Object.entries(ahora.filas).flatMap(([i, y]) => {
    const px = y - (antes.filas[i] ?? y);
    return px === 0 ? [] : [`fila ${i}: ${px} px`];
  });

test('a panel moves no row and cuts nothing, rows begin high under whole heads, and a title has room beside its picture, in each list', async ({
  as,
}) => {
  test.setTimeout(900_000);
  const faltas: string[] = [];
  const abiertas: string[] = [];
  for (const { rol, path, pantalla } of LISTAS)
    await test.step(path, async () => {
      const page = await as(rol);
      await page.goto(path, { waitUntil: 'networkidle' });
      const falta = (cuando: string, cuales: string[]) => {
        if (cuales.length > 0) faltas.push(`${path}, ${cuando}: ${cuales.join(', ')}`);
      };
      const altura = (y: number | null | undefined) => (y && y > PRIMERA_FILA_PX ? [`${y} px`] : []);
      if ((await page.locator('.lista-caja').count()) === 0) {
        if (!(pantalla in NO_SON_LISTAS) && !(path.split('/')[2]! in NO_SON_LISTAS))
          falta('primera fila', altura(await primeraSueltaIn(page)));
        return page.close();
      }
      const cerrada = await lugaresIn(page);
      falta('barra', cerrada.desborda > 0 ? [`${cerrada.desborda} px de más`] : []);
      falta('títulos en dos líneas', cerrada.partidos);
      falta('títulos cortados', cerrada.cortados);
      const [primera] = Object.values(cerrada.filas);
      // The file that somebody asked for stands above the rows until it is put away.
      const excel = page.locator('.lista-excel');
      const pedido = (await excel.count()) > 0 ? (await excel.boundingBox())!.height + 8 : 0;
      const suelta = primera ?? (await primeraSueltaIn(page));
      falta('primera fila', altura(suelta && suelta - pedido));
      if (primera === undefined) return page.close();
      const titulo = await tituloIn(page);
      falta('lugar del título junto a su foto', titulo !== null && titulo < TITULO_PX ? [`${titulo} px`] : []);

      const abre = page.locator('tbody tr[data-i="0"] a.abre').first();
      if ((await abre.count()) === 0) return;
      await abre.click();
      const panel = page.locator('aside.lado');
      // Some lists lead to a page or a dialog of their own, or open in the row.
      await expect
        .poll(
          async () =>
            (await page.locator('aside.lado, dialog[open], tr.detalle').count()) > 0 ||
            (await page.locator('.lista-caja').count()) === 0,
        )
        .toBe(true);
      if ((await panel.count()) === 0) return;
      await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
      abiertas.push(path);
      falta('cortado en su panel', await cortadosIn(page));
      // The short form looks at the pages alone.
      if (AT_LENGTH) await expectAccessible(page, `${path}, con su panel`);
      const abierta = await lugaresIn(page);
      falta('abierta', movidas(cerrada, abierta));
      falta('títulos en dos líneas al abrir', abierta.partidos);
      falta('barra al abrir', abierta.desborda > 0 ? [`${abierta.desborda} px de más`] : []);
      await panel.getByRole('button', { name: 'Panel ancho' }).click();
      falta('ancha', movidas(cerrada, await lugaresIn(page)));
      await panel.getByRole('button', { name: 'Panel ancho' }).click();
      await panel.getByRole('link', { name: 'Cerrar', exact: true }).click();
      await expect(panel).toHaveCount(0);
      falta('cerrada', movidas(cerrada, await lugaresIn(page)));
      await page.close();
    });
  expect(faltas).toEqual([]);
  expect(abiertas.length, `listas con panel: ${abiertas.join(', ')}`).toBeGreaterThanOrEqual(AT_LENGTH ? 10 : 3);
});

test('what stands over every screen keeps its lines beside a panel, so no row moves', async ({ as }) => {
  const page = await as('sa');
  await page.goto('/sa/ordenes', { waitUntil: 'networkidle' });
  const panel = page.locator('aside.lado');
  await page.locator('tbody tr[data-i="0"] a.abre').first().click();
  await panel.getByRole('button', { name: 'Panel ancho' }).click();
  const sinAviso = (await lugaresIn(page)).filas[0]!;
  await page.evaluate(() => {
    const aviso = document.createElement('div');
    aviso.className = 'panel';
    aviso.textContent = 'Las llaves de factura.com dejaron de servir. '.repeat(5);
    document.querySelector('#contenido')!.prepend(aviso);
  });
  const ancha = await lugaresIn(page);
  expect(ancha.filas[0]).toBeGreaterThan(sinAviso);
  await panel.getByRole('button', { name: 'Panel ancho' }).click();
  expect(movidas(ancha, await lugaresIn(page))).toEqual([]);
  await panel.getByRole('link', { name: 'Cerrar', exact: true }).click();
  await expect(panel).toHaveCount(0);
  expect(movidas(ancha, await lugaresIn(page))).toEqual([]);
});

test('on a telephone a picture has its place before it is drawn', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/sa/grafica');
  await expect(page.locator('.recharts-pie').first()).toBeVisible();
  const movido = await page.evaluate(async () => {
    let suma = 0;
    const add = (list: PerformanceEntryList) => {
      for (const entry of list) suma += (entry as PerformanceEntry & { value: number }).value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // What was kept is told in the next task.
    await new Promise((told) => setTimeout(told, 200));
    add(observer.takeRecords());
    return suma;
  });
  expect(movido).toBeLessThan(0.02);
});

test('what does not fit beside a panel waits behind one button, and acts from there', async ({ as }) => {
  const page = await as('sa');
  await page.goto('/sa/ordenes');
  const filtros = page.getByRole('button', { name: /^Filtros/ });
  await expect(page.getByLabel('Desde')).toBeVisible();
  await expect(filtros).toBeHidden();
  await page.locator('tbody tr[data-i="0"] a.abre').first().click();
  await expect(page.locator('aside.lado')).toBeVisible();
  await expect(page.getByLabel('Desde')).toBeHidden();
  await filtros.click();
  await expect(page.getByLabel('Desde')).toBeVisible();
  await page.locator('summary', { hasText: 'Este mes' }).click();
  await page.locator('.periodos').getByRole('link', { name: 'Hoy', exact: true }).click();
  await expect(page).toHaveURL(/rango=hoy/);
  // The list is another one: its panel is gone, and the filters stand in the bar again.
  await page.keyboard.press('Escape');
  await expect(filtros).toBeHidden();
  await expect(page.getByLabel('Desde')).toBeVisible();
});

test('what an export says stands whole above a list that is longer than its window', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.goto('/sa/ordenes');
  const excel = page.locator('.lista-excel');
  for (const cuantos of [1, 2]) {
    await page.getByRole('button', { name: 'Exportar a Excel' }).click();
    await expect
      .poll(() => excel.getByRole('link', { name: 'Descargar' }).count(), { timeout: 60_000 })
      .toBeGreaterThanOrEqual(cuantos);
  }
  expect(await excel.evaluate((line) => line.scrollHeight - line.clientHeight)).toBe(0);
  // Long names beside a panel are cut: a second line would move the rows.
  const alto = (await excel.boundingBox())!.height;
  await page.setViewportSize({ width: 1040, height: 844 });
  await page.locator('tbody tr[data-i="0"] a.abre').first().click();
  await expect(page.locator('aside.lado')).toBeVisible();
  expect((await excel.boundingBox())!.height).toBe(alto);
});

test('on a telephone the filters of a list stand close together in their sheet', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/sa/publicaciones#filtros');
  const [first, second] = await Promise.all(
    ['Amazon', 'Mercado libre'].map(async (name) => (await page.getByRole('checkbox', { name }).boundingBox())!.y),
  );
  expect(second! - first!).toBeGreaterThan(20);
  expect(second! - first!).toBeLessThan(64);
});

test('a question that is opened takes what is typed next, by press and by keyboard', async ({ as }) => {
  const page = await as('sa');
  const respuesta = page.getByRole('textbox', { name: 'Respuesta' }).first();
  for (const abrir of [
    () => page.locator('tbody tr[data-i="0"] a.abre').first().click(),
    async () => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
    },
  ]) {
    await page.goto('/sa/responderPreguntas', { waitUntil: 'networkidle' });
    await abrir();
    await expect(respuesta).toBeFocused();
    await page.keyboard.type('go ex]');
    await expect(respuesta).toHaveValue('go ex]');
    expect(new URL(page.url()).pathname).toBe('/sa/responderPreguntas');
    await respuesta.fill('');
    // A press on what is read takes the focus out of the field.
    await page.locator('aside.lado dt').first().click();
    await expect(respuesta).not.toBeFocused();
    await page.keyboard.type('go');
    await page.waitForTimeout(1_500);
    expect(new URL(page.url()).pathname).toBe('/sa/responderPreguntas');
  }
});

test('what is typed while a record is read waits for its field, and a step types nothing', async ({ as, sandbox }) => {
  const page = await as('sa');
  for (const text of ['¿Trae fuente?', '¿Y soporte?', '¿Y cable?'])
    await sandbox.mercadolibre.post('/preguntas', { text });
  const panel = page.locator('aside.lado');
  const respuesta = page.getByRole('textbox', { name: 'Respuesta' }).first();
  let arrive = () => {};
  const hold = () => {
    const arrives = new Promise<void>((resolve) => (arrive = resolve));
    return page.route(/\/fichas\/responderPreguntas\//, (route) => arrives.then(() => route.continue()));
  };
  await hold();
  await expect(async () => {
    await page.goto('/sa/responderPreguntas', { waitUntil: 'networkidle' });
    await expect(page.locator('tbody tr[data-i="2"]')).toHaveCount(1, { timeout: 1_000 });
  }).toPass(BESIDE);
  await page.locator('tbody tr[data-i="0"] a.abre').first().click();
  await expect(panel.locator('[aria-busy="true"]')).toBeVisible();
  const abierta = page.url();
  await page.keyboard.type('si, en caja jx.ww');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  arrive();
  await expect(respuesta).toBeFocused();
  await expect(respuesta).toHaveValue('si, en caja jx.w');
  expect(page.url()).toBe(abierta);
  expect(await page.locator('tbody input.casilla:checked').count()).toBe(0);
  await expect(page.getByRole('menu')).toHaveCount(0);
  await respuesta.fill('');

  await page.unrouteAll();
  await hold();
  await panel.locator('h2').focus();
  for (const [tecla, fila] of [
    [']', '1'],
    ['j', '2'],
    ['k', '1'],
  ] as const) {
    await page.keyboard.press(tecla);
    await expect(page.locator('tr[data-activa]')).toHaveAttribute('data-i', fila);
    await expect(panel.locator('[aria-busy="true"]')).toBeVisible();
  }
  arrive();
  await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(respuesta).not.toBeFocused();
  await expect(respuesta).toHaveValue('');
});

/** A claim that Mercado Libre lets us write in; whose turn it is, and a word to find it by. */
const reclamo = (responsable: 'vendedor' | 'comprador', palabra: string) =>
  withDatabase((db) =>
    db
      .insertInto('reclamo')
      .values({
        market: 'ml',
        marketId: `${palabra.replace(/\D/g, '')}${responsable.length}`,
        recurso: 'order',
        recursoId: '1',
        estatus: 'abierto',
        tipo: 'mediations',
        titulo: `${palabra} ${responsable}`,
        responsable,
        acciones: JSON.stringify([{ accion: 'send_message_to_complainant', obligatoria: false, vence: null }]),
        fecha: new Date(),
        actualizadoEn: new Date(),
        leidoEn: new Date(),
        datos: '{}',
      })
      .execute(),
  );

test('a claim that waits for our message takes what is typed next, and in one that waits for others letters lead nowhere', async ({
  as,
}) => {
  const palabra = `Turno${Date.now()}`;
  await reclamo('vendedor', palabra);
  await reclamo('comprador', palabra);
  const page = await as('sa');
  const panel = page.locator('aside.lado');
  const mensaje = panel.getByRole('textbox', { name: 'Mensaje al comprador' });
  const abrir = (suyo: string) => page.locator('tbody tr', { hasText: suyo }).locator('a.abre').first().click();
  await page.goto(`/sa/reclamos?q=${palabra}`, { waitUntil: 'networkidle' });
  await abrir('vendedor');
  await expect(mensaje).toBeFocused();
  await page.keyboard.type('go jx');
  await expect(mensaje).toHaveValue('go jx');
  await mensaje.fill('');
  await panel.getByRole('link', { name: 'Cerrar', exact: true }).click();

  await abrir('comprador');
  await expect(mensaje).toBeVisible();
  await expect(panel.locator('h2')).toBeFocused();
  await page.keyboard.type('go');
  await page.waitForTimeout(300);
  expect(new URL(page.url()).pathname).toBe('/sa/reclamos');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);

  // Reached by a step, ours too is read, and the next key is a step.
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(panel).toBeVisible();
  await panel.locator('h2').focus();
  for (const [tecla, fila] of [
    ['j', '1'],
    ['k', '0'],
  ] as const) {
    await page.keyboard.press(tecla);
    await expect(page.locator('tr[data-activa]')).toHaveAttribute('data-i', fila);
    await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(mensaje).not.toBeFocused();
  }
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await page.keyboard.type('go');
  await expect(page).toHaveURL(/\/sa\/ordenes/);
});

/** A payment of one sale whose total nobody said yet. */
const pagoSinTotal = async (folio: string) => {
  const { id: ordenId } = await seedOrden({ hours: 3 });
  return withDatabase(async (db) => {
    const { id } = await db
      .insertInto('pago')
      .values({ proveedor: 'ts', folio })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('pagoOrden').values({ pagoId: id, ordenId }).execute();
    return id;
  });
};

test('a payment that lacks its total alone takes it from the next keys', async ({ as }) => {
  const folio = `FOCO${Date.now()}`;
  await pagoSinTotal(folio);
  const page = await as('sa');
  await page.goto(`/sa/pagosProveedores?q=${folio}`, { waitUntil: 'networkidle' });
  await page.locator('tbody tr[data-i="0"] a.abre').first().click();
  const total = page.locator('aside.lado').getByLabel('Total', { exact: true });
  await expect(total).toBeFocused();
  await page.keyboard.type('120.5');
  await expect(total).toHaveValue('120.5');
});

for (const { javaScriptEnabled, how } of BOTH)
  test.describe(how, () => {
    test.use({ javaScriptEnabled });
    test('a field for files speaks our words, and names what was chosen', async ({ as }) => {
      const page = await as('sa');
      await page.goto('/sa/subirApp');
      const campo = page.locator('input[type="file"]');
      await expect(page.getByText('Elegir archivo', { exact: true })).toBeVisible();
      const color = () => campo.evaluate((input) => getComputedStyle(input).color);
      expect(await color()).toBe('rgba(0, 0, 0, 0)');
      await campo.setInputFiles({ name: 'tienda.apk', mimeType: '', buffer: Buffer.from('apk') });
      await expect.poll(color).not.toBe('rgba(0, 0, 0, 0)');
    });
  });

test('a list without views has no strip of tabs; with views, the first agrees with its noun', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.goto('/sa/usuarios');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Vistas' })).toHaveCount(0);
  for (const [path, todas] of [
    ['ordenes', 'Todas'],
    ['reclamos', 'Todos'],
  ] as const) {
    await page.goto(`/sa/${path}`);
    await expect(page.getByRole('navigation', { name: 'Vistas' }).getByRole('link').first()).toHaveText(todas);
  }
});

test('columns beyond the edge are told, by a shade and to who listens, until they are in sight', async ({ as }) => {
  const page = await as('sa');
  await page.setViewportSize({ width: 900, height: 800 });
  await page.goto('/sa/ordenes', { waitUntil: 'networkidle' });
  const [caja, tabla] = [page.locator('.lista-caja'), page.getByRole('grid')];
  const sombra = () =>
    tabla.locator('thead th.fija').evaluate((th) => getComputedStyle(th).boxShadow.split('rgb').length - 1);
  await expect(tabla).toHaveAccessibleDescription('Hay más columnas a la derecha.');
  expect(await sombra()).toBe(2);
  await caja.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
  await expect(tabla).toHaveAccessibleDescription('');
  expect(await sombra()).toBe(1);
  await caja.evaluate((box) => box.scrollTo({ left: 0 }));
  await expect(tabla).toHaveAccessibleDescription('Hay más columnas a la derecha.');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(tabla).toHaveAccessibleDescription('');
});

test('on a telephone the news of a list cover no card, and lie over no bar', async ({ as }) => {
  const page = await as('sa');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/sa/ordenes', { waitUntil: 'networkidle' });
  const caja = page.locator('.lista-caja');
  const alFinal = () => caja.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await alFinal();
  await seedOrden({ hours: 0 });
  const novedades = page.locator('.lista-novedades');
  await expect(novedades.getByRole('button', { name: 'Mostrar' })).toBeVisible({ timeout: 20_000 });
  await alFinal();
  const [cards, news, thumb] = await Promise.all(
    [caja, novedades, page.locator('.pulgar')].map(async (one) => (await one.boundingBox())!),
  );
  expect(cards!.y + cards!.height).toBeLessThanOrEqual(news!.y);
  expect(news!.y + news!.height).toBeLessThanOrEqual(thumb!.y);
});
