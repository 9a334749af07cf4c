import { expect, test } from 'vitest';
import { Caja } from './caja';

const AMOUNT = 11_600;

/** Sixty orders at one supplier, each with its invoice; the answer of the first was lost, so its folio is not known here. */
function world() {
  const all = Array.from({ length: 60 }, (_, at) => ({ id: `p${at}`, at }));
  const typed: Record<string, unknown>[] = [];
  const outside: { folio: string; importe: number }[] = [];
  const registered: Record<string, unknown>[] = [];
  const admin = {
    get: (path: string) => {
      const at = Number(path.split('/p').pop());
      return Promise.resolve({
        ...{ id: `p${at}`, proveedor: 'ct', folio: `PED-${at}`, folioProveedor: at === 0 ? null : `W-${at}` },
        ...{ ordenId: `o${at}`, numOrden: `20000${at * 7_919}` },
      } as never);
    },
    list: () =>
      Promise.resolve(typed.map(({ folio }) => ({ id: `f-${String(folio)}`, folio, falta: '116.00' })) as never[]),
    post: (_: string, body: unknown) => Promise.resolve(void typed.push(body as never) as never),
    upload: (_: string, datos: Record<string, unknown>) => Promise.resolve(void registered.push(datos) as never),
  };
  const afuera = {
    suppliers: () =>
      Promise.resolve([
        {
          ...{ proveedor: 'ct', payments: [], owed: 0 },
          orders: all.map(({ at }) => ({
            ...{ folio: `W-${at}`, referencia: `PED-${at}`, at: 0, taken: true, amount: AMOUNT },
          })),
          invoices: all.map(({ at }) => ({ folio: `F-${at}`, order: `W-${at}`, at: 0, amount: AMOUNT, paid: 0 })),
        },
      ]),
    pay: (_: string, { facturas }: { facturas: { folio: string; importe: number }[] }) =>
      Promise.resolve(void outside.push(...facturas)),
  };
  return {
    ids: all.map(({ id }) => id),
    caja: (semilla = 1) => new Caja({ afuera, admin }, semilla),
    typed,
    outside,
    registered,
  };
}
const NOW = Date.UTC(2026, 10, 20, 18);
const inOrder = (paid: readonly { folio: string }[]) => paid.toSorted((a, b) => a.folio.localeCompare(b.folio));

test('every invoice is written down once, and what is paid of it hangs on its sale and not on when it came', async () => {
  const [una, otra] = [world(), world()];
  await una.caja().work(NOW, una.ids);
  const despacio = otra.caja();
  for (const id of otra.ids.toReversed()) await despacio.work(NOW, [id]);
  await despacio.work(NOW, otra.ids);
  expect(otra.typed).toHaveLength(60);
  expect(una.typed).toHaveLength(60);
  expect(una.typed[0]).toEqual({ proveedor: 'ct', ordenId: 'o0', folio: 'F-0', monto: '116.00' });
  expect(inOrder(otra.outside)).toEqual(inOrder(una.outside));
  const [whole, half] = [AMOUNT, AMOUNT / 2].map((importe) => una.outside.filter((one) => one.importe === importe));
  expect(whole!.length).toBeGreaterThan(20);
  expect(half!.length).toBeGreaterThan(5);
  expect(una.outside.length).toBeLessThan(55);
});

test('a transfer is written down as it was made, and another seed pays others', async () => {
  const at = world();
  await at.caja().work(NOW, at.ids);
  const total = at.registered.reduce((sum, one) => sum + Math.round(Number(one.total) * 100), 0);
  expect(total).toBe(at.outside.reduce((sum, { importe }) => sum + importe, 0));
  expect(at.registered.flatMap(({ facturas }) => facturas as string[]).toSorted()).toEqual(
    at.outside.map(({ folio }) => `f-${folio}|116.00`).toSorted(),
  );
  const other = world();
  await other.caja(2).work(NOW, other.ids);
  expect(inOrder(other.outside)).not.toEqual(inOrder(at.outside));
});
