import { expect, test } from 'vitest';
import { Refused } from '~/integrations/errors';
import type { Asking, Mercado, Ventana } from '~/domain/mercados/mercado';

/** What a world that an adapter reads knows to be true of one of its sales. */
export type Hecho = { marketId: string; numOrden: string; total: string; cancelada: boolean };

export type Mundo = {
  mercado: () => Mercado;
  window: () => Ventana;
  hechos: () => Promise<Hecho[]>;
};

const asking: Asking = { patiently: (ask) => ask() };

/** How every adapter behaves; a marketplace is ready when its own world passes. */
export function mercadoSuite({ mercado, window, hechos }: Mundo) {
  async function listAll(one: Mercado) {
    const seen = new Map<string, Date | null>();
    for (const kind of ['sweep', 'cancelled'] as const) {
      const pages = one.changed(window(), kind, asking);
      let page = await pages.next();
      for (; !page.done; page = await pages.next()) {
        for (const { marketId, version } of page.value) seen.set(marketId, version);
      }
      expect(page.value, 'the whole window can be listed').toEqual([]);
    }
    return seen;
  }

  test('every sale of the window is listed, and nothing else', async () => {
    const listed = await listAll(mercado());
    expect(new Set(listed.keys())).toEqual(new Set((await hechos()).map(({ marketId }) => marketId)));
  });

  test('a sale read says its number, its amount, whether it was cancelled, and articulos that add up', async () => {
    const one = mercado();
    for (const hecho of (await hechos()).slice(0, 40)) {
      const venta = (await one.readVenta(hecho.marketId, undefined, new Date()))!;
      expect({
        marketId: venta.marketId,
        numOrden: venta.numOrden,
        total: String(venta.total ?? venta.articulos[0]!.importe),
        cancelada: venta.situacion === 'cancelada',
      }).toEqual(hecho);
      expect(venta.articulos.length).toBeGreaterThan(0);
      expect(venta.articulos.every(({ cantidad, importe }) => cantidad > 0 && !importe.isNegative())).toBe(true);
      expect(venta.envios.every(({ marketId }) => marketId === venta.envioId)).toBe(true);
      expect(venta.falta.documento).toBe(venta.completar !== undefined);
    }
  });

  test('a sale that did not change is read the same', async () => {
    const [{ marketId }] = (await hechos()) as [Hecho];
    const [first, second] = [
      await mercado().readVenta(marketId, undefined, new Date()),
      await mercado().readVenta(marketId, undefined, new Date()),
    ];
    expect(second!.version).toEqual(first!.version);
    expect(JSON.stringify(second!.pagos)).toBe(JSON.stringify(first!.pagos));
  });

  test('a sale that is not there is refused or told to be none of ours; a number that is not there finds nothing', async () => {
    const one = mercado();
    const outcome = await one.readVenta('999999999999', undefined, new Date()).catch((error: unknown) => error);
    expect(outcome === null || outcome instanceof Refused).toBe(true);
    expect((await one.findNumero?.('999999999999')) ?? []).toEqual([]);
  });

  test('the number people type finds the sale', async () => {
    const [{ marketId, numOrden }] = (await hechos()) as [Hecho];
    expect((await mercado().findNumero?.(numOrden)) ?? [marketId]).toContain(marketId);
  });

  test('the notice of a sale brings that sale', async () => {
    const { avisos } = mercado();
    if (!avisos) return;
    const [{ marketId }] = (await hechos()) as [Hecho];
    const { topic, resource } = avisos.ofVenta(marketId);
    expect(avisos.parse(topic, resource)).toEqual({ topic, resource, sobre: 'venta', id: marketId });
    expect(avisos.parse(topic, 'https://otro.test/orders/1')).toBeUndefined();
  });
}
