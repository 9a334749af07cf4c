import { CompanyFault, NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import type { Db } from '~db/client.server';
import { FALLA_DE_EMPRESA, isOfCliente } from './deEmpresa';
import { noteSinTimbrar } from '../sinTimbrar.server';

/**
 * Runs an act of a customer. A fault of the company's is thrown as NotAllowed in words for a customer, and told whole to staff: in the log,
 * and on the board beside the PAC's refusals. The caller is in no transaction, which would undo the note for staff.
 */
export async function runForCliente<T>(
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

/** Tells staff of a fault that kept a customer from invoicing, in the log and on the board. */
export async function tellStaff(
  db: Db,
  venta: Pick<Enlace, 'market' | 'numOrden'>,
  fault: CompanyFault | NotAllowed,
): Promise<void> {
  log.error('un cliente no pudo facturar por algo de la empresa', fault);
  await noteSinTimbrar(db, venta, fault.message);
}
