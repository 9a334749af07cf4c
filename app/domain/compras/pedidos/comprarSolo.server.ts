import type { Guardias } from './automatico.server';
import { requireGuardias, setPrecios, rereadPedido } from './placePedido.server';
import type { Fallas } from './internal/mirada.server';

/** Nobody is there to give a reason: whatever the guards would ask one for stops it. It leaves at the price of now. */
export const GUARDIAS: Guardias<Fallas> = {
  releer: (db, pedidoId) => rereadPedido(db, pedidoId),
  async exigir(trx, pedidoId, fallas) {
    await requireGuardias(trx, pedidoId, { rol: null, motivo: null, fallas }, 'Aviso');
    await setPrecios(trx, pedidoId);
  },
};
