import { setTimeout } from 'node:timers/promises';
import { Refused, Unavailable } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { productoDeUsuarioOf } from '~/integrations/mercadolibre/wirePublicacion';
import { type Leido, POR_LECTURA, POR_PAGINA, ULTIMO } from '~/integrations/mercadolibre/publicacionesReads.server';
import type { PorLugar } from '~/integrations/mercadolibre/wireLugares';
import type { CapacidadesDePublicacion, Escaparate, LimitesDePublicacion } from '~/domain/mercados/publicacion';
import type { CuentaMl } from './cuentaMl';
import { porLeer, publicacionMl } from './publicacion';

/** Limits of the account, which nobody publishes: integrators stay under 500 changes in a minute. */
export const LIMITES_ML: LimitesDePublicacion = {
  porLectura: POR_LECTURA,
  cambiosPorMinuto: 420,
  porArchivo: 1,
  entreArchivosS: 0,
};
/** Each change leaves by itself. */
export const CAPACIDADES_ML: CapacidadesDePublicacion = { cambios: 'unoPorUno' };

/** Reads of places in a minute: the vendor's figure for other countries, and none is known for México. */
const LUGARES_POR_MINUTO = 100;
const MINUTO = 60_000;
const recientes: number[] = [];

/** Waits until one more read of places is within the pace of this process. Throws Unavailable where the caller does not wait. */
async function turno(espera: boolean): Promise<void> {
  if (!espera && recientes.length >= LUGARES_POR_MINUTO && recientes[0]! > performance.now() - MINUTO)
    throw new Unavailable('Ya se leyeron muchos lugares en este minuto', {
      ownPace: true,
      retryAfterMs: MINUTO,
    });
  while (recientes.length >= LUGARES_POR_MINUTO && recientes[0]! > performance.now() - MINUTO)
    await setTimeout(recientes[0]! + MINUTO - performance.now());
  if (recientes.length >= LUGARES_POR_MINUTO) recientes.shift();
  recientes.push(performance.now());
}

/** Opens the listings of the linked seller. A scan whose scroll was forgotten begins again, and a listing that was read since the run began is not read twice. */
export function createEscaparateMl(
  { publicaciones, stockPorLugar }: Pick<Mercadolibre, 'publicaciones' | 'stockPorLugar'>,
  readCuenta: () => Promise<CuentaMl>,
): Escaparate {
  return {
    async *todas(sigue, asking) {
      let scroll = sigue;
      for (;;) {
        asking.signal?.throwIfAborted();
        const page = await asking.patiently(() => escanear(scroll));
        scroll = page.scroll;
        if (page.ids.length === 0) return;
        yield { claves: page.ids, sigue: scroll };
      }
    },

    async *movidas(_desde, asking) {
      // Most looks meet nothing new, and end with one answer.
      for (let offset = 0, limit = POR_LECTURA; offset + limit <= ULTIMO; offset += limit, limit = POR_PAGINA) {
        asking.signal?.throwIfAborted();
        const ids = await asking.patiently(() => publicaciones.ultimas(offset, limit));
        if (ids.length > 0) yield ids;
        if (ids.length < limit) return;
      }
    },

    async leer(claves, { porLugar } = { porLugar: false }) {
      const [leidas, cuenta] = await Promise.all([publicaciones.varios(claves), readCuenta()]);
      const lugares = new Map<string, PorLugar | null>();
      const productoOf = (one: Leido) =>
        'doc' in one ? (porLugar ? productoDeUsuarioOf(one.doc) : porLeer(one.doc, cuenta)) : null;
      // Listings of one user product sell the same pieces.
      for (const producto of new Set(leidas.map(productoOf)))
        if (producto) lugares.set(producto, await leer(producto, !porLugar));
      return leidas.map((one) =>
        'doc' in one
          ? {
              clave: one.id,
              leida: publicacionMl(one.doc, one.raw, lugares.get(productoOf(one) ?? '') ?? null, cuenta),
            }
          : 'falta' in one
            ? { clave: one.id, falta: true }
            : { clave: one.id, ilegible: one.ilegible },
      );
    },

    descripcion: (clave) => publicaciones.descripcion(clave),

    conSku: (sku) => publicaciones.conSku(sku),
  };

  /** Reads the places of a user product, within the pace; null where Mercado Libre does not tell them. */
  async function leer(producto: string, espera: boolean): Promise<PorLugar | null> {
    await turno(espera);
    try {
      return await stockPorLugar(producto);
    } catch (error) {
      if (error instanceof Refused && !error.details.account) return null;
      throw error;
    }
  }

  async function escanear(scroll: string | null) {
    try {
      return await publicaciones.escanear(scroll);
    } catch (error) {
      // A scroll lives for five minutes; a later call begins anew.
      if (scroll !== null && error instanceof Refused && !error.details.account)
        return await publicaciones.escanear(null);
      throw error;
    }
  }
}
