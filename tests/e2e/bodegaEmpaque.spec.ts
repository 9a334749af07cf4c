import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { readCodigos } from '~/platform/files/readFile.server';
import { createEtiquetas } from '~/domain/compras/stock/etiquetas.server';
import { buildGuia } from '../support/builders/pedidos';
import { buildProductoDeStock } from '../support/builders/stock';
import { abreBodega, escanea, estadosDe, piezasDe, seedPiezas, seedVueltaYVenta, vacia } from './support/bodega';
import { withDatabase } from './support/database';
import { expectNoSideways } from './support/fits';
import { seedOrden } from './support/ordenes';
import { LONG, answerYes, expect, takenOver, test } from './support/test';

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('parcels are packed by scan: a wrong piece is said, a missing one goes to who buys, the last prints the label, and the next stands there', async ({
    as,
    allowConsole,
  }, testInfo) => {
    allowConsole(/ERR_INTERNET_DISCONNECTED|401 \(Unauthorized\)/);
    const gtin = `750${String(Date.now()).slice(-10)}`;
    // The oldest stand first.
    const ordenes = await withDatabase(async (db) => {
      const { id, idProveedor, modelo } = await buildProductoDeStock(db);
      await sql`update producto set gtins = array[${gtin}] where id = ${id}`.execute(db);
      const sku = `AMS|${idProveedor}|SYSCOM|${modelo}`;
      const made = [];
      for (const hours of [9_000, 8_999, 8_998]) {
        const orden = await seedOrden({ hours, sku });
        await buildGuia(db, orden.envioId!);
        made.push(orden);
      }
      await sql`update articulo set cantidad = 2 where orden_id = ${made[0]!.id}`.execute(db);
      return made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    });
    const [una, otra, tercera] = ordenes;
    const page = await as('user');
    // A browser without a window ends with the page that prints a PDF: here it prints a sheet.
    await page.route('**/descargas/guia/*', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script>print = () => {}</script>Guía impresa' }),
    );
    await abreBodega(page, 'user');
    await page.getByRole('button', { name: 'Empacar' }).click();
    await expect(page.getByRole('heading', { name: /^Por empacar/ })).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('por-empacar.png') });
    const title = ({ numOrden }: { numOrden: string }) => page.getByRole('heading', { name: `Paquete ${numOrden}` });
    const leidas = (dice: string) => page.locator('.linea .chip', { hasText: dice });
    await escanea(page, una.numOrden);
    await expect(title(una)).toBeVisible();
    await escanea(page, '7500000000000');
    await expect(page.locator('#aviso .mal')).toContainText('Pieza equivocada');
    await expect(leidas('0 de 2')).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('equivocada.png'), fullPage: true });
    await escanea(page, gtin);
    await expect(leidas('1 de 2')).toBeVisible();

    // A telephone whose session ends keeps the parcel open, and so does a page that is read again without signal.
    await page.reload();
    await expect(title(una)).toBeVisible();
    await expect(leidas('1 de 2')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: /^Por empacar/ })).toBeVisible();
    await page.goForward();
    await expect(title(una)).toBeVisible();
    await expect(leidas('1 de 2')).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
    await expect(leidas('1 de 2')).toBeVisible();
    await page.context().setOffline(false);
    await page.screenshot({ path: testInfo.outputPath('paquete.png'), fullPage: true });

    // The answer to the last piece draws the next parcel again: what was opened in it meanwhile stays open, with the focus.
    let answer!: () => void;
    const opened = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/bodega/enviar', (route) => opened.then(() => route.continue()));
    await escanea(page, gtin);
    await expect(title(otra)).toBeVisible();
    const falta = page.getByText('Falta', { exact: true });
    await falta.click();
    await expect(falta).toBeFocused();
    const drawn = await falta.elementHandle();
    answer();
    await expect(page.locator('iframe[title="Guía"]').contentFrame().getByText('Guía impresa')).toBeAttached();
    await expect(page.getByRole('button', { name: 'Imprimir la guía otra vez' })).toBeVisible();
    await expect.poll(() => drawn!.evaluate((element) => element.isConnected)).toBe(false);
    await expect(falta).toBeFocused();
    await page.getByRole('button', { name: 'Llegó dañada' }).click();
    await expect(title(tercera)).toBeVisible();
    const { rows } = await withDatabase((db) =>
      sql<{ falta: string }>`select falta from empaque_lectura where orden_id = ${otra.id}`.execute(db),
    );
    expect(rows).toEqual([{ falta: 'danada' }]);

    // The session ends over an open parcel: what is scanned waits, and the login comes back to it.
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await escanea(page, gtin);
    await expect(
      page.getByRole('link', { name: 'Entrar' }).or(page.getByRole('button', { name: 'Entrar' })),
    ).toBeVisible();
    await page.context().addCookies(cookies);
    // The page may be on its own way to the login: a way that it begins now ends this one.
    await expect(async () => {
      await page.goto(`/user/bodega?ver=${encodeURIComponent(`empacar ${tercera.numOrden}`)}`);
      expect(page.url()).toContain('/user/bodega');
    }).toPass({ timeout: 10_000 });
    await expect
      .poll(() =>
        withDatabase(async (db) => {
          const found = await sql<{ listo: boolean }>`
            select terminado_en is not null as listo from empaque where envio_id = ${tercera.envioId}`.execute(db);
          return found.rows;
        }),
      )
      .toEqual([{ listo: true }]);
    await vacia(page);
  });

  test(
    'a shelf is counted at the bench, also without signal, and what differs is settled where the count ends',
    LONG,
    async ({ as, allowConsole }, testInfo) => {
      allowConsole(/ERR_INTERNET_DISCONNECTED/);
      const piezas = await seedPiezas(3);
      const [una, otra, perdida] = piezas as [(typeof piezas)[0], (typeof piezas)[0], (typeof piezas)[0]];
      await withDatabase((db) =>
        sql`insert into stock_movimiento (pieza_id, de, a) select id, 'enRevision', 'danado' from stock_interno
          where folio in (${una.folio}, ${otra.folio}, ${perdida.folio})`.execute(db),
      );
      const page = await as('user');
      await abreBodega(page, 'user');
      await page.getByRole('button', { name: 'Contar' }).click();
      await page.getByRole('button', { name: /^Dañado/ }).click();
      await expect(page.getByRole('heading', { name: 'Contar: Dañado' })).toBeVisible();
      const van = page.locator('.cuenta strong');
      await escanea(page, una.folio);
      await expect(van).toHaveText('1');
      await escanea(page, una.folio);
      await expect(page.getByText(`${una.folio} ya se contó.`)).toBeVisible();
      await page.context().setOffline(true);
      await escanea(page, otra.folio);
      await expect(van).toHaveText('2');
      await page.getByRole('button', { name: 'Terminar y ver diferencias' }).click();
      await expect(page.getByText('Falta 1 lectura por enviar.')).toBeVisible();
      await page.screenshot({ path: testInfo.outputPath('contar.png'), fullPage: true });
      await page.context().setOffline(false);
      await expect(page.getByRole('heading', { name: /^Por enviar/ })).toBeHidden();
      await page.reload();
      await expect(van).toHaveText('2');
      await page.getByRole('button', { name: 'Terminar y ver diferencias' }).click();
      const terminar = page.getByRole('button', { name: 'Terminar' });
      await takenOver(terminar);
      await terminar.click();
      await answerYes(page);
      const falta = page.getByRole('listitem').filter({ hasText: perdida.folio });
      await falta.getByLabel('Por qué se da de baja').selectOption('Extraviada');
      await falta.getByRole('button', { name: 'Dar de baja' }).click();
      await answerYes(page);
      await expect(falta.getByText('Baja: Extraviada')).toBeVisible();
      expect(await estadosDe(perdida.id)).toEqual(['enRevision', 'danado', 'baja']);
      await page.screenshot({ path: testInfo.outputPath('diferencias.png'), fullPage: true });
    },
  );

  test(
    'two phones receive one parcel: the second is told, and makes none unless it has more',
    LONG,
    async ({ as, allowConsole }, testInfo) => {
      allowConsole(/409 \(Conflict\)/);
      const { vuelta } = await seedVueltaYVenta();
      const [una, otra] = [await as('user'), await as('admin')];
      for (const [page, area] of [
        [una, 'user'],
        [otra, 'admin'],
      ] as const) {
        await abreBodega(page, area);
        await escanea(page, vuelta.numOrden);
        await page.getByText('Recibir una devolución').click();
        await page.getByLabel('Costo por pieza con IVA').fill('900');
        // A field that is open ends with Enter too, and sends nothing.
        await page.keyboard.press('Enter');
      }
      await una.getByRole('button', { name: 'Crear devolución' }).click();
      await expect(una.getByText('Se crearon los siguientes folios')).toBeVisible();
      const [pieza] = await piezasDe(vuelta.id);
      await otra.getByRole('button', { name: 'Crear devolución' }).click();
      await expect(otra.getByText('Otra persona recibió piezas de esta orden.')).toContainText(pieza!.folio);
      await otra.screenshot({ path: testInfo.outputPath('dos.png'), fullPage: true });
      expect(await piezasDe(vuelta.id)).toHaveLength(1);
      await otra.getByRole('button', { name: 'Quitar' }).click();
      await expect(otra.getByRole('heading', { name: /^Por enviar/ })).toBeHidden();
      expect(await piezasDe(vuelta.id)).toHaveLength(1);
    },
  );

  test('a return is received, gets its printed label, is written off by mistake and taken back, and is picked for a sale', async ({
    as,
  }, testInfo) => {
    const { vuelta, venta } = await seedVueltaYVenta();
    const page = await as('user');
    const { codigo } = await withDatabase(async (db) => {
      const { id } = await db
        .selectFrom('usuario')
        .select('id')
        .where('usuario', '=', 'user')
        .executeTakeFirstOrThrow();
      const [etiqueta] = await db
        .transaction()
        .execute((trx) => createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, id));
      return etiqueta!;
    });
    const look = async (name: string) => {
      await expectNoSideways(page, name);
      await page.screenshot({ path: testInfo.outputPath(`${name}.png`), fullPage: true });
    };
    const busca = async (texto: string) => {
      await page.getByLabel('Folio u orden').fill(texto);
      await page.getByRole('button', { name: 'Buscar' }).click();
    };
    await page.goto('/user');
    await page.getByRole('navigation', { name: 'Accesos' }).getByRole('link', { name: 'Escanear' }).click();
    await page.waitForURL('**/user/bodega');
    await busca(vuelta.numOrden);
    await page.getByText('Recibir una devolución').click();
    await page.getByLabel('Cantidad').fill('2');
    await page.getByLabel('Costo por pieza con IVA').fill('900');
    await look('recibir');
    await page.getByRole('button', { name: 'Crear devolución' }).click();
    await expect(page.getByText('Se crearon los siguientes folios')).toBeVisible();
    const { folio, id } = (await piezasDe(vuelta.id))[0]!;
    await look('folios');
    // A browser without a window ends with the page that prints a PDF: here it prints a sheet that notes it.
    await page.route('**/descargas/etiquetas?*', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script>print = () => document.documentElement.setAttribute("data-impresa", "")</script>Hoja',
      }),
    );
    await expect(page.getByRole('heading', { name: `Recibido de la orden ${vuelta.numOrden}` })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Crear devolución' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Imprimir 2 etiquetas' }).click();
    const etiquetas = page.locator('iframe[title="Etiquetas"]');
    await expect(etiquetas.contentFrame().getByText('Hoja')).toBeAttached();
    const impresas = await page.request.get((await etiquetas.getAttribute('src'))!);
    const { dice } = (await readCodigos(await impresas.body())) as { dice: string[] };
    expect(dice.map((direccion) => direccion.split('/siqr/')[1])).toContain(folio);
    await page.getByRole('button', { name: 'Otra pieza' }).click();
    await expect(page.getByRole('heading', { name: /^Recibido/ })).toHaveCount(0);

    await busca(codigo);
    await expect(page.getByText('Ligar a una de las que acaban de llegar')).toBeVisible();
    await look('etiqueta');
    // The piece is read before its label arrives, and answered after.
    let read = () => {};
    let linked = () => {};
    const piezaLeida = new Promise<void>((resolve) => (read = resolve));
    const etiquetaLigada = new Promise<void>((resolve) => (linked = resolve));
    await page.route(
      '**/bodega/leer?*',
      async (route) => {
        const answer = await route.fetch();
        read();
        await etiquetaLigada;
        await route.fulfill({ response: answer });
      },
      { times: 1 },
    );
    await page.route(
      '**/bodega/enviar',
      async (route) => {
        await piezaLeida;
        await route.fulfill({ response: await route.fetch() });
        await expect(page.locator('#cola')).toBeHidden();
        linked();
      },
      { times: 1 },
    );
    await page.locator('#vista').getByRole('button', { name: folio }).click();
    await expect(page.getByRole('heading', { name: folio })).toBeVisible();
    await expect(page.getByText(codigo, { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Baja', exact: true }).click();
    await expect(page.getByRole('button', { name: 'No', exact: true })).toBeFocused();
    await look('baja');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Baja', exact: true }).click();
    // The thumb is as fast as the answer: the button is the one that the page showed before it knew what the change had left.
    let sale = () => {};
    const detenida = new Promise<void>((resolve) => (sale = resolve));
    await page.route('**/bodega/enviar', async (route) => {
      await detenida;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Si', exact: true }).click();
    const deshacer = await page.getByRole('button', { name: 'Deshacer: regresar a En revisión' }).elementHandle();
    sale();
    await expect(page.getByText('Por enviar', { exact: true })).toHaveCount(0);
    await deshacer!.evaluate((button: HTMLElement) => button.click());
    await expect(page.getByText('Se deshizo el cambio de estatus.')).toBeVisible();
    await page.unroute('**/bodega/enviar');
    // The sale is read before the press arrives, and offers the piece once it did.
    let ventaLeida = () => {};
    const leida = new Promise<void>((resolve) => (ventaLeida = resolve));
    await page.route(
      '**/bodega/enviar',
      async (route) => {
        await leida;
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Disponible', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Reservado', exact: true })).toBeVisible();

    await busca(venta.numOrden);
    await expect(page.getByText('No hay piezas nuestras de lo que se vendió.')).toBeVisible();
    ventaLeida();
    await expect(page.getByRole('button', { name: new RegExp(folio) })).toBeVisible();
    await look('surtir');
    await page.getByRole('button', { name: new RegExp(folio) }).click();
    await page.getByRole('button', { name: `Surtir en la orden ${venta.numOrden}` }).click();
    await expect(page.locator('#vista .chip', { hasText: 'Vendido' })).toBeVisible();
    // The view shows a press before the server has it.
    await expect(page.getByText('Por enviar', { exact: true })).toHaveCount(0);
    await look('vendida');
    expect(await estadosDe(id)).toEqual(['enRevision', 'baja', 'enRevision', 'disponible', 'vendido']);
  });
});
