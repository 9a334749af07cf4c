import { ESTADO_LABEL } from '~/domain/compras/pedidos/pedido';
import type { Tono } from '~/ui/Estatus';
import type { Fila } from './acciones';

export const tonoOfEstado = ({ estado, errores }: Pick<Fila, 'estado' | 'errores'>): Tono =>
  estado === 'rechazado' || estado === 'vencido' || errores.length > 0
    ? 'mal'
    : estado === 'incierto'
      ? 'aviso'
      : ['confirmado', 'facturado', 'guiaEnviada', 'enviado'].includes(estado)
        ? 'ok'
        : 'neutro';

/** Returns the supplier's objection, or the reason of the state. */
export const motivoOf = ({ errores, detalle }: Pick<Fila, 'errores' | 'detalle'>): string | null =>
  errores.length > 0 ? errores.join('; ') : detalle;

export const estadoOf = ({ estado, errores }: Pick<Fila, 'estado' | 'errores'>): string =>
  errores.length > 0 && estado === 'solicitado' ? 'Con error' : ESTADO_LABEL[estado];
