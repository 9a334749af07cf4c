import { buildOrden, type VentaSketch } from '../../support/builders/mes';
import { withDatabase } from './database';

/** Sales of a month nobody else sells in, straight into the database of the launcher under test. Returns their numbers. */
export function seedVentas(ventas: VentaSketch[]): Promise<string[]> {
  const first = Date.now() * 1_000;
  return withDatabase(async (db) => {
    const numeros = [];
    for (const [at, venta] of ventas.entries())
      numeros.push((await buildOrden(db, { marketId: String(first + at), ...venta })).numOrden);
    return numeros;
  });
}

export function devolver(...numeros: string[]) {
  return withDatabase((db) =>
    db.updateTable('orden').set({ clase: 'devuelta' }).where('numOrden', 'in', numeros).execute(),
  );
}

/** Gives a part of the money of a sale back, as its next reading would write it. */
export function devolverParte(numero: string, pagadoAbs: string) {
  return withDatabase((db) =>
    db.updateTable('orden').set({ situacion: 'devueltaEnParte', pagadoAbs }).where('numOrden', '=', numero).execute(),
  );
}
