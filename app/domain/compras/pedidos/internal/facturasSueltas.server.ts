import type { FacturaVista, Miradas } from '~/integrations/proveedores/cara';
import type { Db } from '~db/client.server';

type Lineas = readonly { idProveedor: string; cantidad: number }[];

/**
 * Returns a supplier's invoices since a day that bill exactly these pieces and belong to no order of ours that is known: one of them may be an order
 * whose answer was lost. For suppliers that cannot be asked by our reference.
 */
export async function facturasSueltas(
  db: Db,
  { proveedor, lineas, dia }: { proveedor: string; lineas: Lineas; dia: string },
  facturasDesde: Miradas['facturasDesde'],
): Promise<FacturaVista[]> {
  const nuestras = await db
    .selectFrom('pedido')
    .select('folioProveedor')
    .where('proveedor', '=', proveedor)
    .where('folioProveedor', 'is not', null)
    .execute();
  const conocidas = nuestras.map(({ folioProveedor }) => folioProveedor!);
  // The supplier's list may cut a folio at its end.
  const known = (pedido: string | null) =>
    pedido !== null && pedido !== '' && conocidas.some((folio) => folio.startsWith(pedido));
  const vistas = await facturasDesde(dia, known);
  return vistas.filter((vista) => piezas(vista.lineas) === piezas(lineas));
}

const piezas = (lineas: Lineas) =>
  lineas
    .map(({ idProveedor, cantidad }) => `${idProveedor}:${cantidad}`)
    .toSorted()
    .join(' ');
