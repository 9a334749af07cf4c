import { seedFacturas } from '../../support/builders/facturas';
import { withDatabase } from './database';

/** Febrero de 2024: a month nobody else writes in. */
export const FEBRERO = 'desde=2024-02-01&hasta=2024-02-29';
const SERIE = 'FEB';

/** Fills that month once, straight into the database of the launcher under test. */
export async function seedFebrero(count: number): Promise<void> {
  await withDatabase(async (db) => {
    const known = await db.selectFrom('factura').where('serie', '=', SERIE).select('id').limit(1).executeTakeFirst();
    if (!known)
      await seedFacturas(db, {
        count,
        serie: SERIE,
        from: new Date('2024-02-01T06:00:00Z'),
        to: new Date('2024-03-01T06:00:00Z'),
      });
  });
}
