import type { Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';
import { type PedidoRevisado, readOfVenta, reviewPedido } from './placePedido.server';
import type { HacerPedido } from './pedidoForm';
import { createPedido } from './pedidos.server';

/** Ends a transaction with what it found, and leaves nothing of it. */
class Previa extends Error {
  constructor(readonly revisado: PedidoRevisado | undefined) {
    super('previa');
  }
}

/** What the pedido of a sale at a supplier would be, with what its guards say; undefined where the sale has one already. Nothing is written and nothing leaves. */
export async function previewPedido(
  db: Db,
  form: Pick<HacerPedido, 'orden' | 'proveedor'>,
  { id: usuarioId, rol }: Pick<Usuario, 'id' | 'rol'>,
): Promise<PedidoRevisado | undefined> {
  const { venta, fallas } = await readOfVenta(db, form);
  try {
    return await db.transaction().execute(async (trx) => {
      const { id, created } = await createPedido(trx, { ...venta, proveedor: form.proveedor, usuarioId });
      throw new Previa(created ? await reviewPedido(trx, id, rol, fallas) : undefined);
    });
  } catch (error) {
    if (error instanceof Previa) return error.revisado;
    throw error;
  }
}
