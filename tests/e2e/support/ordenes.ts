import { buildOrden, type OrdenSketch } from '../../support/builders/ordenes';
import { withDatabase } from './database';

/** A sale of so many hours ago, straight into the database of the launcher under test, under a number nobody else has. */
export function seedOrden({ hours, envio = {}, ...sketch }: OrdenSketch & { hours: number }) {
  const numOrden = `20000199${Date.now()}`.slice(0, 20) + Math.floor(Math.random() * 10);
  return withDatabase((db) => buildOrden(db, { numOrden, fechaCreacion: new Date(Date.now() - hours * 3_600_000), envio: envio && { marketId: `49${numOrden.slice(-9)}`, ...envio }, ...sketch }));
}

/** Where the letters of a supplier go. */
export function setProveedorEmail(value: string, email: string | null) {
  return withDatabase((db) => db.updateTable('proveedor').set({ email }).where('value', '=', value).execute());
}
