import { CompanyFault } from '~/core/errors';
import type { Db, Trx } from '~db/client.server';

/** After a backup was restored: living CFDI of the PAC that may charge a sale and are not here. Until somebody explains them nothing of theirs is stamped again. */
export async function requireSinPorAdoptar(db: Db | Trx, titulo: string, numOrden: string): Promise<void> {
  const otro = await db
    .selectFrom('cfdiPorAdoptar')
    .select('folio')
    .where('numOrden', '=', numOrden)
    .executeTakeFirst();
  if (otro)
    throw new CompanyFault(
      titulo,
      `factura.com tiene vigente el CFDI ${otro.folio} de esta venta y aquí falta adoptarlo. Concilia otra vez (npm run restaurar -- --conciliar), o revísalo con tu contador.`,
    );
}

export async function hasUnadopted(db: Db): Promise<boolean> {
  return (await db.selectFrom('cfdiPorAdoptar').select('uuid').limit(1).executeTakeFirst()) !== undefined;
}
