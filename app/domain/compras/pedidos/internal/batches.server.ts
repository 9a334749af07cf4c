import { enPesos } from '~/core/importe';
import { cuantas } from '~/platform/batches/batch';
import type { Accion } from '~/platform/batches/prepared.server';
import { confirmReviewed, type PedidoRevisado, rereadPedido, reviewPedido } from '../placePedido.server';
import { impedimentoOf, type Revision } from './guardias';
import { requireMismoCosto } from './mismoCosto';
import { rows } from '../listPedidos.server';
import { conError, ERROR_CONFIRMAR, mayConfirm, ESTADO_LABEL } from '../pedido';

/**
 * Confirms many pedidos at once. Nobody gives reasons, so a pedido that needs one is left out. Stale products are read again before each purchase.
 */
export const confirmarPedidos: Accion = {
  accion: 'confirmarPedidos',
  boton: 'Confirmar pedidos',
  nombres: { una: 'pedido', muchas: 'pedidos', clave: 'Pedido', titulo: 'Título' },
  pregunta: (n, suma) => ({
    titulo: 'Confirmar pedido',
    texto: '¿Está seguro que desea confirmar el pedido?',
    hechos: `Se ${n === 1 ? 'compra' : 'compran'} ${cuantas(n, 'pedido', 'pedidos')} por ${enPesos(suma.toFixed(2))} con IVA.`,
  }),
  hecho: 'Los pedidos llegaron a su proveedor.',
  fallo: ERROR_CONFIRMAR,
  async look(trx, ids) {
    const filas = await rows(trx)
      .where('pedido.id', 'in', [...ids])
      .execute();
    return Promise.all(
      filas.map(async (fila) => {
        const revisado = await reviewPedido(trx, fila.id, null);
        return {
          id: fila.id,
          clave: fila.folio,
          titulo: fila.titulo,
          importe: revisado?.revision.costo ?? fila.costo,
          visto: String(fila.version),
          impedimento: impedimentoEnLote(fila, revisado),
        };
      }),
    );
  },
  async lock(trx, id) {
    const pedido = await trx.selectFrom('pedido').select('version').where('id', '=', id).forUpdate().executeTakeFirst();
    return pedido && String(pedido.version);
  },
  before: async (db, id) => void (await rereadPedido(db, id)),
  async apply(trx, id, { usuarioId }, { importe }) {
    const [{ rol }, { version }] = await Promise.all([
      trx.selectFrom('usuario').select('rol').where('id', '=', usuarioId).executeTakeFirstOrThrow(),
      trx.selectFrom('pedido').select('version').where('id', '=', id).executeTakeFirstOrThrow(),
    ]);
    requireMismoCosto(ERROR_CONFIRMAR, importe, (await reviewPedido(trx, id, null))?.revision.costo ?? null);
    await confirmReviewed(trx, { id, version, costo: null, motivo: null }, { usuarioId, rol });
    const effects = await trx
      .selectFrom('effectSubject')
      .innerJoin('effect', 'effect.id', 'effectSubject.effectId')
      .select('effect.id')
      .where('entidad', '=', 'pedido')
      .where('entidadId', '=', id)
      .where('effect.state', '=', 'queued')
      .execute();
    return effects.map((effect) => effect.id);
  },
};

type Fila = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

function impedimentoEnLote(fila: Fila, revisado: PedidoRevisado | undefined): string | null {
  if (conError(fila))
    return fila.errores.join('; ') || fila.detalle || `El pedido está ${ESTADO_LABEL[fila.estado].toLowerCase()}.`;
  if (fila.envio === null) return 'La orden no tiene un envío.';
  if (!mayConfirm(fila)) return `El pedido está ${ESTADO_LABEL[fila.estado].toLowerCase()}: no hay nada que confirmar.`;
  return revisado ? impedimentoOf(sinEdad(revisado.revision), null) : 'El pedido ya no existe.';
}

/** Findings without the age of the data, since products are read again before they are bought. */
const sinEdad = ({ hallazgos }: Revision): Pick<Revision, 'hallazgos'> => ({
  hallazgos: hallazgos.filter(({ clave }) => clave !== 'lectura'),
});
