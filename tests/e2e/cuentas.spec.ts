import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { buildApk } from '../support/builders/app';
import { withDatabase } from './support/database';
import { BOTH, LONG, expect, signIn, test } from './support/test';
import { enFila } from './support/fila';

const PASSWORD = 'Segura#12';

/** The yes of a question: a dialog with JavaScript, a step of the page without it. */
const sayYes = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: 'Si', exact: true }).click();

/** A label of just these words, with or without the mark of what is required. */
const solo = (words: string) => new RegExp(`^${words}\\s*\\*?$`);

// A browser writes down every answer that is a refusal, and here they are asked for.
test.beforeEach(({ allowConsole }) => allowConsole(/status of (401|403|418|422)/));

for (const { javaScriptEnabled, how } of BOTH) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled });

    test(
      'an sa adds a user, who changes their own password and is put out when deactivated',
      LONG,
      async ({ page, browser, baseURL }) => {
        const usuario = `ana-${Date.now().toString(36)}`;
        await signIn(page, 'sa');
        await page.goto('/sa/usuarios');
        await page.getByRole('link', { name: 'Agregar' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Nombre').fill('Ana');
        await dialog.getByLabel('Apellidos').fill('Paz Núñez');
        await dialog.getByLabel('Usuario').fill(usuario);
        await dialog.getByLabel('Email').fill('ana@ejemplo');
        await dialog.getByLabel('Rol').selectOption('Usuario');
        await dialog.getByLabel(solo('Contraseña')).fill(PASSWORD);
        await dialog.getByLabel('Confirmar Contraseña').fill('Otra#1234');
        await dialog.getByRole('button', { name: 'Aceptar' }).click();
        await expect(dialog.getByText('Email No Valido').last()).toBeVisible();
        await expect(dialog.getByText('Este password no coincide con el anterior.').last()).toBeVisible();
        await expect(dialog.getByText('Error de llenado.')).toBeVisible();
        await dialog.getByLabel('Email').fill('ana@ejemplo.mx');
        await dialog.getByLabel(solo('Contraseña')).fill(PASSWORD);
        await dialog.getByLabel('Confirmar Contraseña').fill(PASSWORD);
        await dialog.getByRole('button', { name: 'Aceptar' }).click();
        await expect(page.getByText('Se agrego al usuario correctamente.')).toBeVisible();
        await expect(page).toHaveURL(/\/sa\/usuarios\??$/);

        const other = await browser.newContext({ javaScriptEnabled, baseURL });
        const ana = await other.newPage();
        await signIn(ana, usuario, PASSWORD);
        await ana.goto('/user/datosUsuario');
        await ana.getByLabel('Contraseña actual').fill(PASSWORD);
        await ana.getByLabel(solo('Contraseña')).fill('Nueva#1234');
        await ana.getByLabel('Confirmar Contraseña').fill('Nueva#1234');
        if (!javaScriptEnabled) await ana.getByRole('checkbox').check();
        await ana.getByRole('button', { name: 'Cambiar contraseña' }).click();
        if (javaScriptEnabled) await sayYes(ana);
        await expect(ana.getByText('Se cambio la contraseña correctamente.')).toBeVisible();
        await expect(ana.getByLabel(solo('Contraseña'))).toHaveValue('');

        await page.goto(`/sa/usuarios?q=${usuario}`);
        await enFila(page.locator('tbody tr[data-i="0"]'), /^Desactivar/);
        await expect(page.getByText(`¿Esta seguro que desea desactivar al usuario ${usuario}?`)).toBeVisible();
        await sayYes(page);
        await expect(page.getByText(`El estatus del usuario ${usuario} se cambio correctamente.`)).toBeVisible();
        await expect(page.getByText('Inactivo')).toBeVisible();

        await ana.goto('/user/datosUsuario');
        await expect(ana).toHaveURL(/\/login\?volver=/);
        await other.close();
      },
    );

    test('a profile is saved after its question, and refused beside its field', LONG, async ({ page }) => {
      await signIn(page, 'aux');
      await page.goto('/aux/datosUsuario');
      await page.getByLabel(solo('Usuario')).fill('SA');
      await page.getByRole('button', { name: 'Guardar información' }).click();
      await sayYes(page);
      await expect(page.getByText('Ya existe un usuario con ese nombre de usuario.').last()).toBeVisible();
      await page.getByLabel(solo('Usuario')).fill('aux');
      await page.getByLabel('Apellidos').fill(javaScriptEnabled ? 'Con' : 'Sin');
      await page.getByRole('button', { name: 'Guardar información' }).click();
      await expect(page.getByText('¿Esta seguro que desea guardar la información?')).toBeVisible();
      await sayYes(page);
      await expect(page.getByText('Se modifico la información general correctamente.')).toBeVisible();
      await expect(page.getByLabel('Apellidos')).toHaveValue(javaScriptEnabled ? 'Con' : 'Sin');
    });

    test('one comes back to the page one asked for, leaves after a question, and a stranger role is shown the door', async ({
      page,
    }) => {
      await page.goto('/cont/datosUsuario');
      await page.getByLabel('Usuario').fill('cont');
      await page.getByLabel('Password', { exact: true }).fill('Trastienda#1');
      await page.getByRole('button', { name: 'Entrar' }).click();
      await expect(page).toHaveURL(/\/cont\/datosUsuario$/);
      await page.goto('/sa');
      await expect(page.getByText('El rol de este usuario no tiene acceso a esta pagina.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible();
      await page.goto('/cont');
      await page.locator('.usuario summary').click();
      await page.getByRole('button', { name: 'Cerrar Sessión' }).click();
      await expect(page.getByText('¿Estas seguro de cerrar la sesión?')).toBeVisible();
      await sayYes(page);
      await expect(page).toHaveURL(javaScriptEnabled ? /\/login$/ : /\/login\?/);
      await page.goto('/cont');
      await expect(page).toHaveURL(/\/login\?volver=/);
    });
  });
}

test('the password can be seen with the keyboard alone, and Entrar waits for both fields', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeDisabled();
  await page.getByLabel('Usuario').fill('nadie');
  await page.getByLabel('Password', { exact: true }).fill('Equivocada#1');
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeEnabled();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  const refusal = page.getByRole('alertdialog');
  await expect(refusal).toContainText('Usuario o contraseña incorrectos.');
  // Keys that were on their way when it opened do not close it.
  await expect(async () => {
    await refusal.getByRole('button', { name: 'Entendido' }).press('Enter', { timeout: 500 });
    await expect(refusal).toBeHidden({ timeout: 500 });
  }).toPass();
});

for (const { javaScriptEnabled, how } of BOTH) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled });

    test(
      'an sa whose proof is old adds a user by giving the password, and types nothing twice',
      LONG,
      async ({ page }) => {
        const usuario = `eva-${Date.now().toString(36)}`;
        await signIn(page, 'sa');
        await page.goto('/sa/usuarios?agregar=1');
        await withDatabase((db) =>
          db
            .updateTable('sesion')
            .set({ probadaEn: sql<Date>`now() - interval '5 hours'` })
            .where('usuarioId', 'in', db.selectFrom('usuario').select('id').where('usuario', '=', 'sa'))
            .execute(),
        );
        const dialog = page.getByRole('dialog', { name: 'Agregar usuario' });
        await dialog.getByLabel('Nombre').fill('Eva');
        await dialog.getByLabel('Apellidos').fill('Sol');
        await dialog.getByLabel('Usuario').fill(usuario);
        await dialog.getByLabel('Email').fill('eva@ejemplo.mx');
        await dialog.getByLabel('Rol').selectOption('Usuario');
        await dialog.getByLabel(solo('Contraseña')).fill(PASSWORD);
        await dialog.getByLabel('Confirmar Contraseña').fill(PASSWORD);
        await dialog.getByRole('button', { name: 'Aceptar' }).click();
        const proof = page.getByRole('alertdialog', { name: 'Confirma que eres tú' });
        await proof.getByLabel('Contraseña', { exact: true }).fill('Otra#12345');
        await proof.getByRole('button', { name: 'Continuar' }).click();
        await expect(proof.getByText('La contraseña actual no es correcta.')).toBeVisible();
        if (javaScriptEnabled) await expect(dialog.getByLabel('Apellidos')).toHaveValue('Sol');
        await proof.getByLabel('Contraseña', { exact: true }).fill('Trastienda#1');
        await proof.getByRole('button', { name: 'Continuar' }).click();
        await expect(page.getByText('Se agrego al usuario correctamente.')).toBeVisible();
        await page.goto(`/sa/usuarios?q=${usuario}`);
        await expect(page.getByRole('link', { name: usuario, exact: true })).toBeVisible();
      },
    );
  });
}

test('a notice leaves after two and a half seconds', LONG, async ({ page }) => {
  await signIn(page, 'user');
  await page.goto('/user/datosUsuario');
  await page.getByRole('button', { name: 'Guardar información' }).click();
  await sayYes(page);
  const notice = page.getByText('Se modifico la información general correctamente.');
  await expect(notice).toBeVisible();
  await expect(notice).toBeHidden();
});

test(
  'on a telephone the menu opens and closes, by touch and by keyboard, and nothing overflows',
  LONG,
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await signIn(page, 'sa');
    await page.getByRole('link', { name: 'Menú' }).click();
    const menu = page.getByRole('navigation', { name: 'Menú principal' });
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await page.getByRole('link', { name: 'Menú' }).press('Enter');
    await menu.getByRole('link', { name: 'Usuarios' }).click();
    await expect(menu).toBeHidden();
    for (const path of [
      '/sa/usuarios',
      '/sa/usuarios?agregar=1',
      '/sa/datosUsuario',
      '/terminosYCondiciones',
      '/no/existe',
      '/admin',
    ]) {
      await page.goto(path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    }
  },
);

test('an app is sent in parts and fetched by whoever is signed in', LONG, async ({ as }, testInfo) => {
  const apk = buildApk({ relleno: 5_000_000, version: '7.1' });
  const page = await as('sa');
  await page.goto('/sa/subirApp');
  await page.locator('input[type="file"]').setInputFiles({ name: 'tienda.apk', mimeType: '', buffer: apk });
  await page.getByRole('button', { name: /^Subir/ }).click();
  await expect(page.getByText('Se subió la app correctamente.')).toBeVisible();
  await expect(page.getByRole('row', { name: /7\.1/ })).toBeVisible();
  const aux = await as('aux');
  await aux.goto('/aux');
  await aux.locator('.usuario summary').click();
  const bajando = aux.waitForEvent('download');
  await aux.getByRole('link', { name: 'Descargar app' }).click();
  const download = await bajando;
  expect(download.suggestedFilename()).toBe('Trastienda.apk');
  await download.saveAs(testInfo.outputPath('app.apk'));
  expect(readFileSync(testInfo.outputPath('app.apk')).equals(apk)).toBe(true);
});

test('who leaves takes along what every tab kept of them, and the other tabs leave too', async ({ page }) => {
  await signIn(page, 'cont');
  await page.goto('/cont/ordenes', { waitUntil: 'networkidle' });
  const otra = await page.context().newPage();
  await otra.goto('/cont/facturasClientes', { waitUntil: 'networkidle' });
  const kept = () =>
    otra.evaluate(() => Object.keys(sessionStorage).filter((name) => /^(?:escrito|lista|paleta|positions)/.test(name)));
  await otra.evaluate(() => sessionStorage.setItem('paleta', '[]'));
  await otra.goto('/cont/ordenes', { waitUntil: 'networkidle' });
  await otra.getByRole('searchbox').fill('zz');
  await expect.poll(async () => (await kept()).length).toBeGreaterThan(1);

  await page.locator('.usuario summary').click();
  await page.getByRole('button', { name: 'Cerrar Sessión' }).click();
  await sayYes(page);
  await expect(page).toHaveURL(/\/login$/);
  await expect(otra).toHaveURL(/\/login$/);
  await expect(otra.getByRole('button', { name: 'Entrar' })).toBeVisible();
  expect(await kept()).toEqual([]);
});
