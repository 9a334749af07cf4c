import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Db } from '../../../db/client.server';
import { buildOrden, type OrdenSketch } from '../../support/builders/ordenes';

async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { databaseUrl } = JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR!, 'run.json'), 'utf8')) as { databaseUrl: string };
  const { db, close } = openDatabase(databaseUrl, { max: 2 });
  try {
    return await work(db);
  } finally {
    await close();
  }
}

/** A sale of so many hours ago, straight into the database of the launcher under test, under a number nobody else has. */
export function seedOrden({ hours, ...sketch }: OrdenSketch & { hours: number }) {
  const numOrden = `20000199${Date.now()}`.slice(0, 20) + Math.floor(Math.random() * 10);
  return withDatabase((db) => buildOrden(db, { numOrden, fechaCreacion: new Date(Date.now() - hours * 3_600_000), ...sketch }));
}

/** Where the letters of a supplier go. */
export function setProveedorEmail(value: string, email: string | null) {
  return withDatabase((db) => db.updateTable('proveedor').set({ email }).where('value', '=', value).execute());
}
