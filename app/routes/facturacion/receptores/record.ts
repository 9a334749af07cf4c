import { toWire } from '~/core/list';
import { catalogNotices, readClaves } from '~/domain/facturacion/sat/catalogos.server';
import {
  documentosOfCliente,
  readClienteFiscal,
  readClientePorVenta,
} from '~/domain/facturacion/receptores/datosFiscales.server';
import { db } from '~db/shared.server';

/** Reads tax data for their panel, of a customer or of one sale; null when the id is unknown. */
export async function clienteOf(id: string, search: URLSearchParams) {
  const [cliente, porVenta] = await Promise.all([readClienteFiscal(db(), id), readClientePorVenta(db(), id)]);
  if (!cliente && !porVenta) return null;
  const editar = cliente !== undefined && cliente !== null && search.get('editar') === '1' && !cliente.fijo;
  const [regimenes, usos, sinCargar, fijos] = await Promise.all([
    readClaves(db(), 'regimenes'),
    readClaves(db(), 'usos'),
    catalogNotices(db(), editar ? ['regimenes'] : []),
    editar ? documentosOfCliente(db(), cliente) : null,
  ]);
  return {
    id,
    cliente: cliente ? toWire(cliente) : null,
    porVenta: porVenta ? toWire(porVenta) : null,
    editar,
    regimenes,
    usos,
    sinCargar,
    fijos,
  };
}
