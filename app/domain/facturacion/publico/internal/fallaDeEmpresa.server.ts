import { CompanyFault, NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import type { Db } from '~db/client.server';
import { FALLA_DE_EMPRESA, isOfCliente } from './deEmpresa';
import { noteSinTimbrar } from '../sinTimbrar.server';

/**
 * Runs it; what is the company's to mend comes back in words for a customer, and whole to the staff: in the log, and on the board beside what the PAC refused. In
 * no transaction, which would take the note away with it.
 */
export async function paraElCliente<T>(
  db: Db,
  venta: Pick<Enlace, 'market' | 'numOrden'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const deEmpresa =
      error instanceof CompanyFault ||
      (error instanceof NotAllowed && error.campo !== undefined && !isOfCliente(error.campo));
    if (!deEmpresa) throw error;
    await tellStaff(db, venta, error);
    throw new NotAllowed('Facturación', FALLA_DE_EMPRESA, { cause: error });
  }
}

/** Whoever reads that it is being seen to, on opening the page or on pressing, has been told the truth. */
export async function tellStaff(
  db: Db,
  venta: Pick<Enlace, 'market' | 'numOrden'>,
  fault: CompanyFault | NotAllowed,
): Promise<void> {
  log.error('un cliente no pudo facturar por algo de la empresa', fault);
  await noteSinTimbrar(db, venta, fault.message);
}
