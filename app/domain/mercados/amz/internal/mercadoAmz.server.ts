import { type Amazon, readOrder } from '~/integrations/amazon/client.server';
import { Refused } from '~/integrations/errors';
import { detail } from '~/domain/mercados/detail';
import type { Asking, Cambio, Mercado, Ventana } from '~/domain/mercados/mercado';
import type { VentaConocida, VentaLeida } from '~/domain/mercados/venta';
import { finanzasOf, FinanzasGuardadas, proximaMirada } from './finanzas';
import type { ReadIsr } from './isr.server';
import { cutInTwo, listWindow } from './listing';
import { type Ajustes, ventaOf } from './venta';

const NUMERO = /^\d{3}-\d{7}-\d{7}$/;

/**
 * Opens Amazon México for one run. The search brings whole sales, and Amazon allows one search in three minutes: the sales of a page are kept until
 * they are read. Movements are asked for when a sale is looked at again, and never while the search is paged.
 */
export function createMercadoAmz(
  amazon: Amazon,
  { lectura, readIsr }: Pick<Ajustes, 'lectura'> & { readIsr: ReadIsr },
): Mercado {
  const brought = new Map<string, unknown>();

  async function* changed(window: Ventana, asking: Asking): AsyncGenerator<Cambio[], string[]> {
    const rows = listWindow(amazon, window, asking);
    let page = await rows.next();
    for (; !page.done; page = await rows.next()) {
      brought.clear();
      for (const { id, raw } of page.value) brought.set(id, raw);
      yield page.value.map(({ id, version }) => ({ marketId: id, version }));
    }
    brought.clear();
    if (page.value === 'whole') return [];
    const halves = page.value === 'full' ? cutInTwo(window) : null;
    if (halves) return [...(yield* changed(halves[0], asking)), ...(yield* changed(halves[1], asking))];
    const { from, to } = window;
    return [
      `Ventas con cambios entre ${from.toISOString()} y ${to.toISOString()}: cambiaron mientras se leían y se vuelven a leer`,
    ];
  }

  async function readVenta(id: string, known: VentaConocida | undefined, now: Date): Promise<VentaLeida | null> {
    const fromPage = brought.get(id);
    const raw = fromPage ?? (await amazon.getOrder(id));
    const order = readOrder(raw);
    // A sale of another shop that Amazon only ships is no sale of ours.
    if (order.salesChannel?.channelName === 'NON_AMAZON') return null;
    const sinLeer: string[] = [];
    const before = FinanzasGuardadas.parse(known?.documento);
    const due = proximaMirada(order, known?.cargosEn ?? null, now);
    const asks = fromPage === undefined && due !== null && due <= now;
    const told = asks ? await detail(() => amazon.transactionsOf(id), 'movimientos', sinLeer) : null;
    return ventaOf(
      order,
      { lectura, isr: await readIsr(order.createdTime) },
      {
        raw,
        finanzas: (told && finanzasOf(told)) ?? before,
        leidas: told !== null,
        sinLeer,
        conocida: known,
        now,
      },
    );
  }

  return {
    changed: (window, _kind, asking) => changed(window, asking),
    readVenta,
    async findNumero(numero) {
      if (!NUMERO.test(numero)) return [];
      try {
        return [readOrder(await amazon.getOrder(numero)).orderId];
      } catch (error) {
        if (error instanceof Refused) return [];
        throw error;
      }
    },
  };
}
