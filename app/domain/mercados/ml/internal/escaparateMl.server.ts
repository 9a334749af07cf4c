import { setTimeout } from 'node:timers/promises';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { productoDeUsuarioOf } from '~/integrations/mercadolibre/wirePublicacion';
import { type Leido, POR_LECTURA, POR_PAGINA, ULTIMO } from '~/integrations/mercadolibre/publicacionesReads.server';
import type { PorLugar } from '~/integrations/mercadolibre/wireLugares';
import type {
  CapacidadesDePublicacion,
  CompetenciaHallada,
  Escaparate,
  Hallada,
  LimitesDePublicacion,
  PromocionesHalladas,
} from '~/domain/mercados/publicacion';
import type { CuentaMl } from './cuentaMl';
import { competenciaMl } from './competenciaMl';
import { corre, promocionesMl } from './promocionesMl';
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
/** Reads of prices in a minute: each is of one listing, and nobody publishes a limit. */
const PRECIOS_POR_MINUTO = 300;
/** Listings whose promotions one run reads, each by itself. They share the pace of prices. */
const PROMOCIONES_POR_VEZ = 200;
const MINUTO = 60_000;
const lugaresLeidos: number[] = [];
const preciosLeidos: number[] = [];

/** Waits until one more read is within its pace of this process. Throws Unavailable where the caller does not wait. */
async function turno(recientes: number[], porMinuto: number, espera: boolean): Promise<void> {
  if (!espera && recientes.length >= porMinuto && recientes[0]! > performance.now() - MINUTO)
    throw new Unavailable('Ya se leyeron muchas publicaciones en este minuto', {
      ownPace: true,
      retryAfterMs: MINUTO,
    });
  while (recientes.length >= porMinuto && recientes[0]! > performance.now() - MINUTO)
    await setTimeout(recientes[0]! + MINUTO - performance.now());
  if (recientes.length >= porMinuto) recientes.shift();
  recientes.push(performance.now());
}

/** Opens the listings of the linked seller. A scan whose scroll was forgotten begins again, and a listing that was read since the run began is not read twice. */
export function createEscaparateMl(
  { publicaciones, stockPorLugar, promociones }: Pick<Mercadolibre, 'publicaciones' | 'stockPorLugar' | 'promociones'>,
  readCuenta: () => Promise<CuentaMl>,
  { espera = true }: { espera?: boolean } = {},
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

    async leer(claves, { porLugar = false, deVenta = false } = {}) {
      const [leidas, cuenta] = await Promise.all([publicaciones.varios(claves), readCuenta()]);
      const lugares = new Map<string, PorLugar | null>();
      const productoOf = (one: Leido) =>
        'doc' in one ? (porLugar ? productoDeUsuarioOf(one.doc) : porLeer(one.doc, cuenta)) : null;
      // Listings of one user product sell the same pieces.
      for (const producto of new Set(leidas.map(productoOf)))
        if (producto) lugares.set(producto, await leer(producto, !porLugar));
      const halladas: Hallada[] = [];
      for (const one of leidas) {
        if (!('doc' in one)) {
          halladas.push('falta' in one ? { clave: one.id, falta: true } : { clave: one.id, ilegible: one.ilegible });
          continue;
        }
        const leida = publicacionMl(one.doc, one.raw, lugares.get(productoOf(one) ?? '') ?? null, cuenta);
        // The price of the list leaves the document little by little; it is told by itself then.
        leida.precio ??= (await precio('precioDeLista', one.id, true)) ?? null;
        if (deVenta) {
          const precioVenta = await precio('precioDeVenta', one.id, false);
          if (precioVenta !== undefined) leida.precioVenta = precioVenta;
        }
        halladas.push({ clave: one.id, leida });
      }
      return halladas;
    },

    descripcion: (clave) => publicaciones.descripcion(clave),

    competencia: {
      porLectura: 1,
      porVez: PRECIOS_POR_MINUTO,
      leer: (claves) => Promise.all(claves.map(competencia)),
    },

    promociones: {
      porLectura: 1,
      porVez: PROMOCIONES_POR_VEZ,
      leer: (claves) => Promise.all(claves.map(promocionesDe)),
    },

    conSku: (sku) => publicaciones.conSku(sku),
  };

  /** Reads the places of a user product, within the pace; null where Mercado Libre does not tell them. */
  async function leer(producto: string, espera: boolean): Promise<PorLugar | null> {
    await turno(lugaresLeidos, LUGARES_POR_MINUTO, espera);
    try {
      return await stockPorLugar(producto);
    } catch (error) {
      if (error instanceof Refused && !error.details.account) return null;
      throw error;
    }
  }

  /** Reads a price of a listing, within the pace; undefined where Mercado Libre does not tell it, or the pace is full and nobody waits. */
  async function precio(cual: 'precioDeLista' | 'precioDeVenta', clave: string, espera: boolean) {
    try {
      await turno(preciosLeidos, PRECIOS_POR_MINUTO, espera);
      return await publicaciones[cual](clave);
    } catch (error) {
      const callado = error instanceof UnexpectedShape || (error instanceof Refused && !error.details.account);
      if (callado || (error instanceof Unavailable && error.details.ownPace)) return undefined;
      throw error;
    }
  }

  /** Reads how a listing stands on its catalogue page, within the pace. */
  async function competencia(clave: string): Promise<CompetenciaHallada> {
    await turno(preciosLeidos, PRECIOS_POR_MINUTO, espera);
    try {
      return competenciaMl(clave, await publicaciones.precioParaGanar(clave));
    } catch (error) {
      return negadaOf(clave, error);
    }
  }

  /** Reads the promotions of a listing, within the pace. Whether it is kept out of automatic ones is asked where one of them runs or is to come. */
  async function promocionesDe(clave: string): Promise<PromocionesHalladas> {
    await turno(preciosLeidos, PRECIOS_POR_MINUTO, espera);
    try {
      const dichas = await promociones.deItem(clave);
      const excluida = dichas.some(corre) ? await isExcluida(clave) : null;
      return { clave, promociones: promocionesMl(dichas), excluida };
    } catch (error) {
      return negadaOf(clave, error);
    }
  }

  /** Reads whether a listing is kept out of automatic promotions; null where Mercado Libre does not tell it. */
  async function isExcluida(clave: string): Promise<boolean | null> {
    await turno(preciosLeidos, PRECIOS_POR_MINUTO, espera);
    try {
      return await promociones.excluida(clave);
    } catch (error) {
      if (error instanceof UnexpectedShape || (error instanceof Refused && !error.details.account)) return null;
      throw error;
    }
  }

  /** Returns why nothing is known of a listing. Throws what is no answer about it. An account that may not ask is told so at each of its listings. */
  function negadaOf(clave: string, error: unknown): { clave: string; negada: string; cuenta: boolean } {
    if (error instanceof UnexpectedShape) return { clave, negada: error.message, cuenta: false };
    if (error instanceof Refused)
      return { clave, negada: error.message, cuenta: [401, 403].includes(error.details.status ?? 0) };
    throw error;
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
