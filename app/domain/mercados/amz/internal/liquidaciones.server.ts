import { sql } from 'kysely';
import { openReportesAmz } from '../cuenta.server';
import type { ReportesAmz } from '~/integrations/amazon/reportes.server';
import type { FuenteDeLiquidaciones, Liquidaciones, ReporteAjeno } from '~/domain/mercados/liquidacion';
import { createLectorAmz } from './liquidacionAmz';

/** Opens the settlements of Amazon, which come by themselves. A settlement that ends when it begins is given one second. */
export function createLiquidacionesAmz(reportes: ReportesAmz): Liquidaciones {
  return {
    async lista(desde) {
      const all = await reportes.lista(desde);
      return all.map(({ reportId, dataStartTime, dataEndTime, processingStatus, reportDocumentId }): ReporteAjeno => ({
        suyo: reportId,
        desde: dataStartTime,
        hasta: dataEndTime > dataStartTime ? dataEndTime : new Date(dataStartTime.getTime() + 1_000),
        archivo: processingStatus === 'DONE' ? (reportDocumentId ?? null) : null,
        ...(['FATAL', 'CANCELLED'].includes(processingStatus) && {
          fallo: `Amazon dijo que el reporte terminó en «${processingStatus}»`,
        }),
      }));
    },
    async *lee(archivo) {
      const read = createLectorAmz();
      for await (const fila of reportes.lee(archivo)) yield* read(fila);
    },
  };
}

/** Amazon's settlements, as the registry knows them. */
export const liquidacionesAmz: FuenteDeLiquidaciones = {
  market: 'amz',
  open: (db, options) => createLiquidacionesAmz(openReportesAmz(db, options)),
  guardaSaldo: false,
  // Amazon charges ISR by the month: a settlement can tell of a sale only the amounts that its movements tell.
  retencionEsperada: sql`coalesce((orden.datos #>> '{finanzas,retenido}')::numeric, orden.retencion)`,
};
