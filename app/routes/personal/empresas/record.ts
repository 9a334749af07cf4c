import { toWire } from '~/core/list';
import { findEmpresa } from '~/domain/personal/empresas.server';
import { db } from '~db/shared.server';

/** Reads a company for its panel; null when the id is unknown. */
export async function empresaOf(id: string) {
  const empresa = await findEmpresa(db(), id);
  return empresa ? toWire(empresa) : null;
}
