import { openReportesMp } from '../cuenta.server';
import type { ReportesMp } from '~/integrations/mercadolibre/reportes.server';
import type { FuenteDeLiquidaciones, Liquidaciones, ReporteAjeno } from '~/domain/mercados/liquidacion';
import { createLectorMp } from './liquidacionMl.server';

/** Days of one report that we ask for; Mercado Pago makes reports of sixty days at most. */
const MAX_DIAS = 30;
const FALLIDO = /fail|error|cancel|delet/i;
const HECHO = /process|ready|done|finish|enabled|available|success/i;

/**
 * Opens the reports of Mercado Pago. Their states are words of an open list, so a report is taken as failed, made or awaited by what its word
 * contains. The list of Mercado Pago takes no date: the reports that end before `desde` are left out here.
 */
export function createLiquidacionesMl(reportes: ReportesMp): Liquidaciones {
  return {
    pide: { maxDias: MAX_DIAS, pide: async ({ desde, hasta }) => ({ suyo: await reportes.pide(desde, hasta) }) },
    async lista(desde) {
      const all = await reportes.lista();
      return all.flatMap((one): ReporteAjeno[] => {
        if (one.end_date < desde) return [];
        const failed = one.status && FALLIDO.test(one.status);
        // A report without a state counts as made once it has a name.
        const made =
          one.file_name && (!one.status || HECHO.test(one.status) || !/pend|progress|queue/i.test(one.status));
        return [
          {
            suyo: one.id ?? one.file_name ?? '',
            desde: one.begin_date,
            hasta: one.end_date,
            archivo: made && !failed ? one.file_name! : null,
            ...(failed && { fallo: `Mercado Pago dijo que el reporte terminó en «${one.status}»` }),
          },
        ];
      });
    },
    async *lee(archivo) {
      const read = createLectorMp();
      for await (const fila of reportes.lee(archivo)) yield read(fila);
    },
  };
}

/** Mercado Pago's reports, as the registry knows them. */
export const liquidacionesMl: FuenteDeLiquidaciones = {
  market: 'ml',
  guardaSaldo: true,
  open: (db, options) => createLiquidacionesMl(openReportesMp(db, options)),
};
