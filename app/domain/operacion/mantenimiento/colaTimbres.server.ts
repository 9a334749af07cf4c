import { facturasPorAtender, type QueFalta } from '~/domain/facturacion/cancelacion/porAtender.server';
import { countUnresolved } from '~/platform/effects/resolve.server';
import type { Cola } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';
import { listSinTimbrar } from '~/domain/facturacion/publico/sinTimbrar.server';
import { listPendientes, MAX } from './tablero.server';

/** Ages from which an uncertain call is a warning, which is at once, and late. */
const PLAZOS = { aviso: 0, mal: DIA };

const CORRECCION: Record<QueFalta, string> = {
  dosVigentes: 'sigue vigente junto con la que la sustituye',
  sinEnviar: 'su cancelación no ha salido',
  sinNoticia: 'el SAT no tiene su cancelación',
  sinRespuesta: 'su receptor no contesta la cancelación',
  sinCorregir: 'sigue vigente sin corregir',
  sinFactura: 'se canceló y su venta está sin factura',
};

/**
 * The queue of 'Pendientes': calls of uncertain outcome, corrections that stay half done, and facturas that customers asked for and that were not
 * stamped.
 */
export const timbresPorAtender: Cola = {
  clave: 'timbresPorAtender',
  titulo: 'Timbres por atender',
  clase: 'dinero',
  icono: 'recibo',
  pantallas: ['pendientes'],
  ver: 'Decidir en Pendientes',
  plazos: PLAZOS,
  necesita: 'timbrado',
  async mira(db, mirada) {
    const [dudosas, correcciones, sinTimbrar] = await Promise.all([
      listPendientes(db),
      facturasPorAtender(db),
      listSinTimbrar(db),
    ]);
    const cuantas = countCosas(
      [
        ...dudosas.map(({ id, asunto, reason, createdAt }) => ({
          id,
          titulo: asunto,
          detalle: reason ?? 'No se sabe si se hizo; no se repite sola.',
          a: `pendientes?ver=${id}`,
          desde: createdAt,
          vence: null,
        })),
        ...correcciones.map(({ id, folio, motivo, desde, detalle, borrador }) => ({
          id: `${id}:${motivo}:${desde.toISOString()}`,
          titulo: `La ${folio} ${CORRECCION[motivo]}`,
          detalle: detalle ?? '',
          a: borrador === null ? `facturasClientes?ver=${id}` : `facturacion?borrador=${borrador}`,
          desde,
          vence: null,
        })),
        ...sinTimbrar.map(({ venta, numOrden, fecha, motivo }) => ({
          id: `${venta}:${fecha.toISOString()}`,
          titulo: `La factura de ${numOrden} no se timbró`,
          detalle: motivo,
          a: 'pendientes',
          desde: fecha,
          vence: null,
        })),
      ],
      PLAZOS,
      mirada,
    );
    // The board tells the oldest ones; the count includes those beyond.
    const mas = dudosas.length < MAX || mirada.solo !== undefined ? 0 : (await countUnresolved(db)) - dudosas.length;
    return { ...cuantas, total: cuantas.total + mas };
  },
};
