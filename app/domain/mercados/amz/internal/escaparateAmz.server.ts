import { Refused, UnexpectedShape } from '~/integrations/errors';
import {
  type Hallado,
  POR_BUSQUEDA,
  POR_PRECIO_ESPERADO,
  type PublicacionesAmz,
} from '~/integrations/amazon/publicaciones.server';
import type {
  CapacidadesDePublicacion,
  CompetenciaHallada,
  Escaparate,
  Hallada,
  LimitesDePublicacion,
} from '~/domain/mercados/publicacion';
import { competenciasAmz } from './competenciaAmz';
import { publicacionAmz } from './publicacion';

/**
 * Amazon documents five calls in a second for each operation. A change takes several calls, since the listing is read before it and some times
 * after, so one change in a second goes by itself; more changes go in a file, one file in two minutes.
 */
export const LIMITES_AMZ: LimitesDePublicacion = {
  porLectura: POR_BUSQUEDA,
  cambiosPorMinuto: 60,
  porArchivo: 500,
  entreArchivosS: 125,
};
/** Many changes leave as one file. */
export const CAPACIDADES_AMZ: CapacidadesDePublicacion = { cambios: 'archivo' };

type Pagina = Awaited<ReturnType<PublicacionesAmz['movidas']>>;

const MINUTE = 60_000;
const POR_TRAMO = 200;
/** Waits for a report, which takes some minutes, and before another one after a failure. */
const MIRAR_MS = 30_000;
const OTRO_MS = 30 * MINUTE;
/** Most listings that a search without identifiers reaches. */
const ALCANZABLES = 1_000;

/**
 * Opens the listings of the linked seller. The report tells all skus and may be hours old; Listings Items tells how each one stands now. `sigue`
 * is the report: its lines are taken again from the first, and a listing that was read since the run began is not read twice.
 */
export function createEscaparateAmz(amazon: PublicacionesAmz): Escaparate {
  return {
    async *todas(sigue, asking) {
      if (sigue === null) {
        yield { claves: [], sigue: await asking.patiently(() => amazon.pedirReporte()), esperarMs: MIRAR_MS };
        return;
      }
      const reporte = await asking.patiently(() => amazon.reporte(sigue));
      if (reporte?.estado === 'haciendose') {
        yield { claves: [], sigue, esperarMs: MIRAR_MS };
        return;
      }
      if (reporte?.estado !== 'listo') {
        // Amazon also cancels an empty report: only a search that finds nothing proves that there is nothing.
        if (reporte && (await asking.patiently(() => amazon.cuantas())) === 0) return;
        yield { claves: [], sigue: null, esperarMs: reporte ? OTRO_MS : 0 };
        return;
      }
      let claves: string[] = [];
      for await (const sku of amazon.skus(reporte.documento)) {
        asking.signal?.throwIfAborted();
        if (claves.push(sku) < POR_TRAMO) continue;
        yield { claves, sigue };
        claves = [];
      }
      if (claves.length > 0) yield { claves, sigue };
    },

    async *movidas(desde, asking) {
      let pagina: string | null = null;
      for (let n = 0; n < ALCANZABLES; n += POR_BUSQUEDA) {
        asking.signal?.throwIfAborted();
        const actual: string | null = pagina;
        const page: Pagina = await asking.patiently(() => amazon.movidas(desde, actual));
        if (page.halladas.length > 0) yield page.halladas.map(({ sku }) => sku).filter((sku) => sku !== '');
        pagina = page.siguiente;
        if (pagina === null) return;
      }
    },

    async leer(claves) {
      const juntas = claves.filter((clave) => !clave.includes(','));
      const halladas = new Map<string, Hallado>();
      if (juntas.length > 1) for (const one of await amazon.conSkus(juntas)) halladas.set(one.sku, one);
      const leidas: Hallada[] = [];
      for (const clave of claves) {
        // A search is an index: a listing that it does not tell is asked for by itself before it counts as gone.
        const one = halladas.get(clave) ?? (await amazon.una(clave));
        leidas.push(
          one === null
            ? { clave, falta: true }
            : 'anuncio' in one
              ? { clave, leida: { ...publicacionAmz(one.anuncio, one.raw), clave } }
              : { clave, ilegible: one.ilegible },
        );
      }
      return leidas;
    },

    competencia: {
      porLectura: POR_PRECIO_ESPERADO,
      // One question in half a minute is all there is.
      porVez: 4 * POR_PRECIO_ESPERADO,
      async leer(claves) {
        try {
          const { vendedor, filas } = await amazon.esperados(claves);
          return competenciasAmz(vendedor, filas);
        } catch (error) {
          const todas = (negada: string, cuenta: boolean): CompetenciaHallada[] =>
            claves.map((clave) => ({ clave, negada, cuenta }));
          if (error instanceof UnexpectedShape) return todas(error.message, false);
          // A question of bad offers alone is a 400; any other no is about who asks.
          if (error instanceof Refused) return todas(error.message, error.details.status !== 400);
          throw error;
        }
      },
    },

    conSku: async (sku) => ((await amazon.una(sku)) ? [sku] : []),
  };
}
