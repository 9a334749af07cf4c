import type { Page } from '@playwright/test';
import { enqueue } from '~db/queue/catalog.server';
import type { SandboxClient } from '../support/sandboxClient';
import { withDatabase } from './support/database';
import { BESIDE, LONG, expect, test } from './support/test';

/** A piece as its wholesaler tells it, in text: price without VAT, currency, pesos per dollar. */
type Pieza = { id: string; precio: string; moneda: 'MXN' | 'USD'; porDolar: string; existencia: number; texto: string };
type Venta = { numOrden: string; ordenes: string[] };
type Orden = { total: number; envioId: string; cargos: { nombre: string; monto: string }[] };
type Alla = { folio: string; referencia: string; guias?: { guia: string }[] };

const PRECIO = '90000.00';

/** One piece that a wholesaler sells and has: each story has its own `n`. */
async function piezaDe(sandbox: SandboxClient, proveedor: string, n: number): Promise<Pieza> {
  const { normal } = await sandbox.proveedor(proveedor).get<{ normal: Pieza[] }>('/ejemplos?n=400');
  return normal.filter(({ existencia }) => existencia > 3)[n]!;
}

const vender = (sandbox: SandboxClient, proveedor: string, { id, texto }: Pieza) =>
  sandbox.mercadolibre.newOrden<Venta>('simple', { sku: `AMS|${id}|${proveedor}|${texto}`, precio: PRECIO });

/** Cents of an amount with up to two decimals. */
function centavosOf(importe: string | number): bigint {
  const [enteros = '', decimales = ''] = String(importe).split('.');
  return BigInt(enteros) * 100n + BigInt(decimales.padEnd(2, '0'));
}
const pesosOf = (centavos: bigint) =>
  `$${(centavos / 100n).toLocaleString('en-US')}.${String(centavos % 100n).padStart(2, '0')}`;

/** What a purchase of one piece costs and leaves, in the words of the question, out of what wholesaler and marketplace say. */
async function dineroOf(sandbox: SandboxClient, { precio, moneda, porDolar }: Pieza, { ordenes }: Venta) {
  const { total, cargos } = await sandbox.mercadolibre.get<Orden>(`/ordenes/${ordenes[0]}`);
  const sinIva = centavosOf(precio) * (moneda === 'USD' ? centavosOf(porDolar) : 100n);
  const costo = (sinIva * 116n + 5_000n) / 10_000n;
  const pagado = centavosOf(total);
  const queda = cargos.reduce((resto, { monto }) => resto - centavosOf(monto), pagado) - costo;
  expect(cargos.map(({ nombre }) => nombre)).toContain('meli_fee');
  const decimas = ((queda * 1_000_000n) / pagado + 500n) / 1_000n;
  return `costo ${pesosOf(costo)} con IVA · quedan ${pesosOf(queda)} (${decimas / 10n}.${decimas % 10n} %)`;
}

const pregunta = (page: Page) => page.getByRole('alertdialog');
const si = (page: Page) => pregunta(page).getByRole('button', { name: 'Si', exact: true }).click();
const tarjeta = (page: Page, label: string) => page.getByRole('region', { name: label, exact: true });

/** Opens the question of a button, until it says what other processes bring: the sale with its charges, the label. */
async function preguntar(page: Page, url: string, boton: string | RegExp, dice: readonly string[]) {
  await expect(async () => {
    await page.goto(url);
    await page.getByRole('button', { name: boton }).first().click({ timeout: 3_000 });
    for (const texto of dice) await expect(pregunta(page)).toContainText(texto, { timeout: 3_000 });
  }).toPass(BESIDE);
}

/** Opens the sale, presses 'Hacer pedido' and confirms the pedido once its label is there; the folio of the pedido. */
async function pedirYConfirmar(
  page: Page,
  sandbox: SandboxClient,
  { label, pieza, venta, guia }: { label: string; pieza: Pieza; venta: Venta; guia: string },
): Promise<string> {
  const dinero = await dineroOf(sandbox, pieza, venta);
  const abrir = async () => {
    await page.goto(`/sa/ordenes?q=${venta.numOrden}`);
    return page.locator('tbody tr[data-i]').filter({ hasText: venta.numOrden }).locator('a.abre').first();
  };
  await expect(async () => expect(await (await abrir()).isVisible()).toBe(true)).toPass(BESIDE);
  const href = (await (await abrir()).getAttribute('href'))!;
  const ficha = new URL(href, page.url()).href;
  await preguntar(page, ficha, `Hacer pedido a ${label}`, ['¿Está seguro que desea hacer el pedido?', dinero]);
  await si(page);
  await expect(page.getByText('Pedido creado. Falta confirmarlo.')).toBeVisible();
  // What the schedule does each few minutes: it brings the label of a sale that is ordered.
  await withDatabase((db) => enqueue(db, 'pedidos.seguir', {}));
  await preguntar(page, `/sa/ordenesPorConfirmar?q=${venta.numOrden}`, /^Confirmar pedido TR-/, [
    '¿Está seguro que desea confirmar el pedido?',
    dinero,
    guia,
  ]);
  const folio = /TR-\d+/.exec(await pregunta(page).innerText())![0];
  await si(page);
  return folio;
}

/** The folio that the list shows for the pedido of a sale, which its wholesaler has too, with the label once it was sent. */
async function expectComprado(page: Page, sandbox: SandboxClient, kind: string, { numOrden }: Venta, folio: string) {
  const alla = async () =>
    (await sandbox.proveedor(kind).get<Alla[]>('/pedidos')).find(
      ({ referencia }) => Number(referencia.split('-').at(-1)) === Number(folio.slice(3)),
    );
  await expect.poll(async () => (await alla())?.guias?.length ?? 0, BESIDE).toBe(1);
  const { folio: suyo } = (await alla())!;
  await page.goto(`/sa/ordenes?q=${numOrden}`);
  await page.locator('tbody tr[data-i]').filter({ hasText: numOrden }).locator('a.abre').first().click();
  const pedidos = page.getByRole('region', { name: 'Pedidos a proveedores' }).first();
  await expect(pedidos).toContainText(folio);
  await expect(pedidos).toContainText(suyo);
  await expect(pedidos).not.toContainText('Sin mandar');
}

test(
  'a sale is bought at CT by screens alone, to its folio and its label',
  LONG,
  async ({ as, sandbox, allowConsole }) => {
    allowConsole(/422/);
    const page = await as('sa');
    const pieza = await piezaDe(sandbox, 'ct', 61);
    const venta = await vender(sandbox, 'ct', pieza);
    const folio = await pedirYConfirmar(page, sandbox, { label: 'CT', pieza, venta, guia: 'La guía se le manda a CT' });
    await expect(page.getByText(/^Se realizo al confirmacion\.$|^El pedido va en camino a CT/)).toBeVisible();
    await expectComprado(page, sandbox, 'ct', venta, folio);
  },
);

test('a sale is bought at Syscom by screens alone, from how it is bought from to a folio', async ({
  as,
  sandbox,
  allowConsole,
}) => {
  allowConsole(/422/);
  const page = await as('sa');
  await page.goto('/sa/tiendasConfiguracion?tab=proveedores');
  const card = tarjeta(page, 'Syscom');
  await card.getByRole('button', { name: 'Leer las opciones de Syscom' }).click();
  await expect(page.getByText('Se leyeron las opciones de Syscom.')).toBeVisible();
  await card.getByLabel('Forma de pago de Syscom').selectOption('transferencia');
  await card.getByLabel('Fletera de Syscom').selectOption('estafeta');
  // The marketplace hides the buyer's telephone, and Syscom asks for one beside the label.
  await card.getByLabel('Teléfono de contacto para Syscom').fill('33 1111 1111');
  await card.getByRole('button', { name: 'Guardar cómo se le compra a Syscom' }).click();
  await expect(page.getByText('Se guardó cómo se le compra a Syscom.')).toBeVisible();
  await expect(card).not.toContainText('No se le puede pedir');

  const pieza = await piezaDe(sandbox, 'syscom', 61);
  const venta = await vender(sandbox, 'syscom', pieza);
  const guia = 'La guía va dentro del pedido.';
  const folio = await pedirYConfirmar(page, sandbox, { label: 'Syscom', pieza, venta, guia });
  await expect(page.getByText(/^Se realizo al confirmacion\.$|^El pedido va en camino a Syscom/)).toBeVisible();
  await expectComprado(page, sandbox, 'syscom', venta, folio);
});

for (const { kind, label, n } of [
  { kind: 'tvc', label: 'TVC', n: 61 },
  { kind: 'ts', label: 'TecnoSinergia', n: 61 },
])
  test(
    `a sale is ordered at ${label} by a letter with its label, and the folio of the reply is typed`,
    LONG,
    async ({ as, sandbox, allowConsole }) => {
      allowConsole(/422/);
      const page = await as('sa');
      const email = `pedidos-${Date.now()}@${kind}.mx`;
      await page.goto('/sa/agentesVentas?agregar=1');
      const agente = page.getByRole('dialog');
      await agente.getByLabel('Nombre').fill('Ana');
      await agente.getByLabel('Apellidos').fill('de los Pedidos');
      await agente.getByLabel('Email').fill(email);
      await agente.getByLabel('Proveedor').selectOption(kind);
      await agente.getByRole('button', { name: 'Aceptar' }).click();
      await expect(page.getByText('Se agrego al agente correctamente.')).toBeVisible();

      const pieza = await piezaDe(sandbox, kind, n);
      const venta = await vender(sandbox, kind, pieza);
      const folio = await pedirYConfirmar(page, sandbox, {
        label,
        pieza,
        venta,
        guia: `La guía se le manda a ${label}`,
      });
      await expect(page.getByText(`Se envio el correo a ${label}.`, { exact: false })).toBeVisible();

      const cartas = () => sandbox.correo.inbox({ to: email });
      await expect.poll(async () => (await cartas()).length, BESIDE).toBe(1);
      const [{ id, subject, attachments }] = (await cartas()) as [Awaited<ReturnType<typeof cartas>>[number]];
      expect(subject).toContain(folio);
      expect(attachments.map(({ filename }) => filename)).toEqual([`guia-${folio}.pdf`]);
      const { text } = await sandbox.correo.read(id);
      expect(text).toContain(`1 x ${pieza.id}`);
      const { envioId } = await sandbox.mercadolibre.get<Orden>(`/ordenes/${venta.ordenes[0]}`);
      expect((await sandbox.correo.attachment(id, 0)).toString('latin1')).toContain(envioId);

      await page.goto(`/sa/ordenesPorConfirmar?q=${venta.numOrden}`);
      await page.getByRole('link', { name: `Guardar el folio del pedido ${folio}` }).click();
      const suyo = `${kind.toUpperCase()}-${String(Date.now()).slice(-6)}`;
      await page.getByLabel(`Folio que dijo ${label}`).fill(suyo);
      await page.getByRole('button', { name: 'Guardar el folio' }).click();
      await expect(page.getByText('Se guardó el folio del pedido.')).toBeVisible();
      await page.goto(`/sa/ordenes?q=${venta.numOrden}`);
      await page.locator('tbody tr[data-i]').filter({ hasText: venta.numOrden }).locator('a.abre').first().click();
      const pedidos = page.getByRole('region', { name: 'Pedidos a proveedores' }).first();
      await expect(pedidos).toContainText(suyo);
      await expect(pedidos).toContainText('Confirmado');
    },
  );

test.describe('CVA, whose catalogue closes by day', () => {
  test.describe.configure({ mode: 'serial' });
  test.afterAll(async ({ sandbox }) => void (await sandbox.proveedor('cva').post('/horas', { hora: null })));
  for (const { cuando, hora, n, busca } of [
    { cuando: 'by day', hora: '12:00', n: 61, busca: ({ id }: Pieza) => id },
    { cuando: 'by night', hora: '22:00', n: 71, busca: ({ texto }: Pieza) => texto },
  ])
    test(
      `a sale is bought at CVA ${cuando}, from the finder to its folio and its label`,
      LONG,
      async ({ as, sandbox, allowConsole }) => {
        allowConsole(/422/);
        await sandbox.proveedor('cva').post('/horas', { hora });
        const page = await as('sa');
        await page.goto('/sa/tiendasConfiguracion?tab=proveedores');
        const card = tarjeta(page, 'CVA');
        await card.getByRole('button', { name: 'Leer las opciones de CVA' }).click();
        await expect(page.getByText('Se leyeron las opciones de CVA.')).toBeVisible();
        await card.getByLabel('Sucursal 1 de CVA').selectOption('46');
        await card.getByRole('button', { name: 'Guardar cómo se le compra a CVA' }).click();
        await expect(page.getByText('Se guardó cómo se le compra a CVA.')).toBeVisible();

        const pieza = await piezaDe(sandbox, 'cva', n);
        await page.goto(`/sa/buscador?${new URLSearchParams({ q: busca(pieza), proveedor: 'cva' })}`);
        const vivo = page.getByRole('region', { name: 'CVA, ahora mismo' });
        const suya = vivo.getByRole('listitem').filter({ hasText: pieza.id });
        await suya.getByRole('button', { name: /^Actualizar producto/ }).click();
        await expect(page.getByText('Producto actualizado')).toBeVisible();

        const venta = await vender(sandbox, 'cva', pieza);
        const folio = await pedirYConfirmar(page, sandbox, {
          label: 'CVA',
          pieza,
          venta,
          guia: 'La guía se le manda a CVA',
        });
        await expect(page.getByText(/^Se realizo al confirmacion\.$|^El pedido va en camino a CVA/)).toBeVisible();
        await expectComprado(page, sandbox, 'cva', venta, folio);
      },
    );
});
