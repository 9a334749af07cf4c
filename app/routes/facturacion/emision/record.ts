import type { Usuario } from '~/core/usuario';
import { readPorRevisar } from '~/domain/facturacion/emision/draftSteps.server';
import { db } from '~db/shared.server';

/** Reads the factura that a sale waits for; null when it waits for none, and for an unknown id. */
export const porRevisarOf = (id: string, _search: URLSearchParams, usuario: Usuario) =>
  readPorRevisar(db(), id, usuario);

export type FacturaPorRevisar = NonNullable<Awaited<ReturnType<typeof porRevisarOf>>>;
