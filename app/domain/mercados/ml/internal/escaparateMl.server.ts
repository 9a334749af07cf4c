import { Refused } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { POR_LECTURA, POR_PAGINA, ULTIMO } from '~/integrations/mercadolibre/publicacionesReads.server';
import type { CapacidadesDePublicacion, Escaparate, LimitesDePublicacion } from '~/domain/mercados/publicacion';
import { publicacionMl } from './publicacion';

/** Limits of the account, which nobody publishes: integrators stay under 500 changes in a minute. */
export const LIMITES_ML: LimitesDePublicacion = {
  porLectura: POR_LECTURA,
  cambiosPorMinuto: 420,
  porArchivo: 1,
  entreArchivosS: 0,
};
/** Each change leaves by itself. */
export const CAPACIDADES_ML: CapacidadesDePublicacion = { cambios: 'unoPorUno' };

/** Opens the listings of the linked seller. A scan whose scroll was forgotten begins again, and a listing that was read since the run began is not read twice. */
export function createEscaparateMl({ publicaciones }: Pick<Mercadolibre, 'publicaciones'>): Escaparate {
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

    async leer(claves) {
      const leidas = await publicaciones.varios(claves);
      return leidas.map((one) =>
        'doc' in one
          ? { clave: one.id, leida: publicacionMl(one.doc, one.raw) }
          : 'falta' in one
            ? { clave: one.id, falta: true }
            : { clave: one.id, ilegible: one.ilegible },
      );
    },

    descripcion: (clave) => publicaciones.descripcion(clave),

    conSku: (sku) => publicaciones.conSku(sku),
  };

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
