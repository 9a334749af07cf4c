import type { Guardias } from './automatico.server';
import { exigirGuardias, ponerPrecios, releerPedido } from './comprar.server';
import type { Fallas } from './mirada.server';

/** Nobody is there to give a reason: whatever the guards would ask one for stops it. It leaves at the price of now. */
export const GUARDIAS: Guardias<Fallas> = {
  releer: (db, pedidoId) => releerPedido(db, pedidoId),
  async exigir(trx, pedidoId, fallas) {
    await exigirGuardias(trx, pedidoId, { rol: null, motivo: null, fallas }, 'Aviso');
    await ponerPrecios(trx, pedidoId);
  },
};
