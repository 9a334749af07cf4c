import { buildOrden, type OrdenSketch } from '../../support/builders/ordenes';
import { withDatabase } from './database';

/** A sale of so many hours ago, straight into the database of the launcher under test, under a number nobody else has. */
export function seedOrden({ hours, envio = {}, ...sketch }: OrdenSketch & { hours: number }) {
  // Sixteen digits, as those of the marketplace.
  const numOrden = `20009${String(Date.now()).slice(-9)}${String(Math.floor(Math.random() * 100)).padStart(2, '0')}`;
  return withDatabase((db) =>
    buildOrden(db, {
      numOrden,
      fechaCreacion: new Date(Date.now() - hours * 3_600_000),
      envio: envio && { marketId: `49${numOrden.slice(-9)}`, ...envio },
      ...sketch,
    }),
  );
}

/** Where the letters of a supplier go. */
export function setProveedorEmail(value: string, email: string | null) {
  return withDatabase((db) => db.updateTable('proveedor').set({ email }).where('value', '=', value).execute());
}
