import { enPesos } from '~/core/importe';
import { cuantas } from '~/domain/lotes/lote';
import type { Accion } from '~/domain/lotes/lote.server';
import type { Trx } from '~db/client.server';
import { confirmarRevisado, releerPedido, revisarPedido } from './comprar.server';
import { impedimentoDe, type Revision } from './guardias';
import { rows } from './listPedidos.server';
import { conError, CONFIRMADO, ERROR_CONFIRMAR, puedeConfirmar } from './porConfirmar';
import { ESTADO_LABEL } from './pedido';

/** Many at once are bought without a reason, so what needs one is left out. What was read long ago is read again before each. */
export const confirmarPedidos: Accion = {
  accion: 'confirmarPedidos',
  boton: 'Confirmar pedidos',
  nombres: { una: 'pedido', muchas: 'pedidos', clave: 'Pedido', titulo: 'Título' },
  pregunta: (n, suma) => ({
    titulo: 'Confirmar pedido',
    texto: '¿Está seguro que desea confirmar el pedido?',
    hechos: `Se ${n === 1 ? 'compra' : 'compran'} ${cuantas(n, 'pedido', 'pedidos')} por ${enPesos(suma.toFixed(2))} con IVA.`,
  }),
  hecho: CONFIRMADO,
  fallo: ERROR_CONFIRMAR,
  async mira(trx, ids) {
    const filas = await rows(trx)
      .where('pedido.id', 'in', [...ids])
      .execute();
    return Promise.all(
      filas.map(async (fila) => ({
        id: fila.id,
        clave: fila.folio,
        titulo: fila.titulo,
        importe: fila.costo,
        visto: String(fila.version),
        impedimento: await impedimentoEnLote(trx, fila),
      })),
    );
  },
  async visto(trx, id) {
    const pedido = await trx.selectFrom('pedido').select('version').where('id', '=', id).forUpdate().executeTakeFirst();
    return pedido && String(pedido.version);
  },
  antes: async (db, id) => void (await releerPedido(db, id)),
  async aplica(trx, id, { usuarioId }) {
    const [{ rol }, { version }] = await Promise.all([
      trx.selectFrom('usuario').select('rol').where('id', '=', usuarioId).executeTakeFirstOrThrow(),
      trx.selectFrom('pedido').select('version').where('id', '=', id).executeTakeFirstOrThrow(),
    ]);
    await confirmarRevisado(trx, { id, version, costo: null, motivo: null }, { usuarioId, rol });
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

async function impedimentoEnLote(trx: Trx, fila: Fila): Promise<string | null> {
  if (conError(fila))
    return fila.errores.join('; ') || fila.detalle || `El pedido está ${ESTADO_LABEL[fila.estado].toLowerCase()}.`;
  if (fila.envio === null) return 'La orden no tiene un envío.';
  if (!puedeConfirmar(fila))
    return `El pedido está ${ESTADO_LABEL[fila.estado].toLowerCase()}: no hay nada que confirmar.`;
  const revisado = await revisarPedido(trx, fila.id, null);
  return revisado ? impedimentoDe(sinEdad(revisado.revision), null) : 'El pedido ya no existe.';
}

/** It is read again before it is bought. */
const sinEdad = ({ hallazgos }: Revision): Pick<Revision, 'hallazgos'> => ({
  hallazgos: hallazgos.filter(({ clave }) => clave !== 'lectura'),
});
