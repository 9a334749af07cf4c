import { log } from '~/core/log.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import type { ClienteGuardado } from './forms';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { isPublicoGeneral } from '~/domain/facturacion/cfdi/nombreFiscal';

/**
 * The records of an RFC that may be invoiced to, latest change first; an RFC may have several legal names. PUBLICO EN GENERAL is left out:
 * only a global is made out to it.
 */
export async function findClientes(db: Db, rfc: string): Promise<ClienteGuardado[]> {
  const rows = await db
    .selectFrom('clienteFiscal')
    .select(['id', 'uid', 'razonSocial', 'cp', 'regimen', 'emails', 'usoCfdi'])
    .where('rfc', '=', rfc)
    .where('uid', 'is not', null)
    .orderBy('actualizadoEn', 'desc')
    .execute();
  return rows.filter(({ razonSocial }) => !isPublicoGeneral(razonSocial)).map((row) => ({ ...row, uid: row.uid! }));
}

/** The records found for an RFC, and the place they were found in. */
export type Hallazgo = {
  clientes: ClienteGuardado[];
  origen: 'registro' | 'pac';
  /** The PAC did not answer, so its records are unknown. */ sinPac: boolean;
};

/** Looks an RFC up in our records, and at the PAC when we have none. A PAC that does not answer in four seconds is no error: the person types the data. */
export async function lookUpRfc(db: Db, rfc: string): Promise<Hallazgo> {
  const clientes = await findClientes(db, rfc);
  if (clientes.length > 0) return { clientes, origen: 'registro', sinPac: false };
  try {
    const pac = await connectPacReader(db, { timeoutMs: 4_000 });
    const found = (await pac.clientsByRfc(rfc)).filter(({ razonSocial }) => !isPublicoGeneral(razonSocial));
    return {
      origen: 'pac',
      sinPac: false,
      clientes: found.map(({ uid, razonSocial, cp, regimen, emails, usoCfdi }) => ({
        id: null,
        uid,
        razonSocial,
        cp,
        regimen,
        emails,
        usoCfdi: usoCfdi || null,
      })),
    };
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
    log.warn('el PAC no contestó la búsqueda de un RFC', { error: error.message });
    return { clientes: [], origen: 'pac', sinPac: true };
  }
}
