import { Refused } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import type { Asking, Cambio, Mercado } from '~/domain/mercados/mercado';
import { atencionMl } from './atencion.server';
import { avisosMl, perdidosMl } from '../avisos.server';
import { cutInTwo, listSlice, type Slice } from './listing';
import { createReader } from './reader.server';

/** Cuts of full slices in one run: a wrong total would have a run cut for ever. */
const MAX_CUTS = 500;

/** Opens Mercado Libre for one run. */
export function createMercadoMl(ml: Mercadolibre): Mercado {
  let cutsLeft = MAX_CUTS;

  async function* changedIn(
    slice: Slice,
    status: string | undefined,
    asking: Asking,
  ): AsyncGenerator<Cambio[], string[]> {
    const halves = cutsLeft > 0 ? cutInTwo(slice) : null;
    const page = (offset: number) => {
      asking.signal?.throwIfAborted();
      return asking.patiently(() => ml.searchOrders(slice, { status, created: slice.created }, offset));
    };
    const listing = yield* listSlice(page, { until: slice.to, evenFull: halves === null });
    if (listing === 'full' && halves) {
      cutsLeft -= 1;
      const first = yield* changedIn(halves[0], status, asking);
      return [...first, ...(yield* changedIn(halves[1], status, asking))];
    }
    if (listing === 'whole') return [];
    const why =
      listing === 'full'
        ? 'son más de las que Mercado Libre deja ver'
        : 'cambiaron mientras se leían y se vuelven a leer';
    return [`Ventas con cambios entre ${slice.from.toISOString()} y ${slice.to.toISOString()}: ${why}`];
  }

  return {
    changed: (window, kind, asking) => changedIn(window, kind === 'cancelled' ? 'cancelled' : undefined, asking),
    readVenta: createReader(ml),
    avisos: avisosMl(ml),
    atencion: atencionMl(ml),
    perdidos: perdidosMl(ml),

    /** The number may be of an order or of a cart; the other orders of a cart share the number. */
    async findNumero(numero) {
      if (!/^\d{10,20}$/.test(numero)) return [];
      const pack = await orNothing(ml.getPack(numero));
      const order = pack ? undefined : await orNothing(ml.getOrder(numero));
      const ids = pack?.orders.map(({ id }) => id) ?? (order ? [order.doc.id] : []);
      const cart = order?.doc.pack_id ? await orNothing(ml.getPack(order.doc.pack_id)) : undefined;
      return [...new Set([...ids, ...(cart?.orders.map(({ id }) => id) ?? [])])];
    },
  };
}

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
