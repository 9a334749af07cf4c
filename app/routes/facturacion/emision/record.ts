import type { Usuario } from '~/core/usuario';
import { readPorRevisar } from '~/domain/facturacion/emision/draftSteps.server';
import { db } from '~db/shared.server';

/** Reads the factura that a sale waits for: null when it waits for none any more. */
export async function porRevisarOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  return { factura: await readPorRevisar(db(), id, usuario) };
}

export type FacturaPorRevisar = Awaited<ReturnType<typeof porRevisarOf>>;
