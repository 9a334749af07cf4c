import { toWire } from '~/core/list';
import { findEmpresa } from '~/domain/personal/empresas.server';
import { db } from '~db/shared.server';

/** A company as its panel shows it; null when there is none by that id. */
export async function empresaOf(id: string) {
  const empresa = await findEmpresa(db(), id);
  return empresa ? toWire(empresa) : null;
}
