import type { Usuario } from '~/core/usuario';
import { toWire, type Wire } from '~/core/list';
import { civilDay } from '~/core/time';
import { PAGAR } from '~/domain/compras/pagos/pago';
import { cuentasPorPagar, elegiblesDe, porPagarList } from '~/domain/compras/pagos/porPagar.server';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { openList } from '~/platform/lists/list.server';
import { db } from '~db/shared.server';

/** Reads the table of invoices to be paid, what is owed to each supplier, and the invoices of the supplier whom somebody is about to pay. */
export async function openPorPagar(request: Request, usuario: Usuario, puede: boolean) {
  const search = new URL(request.url).searchParams;
  const pagado = puede ? search.get(PAGAR.proveedor) : null;
  const [lista, cuentas, proveedores, elegibles] = await Promise.all([
    openList(db(), porPagarList, request, usuario),
    cuentasPorPagar(db()),
    listProveedorOptions(db()),
    pagado === null ? [] : elegiblesDe(db(), pagado),
  ]);
  const suyo = proveedores.find(({ value }) => value === pagado);
  const pagar = suyo && elegibles.length > 0 ? porElegir(suyo, elegibles, search.get(PAGAR.factura)) : null;
  return { lista, cuentas: toWire(cuentas), proveedores, pagar };
}

export type PorPagarAbierto = Awaited<ReturnType<typeof openPorPagar>>;

export type PorElegir = {
  proveedor: string;
  label: string;
  hoy: string;
  facturas: Wire<Awaited<ReturnType<typeof elegiblesDe>>>;
  /** The ids of the invoices that begin chosen. */
  elegidas: string[];
};

/** The pressed invoice begins chosen; without one, those that are late. */
function porElegir(
  { value, label }: { value: string; label: string },
  elegibles: Awaited<ReturnType<typeof elegiblesDe>>,
  factura: string | null,
): PorElegir {
  const hoy = civilDay(new Date());
  const elegidas = elegibles.filter(({ id, vence }) =>
    factura === null ? vence !== null && vence < hoy : id === factura,
  );
  return { proveedor: value, label, hoy, facturas: toWire(elegibles), elegidas: elegidas.map(({ id }) => id) };
}
