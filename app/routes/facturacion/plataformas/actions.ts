import { NotAllowed } from '~/core/errors';
import { withParams } from '~/core/list';
import { MARKET_LABEL } from '~/core/market';
import { nombreOfMes } from '~/core/time';
import { RetencionesSubidas, RetencionQuitada } from '~/domain/facturacion/plataformas/forms';
import {
  findArchivoOfRetencion,
  MAX_RETENCION,
  mesesOfRetenciones,
  receiveRetenciones,
  removeRetencion,
} from '~/domain/facturacion/plataformas/retenciones.server';
import { defineRows, outcome } from '~/http/actions.server';
import { subidosOf } from '~/platform/files/xmlSubidos.server';
import { removeQuestion, type RetencionesLeidas } from './textos';

/** The drop of CFDI de retenciones, and taking one away. The month that came is shown. */
export const retencionActions = defineRows({
  subirRetenciones: {
    schema: RetencionesSubidas,
    right: 'plataformas.subir',
    commit: async (trx, { xml, market }, usuario, { search }) => {
      const { leidos, rechazados } = await receiveRetenciones(trx, await subidosOf(xml, MAX_RETENCION), {
        market,
        usuarioId: usuario.id,
      });
      const motivos = rechazados.map(({ nombre, motivo }) => `${nombre}: ${motivo}`).join(' ');
      if (rechazados.length > 0 && leidos.length === 0) throw new NotAllowed('Error de carga.', motivos);
      const meses = await mesesOfRetenciones(trx, leidos);
      if (rechazados.length > 0) return outcome({ resultado: { motivos, meses } satisfies RetencionesLeidas });
      return outcome({
        aviso:
          leidos.length === 1
            ? `Se leyó el CFDI de ${nombreOfMes(meses[0]!)}.`
            : `Se leyeron ${leidos.length} CFDI de retenciones.`,
        to: withParams(search, { mes: meses[0]!, xml: null }),
      });
    },
  },
  quitarRetencion: {
    schema: RetencionQuitada,
    right: 'plataformas.subir',
    confirm: async (db, { id }) => {
      const cfdi = await findArchivoOfRetencion(db, id);
      return cfdi ? removeQuestion({ ...cfdi, mercado: MARKET_LABEL[cfdi.market] }) : null;
    },
    commit: (trx, { id }, usuario) => removeRetencion(trx, id, usuario.id),
    aviso: 'Se quitó el CFDI de retenciones.',
  },
});
